const formulaStart = /^[=+\-@\t\r]/;
const decimalNumber = /^-?\d+(?:\.\d+)?$/;

/**
 * Encodes a record as RFC 4180, without the end of its line. Null and undefined are empty fields; objects are JSON. A text that a spreadsheet
 * would run as a formula begins with an apostrophe. Numbers never change.
 */
export function csvRecord(values: readonly unknown[]): string {
  return values.map(fieldOf).join(",");
}

function fieldOf(value: unknown) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? guarded(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function guarded(text: string) {
  return formulaStart.test(text) && !decimalNumber.test(text) ? `'${text}` : text;
}
