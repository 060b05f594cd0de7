import { type OutcomeFacts, revisionIdOf } from "../../store/codec/pool-revision-id.ts";
import { type Database, readTransaction } from "../../store/database.ts";
import { PoolCatalog } from "../../store/read/pool-catalog.ts";
import { DataEvents } from "../../store/write/data-events.ts";
import { type OpenableRow, type PoolRows, PoolWriter, type RevisionRow } from "../../store/write/openables.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { type Clock, toTimestamp } from "../../values/time/clock.ts";
import { type PoolDefinition, samePool } from "./definition.ts";
import { openableColumns } from "./draft.ts";
import type { Block } from "./pool-block.ts";
import { type ResolvedPool, resolvePool } from "./resolve.ts";

/** A planned publication of one pool. `write` is null if nothing changes. `rows` is the number of outcomes to write. */
export type Publication = {
  slug: string;
  outcome: "published" | "reactivated" | "unchanged" | "blocked";
  /** Id of the revision in force. Null if the pool was never published. */
  revisionId: string | null;
  revisionNumber: number | null;
  /** Number of outcomes with a probability above 0. */
  outcomeCount: number;
  reasons: readonly Block[];
  rows: number;
  write: (() => void) | null;
  /** Serialized state behind the plan. It is compared again under the lock. */
  basis: string;
};

type Before = PoolRows & { catalogVersion: number };
/** A pool in its next state. Its publication adds the revision and the times. */
type NextPool = Omit<OpenableRow, "revisionId" | "createdAt" | "changedAt">;
type Content = Omit<RevisionRow, "revisionId" | "slug" | "revisionNumber" | "publishedAt" | "provenance"> & {
  outcomes: OutcomeFacts[];
};

