import type { Witness } from "./exchange/exchange.ts";

/** The kinds of a change to a client, the worst first. `may-break`: a rule says breaking, and no exchange shows it. */
export const kinds = ["breaking", "may-break", "additive", "wording"] as const;

export type Kind = (typeof kinds)[number];

/**
 * One change from the point of view of a client. `operations` are ids of the old document, or of the new one for what is new; empty for the whole
 * document. `places` are those within these operations. `before` and `after` are short readable values, null where there is none.
 */
export type Finding = {
  kind: Kind;
  rule: string;
  operations: readonly string[];
  places: readonly string[];
  description: string;
  before: string | null;
  after: string | null;
  /** The changed parts of the views, by which a line of a document is found. */
  spots: readonly Spot[];
  witness: Witness | null;
};

/** A part of the view of an operation, null for the document: its path, and the path of the part that took its place. */
export type Spot = { operation: string | null; path: readonly string[]; newPath?: readonly string[] };

/** Tells whether a kind asks for an entry in the changelog. */
export function breaks({ kind }: Pick<Finding, "kind">): boolean {
  return kind === "breaking" || kind === "may-break";
}

/** The result of a rule for one difference, before equal ones of other places and operations are merged. */
export type Verdict = Pick<Finding, "kind" | "rule" | "description" | "before" | "after"> & {
  /** True when the change is one of the document and not of the operation in which it was seen. */
  isOfDocument?: true;
};

/** Merges the same change in several places of an operation, or in the same places of several, into one finding; breaking ones first. */
export function merge(findings: readonly Finding[]): Finding[] {
  const ofOperations = mergeBy(findings, ({ operations }) => operations);
  // Only operations with the same places share a line: it must be plain which place is whose.
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
