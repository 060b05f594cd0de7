import { displayText } from "../../values/text/display-text.ts";
import type { ColumnName } from "./columns.ts";
import type { Faults } from "./faults.ts";
import type { Field } from "./rows.ts";

/** A row of a spreadsheet, rewritten in place. */
type SheetRow = { fields: Map<ColumnName, Field> };
type Mark = "," | ".";
/** Decimal marks in the amounts of a file, each with the first line of its use. */
type Marks = Map<Mark, number>;

const dateColumns: readonly ColumnName[] = ["acquired_on", "occurred_on"];
const moneySign = /^(?:US\$|\$|USD)\s*|\s*(?:US\$|\$|USD)$/gi;
const dottedDate = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=$|\s)/;

/**
 * Normalizes dollar amounts, quantities and dates of a spreadsheet, as far as all rows use one notation. Ambiguous amounts are added to
 * `faults`.
 */
export function rewriteValues(rows: readonly SheetRow[], faults: Faults): void {
  const marks: Marks = new Map();
  const amounts = rows.flatMap(({ fields }) =>
    [...fields].filter(([name]) => name.endsWith("_usd")).map(([name, field]) => ({ name, field, fields })),
  );
  for (const { field } of amounts) {
    field.text = field.text.trim().replace(moneySign, "");
    const mark = decimalMarkOf(field.text);
    if (mark !== null && !marks.has(mark)) marks.set(mark, field.line);
  }
  for (const { name, field, fields } of amounts) {
    const why = rewriteAmount(field, marks);
    if (why === null) continue;
    faults.add(field.line, name, why);
    fields.delete(name);
  }
  const quantities = rows.flatMap(({ fields }) => fields.get("quantity") ?? []);
  for (const field of quantities) field.text = field.text.trim().replace(/^(-?\d+)[.,]0{1,2}$/, "$1");
  const dates = rows.flatMap(({ fields }) => dateColumns.flatMap((column) => fields.get(column) ?? []));
  if (dates.every(({ text }) => dottedDate.test(text)))
    for (const field of dates)
      field.text = field.text.replace(dottedDate, (_, day: string, month: string, year: string) =>
        [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-"),
      );
}

/** Returns the decimal mark of an amount. Null if it has none or is ambiguous. */
function decimalMarkOf(text: string): Mark | null {
  const seen = [...text].filter((character): character is Mark => character === "," || character === ".");
  const last = seen.at(-1);
  if (last === undefined) return null;
  if (seen.some((mark) => mark !== last)) return last;
  if (seen.length > 1) return otherMark(last);
  return isGrouped(text, last) ? null : last;
}

function otherMark(mark: Mark): Mark {
  return mark === "," ? "." : ",";
}

function isGrouped(text: string, group: Mark): boolean {
  return new RegExp(`^-?[1-9]\\d{0,2}(?:\\${group}\\d{3})+(?:\\${otherMark(group)}\\d+)?$`).test(text);
}

/** Rewrites an amount with a decimal point and without group separators. Returns its fault, or null. */
function rewriteAmount(field: Field, marks: Marks): string | null {
  const { text } = field;
  if (!/[,.]/.test(text)) return null;
  const shown = displayText(text);
  const [point, comma] = [marks.get("."), marks.get(",")];
  const own = decimalMarkOf(text);
  if (point !== undefined && comma !== undefined && own === ",")
    return `\`${shown}\` has a decimal comma, and line ${point} has a decimal point: write all amounts as 12.50`;
  if (own === null && (marks.size === 2 || (marks.size === 0 && text.includes(","))))
    return `\`${shown}\` may be ${text.replaceAll(",", "")} or ${text.replace(",", ".")}: write it with a point and cents, as 12.50`;
  const decimal: Mark = comma !== undefined && point === undefined ? "," : ".";
  const group = otherMark(decimal);
  const whole = isGrouped(text, group) ? text.replaceAll(group, "") : text;
  field.text = whole.replace(decimal, ".");
  return null;
}
