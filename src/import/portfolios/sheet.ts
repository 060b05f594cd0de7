import { createHash } from "node:crypto";
import { displayText } from "../../values/text/display-text.ts";
import { type FeedFile, fileText, refusedFile } from "../feed-file.ts";
import { amountNames, type ColumnName, columnNames, isColumn } from "./columns.ts";
import { BrokenCsv, type CsvRecord, csvRecords, type Delimiter } from "./csv.ts";
import type { Faults } from "./faults.ts";
import { timeOfDay } from "./field-parsers.ts";
import { contentRef, type Field, type ParsedRow, portfolioRowsMax, tooManyRows } from "./rows.ts";
import { rewriteValues } from "./sheet-values.ts";

type SheetRow = { line: number; fields: Map<ColumnName, Field> };

/** Common column names in people's own lists. */
const otherNames: Readonly<Record<string, ColumnName>> = {
  name: "market_hash_name",
  item: "market_hash_name",
  qty: "quantity",
  count: "quantity",
  amount: "quantity",
  price: "unit_cost_usd",
  cost: "unit_cost_usd",
  "buy price": "unit_cost_usd",
  "purchase price": "unit_cost_usd",
  date: "acquired_on",
};

const plainColumns = "a plain list has name,quantity,price";
const totalName = /^(?:(?:grand |sub)?total|sum|summe|gesamt|итого)\s*:?$/i;

/** Reads a table as saved by spreadsheets and other programs. Invalid parts are added to `faults`. */
export function sheetRows(body: FeedFile, faults: Faults): ParsedRow[] {
  const [header, ...rest] = recordsOf(body, faults);
  const names = header === undefined ? null : namesOf(header, faults);
  if (header === undefined && faults.count === 0)
    faults.add(1, null, "a header line with the names of the columns is missing");
  if (names === null) return [];
  const rows = rest.flatMap((record) => rowOf(record, names, faults));
  const isTotal = ({ fields }: SheetRow) =>
    totalName.test(fields.get("market_hash_name")?.text.trim() ?? "") && !fields.has("quantity");
  if (rows.length > 0 && isTotal(rows.at(-1)!)) rows.pop();
  return names.includes("record") ? rewritten(rows, faults) : asLots(rows, names, faults);
}

function rewritten(rows: SheetRow[], faults: Faults): SheetRow[] {
  rewriteValues(rows, faults);
  return rows;
}

/** Spreadsheets write rows with only delimiters. Such rows are skipped. */
function rowOf({ line, fields, lines }: CsvRecord, names: readonly ColumnName[], faults: Faults): SheetRow[] {
  if (fields.every((text) => text.trim() === "")) return [];
  if (fields.length !== names.length) {
    faults.add(line, null, () => `${fields.length} fields, but the header has ${names.length}`);
    return [];
  }
  const filled = names.flatMap((name, place): [ColumnName, Field][] => {
    const text = fields[place]!;
    return text === "" ? [] : [[name, { text, line: lines[place]! }]];
  });
  return [{ line, fields: new Map(filled) }];
}

/** A list without `record` holds lots. Without references, the content of a row is its reference, regardless of spelling. */
function asLots(rows: SheetRow[], names: readonly ColumnName[], faults: Faults): ParsedRow[] {
  if (names.includes("integration_ref")) return rewritten(rows, faults).map(asLot);
  const seen = new Map<string, number>();
  const formerRefs = rows.map(({ fields }) => {
    const digest = digestOf(fields, (_, text) => text);
    const count = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, count);
    return contentRef(digest, count);
  });
  return rewritten(rows, faults).map((row, index) => {
    const content = { digest: digestOf(row.fields, plainText), formerRef: formerRefs[index]! };
    return { ...asLot(row), content };
  });
}

function asLot(row: SheetRow): SheetRow {
  row.fields.set("record", { text: "lot", line: row.line });
  return row;
}

function digestOf(fields: SheetRow["fields"], textOfField: (name: ColumnName, text: string) => string): string {
  const written = [...fields].map(([name, { text }]) => [name, textOfField(name, text)]);
  return createHash("sha256").update(JSON.stringify(written.sort())).digest("hex").slice(0, 24);
}

