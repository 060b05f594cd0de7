import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildCatalog } from "../../../src/import/catalog/build-catalog.ts";
import { importCatalog } from "../../../src/import/catalog/catalog-import.ts";
import { canonicalPool, type ParsedPool } from "../../../src/import/pools/definition.ts";
import { type DraftParts, draftPools } from "../../../src/import/pools/draft.ts";
import { publishPool } from "../../../src/import/pools/publish.ts";
import { type Database, openWriter } from "../../../src/store/database.ts";
import type { Clock } from "../../../src/values/time/clock.ts";
import { newDatabase, temporaryFolder } from "../../support/files.ts";

/** A row of an invented item list with its English name. */
export type ListRow = { id: number; type: string; name: string } & Record<string, unknown>;
export type Published = { denominator: string; tiers: string; odds_source: string; outcomes: PublishedOutcome[] };
export type PublishedOutcome = { position: number; item_id: number; tier: string; numerator: string };

export const poolsAt = Date.UTC(2026, 8, 1, 12);
export const colour = { base: "#b0c3d9", milSpec: "#4b69ff", restricted: "#8847ff", covert: "#eb4b4b" } as const;

export const weapon = (id: number, name: string, facts: object = {}): ListRow => {
  return { id, type: "weapon", name, def: 7, index: id, rarity: colour.milSpec, wearMin: 0, wearMax: 1, ...facts };
};
export const phase = (id: number, name: string, def: number, altName: string | null, facts: object = {}): ListRow => {
  const alt = altName === null ? {} : { altName };
  const finish = { type: "melee", rarity: colour.covert, wearMin: 0, wearMax: 0.08 };
  return { id, name, def, index: id, ...finish, ...alt, ...facts };
};
export const weaponCase = (id: number, name: string, facts: object): ListRow => {
  return { id, name: `Container | ${name}`, type: "case", def: 4000 + id, containerType: 0, keys: [900], ...facts };
};

/** Returns the rows as the two documents of the source. */
export function documentsOf(rows: readonly ListRow[]) {
  const items = { file: "items.json", value: rows.map(({ name: _, ...row }) => row) };
  const english = { file: "english.json", value: Object.fromEntries(rows.map(({ id, name }) => [id, { name }])) };
  return { items, english };
}

/** A file with a catalog of these rows, and a stopped clock. */
export class PoolWorld {
  readonly #folder = temporaryFolder();
  readonly path = join(this.#folder, "market.db");
  now = poolsAt;
  readonly clock: Clock = { now: () => this.now, monotonicMs: () => 0 };
  readonly database: Database;

  constructor(rows: readonly ListRow[]) {
    newDatabase(this.path);
    this.database = openWriter(this.path, 0);
    this.catalog(rows);
  }

  catalog(rows: readonly ListRow[]): void {
    const { variants } = buildCatalog({ cs2Lib: { ...documentsOf(rows), russian: null }, csgoApi: null });
    importCatalog(this.database, variants, this.now);
  }

  all<Row>(query: string, ...values: unknown[]): Row[] {
    return this.database.$client.prepare(query).all(...values) as Row[];
  }

  /** Drafts one definition. The default fields describe a plain box without a key. */
  draft(given: Partial<ParsedPool>, unknown: DraftParts["unknown"] = "refuse") {
    const definition = canonicalPool({ ...plainBox, ...given });
    const provenance = { source: "test", files: [] };
    return draftPools(this.database, [{ definition, provenance }], { clock: this.clock, unknown }).drafted[0]!;
  }

  publish(slug: string) {
    return publishPool(this.database, slug, { clock: this.clock });
  }

  /** Drafts and publishes a definition, and returns its revision without number and times. */
  published(given: Partial<ParsedPool>): Published {
    const { slug } = this.draft(given);
    const { outcome, revisionId, reasons } = this.publish(slug);
    if (outcome !== "published") throw new Error(`${outcome}: ${reasons.map(({ reason }) => reason).join("; ")}`);
    return this.revision(revisionId!);
  }

  revision(revisionId: string): Published {
    const [facts] = this.all<Omit<Published, "outcomes">>(
      "SELECT denominator, tiers, odds_source FROM pool_revisions WHERE revision_id = ?",
      revisionId,
    );
    const outcomes = this.all<PublishedOutcome>(
      "SELECT position, item_id, tier, numerator FROM pool_outcomes WHERE revision_id = ? ORDER BY position",
      revisionId,
    );
    return { ...facts!, outcomes };
  }

  /** Returns the blocks of a definition, as `kind: reason`. */
  blocks(given: Partial<ParsedPool>): string[] {
    const { slug } = this.draft(given, "block");
    const { outcome, reasons } = this.publish(slug);
    if (outcome !== "blocked") throw new Error(`it is ${outcome}`);
    return reasons.map(({ kind, reason }) => `${kind}: ${reason}`);
  }

  /** Returns the parts of `of` by outcome, such as `★ Karambit | Doppler (Factory New), Ruby: 12`. */
  chances({ outcomes, denominator }: Published, of = 1_000_000n): Record<string, number> {
    const names = new Map(
      this.all<{ id: number; name: string }>(
        "SELECT item_id AS id, market_hash_name || coalesce(', ' || phase, '') AS name FROM items",
      ).map(({ id, name }) => [id, name]),
    );
    return Object.fromEntries(
      outcomes.map(({ item_id, numerator }) => [
        names.get(item_id)!,
        Number((BigInt(numerator) * of * 1000n) / BigInt(denominator)) / 1000,
      ]),
    );
  }

  /** Returns every row that a command on pools may write, as JSON. */
  state(): string {
    const tables = ["openables", "openable_drafts", "pool_revisions", "pool_outcomes"];
    return JSON.stringify(tables.map((table) => this.all(`SELECT * FROM ${table} ORDER BY 1, 2`)));
  }

  remove(): void {
    this.database.$client.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const plainBox: ParsedPool = {
  container: "cs2-lib:800",
  type: "other",
  requires_key: false,
  counter_chance: "0",
  odds: { source: "published", reference: "a test" },
  wear: { model: "wear-1", reference: "a test" },
  tiers: [],
};

/** Returns one tier of these items. */
export function tierOf(items: readonly (string | number)[], tier = "all", weight: number | null = 1) {
  return { tier, weight, items: items.map((item) => ({ item })) };
}
