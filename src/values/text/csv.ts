const formulaStart = /^[=+\-@\t\r]/;
const decimalNumber = /^-?\d+(?:\.\d+)?$/;

/**
 * Encodes a record as RFC 4180, without a line end. Null and undefined become empty fields, objects become JSON. Text that a spreadsheet
 * would run as a formula gets a leading apostrophe. Numbers stay unchanged.
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
