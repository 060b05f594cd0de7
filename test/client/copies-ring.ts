import { rmSync } from "node:fs";
import { join } from "node:path";
import { createLargeMarket } from "../../scripts/support/large-market.ts";
import { Itemtape } from "../../src/client/index.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { type Database, openWriter } from "../../src/store/database.ts";
import { importBusyMs, runAtOnce } from "../../src/store/write/batches.ts";
import { type Progress, silent } from "../../src/values/progress.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import type { Book, BookQuote } from "../../src/wire/quotes.ts";
import { Random } from "../sim/random.ts";
import { temporaryFolder } from "../support/files.ts";
import { ClockedServer, CountingProxy, Follower, runMeasured } from "./copies-processes.ts";

/** `items` with six offers and three orders each, of which `share` change in each of the `publications` of a day. */
export type CopiesOptions = { items: number; publications: number; share: number; seed: number };

/**
 * A client's figures for a day. `looks` is the number of updates with a comparison of digests. Processor time excludes the start of its
 * process.
 */
export type ClientFigures = {
  looks: number;
  exports: number;
  requests: number;
  bytes: number;
  cpuUs: number;
  /** The same updates by full exports: compressed bytes, and processor time of the same client. */
  byExports: { bytes: number; cpuUs: number };
};

export type CopiesReport = {
  publications: number;
  /** Items that a publication changed, all together. */
  changed: number;
  clients: Record<"waits" | "syncs" | "sleeps", ClientFigures>;
  /** Processor time in µs: of the server for all of these, for one export, and of the process that publishes. */
  cpuUs: { server: number; serverPerExport: number; publications: number };
  /** Faults, each with its step. Empty in a good run. */
  faults: string[];
};

const clientNames = ["waits", "syncs", "sleeps"] as const;
const providers = ["a", "b", "c", "d", "e", "f"].map((name) => ({
  provider: `bench-${name}`,
  name,
  kind: "cash" as const,
}));
/** A sync each hour of a day of 288 publications, and a sleep of six hours in its middle. */
const syncsOfDay = 24;
const [sleepFrom, sleepUntil] = [3 / 8, 5 / 8];
const exportsMeasured = 3;

/**
 * Plays a day of publications with three clients. One waits for each publication, one runs `itemtape sync` at intervals, one sleeps for a
 * quarter of the day. An updated client must have the server's digests. The server's clock does not move between two publications.
 */
