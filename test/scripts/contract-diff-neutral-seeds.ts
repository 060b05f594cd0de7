import { type Node, node, operationsOf, resolve } from "../../scripts/contract/document.ts";
import {
  at,
  besideField,
  body,
  bodySchema,
  componentField,
  isProtected,
  media,
  movePathItem,
  operation,
  parameter,
  parameterSchema,
  push,
  type Row,
  redirect,
  response,
  reversed,
  schema,
  uses,
} from "./contract-diff-edits.ts";

/** Changes of text for people. */
export const wordingSeeds: readonly Row[] = [
  [
    "an operation is described otherwise",
    ["getItem"],
    (it) => (operation(it, "getItem").description = "Reads an item."),
  ],
  ["an operation has another summary", ["getItem"], (it) => (operation(it, "getItem").summary = "Read an item")],
  ["an operation has another tag", ["getItem"], (it) => (operation(it, "getItem").tags = ["Markets"])],
  [
    "an operation is no longer deprecated",
    ["getItem"],
    (it) => delete operation(it, "getItem").deprecated,
    (it) => (operation(it, "getItem").deprecated = true),
  ],
  [
    "a parameter is described otherwise",
    ["listItems"],
    (it) => (parameter(it, "listItems", "q").description = "Part of the name."),
  ],
  ["a parameter has another example", ["listItems"], (it) => (parameter(it, "listItems", "q").example = "knife")],
  [
    "a body is described otherwise",
    ["getMarketPricesBatch"],
    (it) => (body(it, "getMarketPricesBatch").description = "Ids."),
  ],
  ["an answer is described otherwise", ["getUsage"], (it) => (response(it, "getUsage").description = "What is left.")],
  [
    "a header is described otherwise",
    ["getUsage"],
    (it) => (at(response(it, "getUsage"), "headers/Vary").description = "For caches."),
  ],
  [
    "a schema is described otherwise",
    uses("Quote"),
    (it) => (schema(it, "Quote").description = "An offer or an order."),
  ],
  [
    "a field is described otherwise",
    ["getUsage"],
    (it) => (schema(it, "Usage/properties/monthly_used").description = "Used."),
  ],
  ["a schema gets a title", uses("Quote"), (it) => (schema(it, "Quote").title = "Quote")],
  ["a schema has another example", ["listProviders"], (it) => (schema(it, "ProviderKind").examples = ["cash"])],
  [
    "a default of answers is told",
    ["listProviders"],
    (it) => (schema(it, "Provider/properties/active").default = true),
  ],
  [
    "an example of an answer differs",
    ["getStatus"],
    (it) => {
      const examples = node(media(response(it, "getStatus")).examples);
      examples[Object.keys(examples)[0] ?? ""] = { summary: "All is well", value: {} };
    },
  ],
  [
    "an example of an answer has another name",
    ["getUsage"],
    (it) => {
      const examples = node(media(response(it, "getUsage")).examples);
      const [name = ""] = Object.keys(examples);
      examples.other = examples[name];
      delete examples[name];
    },
  ],
  ["an operation becomes an extension", ["getItem"], (it) => (operation(it, "getItem")["x-itemtape-extension"] = true)],
  ["the document is described otherwise", [], (it) => (at(it, "info").description = "Market data.")],
  ["the document has another version", [], (it) => (at(it, "info").version = "0.1.1")],
  ["a tag is described otherwise", [], (it) => (at(it, "tags/0").description = "Whether it runs.")],
  ["a server is described otherwise", [], (it) => (at(it, "servers/0").description = "At home.")],
  [
    "a field has a note for tools",
    ["getUsage"],
    (it) => (schema(it, "Usage/properties/monthly_used")["x-note"] = "Counted by the month."),
  ],
  [
    "the security scheme is described otherwise",
    isProtected,
    (it) => (at(it, "components/securitySchemes/bearerAuth").description = "A key."),
  ],
];

