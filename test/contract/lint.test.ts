import { expect } from "chai";
import { document as served } from "../../scripts/contract/answers.ts";
import { type Node, node, readDocumentText } from "../../scripts/contract/document.ts";
import type { RuleName } from "../../scripts/contract/finding.ts";
import { documentChecks, findBreaches, findDocumentBreaches } from "../../scripts/contract/rules.ts";
import { checkText } from "../../scripts/contract/text-rules.ts";
import { itLong } from "../support/size.ts";

const text = readDocumentText();
const parsed: string = JSON.stringify(served);
const parse = () => JSON.parse(parsed) as Node;

type Seed = (document: Node) => void;

/** Rules about the text, which a parsed document does not show. */
type TextRule = "quoted-dates" | "aliases" | "header-copies" | "recorded-share";

/** One fault or more for each rule; a rule without a seed does not compile. */
const seeds: Record<Exclude<RuleName, TextRule>, Seed[]> = {
  "array-bounds": [(it) => drop(at(it, "components/schemas/MarketPrices/properties/asks"), "maxItems")],
  changelog: [
    (it) => drop(it, "x-itemtape-changelog"),
    (it) => put(change(it, 1), "change_id", 3),
    (it) => put(change(it, 0), "change_id", 0),
    (it) => put(change(it, 1), "date", "2026-02-30"),
    (it) => put(change(it, 1), "date", "2026-11-21"),
    (it) => put(change(it, 1), "contract_version", "0.1"),
    (it) => put(change(it, 1), "contract_version", "0.0.9"),
    (it) => put(change(it, 1), "contract_version", "99.0.0"),
    (it) => put(change(it, 1), "kind", "fix"),
    (it) => put(change(it, 1), "summary", " "),
    (it) => put(change(it, 1), "author", "somebody"),
    (it) => put(change(it, 1), "operations", "getItem"),
    (it) => put(change(it, 1), "operations", ["getItem", "getItem"]),
    (it) => put(change(it, 1), "operations", ["getItems"]),
    (it) => {
      put(change(it, 0), "kind", "breaking");
      put(change(it, 0), "operations", ["getItems"]);
      put(change(it, 1), "operations", ["getItems"]);
    },
  ],
  "closed-objects": [(it) => drop(at(it, "components/schemas/Quote"), "additionalProperties")],
  "component-names": [
    (it) => rename(at(it, "components/schemas"), "WearBound", "wearBound"),
    (it) => put(at(it, "components/schemas"), "AFTER", { type: "null", description: "A parameter has this name." }),
  ],
  conditional: [
    (it) => drop(at(it, "paths//v1/usage/get"), "parameters"),
    (it) => put(at(it, "paths//v1/status/get"), "parameters", [{ $ref: "#/components/parameters/IfNoneMatch" }]),
    (it) => put(at(it, "components/parameters/ItemPageLimit"), "in", "header"),
    (it) => drop(at(it, "paths//v1/usage/get/responses/200/headers"), "ETag"),
    (it) => put(at(it, "paths//v1/status/get/responses/200/headers"), "ETag", { $ref: "#/components/headers/ETag" }),
    (it) => put(at(it, "paths//v1/usage/get/responses"), "304", { $ref: "#/components/responses/Unauthorized" }),
    (it) => put(at(it, "components/responses/NotModified"), "content", {}),
  ],
  "const-enum": [
    (it) => drop(at(it, "components/schemas/Quote/properties/currency"), "enum"),
    (it) => put(at(it, "components/schemas/Quote/properties/currency"), "enum", ["USD", "EUR"]),
    (it) => put(at(it, "components/schemas/Quote/properties/minor_units"), "minimum", 2),
  ],
  described: [
    (it) => drop(at(it, "paths//v1/items/get"), "summary"),
    (it) => drop(at(it, "components/schemas/Quote/properties/url"), "description"),
    (it) => drop(at(it, "components/parameters/After"), "description"),
  ],
  "example-value": [(it) => drop(at(it, "components/examples/RateLimited"), "value")],
  extensions: [
    (it) => drop(at(it, "paths//v1/usage/get"), "x-itemtape-cost"),
    (it) => put(at(it, "paths//v1/usage/get"), "x-itemtape-plan", "builder"),
    (it) => put(at(it, "paths//v1/usage/get"), "x-other", true),
  ],
  "forbidden-keyword": [
    (it) => put(at(it, "components/schemas/Quote"), "patternProperties", {}),
    (it) => put(at(it, "components/schemas/MarketPrices/properties/asks"), "prefixItems", []),
    (it) => put(at(it, "components/schemas/Quote"), "allOf", []),
  ],
  "integer-bounds": [
    (it) => drop(at(it, "components/schemas/Cents"), "maximum"),
    (it) => put(at(it, "components/schemas/Cents"), "maximum", 9007199254740992),
    (it) => put(at(it, "components/schemas/Quantity"), "format", "int16"),
    (it) => put(at(it, "components/schemas/Quantity"), "type", "number"),
  ],
  "named-components": [
    (it) =>
      put(at(it, "paths//v1/usage/get/responses/200/headers"), "Age", { schema: { type: "string", maxLength: 9 } }),
    (it) => put(at(it, "paths//v1/usage/get/responses/200/content/application~1json/examples"), "inline", { value: 1 }),
    (it) => put(at(it, "paths//v1/usage/get"), "parameters", [{ name: "a", in: "query" }]),
    (it) => put(at(it, "paths//v1/usage/get/responses"), "401", { description: "Inline." }),
    (it) => put(at(it, "paths//v1/usage/get/responses"), "200", { $ref: "#/components/responses/Unauthorized" }),
    (it) => put(at(it, "paths//v1/usage/get"), "requestBody", { $ref: "#/components/responses/Unauthorized" }),
  ],
  "named-items": [
    (it) => put(at(it, "components/schemas/ItemListEnvelope/properties/data"), "items", { type: "boolean" }),
  ],
  "named-objects": [
    (it) =>
      put(at(it, "components/schemas/UsageEnvelope/properties"), "data", { type: "object", description: "Inline." }),
    (it) => put(at(it, "paths//v1/usage/get/responses/200/content/application~1json"), "schema", { type: "object" }),
  ],
  nullable: [
    (it) => put(at(it, "components/schemas/QuoteSide"), "enum", ["ask", "bid", null]),
    (it) => put(at(it, "components/schemas/QuoteSide"), "type", ["string", "null"]),
    (it) =>
      put(at(it, "components/schemas/QuoteMeta/properties/as_of"), "anyOf", [{ type: "string" }, { type: "null" }]),
  ],
  "one-example": [
    (it) => {
      const { examples } = at(it, "paths//v1/usage/get/responses/200/content/application~1json");
      put(node(examples), "other", { $ref: "#/components/examples/StatusAvailable" });
    },
    (it) => {
      const { examples } = at(it, "components/responses/BadRequest/content/application~1problem+json");
      put(node(examples), "other", { $ref: "#/components/examples/UnknownParameter" });
    },
  ],
  "one-tag": [
    (it) => put(at(it, "paths//v1/usage/get"), "tags", ["Account", "Status"]),
    (it) => put(at(it, "paths//v1/usage/get"), "tags", ["Other"]),
  ],
  "operation-id": [
    (it) => put(at(it, "paths//v1/usage/get"), "operationId", "usage_get"),
    (it) => put(at(it, "paths//v1/usage/get"), "operationId", "fetchUsage"),
  ],
  "parameter-bounds": [(it) => drop(at(it, "components/parameters/ItemPageLimit/schema"), "maximum")],
  "parameter-example": [(it) => drop(at(it, "components/parameters/ItemPageLimit"), "example")],
  "problem-example": [
    (it) => put(at(it, "components/examples/RateLimited/value"), "status", 503),
    (it) => put(at(it, "components/examples/RateLimited/value"), "type", "/problems/other"),
  ],
  "reading-order": [
    (it) => moveToEnd(it, "info"),
    (it) => moveToEnd(at(it, "components"), "parameters"),
    (it) => moveToEnd(at(it, "components/responses"), "Unauthorized"),
    (it) => moveToEnd(at(it, "components/schemas"), "StatusEnvelope"),
  ],
  "ref-siblings": [
    (it) => put(at(it, "components/schemas/Problem/properties/code"), "description", "What went wrong."),
  ],
  references: [
    (it) => put(at(it, "components/schemas/Problem/properties/code"), "$ref", "#/components/schemas/Absent"),
  ],
  "request-id-header": [(it) => drop(at(it, "paths//v1/usage/get/responses/200/headers"), "X-Request-Id")],
  required: [(it) => put(at(it, "components/schemas/Quote"), "required", ["provider"])],
  "response-example": [(it) => drop(at(it, "paths//v1/usage/get/responses/200/content/application~1json"), "examples")],
  root: [
    (it) => put(it, "openapi", "3.1.1"),
    (it) => put(at(it, "info"), "summary", "Short."),
    (it) => put(at(it, "info/license"), "identifier", "MIT"),
    (it) => put(at(it, "info"), "description", "Ready."),
  ],
  "same-response": [
    (it) => put(at(it, "components/responses"), "UsageForbidden", at(it, "components/responses/Forbidden")),
  ],
  security: [
    (it) => put(at(it, "paths//v1/items/get"), "security", [{ bearerAuth: [] }]),
    (it) => drop(at(it, "paths//v1/items/get"), "security"),
    (it) => put(at(it, "paths//v1/status/get"), "x-itemtape-minute", true),
    (it) => drop(at(it, "components/securitySchemes"), "bearerAuth"),
  ],
  statuses: [
    (it) => drop(at(it, "paths//v1/usage/get/responses"), "304"),
    (it) => put(at(it, "paths//v1/status/get/responses"), "304", { $ref: "#/components/responses/NotModified" }),
    (it) => drop(at(it, "paths//v1/usage/get/responses"), "413"),
    (it) => put(at(it, "paths//v1/usage/get/responses"), "500", { $ref: "#/components/responses/ServiceUnavailable" }),
  ],
  "string-bounds": [(it) => drop(at(it, "components/schemas/MarketHashName"), "maxLength")],
  "typed-const": [(it) => drop(at(it, "components/schemas/Quote/properties/currency"), "type")],
  union: [
    (it) => drop(at(it, "components/schemas/SnapshotRecord"), "discriminator"),
    (it) => drop(at(it, "components/schemas/SnapshotRecord/discriminator/mapping"), "error"),
    (it) => put(at(it, "components/schemas/SnapshotEnd/properties/type"), "const", "stop"),
  ],
  "unreachable-reason": [(it) => put(at(it, "components/examples/UnreachableForbidden"), "x-unreachable", true)],
  used: [(it) => put(at(it, "components/examples"), "Spare", { summary: "Spare.", value: 1 })],
};

