import { words } from "../support/words.ts";
import type { Fault } from "./faults.ts";

/** Bodies that no operation reads. */
const brokenBodies = ["", "item_ids=1", "{", "[]", "null", "1", '"x"', "{}", "[".repeat(8000)];

/** Bodies with which a batch of prices is refused as `invalid_body`. */
const invalidBatches = [
  ...words(`
  {"item_ids":null} {"item_ids":1} {"item_ids":"1"} {"item_ids":{}} {"item_ids":[]} {"item_ids":["1"]}
  {"item_ids":[0]} {"item_ids":[-1]} {"item_ids":[1.5]} {"item_ids":[2147483648]} {"item_ids":[null]}
  {"item_ids":[[1]]} {"item_ids":[1,1]} {"item_ids":[1],"limit":1} {"item_ids":[1],"__proto__":{}}
  {"item_ids":[1],"side":"both"} {"item_ids":[1],"side":null} {"item_ids":[1],"provider":"Steam"}
  {"item_ids":[1],"provider":7} {"Item_ids":[1]} {"item_ids":[1]}x {'item_ids':[1]}
`),
  '\uFEFF{"item_ids":[1]}',
];

/** The same for the names to resolve. */
const invalidNames = [
  ...words(`
  {"names":null} {"names":1} {"names":"x"} {"names":{}} {"names":[]} {"names":[""]} {"names":[1]} {"names":[null]}
  {"names":[["x"]]} {"names":["x","x"]} {"names":["x"],"limit":1} {"names":["x"],"names":["y"]}
  {"names":["x"],"__proto__":{}} {"names":["x"],"item_ids":[1]} {"Names":["x"]} {"names":["x"]}x {'names':['x']}
`),
  `{"names":["${"x".repeat(301)}"]}`,
  '{"names":["\\ud8"]}',
  '\uFEFF{"names":["x"]}',
];

/** The same for an instant and items. */
const invalidInstants = [
  '{"item_ids":[1]}',
  ...[null, 1, "", "2026-01-15", "2026-01-15T11:00:00", "2026-01-15T11:00:00+00:00", "2026-01-15 11:00:00Z", ["x"]].map(
    (known_at) => JSON.stringify({ known_at, item_ids: [1] }),
  ),
  ...['"item_ids":[]', '"item_ids":[1,1]', '"item_ids":[1],"at":1'].map(
    (rest) => `{"known_at":"2026-01-15T11:00:00Z",${rest}}`,
  ),
];

const digest = "0".repeat(64);
/** The same for the state of a copy. */
const invalidStates = [
  '{"generation":"g5"}',
  `{"identity_digest":"${digest}"}`,
  ...[null, 5, "5", "g", "g0", "g05", "G5", "g12345678901", ["g5"]].map((generation) =>
    JSON.stringify({ generation, identity_digest: digest }),
  ),
  ...[null, 0, "", digest.slice(1), `${digest}0`, `A${digest.slice(1)}`, `g${digest.slice(1)}`].map((identity_digest) =>
    JSON.stringify({ generation: "g5", identity_digest }),
  ),
  `{"generation":"g5","identity_digest":"${digest}","limit":1}`,
  `{"generation":"g5","generation":"g5","identity_digest":"${digest}"}`,
];

/** The same for the export of a day. */
const invalidExports = words(`
  {"resolution":null} {"resolution":1} {"resolution":"day"} {"resolution":["daily"]} {"Resolution":"daily"}
  {"resolution":"daily","limit":1} {"resolution":"daily","revision":0} {"resolution":"daily","revision":"1"}
  {"resolution":"daily","revision":null} {"resolution":"daily","revision":1.5} {"resolution":"daily","resolution":"hourly"}
`);
const invalidOnly: Readonly<Record<string, readonly string[]>> = {
  streamMarketChanges: invalidStates,
  streamHistoryDay: invalidExports,
  getMarketPricesKnownAt: invalidInstants,
};

/** Bodies of an operation that are refused, and headers of theirs. */
export function bodyFaults(operationId: string): Fault[] {
  const only = invalidOnly[operationId];
  if (only !== undefined) {
    const faults = [...brokenBodies, ...only].map((body) =>
      withBody(`the body ${body.slice(0, 40)}`, "invalid_body", body),
    );
    return [...faults, ...headerFaults];
  }
  const isBatch = operationId === "getMarketPricesBatch";
  const invalid = [...brokenBodies, ...(isBatch ? invalidBatches : invalidNames)];
  const numbers = Array.from({ length: 101 }, (_, index) => index + 1);
  return [
    ...invalid.map((body) => withBody(`the body ${body.slice(0, 40)}`, "invalid_body", body)),
    withBody(
      "a body of 101 entries",
      "batch_limit_exceeded",
      JSON.stringify(isBatch ? { item_ids: numbers } : { names: numbers.map(String) }),
    ),
    ...(isBatch
      ? [
          withBody(
            "a body with an unknown provider",
            "unknown_provider",
            '{"item_ids":[1],"provider":"no-such-provider"}',
          ),
        ]
      : []),
    ...headerFaults,
  ];
}

function withBody(title: string, code: string, body: string): Fault {
  return { title, facts: { parameters: code }, apply: (draft) => (draft.body = body) };
}

const headerFaults: Fault[] = [
  ...[
    "text/plain",
    "application/xml",
    "application/x-www-form-urlencoded",
    "application/json; charset=latin1",
    "json",
  ].map(
    (type): Fault => ({
      title: `the content type ${type}`,
      facts: { parameters: "invalid_body" },
      apply: (draft) => (draft.headers["content-type"] = type),
    }),
  ),
  {
    title: "a compressed body",
    facts: { parameters: "invalid_body" },
    apply: (draft) => (draft.headers["content-encoding"] = "gzip"),
  },
];
