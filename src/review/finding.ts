import type { Witness } from "./exchange/exchange.ts";

/** Kinds of changes for a client, worst first. `may-break` means that a rule reports a breaking change, but no exchange shows it. */
export const kinds = ["breaking", "may-break", "additive", "wording"] as const;

export type Kind = (typeof kinds)[number];

/**
 * A change from the point of view of a client. `operations` are ids in the old document, or in the new one for additions; empty for the
 * whole document. `places` are within these operations. `before` and `after` are short readable values, null if missing.
 */
export type Finding = {
  kind: Kind;
  rule: string;
  operations: readonly string[];
  places: readonly string[];
  description: string;
  before: string | null;
  after: string | null;
  /** Changed parts of the views, which lead to lines of the document. */
  spots: readonly Spot[];
  witness: Witness | null;
};

/** A part in the view of an operation, or of the document if `operation` is null. `newPath` is the path of the part that replaced it. */
export type Spot = { operation: string | null; path: readonly string[]; newPath?: readonly string[] };

/** Returns whether a change needs a changelog entry. */
export function breaks({ kind }: Pick<Finding, "kind">): boolean {
  return kind === "breaking" || kind === "may-break";
}

/** Result of a rule for one difference, before equal results are merged. */
export type Verdict = Pick<Finding, "kind" | "rule" | "description" | "before" | "after"> & {
  /** True if the change concerns the whole document instead of the operation in which it was found. */
  isOfDocument?: true;
};

/** Merges equal changes in several places or operations into one finding. Sorts them by kind, breaking first. */
export function merge(findings: readonly Finding[]): Finding[] {
  const ofOperations = mergeBy(findings, ({ operations }) => operations);
  // Operations are only merged if their places are equal, so that each place belongs to all of them.
  const merged = mergeBy(ofOperations, ({ operations, places }) => [operations.length === 0, places.toSorted()]);
  return kinds.flatMap((kind) => merged.filter((finding) => finding.kind === kind));
}

function mergeBy(findings: readonly Finding[], samenessOf: (finding: Finding) => unknown): Finding[] {
  const merged = new Map<string, Finding>();
  for (const finding of findings) {
    const { kind, rule, description, before, after } = finding;
    const key = JSON.stringify([kind, rule, description, before, after, samenessOf(finding)]);
    const known = merged.get(key);
    merged.set(key, known === undefined ? finding : join(known, finding));
  }
  return [...merged.values()];
}

function join(one: Finding, other: Finding): Finding {
  return {
    ...one,
    operations: [...new Set([...one.operations, ...other.operations])],
    places: [...new Set([...one.places, ...other.places])],
    spots: [...one.spots, ...other.spots],
  };
}
