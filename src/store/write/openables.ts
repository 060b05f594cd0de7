import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { items } from "../../../db/schema/catalog.ts";
import { openableDrafts, openables, poolOutcomes, poolRevisions } from "../../../db/schema/openables.ts";
import type { OutcomeFacts } from "../codec/pool-revision-id.ts";
import type { Database } from "../database.ts";
import { MarketStateStore } from "../read/market-state.ts";

export type OpenableRow = typeof openables.$inferSelect;
export type DraftRow = typeof openableDrafts.$inferSelect;
export type RevisionRow = typeof poolRevisions.$inferSelect;
/** The rows of a container. `openable` and `revision` are null if it is not published, `draft` if nothing is drafted. */
export type PoolRows = { openable: OpenableRow | null; draft: DraftRow | null; revision: RevisionRow | null };

/** Reads and writes the tables of pools for their commands. */
export class PoolWriter {
  readonly #statements;
  readonly #state: MarketStateStore;

  constructor(database: Database) {
    this.#statements = prepare(database);
    this.#state = new MarketStateStore(database);
  }

  catalogVersion(): number {
    return this.#state.catalogVersion();
  }

  openable(slug: string): OpenableRow | null {
    return this.#statements.openable.get({ slug }) ?? null;
  }

  /** Returns the rows of a published or drafted container, or null. */
  pool(slug: string): PoolRows | null {
    const openable = this.openable(slug);
    const draft = this.#statements.draft.get({ slug }) ?? null;
    return (openable ?? draft) ? { openable, draft, revision: openable && this.revision(openable.revisionId) } : null;
  }

  poolOfItem(itemId: number): { slug: string; rows: PoolRows } | null {
    const slug = this.#statements.slugOfItem.get({ itemId })?.slug;
    return slug === undefined ? null : { slug, rows: this.pool(slug)! };
  }

  container(itemId: number): { slug: string; marketHashName: string } {
    return this.#statements.container.get({ itemId })!;
  }

  revision(revisionId: string): RevisionRow | null {
    return this.#statements.revision.get({ revisionId }) ?? null;
  }

  lastRevisionNumber(slug: string): number {
    return this.#statements.lastNumber.get({ slug })?.number ?? 0;
  }

  outcomes(revisionId: string): OutcomeFacts[] {
    return this.#statements.outcomes.all({ revisionId });
  }

  /** Returns the slugs with a draft, grouped by whether their pool is retired. */
  draftedSlugs(): { open: string[]; retired: string[] } {
    const drafted = this.list().filter(({ draftedAt }) => draftedAt !== null);
    const slugs = (isRetired: boolean) =>
      drafted.filter(({ state }) => (state === "retired") === isRetired).map(({ slug }) => slug);
    return { open: slugs(false), retired: slugs(true) };
  }

  /** Returns every pool by slug. The state of an unpublished one is `draft`. */
  list() {
    return this.#statements.list.all();
  }

  /** Stores a draft. A published pool remains unchanged. */
  putDraft(draft: DraftRow): void {
    this.#statements.putDraft.run(draft);
  }

  dropDraft(slug: string): void {
    this.#statements.dropDraft.run({ slug });
  }

  putOpenable(openable: OpenableRow): void {
    this.#statements.putOpenable.run(openable);
  }

  addRevision(revision: RevisionRow, outcomes: readonly OutcomeFacts[]): void {
    this.#statements.addRevision.run(revision);
    for (const outcome of outcomes) {
      this.#statements.addOutcome.run({ revisionId: revision.revisionId, ...outcome });
    }
  }
}

