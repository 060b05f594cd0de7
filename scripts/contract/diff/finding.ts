/** What a change is to a client, in the words of the changelog. */
export const kinds = ["breaking", "additive", "wording"] as const;

export type Kind = (typeof kinds)[number];

/**
 * One change as a client feels it. `operations` are ids of the old document, or of the new one for what is new; empty for the whole
 * document. `places` say where within these operations. `before` and `after` are short readable values, null where there is none.
 */
export type Finding = {
  kind: Kind;
  rule: string;
  operations: readonly string[];
  places: readonly string[];
  says: string;
  before: string | null;
  after: string | null;
};

/** What a rule says of one difference, before it is known in how many places and operations the same stands. */
export type Verdict = Pick<Finding, "kind" | "rule" | "says" | "before" | "after"> & {
  /** True when the change is one of the document and not of the operation in which it was seen. */
  isOfDocument?: true;
};

/** The same change in several places of an operation, or in the same places of several, as one finding; breaking ones first. */
export function merge(findings: readonly Finding[]): Finding[] {
  const ofOperations = mergeBy(findings, ({ operations }) => operations);
  // Only operations with the same places share a line: it must be plain which place is whose.
  const merged = mergeBy(ofOperations, ({ operations, places }) => [operations.length === 0, places.toSorted()]);
  return kinds.flatMap((kind) => merged.filter((finding) => finding.kind === kind));
}

function mergeBy(findings: readonly Finding[], samenessOf: (finding: Finding) => unknown): Finding[] {
  const merged = new Map<string, Finding>();
  for (const finding of findings) {
    const { kind, rule, says, before, after } = finding;
    const key = JSON.stringify([kind, rule, says, before, after, samenessOf(finding)]);
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
  };
}
