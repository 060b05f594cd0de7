import type { Fault } from "./faults.ts";

/** Bodies of a batch that are refused. */
export const bodyFaults: Fault[] = [
  ...[
    "",
    "item_ids=1",
    "{",
    "[]",
    "null",
    "1",
    '"x"',
    "{}",
    '{"item_ids":null}',
    '{"item_ids":1}',
    '{"item_ids":"1"}',
    '{"item_ids":{}}',
    '{"item_ids":[]}',
    '{"item_ids":["1"]}',
    '{"item_ids":[0]}',
    '{"item_ids":[-1]}',
    '{"item_ids":[1.5]}',
    '{"item_ids":[2147483648]}',
    '{"item_ids":[null]}',
    '{"item_ids":[[1]]}',
    '{"item_ids":[1,1]}',
    '{"item_ids":[1],"limit":1}',
    '{"item_ids":[1],"__proto__":{}}',
    '{"item_ids":[1],"side":"both"}',
    '{"item_ids":[1],"side":null}',
    '{"item_ids":[1],"provider":"Steam"}',
    '{"item_ids":[1],"provider":7}',
    '{"Item_ids":[1]}',
    '{"item_ids":[1]}x',
    "{'item_ids':[1]}",
    '\uFEFF{"item_ids":[1]}',
    "[".repeat(8000),
  ].map(
    (body): Fault => ({
      title: `the body ${body.slice(0, 40)}`,
      facts: { parameters: "invalid_body" },
      apply: (draft) => (draft.body = body),
    }),
  ),
  {
    title: "a body of 101 ids",
    facts: { parameters: "batch_limit_exceeded" },
    apply: (draft) => (draft.body = JSON.stringify({ item_ids: Array.from({ length: 101 }, (_, index) => index + 1) })),
  },
  {
    title: "a body with an unknown provider",
    facts: { parameters: "unknown_provider" },
    apply: (draft) => (draft.body = '{"item_ids":[1],"provider":"no-such-provider"}'),
  },
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
