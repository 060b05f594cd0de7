import type { OperationId } from "../../src/contract/types.ts";
import type { RawRequest } from "../support/client.ts";
import { digestless, leftCatalog } from "./replay-states.ts";
import { demo, get, type Makers, type Row, type Subjects, subjectNames } from "./replay-subjects.ts";

const { generation, olderGeneration } = demo;

/** The request body of the examples: a name of several items, two names of one item each, and an incomplete name. */
export const fourNames = {
  names: [subjectNames.phased[0], subjectNames.unquoted[0], subjectNames.vanishing[0], "★ Karambit | Doppler"],
};

/** A valid request of each operation that resolves names, returns digests or lists changes of the contract. */
export function extensionRequests() {
  return {
    listContractChanges: get("/v1/changelog"),
    resolveItemNames: resolve(fourNames),
    getGeneration: get(`/v1/markets/generations/${generation}`),
  } satisfies Partial<Record<OperationId, RawRequest>>;
}

/** The rows of their examples. */
export function extensionRows({ changesPage, vanishing }: Subjects, { ask }: Makers): Record<string, Row> {
  const generations = (name: string) => get(`/v1/markets/generations/${name}`);
  return {
    ContractChangesFirstPage: ask(get("/v1/changelog?limit=2")),
    ContractChangesLastPage: ask(get(`/v1/changelog?after=${changesPage}`)),
    ResolvedFourNames: ask(resolve(fourNames), leftCatalog(vanishing), "free"),
    RepeatedNames: ask(resolve({ names: ["★ Karambit", "★ Karambit"] })),
    EmptyName: ask(resolve({ names: ["★ Karambit", ""] })),
    NameLimitExceeded: ask(resolve({ names: Array.from({ length: 101 }, (_, index) => `Item ${index}`) })),
    GenerationCurrent: ask(generations(generation)),
    GenerationSuperseded: ask(generations(olderGeneration)),
    InvalidGeneration: ask(generations("g05")),
    GenerationNotFoundProblem: ask(generations("g2"), digestless(2)),
  };
}

function resolve(body: unknown): RawRequest {
  return {
    method: "POST",
    target: "/v1/items/resolve",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}
