import { followed, type Schema } from "../../contract/answer-paths.ts";
import { displayText } from "../../values/text/display-text.ts";
import { perhaps } from "../../values/text/suggestion.ts";
import { usageError } from "../command.ts";

/** Operations that tell what a parameter may be. */
const listers: Readonly<Record<string, string>> = {
  provider: "listProviders",
  slug: "listOpenables",
  index_id: "listIndexes",
  portfolio_id: "listPortfolios",
  currency: "listExchangeRates",
};

/**
 * Compares a value with the bounds of the contract.
 * @throws {OperatorError} when it is outside; it names the parameter and what it takes.
 */
export function checkBounds(name: string, value: unknown, schema: Schema): void {
  if (Array.isArray(value)) {
    checkRange(name, value.length, schema.minItems, schema.maxItems, " entries");
    for (const one of value) checkBounds(name, one, followed((schema.items ?? {}) as Schema));
    if (schema.uniqueItems === true && new Set(value).size < value.length) {
      throw usageError(`${name}: holds an entry twice`);
    }
  } else if (typeof value === "number") checkRange(name, value, schema.minimum, schema.maximum, "");
  else checkText(name, String(value), schema);
}

function checkRange(name: string, value: number, least: unknown, most: unknown, what: string): void {
  if (value >= Number(least ?? value) && value <= Number(most ?? value)) return;
  const bounds = most === undefined ? `${least}${what} or more` : `${least ?? 0} to ${most}${what}`;
  throw usageError(`${name}: takes ${bounds}, not ${value}`);
}

function checkText(name: string, text: string, schema: Schema): void {
  const { enum: choices, minLength, maxLength, pattern, format } = schema;
  const shown = displayText(text);
  if (Array.isArray(choices)) {
    if (choices.includes(text)) return;
    throw usageError(`${name}: takes one of ${choices.join(", ")}, not \`${shown}\`${perhaps(text, choices)}`);
  }
  if (format === "date" || String(pattern).startsWith("^\\d{4}-\\d{2}-\\d{2}$")) {
    if (isDate(text)) return;
    throw usageError(`${name}: takes a date such as 2026-01-31, not \`${shown}\``);
  }
  checkRange(name, Array.from(text).length, minLength, maxLength, " characters");
  // The client says of an empty one what it is to be.
  if (text === "" || typeof pattern !== "string" || new RegExp(pattern, "u").test(text)) return;
  const lister = listers[name];
  const slug = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const meant =
    lister !== undefined && slug !== text && new RegExp(pattern, "u").test(slug) ? `, perhaps \`${slug}\`` : "";
  const form = lister === undefined ? `; it has the form ${pattern}` : `; \`itemtape get ${lister}\` lists them`;
  throw usageError(`${name}: \`${shown}\` is not written like one${meant}${form}`);
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