/** Plans and writes publications on one handle. The caller holds the transaction of a write. */
export class PoolPublisher {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #rows: PoolWriter;
  readonly #log: DataEvents;
  #catalog: { version: number; of: PoolCatalog } | null = null;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#rows = new PoolWriter(database);
    this.#log = new DataEvents(database);
  }

  /**
   * Checks that a pool exists.
   *
   * @throws {OperatorError} when the pool does not exist.
   */
  requireKnown(slug: string): void {
    knownPool(this.#rows, slug);
  }

  /** Returns whether another command has changed the pool or the catalog since the plan. */
  isStale({ slug, basis }: Publication): boolean {
    return basisOf(this.#before(slug)) !== basis;
  }

  /**
   * Plans the publication of a pool. Writes nothing.
   *
   * @throws {OperatorError} when the pool does not exist.
   */
  plan(slug: string): Publication {
    const before = this.#before(slug);
    const { openable, draft, revision } = before;
    const stored = draft ?? revision;
    if (stored === null) throw new Error(`the pool ${slug} has neither a draft nor a revision`);
    const definition = JSON.parse(stored.definition) as PoolDefinition;
    const resolved = resolvePool(definition, this.#catalogAt(before.catalogVersion));
    const inForce = {
      slug,
      revisionId: revision?.revisionId ?? null,
      revisionNumber: revision?.revisionNumber ?? null,
      outcomeCount: revision?.outcomeCount ?? 0,
      reasons: resolved.blocks,
      rows: 0,
      write: null,
      basis: basisOf(before),
    };
    const content = contentOf(definition, resolved);
    if (content === null) return { ...inForce, outcome: "blocked" };
    const isSame = revision !== null && this.#isSame(content, revision);
    if (isSame && draft === null) return { ...inForce, outcome: "unchanged" };
    const next = draft === null ? openable! : nextPool(slug, draft.itemId, definition);
    if (isSame) {
      const outcome = openable?.state === "retired" && next.state === "active" ? "reactivated" : "unchanged";
      return { ...inForce, outcome, write: () => this.#apply(next, revision.revisionId) };
    }
    return this.#publication(inForce, content, next, stored);
  }

  #publication(
    inForce: Omit<Publication, "outcome">,
    content: Content,
    next: NextPool,
    { provenance, ...source }: { provenance: string; draftedAt?: number },
  ): Publication {
    const { slug } = inForce;
    const { outcomes, ...columns } = content;
    const facts = {
      ...columns,
      slug,
      revisionNumber: this.#rows.lastRevisionNumber(slug) + 1,
      publishedAt: this.#clock.now(),
      provenance: source.draftedAt === undefined ? provenance : withDraftTime(provenance, source.draftedAt),
    };
    const revision: RevisionRow = { ...facts, revisionId: revisionIdOf(facts, outcomes) };
    const { revisionId, revisionNumber, outcomeCount } = revision;
    return {
      ...inForce,
      outcome: "published",
      revisionId,
      revisionNumber,
      outcomeCount,
      rows: outcomes.length,
      write: () => {
        this.#apply(next, revisionId);
        this.#rows.addRevision(revision, outcomes);
        this.#logRevision(inForce, revisionNumber);
      },
    };
  }

  /** First revisions of many pools are one event, because the first start of a server publishes all. */
  #logRevision({ slug, revisionNumber: before }: Pick<Publication, "slug" | "revisionNumber">, revision: number): void {
    const event = { kind: "pool_published", cause: "operator", at: this.#clock.now(), count: 1 } as const;
    if (before === null) this.#log.add(event);
    else this.#log.add({ ...event, openable: slug, before: { revision: before }, after: { revision } });
  }

  /** Writes the new state of a pool in the caller's transaction. */
  #apply(next: NextPool, revisionId: string): void {
    const at = this.#clock.now();
    this.#rows.putOpenable({ ...next, revisionId, createdAt: at, changedAt: at });
    this.#rows.dropDraft(next.slug);
  }

  #before(slug: string): Before {
    return readTransaction(this.#database, () => {
      return { ...knownPool(this.#rows, slug), catalogVersion: this.#rows.catalogVersion() };
    });
  }

  #catalogAt(version: number): PoolCatalog {
    if (this.#catalog?.version !== version) this.#catalog = { version, of: new PoolCatalog(this.#database) };
    return this.#catalog.of;
  }

  #isSame({ outcomes, definition, ...content }: Content, revision: RevisionRow): boolean {
    return (
      samePool(JSON.parse(revision.definition), JSON.parse(definition)) &&
      (Object.keys(content) as (keyof typeof content)[]).every((key) => content[key] === revision[key]) &&
      JSON.stringify(this.#rows.outcomes(revision.revisionId)) === JSON.stringify(outcomes)
    );
  }
}

/**
 * Returns the rows of a pool.
 *
 * @throws {OperatorError} when the pool does not exist.
 */
export function knownPool(rows: PoolWriter, slug: string): PoolRows {
  const pool = rows.pool(slug);
  if (pool === null)
    throw new OperatorError(`unknown container \`${slug}\`; \`npx itemtape openables show\` lists them`);
  return pool;
}

function nextPool(slug: string, itemId: number, definition: PoolDefinition): NextPool {
  const state = definition.retired_on === null ? "active" : "retired";
  return { slug, itemId, state, ...openableColumns(definition) };
}

function basisOf({ openable, draft, catalogVersion }: Before): string {
  return JSON.stringify([openable, draft, catalogVersion]);
}

/** Returns the content of the next revision. Null if a block prevents it. */
function contentOf(definition: PoolDefinition, { odds, oddsSource, tiers }: ResolvedPool): Content | null {
  if (odds === null) return null;
  return {
    definition: JSON.stringify(definition),
    oddsSource,
    wearModel: definition.wear.model,
    tiers: JSON.stringify(tiers),
    denominator: String(odds.denominator),
    outcomeCount: odds.outcomes.filter(({ numerator }) => numerator > 0n).length,
    outcomes: odds.outcomes.map(({ itemId, tier, numerator }, position) => {
      return { position, itemId, tier, numerator: String(numerator) };
    }),
  };
}

function withDraftTime(provenance: string, draftedAt: number): string {
  return JSON.stringify({ ...JSON.parse(provenance), drafted_at: toTimestamp(draftedAt) });
}