export async function copiesRing(options: CopiesOptions, progress: Progress = silent): Promise<CopiesReport> {
  const folder = temporaryFolder();
  const day = await Day.begin(folder, options);
  try {
    progress.phase("publications", options.publications);
    for (let step = 1; step <= options.publications; step += 1) {
      await day.step(step);
      progress.advance(1, `${day.faults.length} faults`);
    }
    return await day.end();
  } finally {
    progress.end();
    await day.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Quotes of a market, some of which change at each step. Some items change often, most of them seldom. */
class Market {
  readonly quotes = new Map<number, Book>();
  readonly #random: Random;
  readonly #items: number;
  readonly #share: number;

  constructor({ items, share, seed }: CopiesOptions) {
    this.#random = new Random(seed);
    this.#items = items;
    this.#share = share;
    for (let itemId = 1; itemId <= items; itemId += 1) this.#change(itemId);
  }

  /** Changes the prices of a share of the items, and removes or restores the quotes of a few. Returns their number. */
  change(): number {
    let changed = 0;
    for (let itemId = 1; itemId <= this.#items; itemId += 1) {
      const often = itemId % 10 === 0 ? 4 : 2 / 3;
      if (!this.#random.chance(Math.min(1, this.#share * often))) continue;
      changed += 1;
      if (this.#random.chance(0.005) && this.quotes.delete(itemId)) continue;
      this.#change(itemId);
    }
    return changed;
  }

  #change(itemId: number): void {
    const amount = this.#random.between(100, 90_000);
    const quote = ({ provider }: { provider: string }, place: number): BookQuote => ({
      provider,
      amountCents: amount + place,
      quantity: 1 + ((itemId * 31 + place * 17) % 400),
      url: `https://${provider}.example/listings/730/synthetic-finish-${itemId}?offer=${itemId * 10 + place}`,
      observedAt: null,
    });
    this.quotes.set(itemId, { asks: providers.map(quote), bids: providers.slice(0, 3).map(quote) });
  }
}

class Day {
  readonly faults: string[] = [];
  readonly #options: CopiesOptions;
  readonly #market: Market;
  readonly #writer: Database;
  readonly #server: ClockedServer;
  readonly #proxies: Record<(typeof clientNames)[number], CountingProxy>;
  readonly #keys: readonly string[];
  readonly #asks: Itemtape;
  readonly #followers: Record<"waits" | "sleeps", Follower>;
  readonly #copy: string;
  readonly #sync = { looks: 0, exports: 0, cpuUs: 0 };
  readonly #looks = { waits: 0, sleeps: 0 };

  #at: number;
  #changed = 0;
  #publishedUs = 0;

  static async begin(folder: string, options: CopiesOptions): Promise<Day> {
    const path = join(folder, "market.db");
    const keys = createLargeMarket(path, options.items, clientNames.length + 1);
    const at = systemClock.now();
    const server = await ClockedServer.start(path, at);
    const start = () => CountingProxy.start(server.port);
    const proxies = { waits: await start(), syncs: await start(), sleeps: await start() };
    const followers = {
      waits: await Follower.start(proxies.waits.base, keys[0]!),
      sleeps: await Follower.start(proxies.sleeps.base, keys[2]!),
    };
    return new Day(options, { at, path, server, proxies, followers, keys, folder });
  }

  private constructor(
    options: CopiesOptions,
    parts: {
      at: number;
      path: string;
      server: ClockedServer;
      proxies: Record<(typeof clientNames)[number], CountingProxy>;
      followers: Record<"waits" | "sleeps", Follower>;
      keys: readonly string[];
      folder: string;
    },
  ) {
    this.#options = options;
    this.#market = new Market(options);
    this.#at = parts.at;
    this.#writer = openWriter(parts.path, importBusyMs);
    this.#server = parts.server;
    this.#proxies = parts.proxies;
    this.#followers = parts.followers;
    this.#keys = parts.keys;
    this.#copy = join(parts.folder, "copy.ndjson");
    this.#asks = new Itemtape({ baseUrl: `http://127.0.0.1:${parts.server.port}`, apiKey: parts.keys[3]! });
  }

  /** Publishes once and updates the clients that are due. */
  async step(step: number): Promise<void> {
    const { publications } = this.#options;
    this.#at += Math.floor(dayMs / publications);
    await this.#server.set(this.#at);
    if (step > 1) this.#changed += this.#market.change();
    const generation = this.#publish();
    const { waits, sleeps } = this.#followers;
    const isAsleep = step > publications * sleepFrom && step <= publications * sleepUntil;
    if (!waits.isAwake) waits.wake();
    if (isAsleep && sleeps.isAwake) await sleeps.command("sleep");
    if (!isAsleep && !sleeps.isAwake) sleeps.wake();
    await this.#compare(step, "waits", generation);
    if (!isAsleep) await this.#compare(step, "sleeps", generation);
    if (step % Math.max(1, Math.round(publications / syncsOfDay)) === 0) await this.#runSync(step, generation);
  }

  async end(): Promise<CopiesReport> {
    const { publications } = this.#options;
    const { cpuUs: server } = await this.#server.figures();
    const bytes = Object.fromEntries(clientNames.map((name) => [name, this.#proxies[name].bytes]));
    const requests = clientNames.map((_, index) => this.#requestsOf(this.#keys[index]!));
    const { waits, sleeps } = this.#followers;
    const cpuUs = {
      waits: (await waits.command("figures")) - waits.startUs,
      syncs: this.#sync.cpuUs - this.#sync.looks * (await runMeasured(["help"], {})).cpuUs,
      sleeps: (await sleeps.command("figures")) - sleeps.startUs,
    };
    const perExport = await this.#anExport(waits, bytes.waits!);
    const looks = { ...this.#looks, syncs: this.#sync.looks };
    const exports = { waits: waits.exports, sleeps: sleeps.exports, syncs: this.#sync.exports };
    const figures = (name: (typeof clientNames)[number], index: number): ClientFigures => ({
      looks: looks[name],
      exports: exports[name],
      requests: requests[index]!,
      bytes: bytes[name]!,
      cpuUs: cpuUs[name],
      byExports: { bytes: perExport.bytes * looks[name], cpuUs: perExport.clientUs * looks[name] },
    });
    return {
      publications,
      changed: this.#changed,
      clients: { waits: figures("waits", 0), syncs: figures("syncs", 1), sleeps: figures("sleeps", 2) },
      cpuUs: { server, serverPerExport: perExport.serverUs, publications: this.#publishedUs },
      faults: this.faults,
    };
  }

  async close(): Promise<void> {
    for (const follower of Object.values(this.#followers)) await follower.stop();
    for (const proxy of Object.values(this.#proxies)) proxy.stop();
    this.#writer.$client.close();
    await this.#server.stop();
  }

  #publish(): string {
    const before = process.cpuUsage();
    const facts = { feed: "bench", adapter: "canonical", providers };
    const at = this.#at;
    const clock = { now: () => at, monotonicMs: systemClock.monotonicMs };
    const published = runAtOnce(publishInBatches(this.#writer, [{ facts, items: this.#market.quotes }], { clock }));
    const { user, system } = process.cpuUsage(before);
    this.#publishedUs += user + system;
    return `g${published.generationId}`;
  }

  async #compare(step: number, name: "waits" | "sleeps", generation: string): Promise<void> {
    const { digest, identityDigest } = await this.#followers[name].until(generation);
    this.#looks[name] += 1;
    await this.#expect(step, name, { generation, digest, identityDigest });
  }

  async #runSync(step: number, expected: string): Promise<void> {
    const env = { ITEMTAPE_API_KEY: this.#keys[1]!, ITEMTAPE_URL: this.#proxies.syncs.base };
    const { stdout, cpuUs } = await runMeasured(["sync", this.#copy, "--json"], env);
    const { result, generation, digest, identity_digest: identityDigest } = JSON.parse(stdout);
    this.#sync.looks += 1;
    this.#sync.cpuUs += cpuUs;
    if (result === "exported") this.#sync.exports += 1;
    if (generation !== expected) this.faults.push(`step ${step}, syncs: ${generation} and not ${expected}`);
    await this.#expect(step, "syncs", { generation, digest, identityDigest });
  }

  async #expect(
    step: number,
    name: string,
    held: { generation: string; digest: string; identityDigest: string },
  ): Promise<void> {
    const { data } = await this.#asks.getGeneration({ generation: held.generation });
    if (data.digest !== held.digest || data.identity_digest !== held.identityDigest)
      this.faults.push(`step ${step}, ${name}: its digests of ${held.generation} are not those of the server`);
  }

  #requestsOf(secret: string): number {
    const lastFour = secret.slice(-4);
    return this.#writer.$client
      .prepare<[string], number>("SELECT count(*) FROM usage_events JOIN api_keys USING (key_id) WHERE last_four = ?")
      .pluck()
      .get(lastFour)!;
  }

  /** Measures an export: its bytes, and the processor time of client and server. */
  async #anExport(client: Follower, bytesBefore: number) {
    const before = await this.#server.figures();
    const clientUs = await client.command(`export ${exportsMeasured}`);
    const after = await this.#server.figures();
    return {
      bytes: (this.#proxies.waits.bytes - bytesBefore) / exportsMeasured,
      clientUs: clientUs / exportsMeasured,
      serverUs: (after.cpuUs - before.cpuUs) / exportsMeasured,
    };
  }
}
