import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { databaseCatalog, importCatalog } from "../../src/ingest/catalog-import.ts";
import type { CatalogVariant } from "../../src/ingest/catalog-sources/variants.ts";
import type { ImportReport } from "../../src/ingest/feed-report.ts";
import { type ImportOptions, importQuotes } from "../../src/ingest/quote-import.ts";
import { type Database, openReader } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file.ts";
import { totalsOf } from "../../src/store/generation-totals.ts";
import type { Clock } from "../../src/values/clock.ts";

export const worldAt = Date.UTC(2026, 8, 1, 12);

/** A file of a market with a clock that stands still until it is moved. */
export class QuoteWorld {
  readonly folder = mkdtempSync(join(tmpdir(), "itemtape-quotes-"));
  readonly path = join(this.folder, "market.db");
  now = worldAt;
  readonly clock: Clock = { now: () => this.now, monotonicMs: () => 0 };
  #bodies = 0;

  constructor(variants: readonly Partial<CatalogVariant>[]) {
    createDatabase(this.path, (database) => void importCatalog(database, variants.map(variantOf), worldAt));
  }

  /** Writes a body beside the file; a name that ends in `.gz` is packed. */
  body(content: string | Buffer | object, extension = ".json"): string {
    const path = join(this.folder, `body-${++this.#bodies}${extension}`);
    const bytes = typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content);
    writeFileSync(path, extension.endsWith(".gz") && !Buffer.isBuffer(content) ? gzipSync(bytes) : bytes);
    return path;
  }

  import(bodyPath: string, options: ImportOptions): Promise<ImportReport> {
    return importQuotes(this.path, bodyPath, options, {
      clock: this.clock,
      catalog: databaseCatalog,
      pause: async () => {},
    });
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

  /** Every row of every table that an import may touch: what "nothing was recorded" is measured by. */
  logicalDigest(): string {
    const hash = createHash("sha256");
    for (const table of ["items", "feeds", "providers", "generations", "generation_quotes", "market_state"]) {
      hash.update(JSON.stringify(this.all(`SELECT * FROM ${table} ORDER BY 1`)));
    }
    return hash.digest("hex");
  }

  destroy(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The state of the published generation: its own digest beside the one computed from its rows, and the rows of others. */
export function publishedState(path: string): {
  recorded: string | null;
  actual: string;
  strays: number;
  generation: number;
} {
  const client = openReader(path).$client;
  try {
    const current = client
      .prepare(
        "SELECT generation_id AS id, hex(digest) AS digest FROM market_state JOIN generations ON generation_id = current_generation_id",
      )
      .get() as { id: number; digest: string } | undefined;
    const id = current?.id ?? 0;
    const rows = client
      .prepare(
        "SELECT quote_key & 2147483647 AS itemId, quotes FROM generation_quotes WHERE quote_key >> 31 = ? ORDER BY 1",
      )
      .all(id) as { itemId: number; quotes: string }[];
    const strays = client.prepare("SELECT count(*) FROM generation_quotes WHERE quote_key >> 31 <> ?").pluck().get(id);
    const actual = totalsOf(rows).digest.toString("hex").toUpperCase();
    return { recorded: current?.digest ?? null, actual, strays: strays as number, generation: id };
  } finally {
    client.close();
  }
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
