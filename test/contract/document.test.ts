import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { expect } from "chai";
import { document as served } from "../../scripts/contract/answers.ts";
import {
  componentsOf,
  isOpenList,
  listedValues,
  type Node,
  node,
  operationsOf,
  resolve,
} from "../../scripts/contract/document.ts";
import { fixtureRecordings } from "./recordings.ts";

const document: Node = served;

/** The list of codes by status. */
const codesByStatus = {
  400: [
    "malformed_request",
    "invalid_parameter",
    "invalid_body",
    "invalid_range",
    "window_too_large",
    "batch_limit_exceeded",
    "invalid_cursor",
    "cursor_mismatch",
    "unknown_provider",
    "unknown_methodology_version",
    "credential_in_url",
  ],
  401: ["invalid_api_key", "expired_api_key", "revoked_api_key"],
  403: ["plan_upgrade_required", "insufficient_scope", "account_disabled"],
  404: [
    "item_not_found",
    "openable_not_found",
    "index_not_found",
    "currency_not_found",
    "portfolio_not_found",
    "generation_not_found",
    "changes_too_large",
    "day_not_found",
    "endpoint_not_found",
  ],
  413: ["request_too_large"],
  429: [
    "rate_limited",
    "monthly_quota_exceeded",
    "snapshot_busy",
    "snapshot_capacity",
    "snapshot_daily_limit",
    "changes_busy",
    "changes_capacity",
    "waiting_limit",
  ],
  503: ["snapshot_unavailable", "data_unavailable", "service_unavailable"],
};

/** Codes that only operations outside this document can give. May only shrink. */
const codesWithoutExample: readonly string[] = [];

/** Examples that nothing can provoke. May only shrink. */
const unreachableExamples = [
  "UnreachableUnauthorized",
  "UnreachableForbidden",
  "UnreachableRequestTooLarge",
  "UnreachableTooManyRequests",
];

const definitionsId = "https://example.com/definitions";
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
ajvFormats.default(ajv);
ajv.addVocabulary(["discriminator"]);
ajv.addKeyword({ keyword: "x-extensible-enum", macro: (values: unknown) => ({ enum: values }) });
ajv.addSchema(withAbsoluteReferences({ $id: definitionsId, $defs: componentsOf(document, "schemas") }) as object);
/** Compiled schemas by description. */
const validators = new Map<string, ValidateFunction>();

/** Fails with the validation errors of the value against the schema. References of the schema lead into the document. */
function expectValid(schema: unknown, value: unknown, what: string): void {
  const validate = compiled(schema);
  const isValid = validate(value);
  expect(isValid, `${what}: ${ajv.errorsText(validate.errors)}`).to.equal(true);
}

function compiled(schema: unknown): ValidateFunction {
  const text = JSON.stringify(schema);
  const validate = validators.get(text) ?? ajv.compile(withAbsoluteReferences(schema) as object);
  validators.set(text, validate);
  return validate;
}

function withAbsoluteReferences(schema: unknown): unknown {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${definitionsId}#/$defs/`));
}

/** Every named example of a media type with the schema that it must satisfy. */
function mediaExamples(content: unknown): { mediaType: string; schema: Node; name: string; value: unknown }[] {
  return Object.entries(node(content)).flatMap(([mediaType, media]) =>
    Object.entries(node(node(media).examples)).map(([name, example]) => {
      return { mediaType, schema: node(node(media).schema), name, value: resolve(document, example).value };
    }),
  );
}

/** Parses each line of an NDJSON text. The last line must also end with a newline. */
function readLines(text: unknown): Node[] {
  expect(text)
    .to.be.a("string")
    .and.satisfy((value: string) => value.endsWith("\n"), "the last record ends with a line feed");
  return String(text)
    .slice(0, -1)
    .split("\n")
    .map((line) => node(JSON.parse(line)));
}

function expectExport(name: string, schema: Node, value: unknown): void {
  expect(schema).to.include({ type: "string", contentMediaType: "application/x-ndjson" });
  const records = readLines(value);
  const lineSchema = node(node(schema.contentSchema).items);
  for (const [index, record] of records.entries()) expectValid(lineSchema, record, `${name}, line ${index + 1}`);
  const start = node(records[0]);
  const end = node(records.at(-1));
  const rows = records.slice(1, -1);
  if (start.date !== undefined) {
    expect(end, name).to.include({ type: "end", request_id: start.request_id, date: start.date, rows: rows.length });
    return;
  }
  const ids = rows.map((record) => Number(record.item_id ?? node(record.data).item_id));
  const items = rows.filter(({ type }) => type === "item").length;
  const removed = rows.filter(({ type }) => type === "removed").length;
  expect(start.type, name).to.equal("start");
  expect(items + removed).to.equal(rows.length);
  expect(ids).to.deep.equal([...new Set(ids)].sort((a, b) => a - b));
  expect(end.request_id).to.equal(start.request_id);
  if (start.to === undefined) {
    expect(removed).to.equal(0);
    expect(Number(ids.at(-1) ?? 0)).to.be.at.most(Number(start.catalog_max_item_id));
    if (end.type === "end") expect(end).to.include({ generation: start.generation, items });
    else expect(end.type).to.equal("error");
  } else expect(end).to.deep.include({ type: "end", to: start.to, items, removed });
}

