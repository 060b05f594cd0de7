import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { displayText } from "../../values/display-text.ts";
import { OperatorError } from "../../values/operator-error.ts";

/** One parsed file of a source; `file` is how the operator called it. */
export type SourceDocument = { file: string; value: unknown };

/**
 * Pattern of a text without control characters and halves of surrogate pairs, which UTF-8 cannot write. U+0080 to U+009F are
 * allowed: the market itself has a name with one of them, and names are kept exactly.
 */
export const textPattern = "^[^\\u0000-\\u001f\\u007f\\p{Cs}]*$";

// The schemas are the program's own: they need no check against the meta-schema, which takes longer than they do.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateSchema: false, meta: false });

/** Compiles the schema of one row. It allows properties that it does not name: sources add some with every release. */
export function rowSchema<Row>(required: readonly (keyof Row & string)[], properties: object): ValidateFunction<Row> {
  return ajv.compile<Row>({ type: "object", required: [...required], properties });
}

/**
 * Returns the rows of a document that must be an array, each checked.
 * @throws {OperatorError} when it is no array or a row does not pass: it names file, row and field.
 */
export function checkedRows<Row>(document: SourceDocument, check: ValidateFunction<Row>): Row[] {
  const { file, value } = document;
  if (!Array.isArray(value)) throw new OperatorError(`${file}: expected a JSON array of rows`);
  return value.map((row: unknown, index) => {
    if (check(row)) return row;
    throw refusedRow(file, `row ${index + 1}${idOf(row)}`, check.errors);
  });
}

/**
 * Returns the entries of a document that must be an object, each value checked.
 * @throws {OperatorError} when it is no object or a value does not pass: it names file, key and field.
 */
export function checkedEntries<Row>(document: SourceDocument, check: ValidateFunction<Row>): Map<string, Row> {
  const { file, value } = document;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new OperatorError(`${file}: expected a JSON object keyed by item id`);
  const entries = new Map<string, Row>();
  for (const [key, row] of Object.entries(value)) {
    if (!check(row)) throw refusedRow(file, `entry "${displayText(key)}"`, check.errors);
    entries.set(key, row);
  }
  return entries;
}

function refusedRow(file: string, place: string, errors: ErrorObject[] | null | undefined): OperatorError {
  const error = errors?.[0];
  const field = error?.instancePath.slice(1).replaceAll("/", ".") ?? "";
  const complaint =
    error?.keyword === "pattern" ? "holds a control character or half a surrogate pair" : error?.message;
  const what = `${field === "" ? "" : `field "${field}" `}${complaint ?? "is not as expected"}`;
  return new OperatorError(
    `${file}: ${place}: ${what}; nothing was imported, check that the file is this source's own`,
  );
}

function idOf(row: unknown): string {
  const id = typeof row === "object" && row !== null ? (row as { id?: unknown }).id : undefined;
  return typeof id === "string" || typeof id === "number" ? ` (id ${displayText(String(id).slice(0, 60))})` : "";
}
