import { closeSync, openSync, readSync } from "node:fs";
import type { ClientOperation, ValueKind } from "../../../generated/client-operations.ts";
import { holdsKey } from "../../client/redaction.ts";
import { followed, type Schema } from "../../contract/answer-paths.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { normalizedValue } from "../../values/text/normalized-value.ts";
import { perhaps } from "../../values/text/suggestion.ts";
import { parseDay } from "../../values/time/calendar.ts";
import { existingFile, usageError } from "../command.ts";
import { parameterFacts, parametersOf } from "./operations.ts";

const chunkBytes = 64 * 1024;
/** Maximum bytes of a file with a list. No list of the contract needs as many. */
const fileBytesMax = 16 * 1024 * 1024;

export type Value = string | number | boolean | readonly string[] | readonly number[];

/**
 * Parses `NAME=VALUE` words as parameters of an operation, typed by the contract. A single word without a name is the operation's only
 * required parameter. `checkParameters` checks their bounds.
 * @throws {OperatorError} for an invalid word, which it names.
 */
export function readParameters(
  operationId: string,
  operation: ClientOperation,
  words: readonly string[],
): Record<string, Value> {
  const kinds = parametersOf(operation);
  const facts = parameterFacts(operation);
  const texts = new Map<string, string[]>();
  for (const word of words) {
    const [name, text] = split(operationId, kinds, namedWord(operation, words, word));
    const earlier = texts.get(name);
    if (earlier !== undefined && !kinds[name]!.endsWith("[]")) throw usageError(`${name}: is given twice`);
    texts.set(name, [...(earlier ?? []), text]);
  }
  const missing = operation.required.filter((name) => !texts.has(name));
  if (missing.length > 0) {
    const example = missing.map((name) => `${name}=…`).join(" ");
    throw usageError(`${operationId} needs ${example}; \`npx itemtape get ${operationId} --help\` explains it`);
  }
  return Object.fromEntries(Array.from(texts, ([name, given]) => [name, typed(facts.get(name)!, kinds[name]!, given)]));
}

/**
 * Checks parameters against the bounds of the contract before a request is sent. Values that contain a key are left to the client, which
 * refuses them without repeating them.
 * @throws {OperatorError} for a value out of bounds; it names the parameter and the allowed values.
 */
export function checkParameters(operation: ClientOperation, params: Record<string, Value>, key: string | null): void {
  const facts = parameterFacts(operation);
  for (const [name, value] of Object.entries(params)) {
    if (!holdsKey(String(value), key)) checkBounds(name, value, facts.get(name)!.schema);
  }
}

/** Returns a word as `NAME=VALUE`. A single word without a name gets the name of the operation's only required parameter. */
function namedWord({ required }: ClientOperation, words: readonly string[], word: string): string {
  if (word.includes("=") || required.length !== 1) return word;
  return words.filter((one) => !one.includes("=")).length === 1 ? `${required[0]}=${word}` : word;
}

function split(operationId: string, kinds: Record<string, ValueKind>, word: string): [name: string, text: string] {
  const at = word.indexOf("=");
  if (at < 1) throw usageError(`\`${shown(word)}\`: parameters are given as NAME=VALUE`);
  const name = word.slice(0, at);
  if (Object.hasOwn(kinds, name)) return [name, word.slice(at + 1)];
  const known = Object.keys(kinds);
  const has = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  throw usageError(`${operationId} has no parameter \`${displayText(name)}\`${perhaps(name, known)}; ${has}`);
}

function typed({ name, schema }: { name: string; schema: Schema }, kind: ValueKind, texts: readonly string[]): Value {
  // A converted value must not hide a key: in capitals it would not be recognized.
  if (kind === "string" && holdsKey(texts[0]!, null)) return texts[0]!;
  if (kind === "string")
    return normalizedValue(name, texts[0]!, (schema.enum as readonly string[] | undefined) ?? null);
  if (kind === "integer") return integerOf(name, texts[0]!);
  if (kind === "boolean") return flagOf(name, texts[0]!);
  if (kind === "integer[]") return texts.flatMap((text) => listOf(name, text, true)).map((one) => integerOf(name, one));
  return texts.flatMap((text) => listOf(name, text, false));
}

function flagOf(name: string, text: string): boolean {
  if (!/^(?:true|false)$/i.test(text)) throw usageError(`${name}: must be true or false, not \`${shown(text)}\``);
  return text.toLowerCase() === "true";
}

function integerOf(name: string, text: string): number {
  const value = /^-?(0|[1-9][0-9]*)$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) throw usageError(`${name}: must be a whole number, not \`${shown(text)}\``);
  return value;
}