function prepare(database: Database) {
  const slug = sql.placeholder("slug");
  const revisionId = sql.placeholder("revisionId");
  const { revisionId: _, ...outcomeColumns } = getTableColumns(poolOutcomes);
  return {
    openable: database.select().from(openables).where(eq(openables.slug, slug)).prepare(),
    slugOfItem: database
      .select({ slug: openables.slug })
      .from(openables)
      .where(eq(openables.itemId, sql.placeholder("itemId")))
      .union(
        database
          .select({ slug: openableDrafts.slug })
          .from(openableDrafts)
          .where(eq(openableDrafts.itemId, sql.placeholder("itemId"))),
      )
      .prepare(),
    container: database
      .select({ slug: items.slug, marketHashName: items.marketHashName })
      .from(items)
      .where(eq(items.itemId, sql.placeholder("itemId")))
      .prepare(),
    draft: database.select().from(openableDrafts).where(eq(openableDrafts.slug, slug)).prepare(),
    revision: database.select().from(poolRevisions).where(eq(poolRevisions.revisionId, revisionId)).prepare(),
    lastNumber: database
      .select({ number: sql<number | null>`max(${poolRevisions.revisionNumber})` })
      .from(poolRevisions)
      .where(eq(poolRevisions.slug, slug))
      .prepare(),
    outcomes: database
      .select(outcomeColumns)
      .from(poolOutcomes)
      .where(eq(poolOutcomes.revisionId, revisionId))
      .orderBy(asc(poolOutcomes.position))
      .prepare(),
    list: listed(database),
    ...writers(database),
  };
}

function listed(database: Database) {
  return database
    .select({
      slug: sql<string>`coalesce(${openables.slug}, ${openableDrafts.slug})`.as("pool"),
      itemId: items.itemId,
      state: sql<OpenableRow["state"] | "draft">`coalesce(${openables.state}, 'draft')`,
      type: sql<OpenableRow["type"]>`coalesce(${openables.type}, ${openableDrafts.definition} ->> 'type')`,
      revisionId: poolRevisions.revisionId,
      name: items.marketHashName,
      revisionNumber: poolRevisions.revisionNumber,
      outcomeCount: poolRevisions.outcomeCount,
      oddsSource: poolRevisions.oddsSource,
      draftedAt: openableDrafts.draftedAt,
    })
    .from(openables)
    .fullJoin(openableDrafts, eq(openableDrafts.slug, openables.slug))
    .innerJoin(items, eq(items.itemId, sql`coalesce(${openables.itemId}, ${openableDrafts.itemId})`))
    .leftJoin(poolRevisions, eq(poolRevisions.revisionId, openables.revisionId))
    .orderBy(asc(sql`pool`))
    .prepare();
}

function writers(database: Database) {
  const { slug: _slug, itemId: _itemId, createdAt: _createdAt, ...changing } = getTableColumns(openables);
  const openable = database.insert(openables).values(placeholders(getTableColumns(openables)));
  const draft = database.insert(openableDrafts).values(placeholders(getTableColumns(openableDrafts)));
  const { slug: _draftSlug, ...draftColumns } = getTableColumns(openableDrafts);
  return {
    putOpenable: openable.onConflictDoUpdate({ target: openables.slug, set: excluded(changing) }).prepare(),
    putDraft: draft.onConflictDoUpdate({ target: openableDrafts.slug, set: excluded(draftColumns) }).prepare(),
    dropDraft: database
      .delete(openableDrafts)
      .where(eq(openableDrafts.slug, sql.placeholder("slug")))
      .prepare(),
    addRevision: database
      .insert(poolRevisions)
      .values(placeholders(getTableColumns(poolRevisions)))
      .prepare(),
    addOutcome: database
      .insert(poolOutcomes)
      .values(placeholders(getTableColumns(poolOutcomes)))
      .prepare(),
  };
}

/** Returns a placeholder with its own name for each column. */
function placeholders<Columns extends object>(columns: Columns) {
  const entries = Object.keys(columns).map((name) => [name, sql.placeholder(name)]);
  return Object.fromEntries(entries) as { [Key in keyof Columns]: ReturnType<typeof sql.placeholder> };
}

function excluded<Columns extends Record<string, { name: string }>>(columns: Columns) {
  const entries = Object.entries(columns).map(([name, column]) => [name, sql`excluded.${sql.identifier(column.name)}`]);
  return Object.fromEntries(entries);
}
