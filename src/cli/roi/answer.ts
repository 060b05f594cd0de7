import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { loadContract } from "../../contract/document.ts";
import type { Data, MetaOf } from "../../contract/types.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import {
  BrokenJson,
  isObject,
  type Json,
  NumberText,
  placeIn,
  readJson,
  toPlain,
} from "../../values/text/strict-json.ts";

/** The reads that a recomputation needs. */
export type ReadId = "getOpenable" | "listOpenableOutcomes";

/** A successful response with the shape of the contract. `source` is the same with the original numbers and key order. */
export type Answer<Id extends ReadId> = { data: Data<Id>; meta: MetaOf<Id>; source: Json };

/** A refusal of the API. `summary` is its code and its cause, safe for a terminal. */
type Problem = { code: string; summary: string };

const utf8 = new TextDecoder("utf-8", { fatal: true });
let ajv: Ajv2020 | undefined;

/**
 * Reads the JSON body of a response.
 * @throws {OperatorError} when a field is missing or wrong; it names file and field.
 */
export function readAnswer<Id extends ReadId>(operationId: Id, name: string, bytes: Uint8Array): Answer<Id> {
  const source = readText(name, bytes);
  const problem = problemOf(source);
  if (problem !== null) throw new OperatorError(`${name}: holds a refusal, ${problem.summary}`);
  const whole = toPlain(source) as { data: Data<Id>; meta: MetaOf<Id> };
  const validate = validatorOf(operationId);
  if (!validate(whole)) throw new OperatorError(`${name}: not an answer of ${operationId}: ${faultOf(validate)}`);
  const broken = brokenNumber(source, "");
  if (broken !== null) throw new OperatorError(`${name}: ${broken}: must be a whole number in plain digits`);
  return { ...whole, source };
}

/** Returns a problem record, null if the value is not one. */
function problemOf(source: Json): Problem | null {
  if (!isObject(source)) return null;
  const [code, detail, title] = ["code", "detail", "title"].map((field) => source.get(field));
  if (typeof code !== "string" || !/^[a-z_]{1,60}$/.test(code)) return null;
  const about = detail ?? title;
  return { code, summary: typeof about === "string" ? `\`${code}\`: ${displayText(about)}` : `\`${code}\`` };
}

/**
 * Reads the bytes as one JSON value.
 * @throws {OperatorError} when the bytes are not UTF-8 or not JSON, with line and column.
 */
function readText(name: string, bytes: Uint8Array): Json {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new OperatorError(`${name}: not UTF-8 text`);
  }
  try {
    return readJson(text);
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    const { line, column } = placeIn(text, error.offset);
    throw new OperatorError(`${name}: line ${line}, column ${column}: not JSON to be trusted: ${error.message}`);
  }
}

/** Returns JSON without white space, with the original key order and digits. */
export function jsonText(value: Json): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Array.from(value, ([key, inner]) => `${JSON.stringify(key)}:${jsonText(inner)}`).join(",")}}`;
}

function validatorOf(operationId: ReadId): ValidateFunction {
  ajv ??= createAjv();
  return ajv.getSchema(`contract${schemaPointer(operationId)}`)!;
}

/** Creates a lenient validator, because the document has its own keywords, which are irrelevant here. */
function createAjv(): Ajv2020 {
  const created = new Ajv2020({ strict: false, allErrors: false });
  (formats as unknown as (ajv: Ajv2020) => void)(created);
  return created.addSchema(loadContract().document, "contract");
}

/** Returns the JSON pointer (after `#`) of the schema of the operation's 200. */
function schemaPointer(operationId: ReadId): string {
  const { document, operations } = loadContract();
  const { path } = operations.get(operationId)!;
  type BatchStats = { responses: Record<string, { $ref?: string }> };
  const { responses } = document.paths[path]!.get as unknown as BatchStats;
  const inPlace = `#/paths/${path.replaceAll("~", "~0").replaceAll("/", "~1")}/get/responses/200`;
  return `${responses["200"]?.$ref ?? inPlace}/content/application~1json/schema`;
}

/** Returns the deepest fault. For a union, the branch that matched furthest is the most informative. */
function faultOf({ errors }: ValidateFunction): string {
  const depth = ({ instancePath }: ErrorObject) => instancePath.split("/").length;
  const [deepest] = [...(errors ?? [])].sort((one, other) => depth(other) - depth(one));
  const place = placeOf(deepest!.instancePath);
  const { missingProperty, additionalProperty, allowedValues } = deepest!.params as Record<string, unknown>;
  if (missingProperty !== undefined) return `${joined(place, String(missingProperty))} is missing`;
  if (additionalProperty !== undefined) return `${joined(place, displayText(String(additionalProperty)))} is unknown`;
  const choices = Array.isArray(allowedValues) ? `: ${allowedValues.join(", ")}` : "";
  return `${place || "the body"} ${deepest!.message}${choices}`;
}

/** Formats `/data/pool/tiers/0/weight` as `data.pool.tiers[0].weight`. */
function placeOf(instancePath: string): string {
  return instancePath
    .split("/")
    .slice(1)
    .reduce((place, part) => (/^[0-9]+$/.test(part) ? `${place}[${part}]` : joined(place, part)), "");
}

function joined(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}

/** Returns the place of the first number that JavaScript cannot represent, null without one. */
function brokenNumber(value: Json, place: string): string | null {
  if (value instanceof NumberText) {
    return /^(0|-?[1-9][0-9]*)$/.test(value.text) && Number.isSafeInteger(Number(value.text)) ? null : place;
  }
  if (!Array.isArray(value) && !isObject(value)) return null;
  for (const [key, inner] of value.entries() as Iterable<[string | number, Json]>) {
    const found = brokenNumber(inner, typeof key === "number" ? `${place}[${key}]` : joined(place, key));
    if (found !== null) return found;
  }
  return null;
}
