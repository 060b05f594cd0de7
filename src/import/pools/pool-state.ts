import { probabilityPct } from "../../roi/current.ts";
import type { Database } from "../../store/database.ts";
import { PoolCatalog } from "../../store/read/pool-catalog.ts";
import { type DraftRow, type OpenableRow, PoolWriter, type RevisionRow } from "../../store/write/openables.ts";
import type { PoolDefinition } from "./definition.ts";
import { openableColumns } from "./draft.ts";
import type { Block } from "./pool-block.ts";
import { knownPool } from "./pool-publisher.ts";
import { resolvePool, type TierCount } from "./resolve.ts";

/** A definition with its resolved tiers. `probabilityPct` is null if the weight of a tier is unknown. */
export type PoolVersion = {
  definition: PoolDefinition;
  /** Stored source of the definition, of its odds and of its wear model. */
  provenance: unknown;
  oddsSource: string;
  tiers: (TierCount & { probabilityPct: string | null })[];
  /** Null if the pool is blocked. */
  denominator: string | null;
  outcomeCount: number | null;
};

/** The state of an unpublished pool is `draft`. The other columns then describe the draft. */
type PoolFacts = Omit<OpenableRow, "state" | "revisionId" | "createdAt" | "changedAt"> & {
  state: OpenableRow["state"] | "draft";
};

export type PoolState = {
  openable: PoolFacts;
  name: string;
  revision: (PoolVersion & { revisionId: string; revisionNumber: number; publishedAt: number }) | null;
  draft: (PoolVersion & { draftedAt: number; blocks: Block[] }) | null;
};

/**
 * Returns the revision in force and the draft of a pool, with the blocks of its publication.
 *
 * @throws {OperatorError} when the pool does not exist.
 */
export function poolState(database: Database, slug: string): PoolState {
  const rows = new PoolWriter(database);
  const pool = knownPool(rows, slug);
  const openable: PoolFacts = pool.openable ?? draftFacts(pool.draft!);
  const { marketHashName: name } = rows.container(openable.itemId);
  const { revision, draft } = pool;
  return { openable, name, revision: revision && revisionOf(revision), draft: draft && draftOf(database, draft) };
}

function draftFacts({ slug, itemId, definition }: DraftRow): PoolFacts {
  return { slug, itemId, state: "draft", ...openableColumns(JSON.parse(definition) as PoolDefinition) };
}

function revisionOf(row: RevisionRow): PoolState["revision"] {
  const { revisionNumber, publishedAt, oddsSource, denominator, outcomeCount } = row;
  return {
    revisionId: row.revisionId,
    revisionNumber,
    publishedAt,
    oddsSource,
    denominator,
    outcomeCount,
    definition: JSON.parse(row.definition) as PoolDefinition,
    provenance: JSON.parse(row.provenance),
    tiers: withShares(JSON.parse(row.tiers) as TierCount[]),
  };
}

function draftOf(database: Database, row: DraftRow): PoolState["draft"] {
  const definition = JSON.parse(row.definition) as PoolDefinition;
  const { odds, oddsSource, tiers, blocks } = resolvePool(definition, new PoolCatalog(database));
  return {
    definition,
    provenance: JSON.parse(row.provenance),
    oddsSource,
    blocks,
    draftedAt: row.draftedAt,
    tiers: withShares(tiers),
    denominator: odds === null ? null : String(odds.denominator),
    outcomeCount: odds === null ? null : odds.outcomes.filter(({ numerator }) => numerator > 0n).length,
  };
}

function withShares(tiers: readonly TierCount[]): PoolVersion["tiers"] {
  const isKnown = tiers.every(({ weight }) => weight !== null);
  const all = tiers.reduce((sum, { weight }) => sum + BigInt(weight ?? 0), 0n);
  return tiers.map((tier) => {
    return { ...tier, probabilityPct: isKnown ? probabilityPct(BigInt(tier.weight ?? 0), all) : null };
  });
}