/** The mapping at a path of keys; `//v1/x` stands for the one key `/v1/x` up to the method. */
function at(document: Node, path: string): Node {
  const route = /^paths\/(\/v1\/[a-z]+)\/(.+)$/.exec(path);
  const keys = route ? ["paths", String(route[1]), ...String(route[2]).split("/")] : path.split("/");
  let current = document;
  for (const key of keys) {
    const next = current[key.replaceAll("~1", "/")];
    expect(next, `${path} at ${key}`).to.be.an("object");
    current = node(next);
  }
  return current;
}

function change(document: Node, index: number): Node {
  const found = (document["x-itemtape-changelog"] as unknown[])[index];
  expect(found, `change ${index + 1}`).to.be.an("object");
  return node(found);
}

function put(target: Node, key: string, value: unknown): void {
  target[key] = value;
}

function drop(target: Node, key: string): void {
  expect(target).to.have.property(key);
  delete target[key];
}

function moveToEnd(target: Node, key: string): void {
  const value = target[key];
  drop(target, key);
  target[key] = value;
}

function rename(target: Node, from: string, to: string): void {
  target[to] = target[from];
  delete target[from];
}

describe("the contract's own lint rules", () => {
  // In the short run it is one of the checks before the tests.
  itLong("the rules find nothing in openapi.yaml", () => {
    expect(findBreaches(text)).to.deep.equal([]);
  });

  for (const [rule, faults] of Object.entries(seeds)) {
    it(`the rule ${rule} reports each seeded breach`, () => {
      // The part of the rules that reported the breach before is asked first.
      let checks = documentChecks;
      for (const seed of faults) {
        const document = parse();
        seed(document);
        const found = checks.find((check) => check(document).some((finding) => finding.rule === rule));
        expect(found, seed.toString()).not.to.equal(undefined);
        checks = [found!, ...documentChecks];
      }
    });
  }

  it("a change may name an operation that a breaking change removed, then or later", () => {
    const document = parse();
    put(change(document, 0), "operations", ["getItems"]);
    put(change(document, 1), "kind", "breaking");
    put(change(document, 1), "operations", ["getItems"]);
    expect(findDocumentBreaches(document)).to.deep.equal([]);
  });

  const rulesOf = (seeded: string) => [...new Set(checkText(seeded).map(({ rule }) => rule))];

  it("the rule quoted-dates reports a date that is not quoted", () => {
    const seeded = text.replace('"2026-01-15T12:00:00.000Z"', "2026-01-15T12:00:00.000Z");
    expect(rulesOf(seeded)).to.deep.equal(["quoted-dates"]);
  });

  it("the rule aliases reports an alias of anything but headers, and more aliases than parsers take", () => {
    const [name] = /(?<=headers: &)\w+/.exec(text) ?? [];
    expect(rulesOf(`${text}x-other: *${name}\n`)).to.deep.equal(["aliases"]);
    const many = Array.from({ length: 50 }, (_, index) => `  "/${index}":\n    headers: *${name}\n`).join("");
    const reported = checkText(text.replace(/^components:/m, `${many}$&`)).filter(({ rule }) => rule === "aliases");
    expect(reported.map(({ message }) => message).join()).to.match(/^\d+ aliases; parsers refuse more than 50/);
  });

  it("the rule header-copies reports a set of headers that is written out a fourth time", () => {
    expect(rulesOf(parsed)).to.include("header-copies");
  });

  it("the rule recorded-share reports examples that take more than a quarter of the text", () => {
    const [line = ""] = /^ {4}\w+:\n {6}summary: .*\n/m.exec(text.slice(text.indexOf("\n  examples:\n"))) ?? [];
    const long = `      description: ${"x".repeat(90_000)}\n`;
    expect(rulesOf(text.replace(line, line + long))).to.deep.equal(["recorded-share"]);
  });
});