/** Returns a word for a message. It never repeats a key. */
function shown(word: string): string {
  return holdsKey(word, null) ? "[key]" : displayText(word);
}

/**
 * `@FILE` is a file with a JSON array or an entry per line, `[…]` is JSON. Commas separate only numbers, because names may contain commas.
 */
function listOf(name: string, text: string, hasCommas: boolean): string[] {
  if (text.startsWith("@")) return fileOf(name, text.slice(1));
  if (text.startsWith("[")) return jsonOf(name, text);
  return hasCommas ? text.split(",") : [text];
}

function fileOf(name: string, path: string): string[] {
  const text = textOf(path);
  if (text.trimStart().startsWith("[")) return jsonOf(`${name}: ${path}`, text);
  return text.split(/\r?\n/).filter((line) => line.trim() !== "");
}

/** Reads a file, a pipe or standard input without a byte order mark. */
function textOf(path: string): string {
  const bytes = bytesOf(existingFile(path));
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new OperatorError(`${path}: is not UTF-8; save it as UTF-8`);
  }
}

function bytesOf(path: string): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  try {
    const file = openSync(path, "r");
    try {
      for (;;) {
        const chunk = Buffer.alloc(chunkBytes);
        const bytes = readSync(file, chunk);
        if (bytes === 0) return Buffer.concat(chunks);
        chunks.push(chunk.subarray(0, bytes));
        total += bytes;
        if (total > fileBytesMax) break;
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw new OperatorError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`, exitCodes.noInput);
  }
  throw new OperatorError(`${path}: is longer than ${fileBytesMax} bytes`);
}

function jsonOf(name: string, text: string): string[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    throw usageError(`${name}: begins like a JSON array but is invalid`);
  }
  const isFlat = Array.isArray(list) && list.every((one) => typeof one === "string" || typeof one === "number");
  if (isFlat) return (list as (string | number)[]).map(String);
  throw usageError(`${name}: must be a JSON array of texts or numbers`);
}

/** Operations that list the valid values of a parameter. */
const listers: Readonly<Record<string, string>> = {
  provider: "listProviders",
  slug: "listOpenables",
  index_id: "listIndexes",
  portfolio_id: "listPortfolios",
  currency: "listExchangeRates",
};

/**
 * Checks a value against the bounds of the contract.
 * @throws {OperatorError} when it is out of bounds; it names the parameter and the allowed values.
 */
function checkBounds(name: string, value: unknown, schema: Schema): void {
  if (Array.isArray(value)) {
    checkRange(name, value.length, schema.minItems, schema.maxItems, " entries");
    for (const one of value) checkBounds(name, one, followed((schema.items ?? {}) as Schema));
    if (schema.uniqueItems === true && new Set(value).size < value.length) {
      throw usageError(`${name}: contains an entry twice`);
    }
  } else if (typeof value === "number") checkRange(name, value, schema.minimum, schema.maximum, "");
  else if (typeof value === "string") checkText(name, value, schema);
}

function checkRange(name: string, value: number, least: unknown, most: unknown, what: string): void {
  if (value >= Number(least ?? value) && value <= Number(most ?? value)) return;
  const bounds = most === undefined ? `${least}${what} or more` : `${least ?? 0} to ${most}${what}`;
  throw usageError(`${name}: must ${what === "" ? "be" : "have"} ${bounds}, not ${value}`);
}

function checkText(name: string, text: string, schema: Schema): void {
  const { enum: choices, minLength, maxLength, pattern, format } = schema;
  const seen = displayText(text);
  if (Array.isArray(choices)) {
    if (choices.includes(text)) return;
    throw usageError(`${name}: must be one of ${choices.join(", ")}, not \`${seen}\`${perhaps(text, choices)}`);
  }
  if (format === "date" || String(pattern).startsWith("^\\d{4}-\\d{2}-\\d{2}$")) {
    if (parseDay(text) !== null) return;
    throw usageError(`${name}: must be a date such as 2026-01-31, not \`${seen}\``);
  }
  checkRange(name, Array.from(text).length, minLength, maxLength, " characters");
  // The client itself reports the requirement for an empty value.
  if (text === "" || typeof pattern !== "string" || new RegExp(pattern, "u").test(text)) return;
  const lister = listers[name];
  const slug = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const meant =
    lister !== undefined && slug !== text && new RegExp(pattern, "u").test(slug) ? `, perhaps \`${slug}\`` : "";
  const form = lister === undefined ? `; it has the form ${pattern}` : `; \`npx itemtape get ${lister}\` lists them`;
  throw usageError(`${name}: \`${seen}\` has an invalid form${meant}${form}`);
}
