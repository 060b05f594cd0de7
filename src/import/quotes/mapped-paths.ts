import { isObject, type Json } from "../../values/strict-json.ts";

/** A path of a mapping: from the whole answer, from an entry, or the key of the entry. */
export type MappedPath = { from: "whole" | "entry" | "key"; steps: readonly (string | number)[]; text: string };

/** An entry of the list: its key (an index or a name) and its value. */
export type MappedEntry = { key: string | number; value: Json };

const step = /\.([A-Za-z_][A-Za-z0-9_-]*)|\['([^']+)'\]|\[([0-9]+)\]/g;

/** Reads a path that the schema of mappings admits. */
export function pathFrom(text: string): MappedPath {
  if (text === "key") return { from: "key", steps: [], text };
  const steps = Array.from(text.matchAll(step), ([, name, quoted, index]) => name ?? quoted ?? Number(index));
  return { from: text.startsWith("$") ? "whole" : "entry", steps, text };
}

/** Returns the value at a path; undefined: there is none. */
export function valueAt(path: MappedPath, whole: Json, entry?: MappedEntry): Json | undefined {
  if (path.from === "key") return entry === undefined ? undefined : String(entry.key);
  let value: Json | undefined = path.from === "whole" ? whole : entry?.value;
  for (const step of path.steps) {
    if (typeof step === "number") value = Array.isArray(value) ? (value[step] as Json | undefined) : undefined;
    else value = isObject(value) ? value.get(step) : undefined;
  }
  return value;
}

/** Returns the place of a value in the answer, such as `$.items[17].price`. */
export function placeOf(path: MappedPath, list: MappedPath, { key }: MappedEntry): string {
  if (path.from === "whole") return path.text;
  const entry = `${list.text}${typeof key === "number" ? `[${key}]` : `['${key}']`}`;
  return path.from === "key" ? entry : entry + path.text.slice(1);
}
