import { type RevisionFacts, revisionIdOf } from "../../src/store/codec/pool-revision-id.ts";
import type { Database } from "../../src/store/database.ts";

export type OutcomeFacts = { itemId: number; tier: string; numerator: bigint | number | string };
export type PoolFacts = {
  slug: string;
  /** The container itself. */
  itemId: number;
  /** In pool order. */
  outcomes: readonly OutcomeFacts[];
  /** Default: the sum of the numerators. */
  denominator?: bigint | number | string;
  state?: "draft" | "active" | "retired";
  type?: "case" | "souvenir_package" | "capsule" | "other";
  releasedDay?: number | null;
  retiredDay?: number | null;
  /** 0 if it needs no key. */
  keyCostCents?: number;
  oddsSource?: "published" | "community" | "inferred";
  /** Weights of the tiers by name, default 1 each. */
  tierWeights?: Readonly<Record<string, number>>;
  /** JSON texts. */
  definition?: string;
  provenance?: string;
  at?: number;
  /** Default: derived from the other facts. */
  revisionId?: string;
};
export type InsertedPool = { slug: string; revisionId: string | null; revisionNumber: number };

const storePriceCents = 249;

/**
 * Inserts a container with its published revision directly. A second call for a slug adds the next revision. A `draft` is a row of
 * `openable_drafts` only. The items must exist.
 */
export function insertPool(database: Database, facts: PoolFacts): InsertedPool {
  return database.$client.transaction(() => {
    const { slug } = facts;
    if (facts.state === "draft") {
      putDraft(database, facts);
      return { slug, revisionId: null, revisionNumber: 0 };
    }
    const outcomes = facts.outcomes.map((outcome, position) => ({
      position,
      itemId: outcome.itemId,
      tier: outcome.tier,
      numerator: String(outcome.numerator),
    }));
    const revision = revisionOf(facts, nextNumber(database, slug));
    const revisionId = facts.revisionId ?? revisionIdOf(revision, outcomes);
    putOpenable(database, facts, revisionId);
    putRevision(database, revisionId, revision, outcomes);
    return { slug, revisionId, revisionNumber: revision.revisionNumber };
  })();
}

function nextNumber({ $client }: Database, slug: string): number {
  const last = $client.prepare("SELECT max(revision_number) FROM pool_revisions WHERE slug = ?").pluck().get(slug);
  return ((last as number | null) ?? 0) + 1;
}

function putOpenable({ $client }: Database, facts: PoolFacts, revisionId: string): void {
  const { slug, itemId, state = "active", type = "case", at = 1 } = facts;
  const { releasedDay = null, retiredDay = null, keyCostCents = storePriceCents } = facts;
  // The revision is inserted after the row that references it.
  $client.pragma("defer_foreign_keys = ON");
  $client
    .prepare(
      `INSERT INTO openables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (slug) DO UPDATE SET state = excluded.state, type = excluded.type, released_day = excluded.released_day,
       retired_day = excluded.retired_day, requires_key = excluded.requires_key, key_cost_cents = excluded.key_cost_cents,
       revision_id = excluded.revision_id, changed_at = excluded.changed_at`,
    )
    .run(
      slug,
      itemId,
      state,
      type,
      releasedDay,
      retiredDay,
      Number(keyCostCents > 0),
      keyCostCents,
      revisionId,
      at,
      at,
    );
}

function putDraft({ $client }: Database, facts: PoolFacts): void {
  const { slug, itemId, definition = "{}", provenance = "{}", at = 1 } = facts;
  $client.prepare("REPLACE INTO openable_drafts VALUES (?, ?, ?, ?, ?)").run(slug, itemId, definition, provenance, at);
}

function revisionOf(facts: PoolFacts, revisionNumber: number): RevisionFacts {
  const { slug, outcomes, definition = "{}", provenance = "{}", oddsSource = "community", at = 1 } = facts;
  const denominator = facts.denominator ?? outcomes.reduce((sum, { numerator }) => sum + BigInt(numerator), 0n);
  return {
    slug,
    revisionNumber,
    definition,
    provenance,
    oddsSource,
    wearModel: "wear-1",
    tiers: JSON.stringify(tiersOf(facts)),
    denominator: String(denominator),
    publishedAt: at,
    outcomeCount: outcomes.filter(({ numerator }) => BigInt(numerator) > 0n).length,
  };
}

function putRevision(
  { $client }: Database,
  revisionId: string,
  revision: RevisionFacts,
  outcomes: Parameters<typeof revisionIdOf>[1],
): void {
  $client
    .prepare(
      `INSERT INTO pool_revisions VALUES (@revisionId, @slug, @revisionNumber, @definition, @provenance, @oddsSource, @wearModel,
         @tiers, @denominator, @outcomeCount, @publishedAt)`,
    )
    .run({ ...revision, revisionId });
  const insert = $client.prepare("INSERT INTO pool_outcomes VALUES (?, ?, ?, ?, ?)");
  for (const { position, itemId, tier, numerator } of outcomes)
    insert.run(revisionId, position, itemId, tier, numerator);
}

function tiersOf({ outcomes, tierWeights = {} }: PoolFacts) {
  const counts = new Map<string, number>();
  for (const { tier, numerator } of outcomes)
    counts.set(tier, (counts.get(tier) ?? 0) + Number(BigInt(numerator) > 0n));
  return Array.from(counts, ([tier, itemCount]) => ({ tier, weight: tierWeights[tier] ?? 1, itemCount }));
}
