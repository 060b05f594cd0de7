import {
  at,
  drop,
  isProtected,
  media,
  operation,
  parameterSchema,
  push,
  type Row,
  response,
  schema,
  uses,
} from "./contract-diff-edits.ts";

/** Changes of answers, credentials and cost that break a client. */
export const answerSeeds: readonly Row[] = [
  [
    "success has another status",
    ["getIndex"],
    (it) => {
      const responses = at(operation(it, "getIndex"), "responses");
      responses["206"] = responses["200"];
      delete responses["200"];
    },
  ],
  [
    "a further success is possible",
    ["getIndex"],
    (it) => (at(operation(it, "getIndex"), "responses")["202"] = { description: "Later." }),
  ],
  ["a refusal is not given any more", ["getIndex"], (it) => delete at(operation(it, "getIndex"), "responses")["404"]],
  [
    "an answer has another media type",
    ["getUsage"],
    (it) => {
      const own = response(it, "getUsage");
      own.content = { "text/csv": media(own) };
    },
  ],
  [
    "a header of an answer is gone",
    ["getUsage"],
    (it) => delete at(response(it, "getUsage"), "headers")["X-RateLimit-Limit"],
  ],
  [
    "a header of an answer may be absent",
    ["getUsage"],
    (it) => (at(response(it, "getUsage"), "headers/X-RateLimit-Limit").required = false),
  ],
  [
    "a header of an answer has another type",
    ["getUsage"],
    (it) => (at(response(it, "getUsage"), "headers/X-RateLimit-Limit").schema = { type: "string", maxLength: 9 }),
  ],
  [
    "a field of answers is gone",
    ["listProviders"],
    (it) => {
      delete schema(it, "Provider/properties").active;
      drop(schema(it, "Provider").required, "active");
    },
  ],
  [
    "a record of the export has a new field",
    ["streamMarketSnapshot"],
    (it) => {
      schema(it, "SnapshotEnd/properties").bytes = { type: "integer", format: "int32", minimum: 0, maximum: 9 };
      push(schema(it, "SnapshotEnd").required, "bytes");
    },
  ],
  ["a field of answers may be absent", ["listProviders"], (it) => drop(schema(it, "Provider").required, "active")],
  [
    "a field of answers may be null",
    ["listProviders"],
    (it) => (schema(it, "Provider/properties/name").type = ["string", "null"]),
  ],
  [
    "a referenced field of answers may be null",
    ["listProviders"],
    (it) =>
      (schema(it, "Provider/properties").kind = {
        anyOf: [{ $ref: "#/components/schemas/ProviderKind" }, { type: "null" }],
      }),
  ],
  [
    "what was always null has a value",
    ["streamMarketSnapshot"],
    (it) => (schema(it, "SnapshotStart/properties/price_as_of").type = ["string", "null"]),
  ],
  ["a field of answers has a new value", ["listProviders"], (it) => push(schema(it, "ProviderKind").enum, "barter")],
  [
    "a constant of answers differs",
    uses("Quote"),
    (it) => Object.assign(schema(it, "Quote/properties/currency"), { const: "EUR", enum: ["EUR"] }),
  ],
  [
    "a constant of answers is given up",
    uses("Quote"),
    (it) => {
      const currency = schema(it, "Quote/properties/currency");
      delete currency.const;
      delete currency.enum;
    },
  ],
  [
    "the format of a field of answers differs",
    ["getUsage"],
    (it) => (schema(it, "Usage/properties/month_starts_at").format = "date"),
  ],
  [
    "a number of answers is a larger integer",
    ["getUsage"],
    (it) => (schema(it, "Usage/properties/monthly_used").format = "int64"),
  ],
  [
    "a number of answers may be larger",
    ["listExchangeRates"],
    (it) => (schema(it, "ExchangeRate/properties/currency_minor_units").maximum = 6),
  ],
  [
    "the pattern of a field of answers differs",
    uses("RatePerUsd"),
    (it) => (schema(it, "RatePerUsd").pattern = "^[0-9.e]+$"),
  ],
  [
    "a field of answers has another type",
    ["getUsage"],
    (it) => (schema(it, "Usage/properties").monthly_used = { type: "string", maxLength: 9 }),
  ],
  [
    "a list of answers may be longer than anybody asks for",
    ["getMarketPrices"],
    (it) => (schema(it, "MarketPrices/properties/asks").maxItems = 9000),
  ],
  [
    "a further form of a record",
    ["streamMarketSnapshot"],
    (it) => {
      const note = {
        type: "object",
        additionalProperties: false,
        properties: { type: { type: "string", const: "note" } },
      };
      push(schema(it, "SnapshotRecord").oneOf, note);
    },
  ],
  [
    "a field of answers becomes one of two forms",
    ["listProviders"],
    (it) =>
      (schema(it, "Provider/properties").name = {
        oneOf: [schema(it, "Provider/properties/name"), { type: "integer" }],
      }),
  ],
  [
    "forms are no longer told apart by a field",
    ["streamMarketSnapshot"],
    (it) => delete schema(it, "SnapshotRecord").discriminator,
  ],
  [
    "a scope is replaced",
    ["listItems"],
    (it) => (operation(it, "listItems").security = [{ bearerAuth: ["portfolio:read"] }]),
  ],
  [
    "a public operation asks for a key",
    ["getStatus"],
    (it) => (operation(it, "getStatus").security = [{ bearerAuth: [] }]),
  ],
  [
    "the key is sent in another way",
    isProtected,
    (it) => (at(it, "components/securitySchemes").bearerAuth = { type: "apiKey", in: "header", name: "X-Key" }),
  ],
  ["a dearer plan is asked for", ["listItems"], (it) => (operation(it, "listItems")["x-itemtape-plan"] = "paid")],
  ["a request costs a unit", ["getStatus"], (it) => (operation(it, "getStatus")["x-itemtape-cost"] = 1)],
  [
    "the extension asks for a scope",
    ["getUsage"],
    (it) => (operation(it, "getUsage")["x-itemtape-scope"] = "market:read"),
  ],
  [
    "the extension of an open operation asks for any key",
    ["getStatus"],
    (it) => (operation(it, "getStatus")["x-itemtape-scope"] = "any"),
  ],
  [
    "a request counts against the minute",
    ["getStatus"],
    (it) => (operation(it, "getStatus")["x-itemtape-minute"] = true),
  ],
  ["the server is another", [], (it) => (it.servers = [{ url: "https://api.example.org" }])],
  [
    "an operation gives a problem code that is new",
    ["getItem"],
    (it) => {
      push(schema(it, "ErrorCode").enum, "item_withdrawn");
      const value = {
        type: "/problems/item_withdrawn",
        title: "Gone",
        status: 404,
        code: "item_withdrawn",
        request_id: "r",
      };
      at(media(response(it, "getItem", "404"), "application/problem+json"), "examples").withdrawn = {
        summary: "Gone",
        value,
      };
    },
  ],
  [
    "an operation gives a new problem code in its only example",
    ["getItem"],
    (it) => {
      push(schema(it, "ErrorCode").enum, "item_withdrawn");
      const problem = media(response(it, "getItem", "404"), "application/problem+json");
      delete problem.examples;
      problem.example = { type: "/problems/item_withdrawn", title: "Gone", status: 404, code: "item_withdrawn" };
    },
  ],
  [
    "a list within a page grows as the page does",
    ["listItems"],
    (it) => {
      parameterSchema(it, "listItems", "limit").maximum = 200;
      const data = schema(it, "ItemListEnvelope/properties/data");
      data.maxItems = 200;
      at(data, "items/properties/tags").maxItems = 200;
    },
    (it) => {
      const tags = { type: "array", maxItems: 100, items: { type: "string" } };
      schema(it, "ItemListEnvelope/properties/data").items = { type: "object", properties: { tags } };
    },
  ],
  ["it is not told what a request costs", ["listItems"], (it) => delete operation(it, "listItems")["x-itemtape-cost"]],
  ["a request costs something unknown", ["listItems"], (it) => (operation(it, "listItems")["x-itemtape-cost"] = "few")],
  [
    "it is not told whether the minute counts",
    ["getStatus"],
    (it) => delete operation(it, "getStatus")["x-itemtape-minute"],
  ],
  [
    "an answer 304 to those who did not ask for it",
    ["getStatus"],
    (it) => (at(operation(it, "getStatus"), "responses")["304"] = { description: "As before." }),
  ],
  [
    "a value leads to another form",
    ["streamMarketSnapshot"],
    (it) => {
      const mapping = at(schema(it, "SnapshotRecord"), "discriminator/mapping");
      [mapping.start, mapping.end] = [mapping.end, mapping.start];
    },
  ],
  [
    "a value leads to no form any more",
    ["streamMarketSnapshot"],
    (it) => delete at(schema(it, "SnapshotRecord"), "discriminator/mapping").start,
  ],
  [
    "a link that is referred to differs",
    ["getUsage"],
    (it) => (at(it, "components/links/Items").operationId = "getItem"),
    (it) => {
      at(it, "components").links = { Items: { operationId: "listItems" } };
      response(it, "getUsage").links = { items: { $ref: "#/components/links/Items" } };
    },
  ],
];
