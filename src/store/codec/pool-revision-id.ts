import { createHash } from "node:crypto";
import type { poolOutcomes, poolRevisions } from "../../../db/schema/openables.ts";

export type RevisionFacts = Omit<typeof poolRevisions.$inferSelect, "revisionId">;
export type OutcomeFacts = Omit<typeof poolOutcomes.$inferSelect, "revisionId">;

const hexDigits = 24;

/**
 * Returns the id of a revision: `pr_` and 24 hex digits of the SHA-256 of its other columns and outcomes. Pass the outcomes in order of
 * position.
 */
export function revisionIdOf(revision: RevisionFacts, outcomes: readonly OutcomeFacts[]): string {
  const { slug, revisionNumber, definition, provenance, oddsSource, wearModel } = revision;
  const { tiers, denominator, outcomeCount, publishedAt } = revision;
  const head = [
    slug,
    revisionNumber,
    definition,
    provenance,
    oddsSource,
    wearModel,
    tiers,
    denominator,
    outcomeCount,
    publishedAt,
  ];
  const hash = createHash("sha256").update(JSON.stringify(head));
  for (const { position, itemId, tier, numerator } of outcomes) {
    hash.update(JSON.stringify([position, itemId, tier, numerator]));
  }
  return `pr_${hash.digest("hex").slice(0, hexDigits)}`;
}
