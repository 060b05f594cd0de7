import { node } from "../../scripts/contract/document.ts";
import {
  at,
  body,
  bodySchema,
  componentField,
  drop,
  media,
  operation,
  parameter,
  parameterSchema,
  push,
  type Row,
  response,
  schema,
  uses,
} from "./contract-diff-edits.ts";

/** Changes that a client can use and that harm none. */
export const additiveSeeds: readonly Row[] = [
  [
    "an operation is new",
    ["listSources"],
    (it) =>
      (node(it.paths)["/v1/sources"] = { get: { ...operation(it, "listProviders"), operationId: "listSources" } }),
  ],
  [
    "an optional parameter is new",
    ["listItems"],
    (it) =>
      push(operation(it, "listItems").parameters, {
        name: "kind",
        in: "query",
        schema: { type: "string", maxLength: 9 },
      }),
  ],
  [
    "a parameter may be left out",
    ["getItem"],
    (it) => (parameter(it, "getItem", "If-None-Match").required = false),
    (it) => (parameter(it, "getItem", "If-None-Match").required = true),
  ],
  [
    "the largest value of a parameter rises",
    ["listItems"],
    (it) => (parameterSchema(it, "listItems", "limit").maximum = 200),
  ],
  [
    "the largest page grows with its parameter",
    ["listItems"],
    (it) => {
      parameterSchema(it, "listItems", "limit").maximum = 200;
      schema(it, "ItemListEnvelope/properties/data").maxItems = 200;
    },
  ],
  ["a parameter loses its pattern", ["listItems"], (it) => delete parameterSchema(it, "listItems", "q").pattern],
  [
    "a parameter takes a further value",
    ["getDailyPriceHistory"],
    (it) => push(parameterSchema(it, "getDailyPriceHistory", "side").enum, "both"),
  ],
  ["a number may be a fraction", ["listItems"], (it) => (parameterSchema(it, "listItems", "limit").type = "number")],
  [
    "a parameter takes a larger integer",
    ["listItems"],
    (it) => (parameterSchema(it, "listItems", "cursor").format = "int64"),
  ],
  ["a default is told", ["listItems"], (it) => (parameterSchema(it, "listItems", "q").default = "a")],
  [
    "an optional field of a request is new",
    ["getMarketPricesBatch"],
    (it) => (at(bodySchema(it, "getMarketPricesBatch"), "properties").market = { type: "string", maxLength: 9 }),
  ],
  [
    "a batch may be longer",
    ["getMarketPricesBatch"],
    (it) => (at(bodySchema(it, "getMarketPricesBatch"), "properties/item_ids").maxItems = 200),
  ],
  [
    "a field of a request may be null",
    ["getMarketPricesBatch"],
    (it) => {
      const side = at(bodySchema(it, "getMarketPricesBatch"), "properties");
      side.side = { anyOf: [side.side, { type: "null" }] };
    },
  ],
  [
    "a field of a request takes a second form",
    ["getMarketPricesBatch"],
    (it) => {
      const own = at(bodySchema(it, "getMarketPricesBatch"), "properties");
      own.side = { oneOf: [own.side, { type: "integer" }] };
    },
  ],
  [
    "a request takes a second media type",
    ["getMarketPricesBatch"],
    (it) => {
      const own = body(it, "getMarketPricesBatch");
      node(own.content)["application/cbor"] = media(own);
    },
  ],
  [
    "an answer has a further header",
    ["getUsage"],
    (it) => (at(response(it, "getUsage"), "headers").Age = { schema: { type: "integer" } }),
  ],
  ["a header is always there", ["getUsage"], (it) => (at(response(it, "getUsage"), "headers/Vary").required = true)],
  [
    "caches are told of a further header",
    ["getUsage"],
    (it) => {
      at(response(it, "getUsage"), "headers/Vary").schema = { type: "string", const: "Authorization, Accept-Language" };
    },
  ],
  ["an answer loses a value", ["listProviders"], (it) => drop(schema(it, "ProviderKind").enum, "trade")],
  ["a field of answers is never null", ["getItem"], (it) => (schema(it, "ItemDetail/properties/type").type = "string")],
  ["a field of answers is always there", uses("Problem"), (it) => push(schema(it, "Problem").required, "detail")],
  ["a number of answers is smaller", ["getUsage"], (it) => (schema(it, "Usage/properties/monthly_used").maximum = 9)],
  [
    "an object of answers has a new field",
    ["listProviders"],
    (it) => {
      schema(it, "Provider/properties").country = { type: "string", maxLength: 2 };
      push(schema(it, "Provider").required, "country");
    },
  ],
  ["an object of answers is opened", ["listProviders"], (it) => delete schema(it, "Provider").additionalProperties],
  [
    "one of two forms stays and has a new key",
    ["listProviders"],
    (it) => {
      const name = schema(it, "Provider/properties/name");
      schema(it, "Provider/properties").name = (name.oneOf as unknown[])[0];
      push(schema(it, "Provider/properties/name/required"), "b");
      schema(it, "Provider/properties/name/properties").b = { type: "integer" };
    },
    (it) => {
      const form = {
        type: "object",
        additionalProperties: false,
        required: ["a"],
        properties: { a: { type: "integer" } },
      };
      schema(it, "Provider/properties").name = { oneOf: [form, { type: "integer" }] };
    },
  ],
  [
    "an open object of answers has a new field",
    ["listProviders"],
    (it) => (schema(it, "Provider/properties").country = { type: "string", maxLength: 2 }),
    (it) => delete schema(it, "Provider").additionalProperties,
  ],
  [
    "a form of a record is given up",
    ["streamMarketSnapshot"],
    (it) => (schema(it, "SnapshotRecord").oneOf as unknown[]).pop(),
  ],
  [
    "an answer may have a second media type",
    ["getUsage"],
    (it) => {
      const own = response(it, "getUsage");
      node(own.content)["application/cbor"] = media(own);
    },
  ],
  [
    "a further refusal is possible",
    ["getIndex"],
    (it) => {
      const responses = at(operation(it, "getIndex"), "responses");
      responses["410"] = responses["404"];
    },
  ],
  [
    "a known code is given by a further refusal",
    ["getItem"],
    (it) => {
      const value = {
        type: "/problems/plan_upgrade_required",
        title: "Plan",
        status: 403,
        code: "plan_upgrade_required",
        request_id: "r",
      };
      at(media(response(it, "getItem", "403"), "application/problem+json"), "examples").plan = {
        summary: "Plan",
        value,
      };
    },
  ],
  ["the list of problem codes grows", [], (it) => push(schema(it, "ErrorCode").enum, "source_not_found")],
  [
    "a cheaper plan is enough",
    ["getMarketPrices"],
    (it) => (operation(it, "getMarketPrices")["x-itemtape-plan"] = "free"),
  ],
  ["a request costs nothing", ["listItems"], (it) => (operation(it, "listItems")["x-itemtape-cost"] = 0)],
  [
    "every key is enough",
    ["listItems"],
    (it) => {
      operation(it, "listItems").security = [{ bearerAuth: [] }];
      operation(it, "listItems")["x-itemtape-scope"] = "any";
    },
  ],
  [
    "a second kind of credential is taken",
    ["listItems"],
    (it) => push(operation(it, "listItems").security, { other: [] }),
    (it) => (at(it, "components/securitySchemes").other = { type: "apiKey", in: "header", name: "X-Key" }),
  ],
  ["there is a second server", [], (it) => push(it.servers, { url: "https://api.example.org" })],
  ["an operation is marked as deprecated", ["listItems"], (it) => (operation(it, "listItems").deprecated = true)],
  [
    "a looser bound of what is referred to, with another beside it",
    ["getMarketPricesBatch"],
    (it) => (schema(it, "Own").maximum = 20),
    (it) => componentField(it, { type: "integer", maximum: 5 }, { maximum: 9 }),
  ],
  [
    "a value leads to a form, too",
    ["streamMarketSnapshot"],
    (it) => (at(schema(it, "SnapshotRecord"), "discriminator/mapping").begin = "SnapshotStart"),
  ],
];
