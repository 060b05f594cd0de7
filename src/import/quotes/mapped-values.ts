import { decimalText, parseDecimal, readDecimal } from "../../values/money/decimal.ts";
import { displayText } from "../../values/text/display-text.ts";
import { isObject, type Json, type KeyFilter, NumberText } from "../../values/text/strict-json.ts";
import type { Mapping, Scalar } from "./mapping.ts";

/** A path of a mapping: within the whole answer, within an entry, or the key of the entry. */
export type MappedPath = { from: "whole" | "entry" | "key"; steps: readonly (string | number)[]; text: string };

/** An entry of a list: its key (an index or a name) and its value. */
export type MappedEntry = { key: string | number; value: Json };

const step = /\.([A-Za-z_][A-Za-z0-9_-]*)|\['([^']+)'\]|\[([0-9]+)\]/g;

/** Returns the keys of entries that the paths of a mapping use. Null for all keys. */
export function keptBy(mapping: Mapping, { steps }: MappedPath): KeyFilter | null {
  if (mapping.ask?.phases !== undefined || mapping.bid?.phases !== undefined) return null;
  const texts: string[] = [];
  const collect = (part: unknown) => {
    if (typeof part === "string") texts.push(part);
    else if (typeof part === "object" && part !== null) for (const inner of Object.values(part)) collect(inner);
  };
  collect(mapping);
  const names = texts.flatMap((text) => pathFrom(text).steps).filter((step) => typeof step === "string");
  return { depth: steps.length, keys: new Set(names) };
}

/** Parses a path that the mapping schema allows. */
export function pathFrom(text: string): MappedPath {
  if (text === "key") return { from: "key", steps: [], text };
  const steps = Array.from(text.matchAll(step), ([, name, quoted, index]) => name ?? quoted ?? Number(index));
  return { from: text.startsWith("$") ? "whole" : "entry", steps, text };
}

/** Returns the value at a path. Null below a null value; undefined if it is missing. */
export function valueAt(path: MappedPath, whole: Json, entry?: MappedEntry): Json | undefined {
  if (path.from === "key") return entry === undefined ? undefined : String(entry.key);
  let value: Json | undefined = path.from === "whole" ? whole : entry?.value;
  for (const step of path.steps) {
    if (value === null) return null;
    if (typeof step === "number") value = Array.isArray(value) ? (value[step] as Json | undefined) : undefined;
    else value = isObject(value) ? value.get(step) : undefined;
  }
  return value;
}

/** Returns the position of a value in the answer, such as `$.items[17].price`. */
export function placeOf(path: MappedPath, list: MappedPath, { key }: MappedEntry): string {
  if (path.from === "whole") return path.text;
  const entry = `${list.text}${typeof key === "number" ? `[${key}]` : `['${key}']`}`;
  return path.from === "key" ? entry : entry + path.text.slice(1);
}

/** Returns the entries of an array or object. Null for other values. */
export function entriesOf(list: Json | undefined): MappedEntry[] | null {
  if (Array.isArray(list)) return list.map((value: Json, key) => ({ key, value }));
  return isObject(list) ? Array.from(list, ([key, value]) => ({ key, value })) : null;
}

/** Returns the text of a number, with or without quotes. Null for other values. */
export function numberText(value: Json | undefined): string | null {
  if (value instanceof NumberText) return value.text;
  return typeof value === "string" && readDecimal(value) !== null ? value : null;
}

/** Returns whether a value equals the scalar. Numbers are compared by value, so 0, 0.0 and 0.00 are equal. */
export function isScalar(value: Json | undefined, scalar: Scalar): boolean {
  if (typeof scalar !== "number") return value === scalar;
  const written = value instanceof NumberText ? parseDecimal(value.text) : null;
  const asked = parseDecimal(String(scalar));
  return written !== null && asked !== null && decimalText(written) === decimalText(asked);
}

/** Formats a value for messages. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return "missing";
  if (value instanceof NumberText) return displayText(value.text, 40);
  if (typeof value === "string") return `"${displayText(value, 40)}"`;
  if (value === null || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}
