import { isNode, type Node, node } from "./document.ts";

/** Returns JSON with sorted keys, so that equal values have equal texts. */
export function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((entry) => stable(entry ?? null)).join()}]`;
  if (!isNode(value)) return JSON.stringify(value);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stable(value[key])}`)
    .join()}}`;
}

/** Keys of prose, in which line breaks are irrelevant. */
const prose = ["description", "summary", "title"];

/** Returns each defined value as readable text. */
export function texts(values: Node): Node {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => [key, typeof value === "string" ? readable(key, value) : stable(value)]),
  );
}

function readable(key: string, value: string): string {
  return prose.includes(key) ? value.trim().replace(/\s*\n\s*/g, " ") : value;
}

/** Applies `of` to each value of a mapping. Returns an empty mapping if `values` is not one. */
export function mapped(values: unknown, of: (value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(node(values)).map(([key, value]) => [key, of(value)]));
}

/** Returns the entries with keys that pass `isWanted`. */
export function pick(values: Node, isWanted: (key: string) => boolean): Node {
  return Object.fromEntries(Object.entries(values).filter(([key]) => isWanted(key)));
}

/** Returns the entries without these keys. */
export function without(values: Node, keys: readonly string[]): Node {
  return pick(values, (key) => !keys.includes(key));
}

/** Assigns numbers to values. Values have the same number if they are equal apart from the order of their keys. */
export class Identities {
  readonly #ofObject = new WeakMap<object, number>();
  readonly #ofText = new Map<string, number>();

  of(value: unknown): number {
    if (typeof value !== "object" || value === null) return this.#number(`${typeof value} ${String(value)}`);
    const known = this.#ofObject.get(value);
    if (known !== undefined) return known;
    const entries = Object.entries(value).map(([key, child]) => `${key.length} ${key}:${this.of(child)}`);
    const number = this.#number(`${Array.isArray(value) ? "[" : "{"}${entries.sort().join()}`);
    this.#ofObject.set(value, number);
    return number;
  }

  #number(text: string): number {
    const known = this.#ofText.get(text);
    if (known !== undefined) return known;
    this.#ofText.set(text, this.#ofText.size);
    return this.#ofText.size - 1;
  }
}
