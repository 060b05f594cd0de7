import { probabilityPct } from "../../roi/current.ts";
import type { Database } from "../../store/database.ts";
import { PoolCatalog } from "../../store/read/pool-catalog.ts";
import { type OpenableRow, PoolWriter } from "../../store/write/openables.ts";
import type { PoolDefinition } from "./definition.ts";
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

export type PoolState = {
  openable: OpenableRow;
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
  const openable = knownPool(rows, slug);
  const { marketHashName: name } = rows.container(openable.itemId);
  return { openable, name, revision: revisionOf(rows, openable), draft: draftOf(database, rows, slug) };
}

function revisionOf(rows: PoolWriter, { revisionId }: OpenableRow): PoolState["revision"] {
  const row = revisionId === null ? null : rows.revision(revisionId);
  if (row === null) return null;
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

function draftOf(database: Database, rows: PoolWriter, slug: string): PoolState["draft"] {
  const row = rows.draft(slug);
  if (row === null) return null;
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
