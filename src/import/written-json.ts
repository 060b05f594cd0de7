import { readFileSync, statSync } from "node:fs";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";
import { lazy } from "../values/lazy.ts";
import { BrokenJson, offsetsIn, placeIn, readJson, toPlain } from "../values/text/strict-json.ts";

/** A file that an operator wrote, in the form of its schema. `refuse` creates the error for a value at a pointer (RFC 6901). */
type WrittenJson<T> = { written: T; refuse(pointer: string, what: string): OperatorError };

const bytesMax = 1024 * 1024;

/**
 * Reads a JSON file that an operator wrote. `missing` is the message for a missing file, with the fix.
 * @throws {OperatorError} when the file is missing, not JSON or does not match the schema. The message names the line, the path and the
 * fix.
 */
export function readWrittenJson<T>(path: string, validate: ValidateFunction<T>, missing: string): WrittenJson<T> {
  return checkedJson(path, textOf(path, missing), validate);
}

/**
 * Validates `text` as the content of the file at `path`.
 * @throws {OperatorError} when it is not JSON or does not match the schema. The message names the line and the fix.
 */
export function checkedJson<T>(path: string, text: string, validate: ValidateFunction<T>): WrittenJson<T> {
  const refuse = (pointer: string, what: string) =>
    new OperatorError(`${path}: line ${lineOf(text, pointer)}: ${what}`, exitCodes.badData);
  const written = parse(path, text);
  if (!validate(written)) throw refuse(...complaint(validate.errors?.[0]));
  return { written, refuse };
}

/** Returns a validator for a schema file, compiled on first use. */
export function validatorOf<T>(schema: URL): () => ValidateFunction<T> {
  // The schemas are our own, so the slow compilation of the meta-schema is skipped.
  const options = { strict: true, strictRequired: false, allowUnionTypes: true, validateSchema: false, meta: false };
  return lazy(() => new Ajv2020(options).compile<T>(JSON.parse(readFileSync(schema, "utf8"))));
}

/** Describes the position and fault of a value that a schema rejected. `whole` names a value that is invalid as a whole. */
export function shapeFault(error: ErrorObject | undefined, whole: string): string {
  const { instancePath = "", message = "is wrong", params = {} } = error ?? {};
  const place = instancePath
    .slice(1)
    .replace(/\/(\d+)/g, "[$1]")
    .replaceAll("/", ".");
  const named = place === "" ? whole : `\`${place}\``;
  const { additionalProperty: unknown, allowedValues: allowed, allowedValue: only, type } = params;
  if (Array.isArray(type)) return `${named} must be ${type.join(" or ")}`;
  const hint = unknown === undefined ? "" : `, such as \`${unknown}\``;
  const values = allowed !== undefined ? `: ${allowed.join(", ")}` : only !== undefined ? `: ${only}` : "";
  return `${named} ${message}${hint}${values}`;
}

function textOf(path: string, missing: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) throw new OperatorError(`${path}: missing ${missing}`, exitCodes.noInput);
  if (!stat.isFile() || stat.size > bytesMax) {
    throw new OperatorError(`${path}: not a file of at most ${bytesMax} bytes`, exitCodes.noInput);
  }
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new OperatorError(`${path}: cannot be read (${(error as NodeJS.ErrnoException).code})`, exitCodes.noInput);
  }
}

function parse(path: string, text: string): unknown {
  try {
    return toPlain(readJson(text));
  } catch (error) {
    if (!(error instanceof BrokenJson)) throw error;
    const { line } = placeIn(text, error.offset);
    throw new OperatorError(`${path}: line ${line}: not JSON to be trusted: ${error.message}`);
  }
}

function complaint(error: ErrorObject | undefined): [pointer: string, what: string] {
  const { instancePath = "", message = "is wrong", params = {} } = error ?? {};
  const at = instancePath.slice(1).replaceAll("/", ".");
  const unknown = params.additionalProperty as string | undefined;
  if (unknown !== undefined) {
    const place = at === "" ? "" : ` in \`${at}\``;
    return [`${instancePath}/${unknown}`, `unknown setting \`${unknown}\`${place}; remove it`];
  }
  const allowed: readonly unknown[] = params.allowedValues ?? ("allowedValue" in params ? [params.allowedValue] : []);
  const choice = allowed.length === 0 ? "" : `: ${allowed.join(", ")}`;
  return [instancePath, `${at === "" ? "the file" : `\`${at}\``} ${message}${choice}`];
}

/**
 * Returns the line, from 1, of the value at `pointer` (RFC 6901) in a valid JSON text. For a missing value returns the line of its parent.
 */
function lineOf(text: string, pointer: string): number {
  const offsets = offsetsIn(text);
  for (let path = pointer; ; path = path.slice(0, path.lastIndexOf("/"))) {
    const offset = offsets.get(path);
    if (offset !== undefined) return placeIn(text, offset).line;
    if (path === "") return 1;
  }
}
