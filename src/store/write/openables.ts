import { asc, eq, getTableColumns, ne, sql } from "drizzle-orm";
import { items } from "../../../db/schema/catalog.ts";
import { openableDrafts, openables, poolOutcomes, poolRevisions } from "../../../db/schema/openables.ts";
import type { OutcomeFacts } from "../codec/pool-revision-id.ts";
import type { Database } from "../database.ts";
import { MarketStateStore } from "../read/market-state.ts";

export type OpenableRow = typeof openables.$inferSelect;
export type DraftRow = typeof openableDrafts.$inferSelect;
export type RevisionRow = typeof poolRevisions.$inferSelect;

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

  openableOfItem(itemId: number): OpenableRow | null {
    return this.#statements.openableOfItem.get({ itemId }) ?? null;
  }

  container(itemId: number): { slug: string; marketHashName: string } {
    return this.#statements.container.get({ itemId })!;
  }

  draft(slug: string): DraftRow | null {
    return this.#statements.draft.get({ slug }) ?? null;
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
    const slugs = (found: { slug: string }[]) => found.map(({ slug }) => slug);
    return {
      open: slugs(this.#statements.openDrafts.all()),
      retired: slugs(this.#statements.retiredDrafts.all()),
    };
  }

  /** Returns every pool, including drafts, by slug. */
  list() {
    return this.#statements.list.all();
  }

  /** Stores a draft. A published pool remains unchanged. */
  putDraft(openable: OpenableRow, draft: DraftRow): void {
    this.#statements.putDraftOpenable.run(openable);
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
  const drafts = (isRetired: boolean) =>
    database
      .select({ slug: openableDrafts.slug })
      .from(openableDrafts)
      .innerJoin(openables, eq(openables.slug, openableDrafts.slug))
      .where(isRetired ? eq(openables.state, "retired") : ne(openables.state, "retired"))
      .orderBy(asc(openableDrafts.slug))
      .prepare();
  return {
    openable: database.select().from(openables).where(eq(openables.slug, slug)).prepare(),
    openableOfItem: database
      .select()
      .from(openables)
      .where(eq(openables.itemId, sql.placeholder("itemId")))
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
    openDrafts: drafts(false),
    retiredDrafts: drafts(true),
    list: listed(database),
    ...writers(database),
  };
}

function listed(database: Database) {
  return database
    .select({
      ...getTableColumns(openables),
      name: items.marketHashName,
      revisionNumber: poolRevisions.revisionNumber,
      outcomeCount: poolRevisions.outcomeCount,
      oddsSource: poolRevisions.oddsSource,
      draftedAt: openableDrafts.draftedAt,
    })
    .from(openables)
    .innerJoin(items, eq(items.itemId, openables.itemId))
    .leftJoin(poolRevisions, eq(poolRevisions.revisionId, openables.revisionId))
    .leftJoin(openableDrafts, eq(openableDrafts.slug, openables.slug))
    .orderBy(asc(openables.slug))
    .prepare();
}

function writers(database: Database) {
  const { slug: _slug, itemId: _itemId, createdAt: _createdAt, ...changing } = getTableColumns(openables);
  const changed = excluded(changing);
  const openable = database.insert(openables).values(placeholders(getTableColumns(openables)));
  const draft = database.insert(openableDrafts).values(placeholders(getTableColumns(openableDrafts)));
  const { slug: _draftSlug, ...draftColumns } = getTableColumns(openableDrafts);
  return {
    putOpenable: openable.onConflictDoUpdate({ target: openables.slug, set: changed }).prepare(),
    putDraftOpenable: database
      .insert(openables)
      .values(placeholders(getTableColumns(openables)))
      .onConflictDoUpdate({ target: openables.slug, set: changed, setWhere: eq(openables.state, "draft") })
      .prepare(),
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