/** Returns the same text for equal values. */
function plainText(name: ColumnName, text: string): string {
  if (name.endsWith("_usd")) return text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "");
  if (name === "market_hash_name") return text.normalize("NFC").replaceAll("\u00a0", " ").trim();
  return name === "acquired_on" ? text.trim().replace(timeOfDay, "") : text.trim();
}

function recordsOf(body: FeedFile, faults: Faults): CsvRecord[] {
  const records: CsvRecord[] = [];
  const whole = textOf(body);
  if (/^\s*</.test(whole))
    throw refusedFile(
      body.name,
      "a web page (HTML), not a list: save the response of the address itself, not a page about it",
    );
  // A first line may name the delimiter for spreadsheets. Its line ending stays, so that line numbers match.
  const [said = "", named] = /^sep=([,;\t])(?=\r?\n)/.exec(whole) ?? [];
  const text = whole.slice(said.length);
  const delimiter = (named as Delimiter | undefined) ?? delimiterOf(text);
  try {
    for (const record of csvRecords(text, { delimiter, fieldsMax: columnNames.length })) {
      // The header adds one record.
      if (records.length > portfolioRowsMax) throw tooManyRows(body);
      records.push(record);
    }
  } catch (error) {
    if (!(error instanceof BrokenCsv)) throw error;
    faults.add(error.line, null, `character ${error.character}: ${error.message}; the rest was not read`);
  }
  return records;
}

/** Decodes UTF-8, and UTF-16 with a byte order mark. */
function textOf(body: FeedFile): string {
  const { bytes, name } = body;
  const isLittle = bytes[0] === 0xff && bytes[1] === 0xfe;
  const isBig = bytes[0] === 0xfe && bytes[1] === 0xff;
  try {
    if (isLittle || isBig) return new TextDecoder(isLittle ? "utf-16le" : "utf-16be", { fatal: true }).decode(bytes);
    return fileText(body);
  } catch {
    throw refusedFile(name, "not UTF-8 text: save it as `CSV UTF-8`, other encodings have no ★ and may have lost ™");
  }
}

function delimiterOf(text: string): Delimiter {
  const header = /^\s*(.*)/.exec(text)?.[1] ?? "";
  if (header.includes(",")) return ",";
  return header.includes(";") ? ";" : header.includes("\t") ? "\t" : ",";
}

function columnNamed(field: string): ColumnName | null {
  const name = field.trim().toLowerCase();
  return isColumn(name) ? name : Object.hasOwn(otherNames, name) ? otherNames[name]! : null;
}

/** Returns the columns of a header. Null if the header is invalid. */
function namesOf({ line, fields }: CsvRecord, faults: Faults): ColumnName[] | null {
  const before = faults.count;
  const known = fields.map(columnNamed);
  const names = known.filter((name) => name !== null);
  const unknown = fields.filter((_, place) => known[place] === null);
  if (unknown.length > 0) faults.add(line, null, () => unknownColumns(unknown));
  for (const name of names.filter((one, place) => names.indexOf(one) !== place))
    faults.add(line, name, "the header has it twice");
  for (const amount of amountNames) {
    if (names.includes(`${amount}_cents`) && names.includes(`${amount}_usd`))
      faults.add(line, `${amount}_usd`, `a file has either ${amount}_cents or ${amount}_usd, never both`);
  }
  return faults.count === before ? names : null;
}

function unknownColumns(unknown: readonly string[]): string {
  const listed = unknown.map((name) => `\`${displayText(name)}\``).join(", ");
  const hasWear = unknown.some((name) => /^(?:wear|exterior|condition)$/i.test(name.trim()));
  const wear = hasWear ? "; the wear is a part of the name, as in `AWP | Asiimov (Field-Tested)`" : "";
  const [what, it] = unknown.length === 1 ? ["unknown column", "it"] : ["unknown columns", "them"];
  return `${what} ${listed}: delete ${it}, or rename ${it} as one of ${columnNames.join(", ")}${wear}; ${plainColumns}`;
}
