import { node } from "../../scripts/contract/document.ts";
import {
  at,
  besideField,
  body,
  bodySchema,
  componentField,
  drop,
  media,
  movePathItem,
  operation,
  parameter,
  parameterSchema,
  push,
  type Row,
  reroute,
  schema,
} from "./contract-diff-edits.ts";

/** Changes of operations and requests that break a client. */
export const breakingSeeds: readonly Row[] = [
  ["an operation is removed", ["getIndex"], (it) => delete node(it.paths)["/v1/indexes/{index_id}"]],
  ["an operation gets another id", ["getItem"], (it) => (operation(it, "getItem").operationId = "readItem")],
  ["an operation moves to another path", ["getUsage"], (it) => reroute(it, "/v1/usage", "/v1/account/usage")],
  [
    "an operation takes another method",
    ["getMarketPricesBatch"],
    (it) => {
      const path = at(node(it.paths)["/v1/markets/batch"], "post");
      node(it.paths)["/v1/markets/batch"] = { put: path };
    },
  ],
  [
    "a required parameter is new",
    ["listItems"],
    (it) =>
      push(operation(it, "listItems").parameters, {
        name: "kind",
        in: "query",
        required: true,
        schema: { type: "string" },
      }),
  ],
  ["a parameter is removed", ["listItems"], (it) => (operation(it, "listItems").parameters as unknown[]).splice(2, 1)],
  ["a query parameter is renamed", ["listItems"], (it) => (parameter(it, "listItems", "q").name = "search")],
  [
    "a path parameter is renamed",
    ["getItem"],
    (it) => {
      parameter(it, "getItem", "item_id").name = "id";
      reroute(it, "/v1/items/{item_id}", "/v1/items/{id}");
    },
  ],
  ["a parameter moves into a header", ["listItems"], (it) => (parameter(it, "listItems", "q").in = "header")],
  ["a parameter becomes required", ["listItems"], (it) => (parameter(it, "listItems", "q").required = true)],
  [
    "a parameter takes another type",
    ["listItems"],
    (it) => (node(parameter(it, "listItems", "limit")).schema = { type: "string", maxLength: 3, default: 50 }),
  ],
  [
    "a number may no longer be a fraction",
    ["listItems"],
    (it) => (parameterSchema(it, "listItems", "limit").type = "integer"),
    (it) => (parameterSchema(it, "listItems", "limit").type = "number"),
  ],
  [
    "the largest value of a parameter falls",
    ["listItems"],
    (it) => (parameterSchema(it, "listItems", "limit").maximum = 50),
  ],
  [
    "the smallest value of a parameter rises",
    ["listItems"],
    (it) => (parameterSchema(it, "listItems", "limit").minimum = 10),
  ],
  [
    "the pattern of a parameter differs",
    ["listItems"],
    (it) => (parameterSchema(it, "listItems", "q").pattern = "^[a-z]+$"),
  ],
  [
    "a parameter gets a pattern",
    ["getPortfolio"],
    (it) => (parameterSchema(it, "getPortfolio", "portfolio_id").pattern = "^pf_"),
  ],
  ["a parameter may be less long", ["listItems"], (it) => (parameterSchema(it, "listItems", "q").maxLength = 60)],
  [
    "a parameter loses a value",
    ["getDailyPriceHistory"],
    (it) => drop(parameterSchema(it, "getDailyPriceHistory", "side").enum, "bid"),
  ],
  [
    "the default of a parameter differs",
    ["listItems"],
    (it) => (parameterSchema(it, "listItems", "limit").default = 20),
  ],
  [
    "the format of a parameter differs",
    ["getIndexHistory"],
    (it) => (parameterSchema(it, "getIndexHistory", "from").format = "date-time"),
  ],
  [
    "a parameter takes a smaller integer",
    ["listItems"],
    (it) => (parameterSchema(it, "listItems", "cursor").format = "int32"),
    (it) => (parameterSchema(it, "listItems", "cursor").format = "int64"),
  ],
  [
    "a batch may be less long",
    ["getMarketPricesBatch"],
    (it) => (at(bodySchema(it, "getMarketPricesBatch"), "properties/item_ids").maxItems = 50),
  ],
  [
    "a field of a request is removed",
    ["getMarketPricesBatch"],
    (it) => delete at(bodySchema(it, "getMarketPricesBatch"), "properties").side,
  ],
  [
    "a field of a request becomes required",
    ["getMarketPricesBatch"],
    (it) => push(bodySchema(it, "getMarketPricesBatch").required, "provider"),
  ],
  [
    "a required field of a request is new",
    ["getMarketPricesBatch"],
    (it) => {
      const own = bodySchema(it, "getMarketPricesBatch");
      at(own, "properties").market = { type: "string", maxLength: 9 };
      push(own.required, "market");
    },
  ],
  [
    "a field of a request may no longer be null",
    ["getMarketPricesBatch"],
    (it) => (schema(it, "BatchPricesRequest/properties/provider").type = "string"),
    (it) => (schema(it, "BatchPricesRequest").properties = { provider: { type: ["string", "null"], maxLength: 9 } }),
  ],
  [
    "a request takes another media type",
    ["getMarketPricesBatch"],
    (it) => {
      const own = body(it, "getMarketPricesBatch");
      own.content = { "application/xml": media(own) };
    },
  ],
  [
    "a body becomes required",
    ["getMarketPricesBatch"],
    (it) => (body(it, "getMarketPricesBatch").required = true),
    (it) => (body(it, "getMarketPricesBatch").required = false),
  ],
  [
    "a request gets a keyword that no rule knows",
    ["getMarketPricesBatch"],
    (it) => (bodySchema(it, "getMarketPricesBatch").not = { required: ["side"] }),
  ],
  ...["not", "if", "contains", "propertyNames"].map(
    (keyword): Row => [
      `what \`${keyword}\` refers to differs`,
      ["getMarketPricesBatch"],
      (it) => (schema(it, "Other").minLength = 2),
      (it) => {
        at(it, "components/schemas").Other = { minLength: 1 };
        componentField(it, { [keyword]: { $ref: "#/components/schemas/Other" } });
      },
    ],
  ),
  ...["prefixItems", "patternProperties"].map(
    (keyword): Row => [
      `what \`${keyword}\` refers to differs behind a circle`,
      ["getMarketPricesBatch"],
      (it) => (schema(it, "Other/properties/a").type = "integer"),
      (it) => {
        const other = { $ref: "#/components/schemas/Other" };
        at(it, "components/schemas").Other = { properties: { a: { type: "string" }, self: other } };
        componentField(it, { [keyword]: keyword === "prefixItems" ? [other] : { "^a": other } });
      },
    ],
  ),
  [
    "a callback that is referred to differs",
    ["getItem"],
    (it) => (at(it, "components/callbacks/Later").later = { put: {} }),
    (it) => {
      at(it, "components").callbacks = { Later: { later: { post: {} } } };
      operation(it, "getItem").callbacks = { later: { $ref: "#/components/callbacks/Later" } };
    },
  ],
  [
    "a webhook that is referred to differs",
    [],
    (it) => (at(it, "components/pathItems/Told").post = { operationId: "tell" }),
    (it) => {
      at(it, "components").pathItems = { Told: { post: {} } };
      it.webhooks = { told: { $ref: "#/components/pathItems/Told" } };
    },
  ],
  [
    "an operation of a referenced path item is removed",
    ["getIndex"],
    (it) => delete at(it, "components/pathItems/Moved").get,
    (it) => movePathItem(it, "/v1/indexes/{index_id}"),
  ],
  [
    "a parameter of a referenced path item becomes required",
    ["listItems"],
    (it) => (parameter(it, "listItems", "q").required = true),
    (it) => movePathItem(it, "/v1/items"),
  ],
  [
    "a tighter bound stands beside a reference",
    ["getMarketPricesBatch"],
    (it) => (besideField(it).maximum = 3),
    (it) => componentField(it, { type: "integer", maximum: 5 }),
  ],
  [
    "fewer values stand beside a reference",
    ["getMarketPricesBatch"],
    (it) => (besideField(it).enum = ["b", "c"]),
    (it) => componentField(it, { type: "string", enum: ["a", "b"] }),
  ],
  [
    "null is ruled out beside a reference",
    ["getMarketPricesBatch"],
    (it) => (besideField(it).type = "string"),
    (it) => componentField(it, { type: ["string", "null"] }),
  ],
  [
    "a second pattern stands beside a reference",
    ["getMarketPricesBatch"],
    (it) => (besideField(it).pattern = "b$"),
    (it) => componentField(it, { type: "string", pattern: "^a" }),
  ],
  [
    "a key is required by one of several schemas",
    ["getMarketPricesBatch"],
    (it) => (schema(it, "Own/allOf/1").required = ["b"]),
    (it) => componentField(it, { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }),
  ],
];
