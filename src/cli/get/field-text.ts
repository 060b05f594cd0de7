import type { ClientOperation } from "../../../generated/client-operations.ts";
import { answerPaths } from "../../contract/answer-paths.ts";
import type { Plain } from "../../contract/answer-text.ts";
import { emptyMeans } from "../../contract/document.ts";
import { fixedText } from "../../values/money/decimal.ts";
import { displayText } from "../../values/text/display-text.ts";
import { usageError } from "../command.ts";

/** The text of a field. `isNumber` right-aligns it. */
export type FieldText = { text: string; isNumber: boolean };

const cellCharsMax = 2100;
const moneyName = /(^|\.|_)amount$|_cents$|\.?quantiles\.p[0-9]{2}$/;
/** A time without significant milliseconds. */
const wholeSecond = /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})\.000Z$/;
const decimalText = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/;

/** Formats one value of a response. Null is `-`, never zero; money is in dollars with its sign. */
export function fieldText(path: string, value: Plain | undefined): FieldText {
  if (value === null || value === undefined) return { text: "-", isNumber: true };
  if (isMoney(path)) {
    const money = dollars(value);
    if (money !== null) return { text: money, isNumber: true };
  }
  if (typeof value === "boolean") return { text: value ? "yes" : "no", isNumber: false };
  if (typeof value === "number") return { text: String(value), isNumber: true };
  if (typeof value === "string") {
    return { text: displayText(value.replace(wholeSecond, "$1Z"), cellCharsMax), isNumber: decimalText.test(value) };
  }
  if (Array.isArray(value)) {
    const text =
      value.length === 0 ? (emptyMeans[path] ?? "none") : value.map((one) => fieldText("", one).text).join(", ");
    return { text: displayText(text, cellCharsMax), isNumber: false };
  }
  return { text: displayText(JSON.stringify(value), cellCharsMax), isNumber: false };
}

/** Returns whether the contract gives the field in US-dollar cents. */
export function isMoney(path: string): boolean {
  return moneyName.test(path);
}

/** Returns the title of a column. Cents are shown as dollars, so titles omit `_cents`. */
export function titleOf(path: string): string {
  return displayText(isMoney(path) ? path.replace(/_cents$/, "") : path);
}

/** Formats integer cents as `$12.34`, given as a number or digits. Returns null for any other value. */
export function dollars(cents: Plain): string | null {
  const isCents =
    typeof cents === "number"
      ? Number.isSafeInteger(cents)
      : typeof cents === "string" && /^-?[0-9]{1,40}$/.test(cents);
  if (!isCents) return null;
  const value = BigInt(cents as number | string);
  return fixedText(value, 2).replace(/^-?/, "$&$$");
}

/**
 * Returns the paths of the fields in `text`, in that order. Fields are separated by commas and given by path or title.
 * @throws {OperatorError} when responses of the operation have no such field.
 */
export function fieldsOf(operation: ClientOperation, text: string): string[] {
  const paths = answerPaths(operation);
  return text.split(",").map((field) => {
    const path = paths.find((one) => one === field || titleOf(one) === field);
    if (path !== undefined) return path;
    throw usageError(`--fields: the answer has no \`${displayText(field)}\`; it has ${paths.map(titleOf).join(", ")}`);
  });
}
