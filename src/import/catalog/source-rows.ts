import { isDeepStrictEqual } from "node:util";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { impossibleInName } from "../../values/text/item-names.ts";
import type { SourceTally } from "./source-tally.ts";

/** One parsed file of a source. `file` is its path as the operator gave it. */
type SourceFileDocument = { file: string; value: unknown };

/** One list of a source: a file, or the first of several files with the others in `moreFiles`. */
export type SourceDocument = SourceFileDocument & { moreFiles?: readonly SourceFileDocument[] };

/** Returns all files of a source's list: the first, then its `moreFiles`. */
export function filesOfDocument({ moreFiles = [], ...first }: SourceDocument): SourceFileDocument[] {
  return [first, ...moreFiles];
}

/** Pattern of a text that may be an item name. */
export const textPattern = `^[^${impossibleInName.source.slice(1)}*$`;

// The schemas are our own, so the slow check against the meta-schema is skipped.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateSchema: false, meta: false });

/** Compiles the schema of one row. Unknown properties are allowed, because sources add some with every release. */
export function rowSchema<Row>(required: readonly (keyof Row & string)[], properties: object): ValidateFunction<Row> {
  return ajv.compile<Row>({ type: "object", required: [...required], properties });
}

/** Maximum share of malformed rows in percent. A shorter list than `rowsMin` is rejected only if all rows are malformed. */
const malformed = { percentMax: 10, rowsMin: 20 };

/**
 * Returns the rows of a list. Its files must be arrays. Null counts as absent. A malformed row is left out and counted. A row in several
 * files counts once.
 * @throws {OperatorError} when a file is not an array, or all or over a tenth of its rows are malformed. The message names file, row and
 * field.
 * @throws {OperatorError} when two files have different rows with one id.
 */
export function checkedRows<Row>(document: SourceDocument, check: ValidateFunction<Row>, tally: SourceTally): Row[] {
  const earlier = document.moreFiles === undefined ? null : new EarlierRows();
  return filesOfDocument(document).flatMap(({ file, value }) => {
    if (!Array.isArray(value)) throw new OperatorError(`${file}: expected a JSON array of rows`);
    const places = value.map((row: unknown, index): Place => [`row ${index + 1}${idOf(row)}`, idOf(row), row]);
    return readRows(file, places, check, tally, earlier).map(([, row]) => row);
  });
}

/**
 * Returns the entries of a list. Its files must be objects. Null counts as absent. A malformed entry is left out and counted.
 * @throws {OperatorError} when a file is not an object, or all or over a tenth of its entries are malformed. The message names file, key
 * and field.
 * @throws {OperatorError} when two files have different values for one key.
 */
export function checkedEntries<Row>(
  document: SourceDocument,
  check: ValidateFunction<Row>,
  tally: SourceTally,
): Map<string, Row> {
  const earlier = document.moreFiles === undefined ? null : new EarlierRows();
  const entries = filesOfDocument(document).flatMap(({ file, value }) => {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new OperatorError(`${file}: expected a JSON object keyed by item id`);
    const places = Object.entries(value).map(([key, row]): Place => [`entry "${displayText(key)}"`, key, row]);
    return readRows(file, places, check, tally, earlier);
  });
  return new Map(entries);
}

/** A row of a file: its label for messages, its id (empty without one) and its value. */
type Place = [place: string, id: string, row: unknown];

function readRows<Row>(
  file: string,
  places: readonly Place[],
  check: ValidateFunction<Row>,
  tally: SourceTally,
  earlier: EarlierRows | null,
): [id: string, Row][] {
  const faults: { place: string; errors: typeof check.errors }[] = [];
  const rows = places.flatMap(([place, id, value]): [string, Row][] => {
    const row = withoutNulls(value);
    if (check(row)) return earlier?.has(file, place, id, row) ? [] : [[id, row]];
    faults.push({ place, errors: check.errors });
    return [];
  });
  earlier?.endPiece();
  const isMost = places.length >= malformed.rowsMin && faults.length * 100 > malformed.percentMax * places.length;
  if (faults.length > 0 && (isMost || faults.length === places.length))
    throw new OperatorError(
      `${file}: ${faultText(faults[0]!)}${faults.length === 1 ? "" : `, and ${faults.length - 1} other rows`}; nothing was imported; check that the file is from this source`,
    );
  for (const fault of faults) tally.skip("malformed_row", `${file}: ${faultText(fault)}`);
  return rows;
}

/** Removes null from objects at any depth. Returns the same value if it holds no null. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !holdsNull(value)) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}

function holdsNull(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return value === null;
  return Object.values(value).some(holdsNull);
}

/** Rows in the earlier files of a list. */
class EarlierRows {
  readonly #earlier = new Map<string, { file: string; row: unknown }>();
  readonly #current: [id: string, seen: { file: string; row: unknown }][] = [];

  /**
   * Returns whether an earlier file has the same row. Pass an empty `id` for a row without one.
   * @throws {OperatorError} when an earlier file has another row with this id.
   */
  has(file: string, place: string, id: string, row: unknown): boolean {
    if (id === "") return false;
    const before = this.#earlier.get(id);
    this.#current.push([id, { file, row }]);
    if (before === undefined) return false;
    if (isDeepStrictEqual(before.row, row)) return true;
    throw new OperatorError(`${file}: ${place} differs from ${before.file}; use files of one release`);
  }

  endPiece(): void {
    for (const [id, seen] of this.#current.splice(0)) this.#earlier.set(id, seen);
  }
}

function faultText({ place, errors }: { place: string; errors: ErrorObject[] | null | undefined }): string {
  const error = errors?.[0];
  const field = error?.instancePath.slice(1).replaceAll("/", ".") ?? "";
  const complaint =
    error?.keyword === "pattern"
      ? "contains a control character, a bidirectional control or half a surrogate pair"
      : error?.message;
  return `${place}: ${field === "" ? "" : `field "${field}" `}${complaint ?? "is invalid"}`;
}

function idOf(row: unknown): string {
  const id = typeof row === "object" && row !== null ? (row as { id?: unknown }).id : undefined;
  return typeof id === "string" || typeof id === "number" ? ` (id ${displayText(String(id).slice(0, 60))})` : "";
}