/** Rewrites that no client can feel. */
export const noneSeeds: readonly Row[] = [
  ["nothing at all", [], () => undefined],
  [
    "a referenced schema is written out",
    [],
    (it) => (schema(it, "Provider/properties").kind = structuredClone(schema(it, "ProviderKind"))),
  ],
  ["a referenced response is written out", [], (it) => response(it, "getUsage")],
  ["a referenced parameter is written out", [], (it) => parameter(it, "listItems", "limit")],
  ["a referenced body is written out", [], (it) => bodySchema(it, "getMarketPricesBatch")],
  ["a schema has another name", [], (it) => rename(it, "schemas", "Quote", "MarketQuote")],
  ["a response has another name", [], (it) => rename(it, "responses", "UsageOk", "UsageAnswer")],
  [
    "an example is moved into the answer",
    [],
    (it) => {
      const own = node(media(response(it, "getStatus")).examples);
      for (const [name, example] of Object.entries(own)) own[name] = structuredClone(resolve(it, example));
    },
  ],
  ["every key stands in the opposite order", [], (it) => Object.assign(it, reversed(structuredClone(it)))],
  [
    "keys of the root stand in another order",
    [],
    (it) => {
      const entries = Object.entries(it).reverse();
      for (const [key] of entries) delete it[key];
      Object.assign(it, Object.fromEntries(entries));
    },
  ],
  ["required fields stand in another order", [], (it) => (schema(it, "Quote").required as unknown[]).reverse()],
  ["values stand in another order", [], (it) => (schema(it, "ErrorCode").enum as unknown[]).reverse()],
  ["parameters stand in another order", [], (it) => (operation(it, "listItems").parameters as unknown[]).reverse()],
  ["forms stand in another order", [], (it) => (schema(it, "SnapshotRecord").oneOf as unknown[]).reverse()],
  [
    "a nullable reference is written as a type",
    [],
    (it) => {
      const { type, ...rest } = schema(it, "PaintPhase");
      schema(it, "CatalogItem/properties").phase = {
        ...structuredClone(rest),
        type: [type, "null"],
        ...described(it, "CatalogItem/properties/phase"),
      };
    },
  ],
  [
    "a nullable type is written as a choice",
    [],
    (it) => {
      const { description, ...own } = schema(it, "CatalogItem/properties/rarity");
      schema(it, "CatalogItem/properties").rarity = {
        description,
        anyOf: [{ type: "null" }, { ...own, type: "string" }],
      };
    },
  ],
  [
    "a constant is written as a list of one",
    [],
    (it) => {
      const currency = schema(it, "Quote/properties/currency");
      currency.enum = [currency.const];
      delete currency.const;
    },
  ],
  [
    "a constant number has bounds that it keeps",
    [],
    (it) => Object.assign(schema(it, "Quote/properties/minor_units"), { minimum: 2, maximum: 2 }),
  ],
  [
    "a reference stands in a list of one",
    [],
    (it) => (schema(it, "Provider/properties").kind = { allOf: [schema(it, "Provider/properties/kind")] }),
  ],
  [
    "a parameter stands at its path",
    [],
    (it) => {
      const path = node(node(it.paths)["/v1/items/{item_id}"]);
      path.parameters = (operation(it, "getItem").parameters as unknown[]).splice(0, 1);
    },
  ],
  ["the security of the document is said again", [], (it) => delete operation(it, "listItems").security],
  [
    "what goes without saying is said",
    [],
    (it) => {
      Object.assign(schema(it, "HttpsUrl"), { minLength: 0, deprecated: false });
      Object.assign(parameter(it, "listItems", "q"), { required: false, style: "form" });
    },
  ],
  [
    "a description is wrapped otherwise",
    [],
    (it) => {
      const own = operation(it, "getItem");
      own.description = String(own.description)
        .replaceAll(/(?<=\S)\n(?=\S)/g, " ")
        .trim();
    },
  ],
  [
    "a header is written in capitals",
    [],
    (it) => {
      const headers = at(response(it, "getUsage"), "headers");
      headers["X-RATELIMIT-LIMIT"] = headers["X-RateLimit-Limit"];
      delete headers["X-RateLimit-Limit"];
    },
  ],
  ["a component that nothing uses is new", [], (it) => (at(it, "components/schemas").Unused = { type: "string" })],
  [
    "the changelog has a further entry",
    [],
    (it) => push(it["x-itemtape-changelog"], { change_id: 99, kind: "breaking", operations: [] }),
  ],
  [
    "how a parameter is written is said though it is usual",
    [],
    (it) => {
      Object.assign(parameter(it, "listItems", "q"), { explode: true, allowReserved: false, allowEmptyValue: false });
      Object.assign(parameter(it, "getItem", "item_id"), { style: "simple", explode: false });
      Object.assign(at(response(it, "getUsage"), "headers/Vary"), { style: "simple", explode: false });
    },
  ],
  [
    "schemas that all must fit stand in another order",
    [],
    (it) => (schema(it, "Own").allOf as unknown[]).reverse(),
    (it) => componentField(it, { allOf: [{ pattern: "^a", maxLength: 4 }, { maxLength: 3 }, { pattern: "b$" }] }),
  ],
  [
    "a security scheme has another name",
    [],
    (it) => {
      const schemes = at(it, "components/securitySchemes");
      schemes.key = schemes.bearerAuth;
      delete schemes.bearerAuth;
      for (const user of [it, ...operationsOf(it).map(({ node }) => node)]) {
        const list = (user.security ?? []) as Node[];
        user.security = list.map(({ bearerAuth, ...rest }) => (bearerAuth ? { ...rest, key: bearerAuth } : rest));
      }
    },
  ],
  [
    "the largest integer is written as the first that is too large",
    [],
    (it) => {
      const { maximum, ...rest } = parameterSchema(it, "listItems", "limit");
      parameter(it, "listItems", "limit").schema = { ...rest, exclusiveMaximum: Number(maximum) + 1 };
    },
  ],
  ["a path item is referred to", [], (it) => movePathItem(it, "/v1/items")],
  ["a form that a value leads to has another name", [], (it) => rename(it, "schemas", "SnapshotStart", "FirstRecord")],
  [
    "what `not` refers to is written out",
    [],
    (it) => (schema(it, "Own").not = { minLength: 1 }),
    (it) => {
      at(it, "components/schemas").Other = { minLength: 1 };
      componentField(it, { not: { $ref: "#/components/schemas/Other" } });
    },
  ],
  [
    "a looser bound, more values and null stand beside a reference",
    [],
    (it) => Object.assign(besideField(it), { enum: ["a", "b", null], type: ["string", "null"], maxLength: 9 }),
    (it) => componentField(it, { type: "string", enum: ["a"], maxLength: 1 }),
  ],
];

function rename(document: Node, kind: string, from: string, to: string): void {
  const components = at(document, `components/${kind}`);
  components[to] = components[from];
  delete components[from];
  redirect(document, `#/components/${kind}/${from}`, `#/components/${kind}/${to}`);
}

/** The note that stands beside a reference, if any. */
function described(document: Node, path: string): Node {
  const { description } = schema(document, path);
  return description === undefined ? {} : { description };
}
