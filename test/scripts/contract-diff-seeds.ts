import type { Node } from "../../scripts/contract/document.ts";
import { additiveSeeds } from "./contract-diff-additive-seeds.ts";
import { answerSeeds } from "./contract-diff-answer-seeds.ts";
import { breakingSeeds } from "./contract-diff-breaking-seeds.ts";
import type { Row } from "./contract-diff-edits.ts";
import { noneSeeds, wordingSeeds } from "./contract-diff-neutral-seeds.ts";

/**
 * One change with what must be said of it: the kind, or `none` where no client can feel it, and the operations it is told of, where `[]`
 * is the whole document. `prepare` edits both documents first.
 */
export type Seed = {
  name: string;
  kind: "breaking" | "additive" | "wording" | "none";
  operationsOf: (document: Node) => readonly string[];
  mutate: (document: Node) => unknown;
  prepare: ((document: Node) => unknown) | undefined;
};

/** Every seed; names are unique. */
export const seeds: readonly Seed[] = [
  ...breakingSeeds.map(seed("breaking")),
  ...answerSeeds.map(seed("breaking")),
  ...additiveSeeds.map(seed("additive")),
  ...wordingSeeds.map(seed("wording")),
  ...noneSeeds.map(seed("none")),
];

function seed(kind: Seed["kind"]): (row: Row) => Seed {
  return ([name, operations, mutate, prepare]) => ({
    name,
    kind,
    operationsOf: typeof operations === "function" ? operations : () => operations,
    mutate,
    prepare,
  });
}
