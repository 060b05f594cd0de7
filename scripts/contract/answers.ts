import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";

type Json = Record<string, unknown>;
type Operation = { operationId: string; method: string; path: string; responses: Record<string, Json> };

/** The served document. Responses are checked against it. */
export const document = JSON.parse(
  readFileSync(new URL("../../generated/openapi.json", import.meta.url), "utf8"),
) as Json & { paths: Record<string, Record<string, Json>> };

export const operationList: readonly Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([method]) => ["get", "post", "put", "patch", "delete"].includes(method))
    .map(([method, operation]) => ({
      operationId: operation.operationId as string,
      method: method.toUpperCase(),
      path,
      responses: operation.responses as Record<string, Json>,
    })),
);

const operations = new Map(operationList.map((operation) => [operation.operationId, operation]));

// Most processes check few responses of each kind, so compiling a faster validator would cost more than it saves.
const ajv = new Ajv2020({ strict: false, validateSchema: false, inlineRefs: false, code: { optimize: false } });
(formats as unknown as (ajv: Ajv2020) => void)(ajv);
// The service itself sends only known values.
ajv.addKeyword({ keyword: "x-extensible-enum", macro: (values: unknown) => ({ enum: values }) });
ajv.addSchema(document, "contract");
/** Validators by reference, or by an inline schema. */
const validators = new Map<string | Json, ValidateFunction>();
const targets = new Map<string, Json>();

/** `json` and `records`: the parsed text, if already parsed. */
type Body = { headers: Headers; text: string; json?: unknown; records?: readonly unknown[] };

/** Returns how a response to `operationId` violates the contract. The list is empty if it conforms. */
export function faultsOf(operationId: string, answer: Body & { status: number; method?: string }): string[] {
  const operation = operations.get(operationId);
  if (operation === undefined) return [`no operation ${operationId}`];
  const declared = operation.responses[String(answer.status)];
  if (declared === undefined) return [`${operationId}: status ${answer.status} is not declared`];
  const response = follow(declared);
  return [
    ...headerFaults(response, answer.headers),
    ...(response.content === undefined ? emptinessFaults(answer) : []),
    ...(response.content === undefined || answer.method === "HEAD"
      ? []
      : [...bodyFaults(response, answer), ...identityFaults(answer)]),
  ].map((fault) => `${operationId} ${answer.status}: ${fault}`);
}

/** Returns the codes in the contract's examples for an operation's status. */
export function codesOf(operationId: string, status: number): ReadonlySet<string> {
  const response = follow(operations.get(operationId)?.responses[String(status)] ?? {});
  const examples = Object.values((response.content ?? {}) as Record<string, Json>).flatMap((media) =>
    Object.values((media.examples ?? {}) as Record<string, Json>),
  );
  return new Set(examples.map((example) => String((follow(example).value as Json | undefined)?.code)));
}

/** Validates `value` against `components.schemas[name]` and returns the faults. */
export function schemaFaults(name: string, value: unknown): string[] {
  return check(`contract#/components/schemas/${name}`, value);
}

function headerFaults(response: Json, headers: Headers): string[] {
  return Object.entries((response.headers ?? {}) as Record<string, Json>).flatMap(([name, reference]) => {
    const header = follow(reference);
    const value = headers.get(name);
    if (value === null) return header.required === true ? [`header ${name} is missing`] : [];
    const schema = follow((header.schema ?? {}) as Json);
    const typed = schema.type === "integer" ? Number(value) : value;
    return inline(schema, typed).map((fault) => `header ${name}: ${fault}`);
  });
}

function bodyFaults(response: Json, answer: Body): string[] {
  const media = (answer.headers.get("content-type") ?? "").split(";")[0]!.trim();
  const content = ((response.content ?? {}) as Record<string, Json>)[media];
  if (content === undefined) return [`media type ${media || "(none)"} is not declared`];
  if (media === "application/x-ndjson") return lineFaults(recordOf(content.schema as Json), answer);
  return inline(content.schema as Json, answer.json ?? JSON.parse(answer.text));
}

/** Lists the faults of a response without content: headers about a body, or a body. */
function emptinessFaults({ headers, text }: { headers: Headers; text: string }): string[] {
  const bodyHeaders = ["content-type", "content-length", "content-encoding", "transfer-encoding"].filter((name) =>
    headers.has(name),
  );
  return [...bodyHeaders.map((name) => `header ${name} announces a body`), ...(text === "" ? [] : ["there is a body"])];
}

/** Returns the name of the schema of a stream's records. */
function recordOf(schema: Json): string {
  const { items } = schema.contentSchema as { items: { $ref: string } };
  return items.$ref.slice("#/components/schemas/".length);
}

