import { isNode, type Node, node } from "./document.ts";

/** Returns JSON with the keys of every object sorted: equal values have equal texts, whatever the order in which they were written. */
export function stable(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((entry) => stable(entry ?? null)).join()}]`;
  if (!isNode(value)) return JSON.stringify(value);
  const keys = Object.keys(value).filter((key) => value[key] !== undefined);
  return `{${keys
    .sort()
    .map((key) => `${JSON.stringify(key)}:${stable(value[key])}`)
    .join()}}`;
}

/** Prose, in which line breaks mean nothing. */
const prose = ["description", "summary", "title"];

/** Returns a readable text of each value that is there. */
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

/** Returns a mapping with other values; empty where `values` is none. */
export function mapped(values: unknown, of: (value: unknown) => unknown): Node {
  return Object.fromEntries(Object.entries(node(values)).map(([key, value]) => [key, of(value)]));
}

/** Returns the entries whose keys are wanted. */
export function pick(values: Node, isWanted: (key: string) => boolean): Node {
  return Object.fromEntries(Object.entries(values).filter(([key]) => isWanted(key)));
}

/** Returns the entries without those of these keys. */
export function without(values: Node, keys: readonly string[]): Node {
  return pick(values, (key) => !keys.includes(key));
}

/** Numbers for values: two have the same exactly when they are equal whatever the order of their keys. */
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
