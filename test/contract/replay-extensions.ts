import type { OperationId } from "../../src/contract/types.ts";
import type { RawRequest } from "../support/client.ts";
import { digestless, leftCatalog } from "./replay-states.ts";
import { demo, get, type Makers, type Row, type Subjects, subjectNames } from "./replay-subjects.ts";

const { generation, olderGeneration } = demo;

/** The request body of the examples: a name of several items, two names of one item each, and an incomplete name. */
export const fourNames = {
  names: [subjectNames.phased[0], subjectNames.unquoted[0], subjectNames.vanishing[0], "★ Karambit | Doppler"],
};

/** The request body of the examples: an item with quotes, one without and an unknown one, an hour before now. */
export function threeItemsThen({ phased, unquoted }: Subjects) {
  return { known_at: "2026-01-15T11:00:00.000Z", item_ids: [phased, unquoted, 2_147_483_647] };
}

/** A valid request of each operation that resolves names, returns digests or lists changes of the contract. */
export function extensionRequests(subjects: Subjects) {
  return {
    listContractChanges: get("/v1/changelog"),
    resolveItemNames: post("/v1/items/resolve", fourNames),
    getMarketPricesKnownAt: post("/v1/markets/known", threeItemsThen(subjects)),
    getGeneration: get(`/v1/markets/generations/${generation}`),
  } satisfies Partial<Record<OperationId, RawRequest>>;
}

/** The rows of their examples. */
export function extensionRows(subjects: Subjects, { ask }: Makers): Record<string, Row> {
  const { changesPage, vanishing, observed } = subjects;
  const resolve = (body: unknown) => post("/v1/items/resolve", body);
  const known = (body: object) => post("/v1/markets/known", { ...threeItemsThen(subjects), ...body });
  const generations = (name: string) => get(`/v1/markets/generations/${name}`);
  return {
    ContractChangesFirstPage: ask(get("/v1/changelog?limit=2")),
    ContractChangesLastPage: ask(get(`/v1/changelog?after=${changesPage}`)),
    ResolvedFourNames: ask(resolve(fourNames), leftCatalog(vanishing), "free"),
    RepeatedNames: ask(resolve({ names: ["★ Karambit", "★ Karambit"] })),
    EmptyName: ask(resolve({ names: ["★ Karambit", ""] })),
    NameLimitExceeded: ask(resolve({ names: Array.from({ length: 101 }, (_, index) => `Item ${index}`) })),
    KnownThreeItems: ask(known({})),
    KnownFiltered: ask(known({ item_ids: [observed], provider: "northgate", side: "bid" })),
    KnownPricesTooEarly: ask(known({ known_at: "2020-01-01T00:00:00.000Z" })),
    KnownPricesInFuture: ask(known({ known_at: "2026-01-15T12:00:00.001Z" })),
    GenerationCurrent: ask(generations(generation)),
    GenerationSuperseded: ask(generations(olderGeneration)),
    InvalidGeneration: ask(generations("g05")),
    GenerationNotFoundProblem: ask(generations("g2"), digestless(2)),
  };
}

function post(target: string, body: unknown): RawRequest {
  return {
    method: "POST",
    target,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
}