describe("openapi.yaml", () => {
  for (const operation of operationsOf(document)) {
    it(`has valid examples of bodies for ${operation.id}`, () => {
      const body = resolve(document, operation.node.requestBody);
      for (const { schema, name, value } of mediaExamples(body.content)) expectValid(schema, value, `request ${name}`);
      for (const [status, entry] of Object.entries(node(operation.node.responses))) {
        if (status === "304") continue;
        const examples = mediaExamples(resolve(document, entry).content);
        expect(examples, status).to.have.length.greaterThan(0);
        for (const { mediaType, schema, name, value } of examples) {
          if (mediaType === "application/x-ndjson") expectExport(name, schema, value);
          else expectValid(schema, value, `${status} ${name}`);
          if (status !== "200") expect(mediaType).to.equal("application/problem+json");
        }
      }
    });
  }

  it("has fixtures valid for their operation and status", () => {
    const operations = new Map(operationsOf(document).map((operation) => [operation.id, operation]));
    for (const { operationId, status, component, value } of fixtureRecordings()) {
      const declared = resolve(document, node(operations.get(operationId)?.node.responses)[status]);
      const media = Object.entries(node(declared.content));
      expect(media, `${operationId} ${status}`).to.have.lengthOf(1);
      const [mediaType, { schema }] = media[0] as [string, Node];
      if (mediaType === "application/x-ndjson") expectExport(component, node(schema), value);
      else expectValid(schema, value, `${operationId} ${status} ${component}`);
    }
  });

  it("has valid examples of parameters, headers and schemas", () => {
    for (const kind of ["parameters", "headers"]) {
      for (const [name, component] of Object.entries(componentsOf(document, kind))) {
        const shown = Object.values(node(component.examples)).map((one) => node(one).value);
        for (const value of "example" in component ? [component.example] : shown)
          expectValid(component.schema, value, `${kind} ${name}`);
      }
    }
    for (const [name, schema] of Object.entries(componentsOf(document, "schemas"))) {
      const examples = Array.isArray(schema.examples) ? schema.examples : [];
      for (const example of examples) expectValid({ $ref: `#/components/schemas/${name}` }, example, name);
    }
  });

  it("refuses unknown properties in every record schema", () => {
    for (const [name, schema] of Object.entries(componentsOf(document, "schemas"))) {
      const example = Object.fromEntries(Object.keys(node(schema.properties)).map((key) => [key, null]));
      if (schema.type !== "object") continue;
      const validate = compiled({ $ref: `#/components/schemas/${name}` });
      validate({ ...example, undeclared: 1 });
      const keywords = (validate.errors ?? []).map((error) => error.keyword);
      expect(keywords, name).to.include("additionalProperties");
    }
  });

  it("lists every error code once, with all open lists", () => {
    const { ErrorCode, SnapshotErrorCode } = componentsOf(document, "schemas");
    expect(listedValues(ErrorCode)).to.deep.equal(Object.values(codesByStatus).flat());
    const open = Object.entries(componentsOf(document, "schemas")).filter(([, schema]) => isOpenList(schema));
    const ofEvents = ["DataEventKind", "DataEventCause"];
    const names = ["FeedState", "ErrorCode", "ProviderKind", "RoiFlag", "OddsSource", "PoolFlag", ...ofEvents];
    expect(open.map(([name]) => name)).to.have.members(names);
    expect(SnapshotErrorCode?.enum).to.deep.equal(["snapshot_interrupted", "snapshot_changed"]);
  });

  it("shows an example of every error code under its own status", () => {
    const shown = new Set<string>();
    for (const operation of operationsOf(document)) {
      for (const [status, entry] of Object.entries(node(operation.node.responses))) {
        if (status === "200" || status === "304") continue;
        const allowed = codesByStatus[Number(status) as keyof typeof codesByStatus];
        for (const { value } of mediaExamples(resolve(document, entry).content)) {
          const code = String(node(value).code);
          expect(value).to.include({ status: Number(status), type: `/problems/${code}` });
          expect(allowed, `${operation.id} ${status}`).to.include(code);
          shown.add(code);
        }
      }
    }
    const missing = Object.values(codesByStatus)
      .flat()
      .filter((code) => !shown.has(code));
    expect(missing).to.deep.equal(codesWithoutExample);
  });

  it("marks only examples that no request produces as unreachable", () => {
    const examples = Object.entries(componentsOf(document, "examples"));
    const marked = examples.filter(([, example]) => "x-unreachable" in example).map(([name]) => name);
    expect(marked).to.deep.equal(unreachableExamples);
  });

  it("admits only canonical slugs, cursors and search texts as parameters", () => {
    const verdict = (name: string, value: unknown) => {
      const { schema } = node(componentsOf(document, "parameters")[name]);
      return compiled(schema)(value);
    };
    expect(verdict("ProviderFilter", "csgo-market2")).to.equal(true);
    for (const slug of ["", "-a", "Steam", "a_b", "a".repeat(61), "a\n"])
      expect(verdict("ProviderFilter", slug), slug).to.equal(false);
    expect(verdict("AfterPage", "aA0_-.")).to.equal(true);
    for (const cursor of ["", "a b", "a=", "a".repeat(513)])
      expect(verdict("AfterPage", cursor), cursor).to.equal(false);
    for (const q of ["★ Ножи", "%_*", "😀".repeat(120)]) expect(verdict("NameSearch", q), q).to.equal(true);
    for (const q of ["", "a\u0000", "\u001f", "\u007f", "\u0085", "a".repeat(121)])
      expect(verdict("NameSearch", q), q).to.equal(false);
    for (const id of [0, -1, 1.5, 2147483648, "1"]) expect(verdict("ItemIdInPath", id), String(id)).to.equal(false);
    for (const id of ["knives-equal", "7"]) expect(verdict("IndexIdInPath", id), id).to.equal(true);
    for (const id of ["", "-a", "Knives", "a_b", "a".repeat(61)])
      expect(verdict("IndexIdInPath", id), id).to.equal(false);
    for (const slug of ["kilowatt-case", "10-year-birthday-sticker-capsule", "a".repeat(120)])
      expect(verdict("OpenableSlugInPath", slug), slug).to.equal(true);
    for (const slug of ["", "-a", "Kilowatt", "a_b", "a".repeat(121)])
      expect(verdict("OpenableSlugInPath", slug), slug).to.equal(false);
    // An invalid id must get the response of an unknown id, so every text in a request line is accepted.
    for (const id of ["pf_000000000000000demo7", "x", " ", "../", "💥", "a".repeat(8192)])
      expect(verdict("PortfolioIdInPath", id), id).to.equal(true);
    for (const code of ["", "eur", "EU", "EURO", "E R", "EUR\n"])
      expect(verdict("CurrencyInPath", code), code).to.equal(false);
  });

  it("admits only calendar days as dates", () => {
    const isDate = (text: unknown) => compiled({ $ref: "#/components/schemas/UtcDate" })(text);
    for (const day of ["2026-01-14", "2024-02-29", "2000-02-29"]) expect(isDate(day), day).to.equal(true);
    for (const day of [
      "2026-02-29",
      "1900-02-29",
      "2026-13-01",
      "2026-00-10",
      "2026-01-00",
      "2026-1-14",
      "26-01-14",
      "",
      "2026-01-14T00:00:00.000Z",
      "2026-01-14\n",
      " 2026-01-14",
      "٢٠٢٦-٠١-١٤",
      "yesterday",
      20260114,
    ])
      expect(isDate(day), String(day)).to.equal(false);
  });

  it("admits only plain decimals: no exponent, plus sign or leading zero", () => {
    const verdict = (name: string, text: string) => compiled({ $ref: `#/components/schemas/${name}` })(text);
    const sound = {
      DecimalString: ["0", "-1.5", "100.00", "0.000001"],
      RatePerUsd: ["1", "0.85940", "157.93"],
      IndexValue: ["100.0000", "0.0001", "123456789.1234"],
      PercentageString: ["0", "99.99", "100", "100.00"],
      CapitalizationCents: ["0", "184467440737095516150"],
      ReturnPercentage: ["0.00", "37.41", "1250.00"],
      ProfitPercentage: ["-100.00", "0.00", "1150.00"],
      FinePercentage: ["0.0000", "99.9283", "100.0000"],
      ProbabilityPercentage: ["0.00000000", "79.92327366", "100.00000000"],
    };
    for (const [name, texts] of Object.entries(sound)) {
      for (const text of texts) expect(verdict(name, text), `${name} ${text}`).to.equal(true);
      for (const text of ["", "1e3", "+1", "01", ".5", "1.", "1,5", "NaN", "0x1", " 1", "1\n"])
        expect(verdict(name, text), `${name} ${text}`).to.equal(false);
    }
    for (const text of ["100", "100.0", "-1.0000"]) expect(verdict("IndexValue", text), text).to.equal(false);
    for (const text of ["100.01", "101", "-1"]) expect(verdict("PercentageString", text), text).to.equal(false);
    for (const name of ["RatePerUsd", "ReturnPercentage", "FinePercentage", "ProbabilityPercentage"])
      expect(verdict(name, "-1.0000"), name).to.equal(false);
    for (const text of ["100.0001", "101.0000", "99.9", "99.99999"])
      expect(verdict("FinePercentage", text), text).to.equal(false);
  });
});
