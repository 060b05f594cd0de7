import { createHash } from "node:crypto";
import { copyFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { importCatalog } from "../../../src/import/catalog/catalog-import.ts";
import type { CatalogVariant } from "../../../src/import/catalog/variants.ts";
import { type ImportOptions, importQuotes } from "../../../src/import/quotes/quote-import.ts";
import { type ReplayOptions, type ReplayReport, replayFrames } from "../../../src/import/quotes/replay.ts";
import type { ImportReport } from "../../../src/import/quotes/report.ts";
import { decodeSegment, type ItemState } from "../../../src/store/codec/frame-segment.ts";
import { type Database, openReader } from "../../../src/store/database.ts";
import { FramesStore } from "../../../src/store/read/frames.ts";
import { exitCodes, OperatorError } from "../../../src/values/failure/operator-error.ts";
import { dayOf, hourOf } from "../../../src/values/time/calendar.ts";
import type { Clock } from "../../../src/values/time/clock.ts";
import { newDatabase, temporaryFolder } from "../../support/files.ts";

/** The tables that an import of quotes writes. */
export const importedTables = [
  "items",
  "feeds",
  "providers",
  "generations",
  "quotes",
  "quote_urls",
  "best_asks",
  "market_state",
  "frame_providers",
  "frames",
  "feed_days",
  "frame_segments",
  "frame_names",
  "refused_names",
  "daily_by_day",
  "daily_by_item",
] as const;

export const worldAt = Date.UTC(2026, 8, 1, 12);

/** Files with a catalog, by its items: many worlds begin with the same. */
const catalogFiles = new Map<string, string>();

function catalogFile(items: readonly Partial<CatalogVariant>[]): string {
  const key = JSON.stringify(items);
  let path = catalogFiles.get(key);
  if (path === undefined) {
    path = join(temporaryFolder(), "catalog.db");
    newDatabase(path, (database) => void importCatalog(database, items.map(variantOf), worldAt));
    catalogFiles.set(key, path);
  }
  return path;
}

/** A market file with a stopped clock. */
export class QuoteWorld {
  readonly folder = temporaryFolder();
  readonly path = join(this.folder, "market.db");
  now = worldAt;
  readonly clock: Clock = { now: () => this.now, monotonicMs: () => 0 };
  readonly #parts = { clock: this.clock, pause: async () => {} };
  #bodies = 0;

  /** `content`: the items of the catalog, or the path of a file to copy. */
  constructor(content: readonly Partial<CatalogVariant>[] | string) {
    copyFileSync(typeof content === "string" ? content : catalogFile(content), this.path);
  }

  /** Writes a body into the file's folder, compressed if its name ends in `.gz`. */
  body(content: string | Buffer | object, extension = ".json"): string {
    const path = join(this.folder, `body-${++this.#bodies}${extension}`);
    const bytes = typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content);
    writeFileSync(path, extension.endsWith(".gz") && !Buffer.isBuffer(content) ? gzipSync(bytes) : bytes);
    return path;
  }

  import(bodyPath: string, options: ImportOptions): Promise<ImportReport> {
    return importQuotes(this.path, bodyPath, options, this.#parts);
  }

  replay(bodyPaths: readonly string[], options: Partial<ReplayOptions> = {}): Promise<ReplayReport> {
    return replayFrames(this.path, bodyPaths, { adapter: "steam", ...options }, this.#parts);
  }

  read<T>(work: (database: Database) => T): T {
    const database = openReader(this.path);
    try {
      return work(database);
    } finally {
      database.$client.close();
    }
  }

  all<Row>(query: string): Row[] {
    return this.read((database) => database.$client.prepare(query).all() as Row[]);
  }

  /** The state of an item in the stored frame of this feed and hour. Undefined without a frame. */
  stateAt(at: number, itemId: number, feed = "steam"): ItemState | undefined {
    return this.read((database) => {
      const store = new FramesStore(database);
      const stored = store.feedDays(dayOf(at), dayOf(at)).find((day) => day.feed === feed)?.hours ?? 0;
      const isStored = (hour: number) => ((stored >> hour) & 1) === 1;
      const asked = hourOf(at) % 24;
      if (!isStored(asked)) return undefined;
      const segment = store.segments(dayOf(at), itemId).find((row) => row.feed === feed);
      const changes = segment === undefined ? [] : decodeSegment(segment.changes);
      return changes.filter(({ hour }) => hour <= asked && isStored(hour)).at(-1)?.state ?? null;
    });
  }

  /** The frame's asks in cents. `missing` if the frame does not name the item. Undefined without a frame. */
  asksAt(at: number, itemId: number): number[] | "missing" | undefined {
    const state = this.stateAt(at, itemId);
    return state === null ? "missing" : state?.map(({ amount }) => amount);
  }

  /** Digest of every row of all tables that an import may change. Tests use it to check that nothing was recorded. */
  logicalDigest(): string {
    const hash = createHash("sha256");
    this.read(({ $client: client }) => {
      for (const table of importedTables) {
        hash.update(JSON.stringify(client.prepare(`SELECT * FROM ${table} ORDER BY 1`).all()));
      }
    });
    return hash.digest("hex");
  }

  destroy(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns a maker of worlds with these items after `fill`. It runs `fill` only once and copies the result. */
export function worldsAfter(
  items: readonly Partial<CatalogVariant>[],
  fill: (world: QuoteWorld) => Promise<unknown>,
): () => Promise<QuoteWorld> {
  let filled: Promise<QuoteWorld> | undefined;
  const fillOne = async () => {
    const world = new QuoteWorld(items);
    await fill(world);
    return world;
  };
  return async () => {
    filled ??= fillOne();
    return new QuoteWorld((await filled).path);
  };
}

/** The published generation with its recorded digest and the digest of its rows. */
export function publishedState(path: string): { recorded: string | null; actual: string; generation: number } {
  const client = openReader(path).$client;
  try {
    const current = client
      .prepare(
        "SELECT generation_id AS id, hex(digest) AS digest FROM market_state JOIN generations ON generation_id = current_generation_id",
      )
      .get() as { id: number; digest: string } | undefined;
    const inCatalog = new Set(
      client.prepare("SELECT item_id FROM items WHERE in_catalog = 1").pluck().all() as number[],
    );
    const lines = marketOf(client).flatMap(({ itemId, ...sides }) =>
      inCatalog.has(itemId) ? [priceLine(itemId, sides)] : [],
    );
    const actual = createHash("sha256").update(lines.join("")).digest("hex").toUpperCase();
    return { recorded: current?.digest ?? null, actual, generation: current?.id ?? 0 };
  } finally {
    client.close();
  }
}

/** A quote as the file holds it; `as_of` in UTC ms. */
export type PlainQuote = {
  provider: string;
  amount: number;
  quantity: number | null;
  url: string | null;
  as_of: number | null;
};
export type PlainItem = { itemId: number; asks: PlainQuote[]; bids: PlainQuote[] };

/** Returns all quotes of a file by item in ascending id, each side in the order in which it is sent. Reads the tables by plain SQL. */
export function marketOf(client: Database["$client"]): PlainItem[] {
  const side = (name: "ask" | "bid", sign: "" | "-") =>
    client
      .prepare<[], PlainQuote & { itemId: number }>(
        `SELECT q.item_id AS itemId, provider, ${name}_cents AS amount, ${name}_quantity AS quantity, url,
           coalesce(${name}_as_of, quotes_as_of) AS as_of
         FROM quotes q JOIN frame_providers ON number = q.provider_id JOIN providers USING (provider)
         LEFT JOIN quote_urls u ON u.provider_id = number AND u.item_id = q.item_id AND side = '${name}'
         WHERE amount IS NOT NULL ORDER BY ${sign}amount, provider`,
      )
      .all();
  const market = new Map<number, PlainItem>();
  for (const [name, rows] of [["asks", side("ask", "")] as const, ["bids", side("bid", "-")] as const]) {
    for (const { itemId, ...quote } of rows) {
      const item = market.get(itemId) ?? { itemId, asks: [], bids: [] };
      item[name].push(quote);
      market.set(itemId, item);
    }
  }
  return [...market.values()].sort((a, b) => a.itemId - b.itemId);
}

/** Returns an item's line in the input of a publication's digest. */
export function priceLine(itemId: number, { asks, bids }: Omit<PlainItem, "itemId">): string {
  const sent = ({ provider, amount, quantity, url }: PlainQuote) => ({
    provider,
    amount,
    currency: "USD",
    minor_units: 2,
    quantity,
    url,
    as_of: null,
  });
  return `${JSON.stringify({ item_id: itemId, asks: asks.map(sent), bids: bids.map(sent) })}\n`;
}

/** Returns the message of a refusal with the exit code of invalid data. Any other result fails the test. */
export async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).to.be.instanceOf(OperatorError).with.property("exitCode", exitCodes.badData);
  return (error as OperatorError).message;
}

export function variantOf(given: Partial<CatalogVariant>, index: number): CatalogVariant {
  return {
    identityKey: `paint:7:${index}//plain/`,
    sourceKeys: [],
    marketHashName: `Item ${index}`,
    slug: `item-${index}`,
    type: "Weapon",
    rarity: null,
    collection: null,
    phase: null,
    nameRu: null,
    imageUrl: null,
    wear: null,
    statCounter: false,
    souvenir: false,
    wearMin: null,
    wearMax: null,
    identity: "exact",
    ...given,
  };
}