/** Only complete lines are checked, because a client must detect a truncated last line itself. */
function lineFaults(record: string, { text, records: parsed }: Body): string[] {
  const records: Json[] = [];
  const lines = text.split("\n").slice(0, -1);
  const faults = lines.flatMap((line, index) => {
    if (Buffer.byteLength(line) > 262_144) return [`line ${index + 1} is longer than 256 KiB`];
    records.push((parsed?.[index] ?? JSON.parse(line)) as Json);
    return schemaFaults(record, records.at(-1)).map((fault) => `line ${index + 1}: ${fault}`);
  });
  return faults.length > 0 ? faults : sequenceFaults(records);
}

/** Types of rows in the export of a day. */
const dayRows = new Set(["daily", "quotes", "markers"]);

/** Checks the sequence of records in the export of a day, which has several rows per item. */
function daySequenceFaults(records: readonly Json[]): string[] {
  const [start] = records as [Json];
  const last = records.at(-1) as Json;
  const rows = records.filter(({ type }) => dayRows.has(type as string));
  const ids = rows.map(({ data }) => (data as { item_id: number }).item_id);
  const isMatching = last.rows === rows.length && last.date === start.date && last.revision === start.revision;
  return [
    ...(records.length === rows.length + 2 ? [] : ["`start`, `end` or `error` is in the middle"]),
    ...(ids.every((id, index) => id >= (ids[index - 1] ?? 0)) ? [] : ["the items are not in ascending order"]),
    ...(last.type === "error" || isMatching ? [] : ["`end` does not match the records"]),
    ...(last.request_id === start.request_id ? [] : ["the records name several requests"]),
  ];
}

/** Checks the sequence of records: `start`, rows in ascending id up to the bound, if any, then `end` matching both, or `error`. */
function sequenceFaults(records: readonly Json[]): string[] {
  const [start] = records;
  const last = records.at(-1);
  if (start?.type !== "start" || last === undefined) return ["the first record is not `start`"];
  if (start.date !== undefined) return daySequenceFaults(records);
  const rows = records.filter(({ type }) => type === "item" || type === "removed");
  const ids = rows.map(({ data, item_id }) => (data as { item_id: number } | undefined)?.item_id ?? Number(item_id));
  const items = rows.filter(({ type }) => type === "item").length;
  const expected = 1 + rows.length + (last.type === "end" || last.type === "error" ? 1 : 0);
  const { catalog_max_item_id: bound } = start;
  const isMatching =
    last.items === items &&
    (last.removed ?? 0) === rows.length - items &&
    last.generation === start.generation &&
    JSON.stringify(last.to) === JSON.stringify(start.to);
  return [
    ...(records.length === expected ? [] : ["`start`, `end` or `error` is in the middle"]),
    ...(ids.every((id, index) => id > (ids[index - 1] ?? 0)) ? [] : ["the items are not in ascending order"]),
    ...(bound === undefined || (ids.at(-1) ?? 0) <= Number(bound) ? [] : ["an item is beyond the bound"]),
    ...(last.type === "end" && !isMatching ? ["`end` does not match the records"] : []),
    ...(records.every(({ request_id: id }) => id === undefined || id === start.request_id)
      ? []
      : ["the records name several requests"]),
  ];
}

/** Checks that the header and the body have the same request id. */
function identityFaults({ headers, text }: { headers: Headers; text: string }): string[] {
  const [, named] = /"request_id":"([^"]*)"/.exec(text) ?? [];
  return named === headers.get("x-request-id") ? [] : [`X-Request-Id is not the request_id ${named} of the body`];
}

function inline(schema: Json, value: unknown): string[] {
  if (typeof schema.$ref === "string") return check(`contract${schema.$ref}`, value);
  const validate = validators.get(schema) ?? ajv.compile(rebased(schema) as Json);
  validators.set(schema, validate);
  return report(validate, value);
}

function check(reference: string, value: unknown): string[] {
  const validate = validators.get(reference) ?? ajv.compile({ $ref: reference });
  validators.set(reference, validate);
  return report(validate, value);
}

function report(validate: ValidateFunction, value: unknown): string[] {
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath || "/"} ${error.message}`);
}

function rebased(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(rebased);
  if (node === null || typeof node !== "object") return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === "$ref" && typeof value === "string" ? `contract${value}` : rebased(value),
    ]),
  );
}

/** Resolves a local reference. Returns any other node unchanged. */
export function follow(node: Json): Json {
  if (typeof node.$ref !== "string") return node;
  const known = targets.get(node.$ref);
  if (known !== undefined) return known;
  let target: unknown = document;
  for (const part of node.$ref.slice(2).split("/"))
    target = (target as Json)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  const found = follow(target as Json);
  targets.set(node.$ref, found);
  return found;
}
