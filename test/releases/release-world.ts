import { closeSync, openSync, readFileSync, statSync, utimesSync, writeSync } from "node:fs";
import { join } from "node:path";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { type FetchedRelease, fetchRelease } from "../../src/releases/fetch.ts";
import { ReleaseFolder } from "../../src/releases/folder.ts";
import { HeldCheck } from "../../src/releases/held.ts";
import { pagesOf } from "../../src/releases/manifest.ts";
import { hasRoot } from "../../src/releases/metadata.ts";
import { type Sealed, sealRelease } from "../../src/releases/seal.ts";
import { openSource, type ReleaseSource } from "../../src/releases/source.ts";
import { parseTrust } from "../../src/releases/trust.ts";
import { type Checked, checkReleases } from "../../src/releases/verify.ts";
import { closeDatabase, type Database, openWriter } from "../../src/store/database.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import type { Book } from "../../src/wire/quotes.ts";
import { QuoteWorld } from "../import/quotes/quote-world.ts";
import { temporaryFolder } from "../support/files.ts";
import { Signer } from "./signer.ts";

const items = 50;

/** A small market, a folder of its releases, and a file for downloaded releases. */
export class ReleaseWorld extends Signer {
  /** The publisher's file. */
  readonly market = new QuoteWorld(Array.from({ length: items }, () => ({})));
  /** The file for downloaded releases. */
  readonly to = join(temporaryFolder(), "taken.db");
  #generations = 0;
  #lineages = 0;

  constructor(folder = join(temporaryFolder(), "releases")) {
    super(folder);
    this.publish();
  }

  /** Publishes other prices. */
  publish(): void {
    this.#generations += 1;
    const price = 100 + this.#generations;
    const offers = Array.from({ length: items }, (_, index): [number, Book] => {
      const ask = { provider: "shop", amountCents: price + index, quantity: null, url: null, observedAt: null };
      return [index + 1, { asks: [ask], bids: [] }];
    });
    const facts = {
      feed: "shop",
      adapter: "canonical",
      providers: [{ provider: "shop", name: "Shop", kind: "cash" as const }],
    };
    const feed = { facts, items: new Map(offers) };
    this.change((database) => runAtOnce(publishInBatches(database, [feed], { clock: this.clock })));
  }

  /** Changes the publisher's file as another process would. */
  change<T>(work: (database: Database) => T): T {
    const database = openWriter(this.market.path, 1000);
    try {
      database.$client.pragma("synchronous = OFF");
      return work(database);
    } finally {
      closeDatabase(database);
    }
  }

  /** Verifies the feed: the time of its check moves. */
  verify(): void {
    this.clock.at += 60_000;
    this.change(({ $client }) => $client.prepare("UPDATE feeds SET checked_at = ?").run(this.clock.at));
  }

  async seal(more: Partial<Parameters<typeof sealRelease>[0]> = {}): Promise<Sealed> {
    if (!hasRoot(new ReleaseFolder(this.folder))) await this.init();
    const order = {
      databasePath: this.market.path,
      folder: this.folder,
      key: this.key,
      retention: { count: 24, hours: 24 },
      ...more,
    };
    this.#lineages += 1;
    const newLineage = () => `rel_${this.#lineages}${"x".repeat(19)}`;
    return sealRelease(order, { clock: this.clock, newLineage, signal: new AbortController().signal });
  }

  check(place = this.folder): Promise<Checked> {
    return checkReleases(openSource(place, new AbortController().signal), parseTrust(this.trust));
  }

  fetch(source: string | ReleaseSource = this.folder, to = this.to): Promise<FetchedRelease> {
    const { signal } = new AbortController();
    const from = typeof source === "string" ? openSource(source, signal) : source;
    return fetchRelease({ source: from, trust: parseTrust(this.trust), to, signal });
  }

  /** Returns the bytes of a file of the folder. */
  file(name: string): Buffer {
    return readFileSync(join(this.folder, name));
  }

  remove(): void {
    this.market.destroy();
  }
}

/** Changes a byte of a market page, as a failing disk does: the time of the file stays. */
export function damagePage(path: string): void {
  const { release } = HeldCheck.of(path)!;
  const { atime, mtime } = statSync(path);
  const file = openSync(path, "r+");
  writeSync(file, "!", pagesOf(release.chunks.at(-1)!)[0]! * release.page_bytes + release.page_bytes - 1);
  closeSync(file);
  utimesSync(path, atime, mtime);
}

/** Returns whether every page of a fetched file is that of its release. */
export function isWhole(path: string): boolean {
  const check = HeldCheck.of(path)!;
  let next: number | null = 0;
  while (next !== null) next = check.step(next);
  return true;
}

/** Returns the message with which `work` is refused. Fails if it is not refused. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  const outcome = await work.then(
    () => null,
    (error: Error) => error.message,
  );
  if (outcome === null) throw new Error("it was not refused");
  return outcome;
}
