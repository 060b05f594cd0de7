import { readFileSync } from "node:fs";
import { fileOfProgram } from "../../../values/root.ts";

/** Values of a template by name. Lines with a null value are omitted. */
type Values = Readonly<Record<string, string | null>>;

/**
 * Reads a file of this folder as a template. `{{name}}` is replaced by a value. A line is omitted if one of its values is null. A leading
 * `{{?name}}` inserts nothing, but also omits the line for null.
 */
export function readTemplate(file: string): (values: Values) => string {
  const lines = readFileSync(fileOfProgram(`src/web/docs/samples/${file}`), "utf8").split("\n");
  return (values) => lines.flatMap((line) => filled(line, values)).join("\n");
}

function filled(line: string, values: Values): string[] {
  const isGone = [...line.matchAll(/\{\{\??(\w+)\}\}/g)].some(([, name]) => valueFor(values, name!) === null);
  if (isGone) return [];
  return [line.replace(/^\{\{\?\w+\}\}/, "").replace(/\{\{(\w+)\}\}/g, (_, name: string) => valueFor(values, name)!)];
}

function valueFor(values: Values, name: string): string | null {
  const value = values[name];
  if (value === undefined) throw new Error(`a code sample has no value ${name}`);
  return value;
}
