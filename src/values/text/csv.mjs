const formulaStart = /^[=+\-@\t\r]/;
const decimalNumber = /^-?\d+(?:\.\d+)?$/;

/**
 * Encodes a record as RFC 4180, without the end of its line. Null and undefined are empty fields; objects are JSON. A text that a spreadsheet
 * would run as a formula begins with an apostrophe. Numbers never change.
 * @param {readonly unknown[]} values
 * @returns {string}
 */
export function csvRecord(values) {
  return values.map(fieldOf).join(",");
}

/** @param {unknown} value */
function fieldOf(value) {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? guarded(value) : JSON.stringify(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** @param {string} text */
function guarded(text) {
  return formulaStart.test(text) && !decimalNumber.test(text) ? `'${text}` : text;
}
