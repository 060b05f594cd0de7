import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { manifestName, ReleaseFolder, timestampName } from "../../src/releases/folder.ts";
import type { Manifest } from "../../src/releases/manifest.ts";
import { namedManifest } from "../../src/releases/metadata.ts";
import { closeDatabase, openWriter } from "../../src/store/database.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import type { Book } from "../../src/wire/quotes.ts";
import { ServerChild } from "../faults/child.ts";
import { QuoteWorld } from "../import/quotes/quote-world.ts";
import { initRoot } from "../releases/signer.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { freePort } from "../support/postgres.ts";
import { until } from "../support/until.ts";

const items = 450;
/** Offers of each item, with long addresses so that an export exceeds the socket buffers: 4.5 MB. */
const offers = Array.from({ length: 5 }, (_, index) => ({ provider: `shop${index}`, path: "x".repeat(2000 + index) }));
/** The provider of a single item. Its price changes with each publication. */
export const ticker = [{ provider: "ticker", path: "" }] as const;
const busyMs = 5000;

/** The program that imports prices and seals releases, and its sealed releases. */
export class RingPublisher {
  /** The folder that it seals into. */
  readonly sealed = join(temporaryFolder(), "releases");
  /** The folder that nodes follow: a link to the publisher's folder, or to a spoiled one. */
  readonly followed = join(temporaryFolder(), "followed");
  /** The text for `--trust`. */
  trust = "";
  /** File of the online key. */
  readonly keyPath = join(temporaryFolder(), "release.pem");
  readonly #market = new QuoteWorld(Array.from({ length: items }, () => ({})));
  readonly #digests = new Map<string, string>();
  #port = 0;
  #cents = 100;
  #child: ServerChild | null = null;

  /** Publishes a market and seals the first release, by itself from then on. */
  async start(): Promise<void> {
    this.trust = await initRoot(this.sealed, this.keyPath);
    publish(this.#market.path, "shops", offers, items, this.#cents);
    await this.run();
    await until("the first release is sealed", () => this.newest !== null);
    this.follow(this.sealed);
  }

  /** Starts the program. */
  async run(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort();
    const keep = ["--release-keep", "1000", "--log-level", "error"];
    const schedules = ["--roi-schedule", "off", "--valuation-schedule", "off"];
    const flags = ["--release-to", this.sealed, "--release-key", this.keyPath, ...keep, ...schedules];
    this.#child = await ServerChild.start(this.#market.path, { port: this.#port, flags });
  }

  async kill(): Promise<void> {
    await this.#child?.stop();
  }

  /** Publishes another price: a release of another generation is due. Returns its name, such as `g3`. */
  publish(): string {
    this.#cents += 1;
    return publish(this.#market.path, "ticker", ticker, 1, this.#cents);
  }

  /** Copies the publisher's file to `path`, as another publisher's. */
  async copyTo(path: string): Promise<void> {
    const database = openWriter(this.#market.path, busyMs);
    await database.$client.backup(path).finally(() => closeDatabase(database));
    chmodSync(path, 0o600);
  }

  /** The number and generation of the newest sealed release, or null without one. */
  get newest(): { number: number; generation: string } | null {
    if (!existsSync(join(this.sealed, timestampName))) return null;
    const sha256 = namedManifest(new ReleaseFolder(this.sealed));
    return sha256 === null ? null : this.#read(manifestName(sha256));
  }

  /** Resolves when `generation` is sealed. */
  async seals(generation: string): Promise<number> {
    await until(`${generation} is sealed`, () => this.newest?.generation === generation);
    return this.newest!.number;
  }

  /** Lets the nodes follow another folder, between two of their polls. */
  follow(folder: string): void {
    const draft = `${this.followed}.new`;
    symlinkSync(folder, draft);
    renameSync(draft, this.followed);
  }

  /** Digests of the generations of all releases that were sealed, by name. */
  digests(): ReadonlyMap<string, string> {
    for (const name of readdirSync(join(this.sealed, "manifests")))
      if (name.endsWith(".json")) this.#read(join("manifests", name));
    return this.#digests;
  }

  async remove(): Promise<void> {
    await this.kill();
    this.#market.destroy();
  }

  /** Reads a release that the publisher itself has sealed. */
  #read(name: string): { number: number; generation: string } | null {
    let text: string;
    try {
      text = readFileSync(join(this.sealed, name), "utf8");
    } catch {
      return null;
    }
    const { number, generation } = JSON.parse(text) as Manifest;
    if (generation === null) return null;
    this.#digests.set(generation.generation, generation.digest);
    return { number, generation: generation.generation };
  }
}

/** Downloads the newest release into the file at `path` by the program's own command. */
export async function takeRelease(publisher: RingPublisher, path: string): Promise<void> {
  const { code, notes } = await runHere([
    "release",
    "fetch",
    publisher.sealed,
    "--trust",
    publisher.trust,
    "--to",
    path,
  ]);
  if (code !== 0) throw new Error(notes.join("\n"));
}

/** Publishes a feed's offers of the first `count` items in the market file at `path`. Returns the generation. */
export function publish(
  path: string,
  feed: string,
  of: readonly { provider: string; path: string }[],
  count: number,
  cents: number,
): string {
  const providers = of.map(({ provider }) => ({ provider, name: provider, kind: "cash" as const }));
  const quotes = Array.from({ length: count }, (_, index): [number, Book] => {
    const asks = of.map(({ provider, path: rest }) => ({
      provider,
      amountCents: cents + index,
      quantity: null,
      url: rest === "" ? null : `https://shop.example/${index}/${rest}`,
      observedAt: null,
    }));
    return [index + 1, { asks, bids: [] }];
  });
  const database = openWriter(path, busyMs);
  try {
    const facts = { feed, adapter: "canonical", providers };
    runAtOnce(publishInBatches(database, [{ facts, items: new Map(quotes) }], { clock: systemClock }));
    const id = database.$client.prepare("SELECT max(generation_id) FROM generations").pluck().get();
    return `g${String(id)}`;
  } finally {
    closeDatabase(database);
  }
}
