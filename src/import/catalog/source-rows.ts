import { isDeepStrictEqual } from "node:util";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { impossibleInName } from "../../values/text/item-names.ts";

/** One parsed file of a source. `file`: its path as the operator gave it. */
type SourceFileDocument = { file: string; value: unknown };

/** One list of a source: a file, or the first of several pieces with the others in `pieces`. */
export type SourceDocument = SourceFileDocument & { pieces?: readonly SourceFileDocument[] };

/** Returns every file of a list. */
export function piecesOf({ pieces = [], ...first }: SourceDocument): SourceFileDocument[] {
  return [first, ...pieces];
}

/** Pattern of a text that may be the name of an item. */
export const textPattern = `^[^${impossibleInName.source.slice(1)}*$`;

// The schemas are the program's own: they need no check against the meta-schema, which takes longer than they do.
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateSchema: false, meta: false });

/** Compiles the schema of one row. It allows properties that it does not name: sources add some with every release. */
export function rowSchema<Row>(required: readonly (keyof Row & string)[], properties: object): ValidateFunction<Row> {
  return ajv.compile<Row>({ type: "object", required: [...required], properties });
}

/**
 * Returns the rows of a list whose files must be arrays, each row checked. A row that several pieces hold counts once.
 * @throws {OperatorError} when a file is no array, a row does not pass, or two pieces give one id to different rows: it names file, row
 * and field.
 */
export function checkedRows<Row>(document: SourceDocument, check: ValidateFunction<Row>): Row[] {
  const earlier = new SeenPieces();
  return piecesOf(document).flatMap(({ file, value }) => {
    if (!Array.isArray(value)) throw new OperatorError(`${file}: expected a JSON array of rows`);
    const rows = value.filter((row: unknown, index): row is Row => {
      const place = `row ${index + 1}${idOf(row)}`;
      if (!check(row)) throw refusedRow(file, place, check.errors);
      return !earlier.has(file, place, idOf(row), row);
    });
    earlier.endPiece();
    return rows;
  });
}

/**
 * Returns the entries of a list whose files must be objects, each value checked.
 * @throws {OperatorError} when a file is no object, a value does not pass, or two pieces give one key to different values: it names
 * file, key and field.
 */
export function checkedEntries<Row>(document: SourceDocument, check: ValidateFunction<Row>): Map<string, Row> {
  const earlier = new SeenPieces();
  const entries = new Map<string, Row>();
  for (const { file, value } of piecesOf(document)) {
    if (typeof value !== "object" || value === null || Array.isArray(value))
      throw new OperatorError(`${file}: expected a JSON object keyed by item id`);
    for (const [key, row] of Object.entries(value)) {
      const place = `entry "${displayText(key)}"`;
      if (!check(row)) throw refusedRow(file, place, check.errors);
      if (!earlier.has(file, place, key, row)) entries.set(key, row);
    }
    earlier.endPiece();
  }
  return entries;
}

/** Rows of the pieces of a list that were read before the current one. */
class SeenPieces {
  readonly #earlier = new Map<string, { file: string; row: unknown }>();
  readonly #current: [id: string, seen: { file: string; row: unknown }][] = [];

  /**
   * Returns whether an earlier piece holds the row; `id` empty: the row has none.
   * @throws {OperatorError} when an earlier piece holds another row of this id.
   */
  has(file: string, place: string, id: string, row: unknown): boolean {
    if (id === "") return false;
    const before = this.#earlier.get(id);
    this.#current.push([id, { file, row }]);
    if (before === undefined) return false;
    if (isDeepStrictEqual(before.row, row)) return true;
    throw new OperatorError(`${file}: ${place} differs from that of ${before.file}; give pieces of one release`);
  }

  endPiece(): void {
    for (const [id, seen] of this.#current.splice(0)) this.#earlier.set(id, seen);
  }
}

function refusedRow(file: string, place: string, errors: ErrorObject[] | null | undefined): OperatorError {
  const error = errors?.[0];
  const field = error?.instancePath.slice(1).replaceAll("/", ".") ?? "";
  const complaint =
    error?.keyword === "pattern"
      ? "holds a control character, a bidirectional control or half a surrogate pair"
      : error?.message;
  const what = `${field === "" ? "" : `field "${field}" `}${complaint ?? "is not as expected"}`;
  return new OperatorError(
    `${file}: ${place}: ${what}; nothing was imported, check that the file is this source's own`,
  );
}

function idOf(row: unknown): string {
  const id = typeof row === "object" && row !== null ? (row as { id?: unknown }).id : undefined;
  return typeof id === "string" || typeof id === "number" ? ` (id ${displayText(String(id).slice(0, 60))})` : "";
}
