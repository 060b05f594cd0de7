import { type Document, isAlias, isMap, isPair, isScalar, isSeq, type LineCounter } from "yaml";
import { isNode, type Node, node, operationsOf } from "./document.ts";
import type { Spot } from "./finding.ts";
import { pointed } from "./reference.ts";

/** Returns the line of a spot, from 1. If the document lacks the part, it is the line of the nearest enclosing part. */
export type LineOf = (spot: Spot) => number;

/** A part of a document, and the keys that lead to it. */
type Part = { keys: readonly string[]; value: unknown };

/** Document keys of each view keyword. */
const written: Readonly<Record<string, readonly string[]>> = {
  values: ["enum", "const", "x-extensible-enum"],
  nullable: ["type", "anyOf", "oneOf"],
  closed: ["additionalProperties", "unevaluatedProperties"],
  additional: ["additionalProperties"],
  branches: ["oneOf", "anyOf"],
  all: ["allOf"],
  mapping: ["discriminator"],
};
/** Steps of a view that have no key in the document. */
const unwritten = new Set(["notes", "extensions", "other", "urls", "first"]);

/** Returns a function that finds the lines of a document. */
export function linesOf(document: Node, { written: tree, lines }: { written: Document; lines: LineCounter }): LineOf {
  const operations = operationsOf(document);
  return ({ operation, path }) => {
    const found = operations.find(({ id }) => id === operation);
    const start: Part =
      found === undefined
        ? { keys: operation === null ? [] : ["paths"], value: operation === null ? document : document.paths }
        : { keys: ["paths", found.path, found.method], value: found.node };
    const item = found === undefined ? null : { keys: ["paths", found.path], value: node(document.paths)[found.path] };
    const part = found === undefined && operation !== null ? start : deepest({ document, start, item, path });
    return lineOfKeys(tree, lines, part.keys);
  };
}

type Search = { document: Node; start: Part; item: Part | null; path: readonly string[] };

function deepest({ document, start, item, path }: Search): Part {
  let part = start;
  for (const [index, step] of path.entries()) {
    if (unwritten.has(step)) continue;
    const owner = path[index - 1];
    const next =
      owner === "parameters" && index === 1 && item !== null
        ? (parameterOf(document, start, step) ?? parameterOf(document, item, step))
        : index === 0 && step === "securitySchemes"
          ? childOf(document, { keys: ["components"], value: document.components }, step)
          : index === 0 && step === "parameters"
            ? part
            : stepInto(document, part, step, owner);
    if (next === null) return part;
    part = next;
  }
  return part;
}

function stepInto(document: Node, part: Part, step: string, owner: string | undefined): Part | null {
  if (owner === "branches") return branchOf(document, part, step);
  for (const key of [step, ...(written[step] ?? [])]) {
    const child = childOf(document, part, key);
    if (child !== null) return child;
  }
  const label = /^\d+$/.test(step) && owner === "all" ? null : namedEntry(document, part, step);
  return label;
}

/** Returns the parameter with a place and name such as `query limit`; null if the list has none. */
function parameterOf(document: Node, owner: Part, label: string): Part | null {
  const list = node(owner.value).parameters;
  for (const [index, entry] of (Array.isArray(list) ? list : []).entries()) {
    const part = followed(document, { keys: [...owner.keys, "parameters", String(index)], value: entry });
    const { in: place, name } = node(part.value);
    const own = place === "header" ? String(name).toLowerCase() : String(name);
    if (`${String(place)} ${own}` === label) return part;
  }
  return null;
}

/** Returns the entry with this name in a list such as required keys, tags or servers; null if missing. */
function namedEntry(document: Node, part: Part, name: string): Part | null {
  const { keys, value } = followed(document, part);
  if (!Array.isArray(value)) return null;
  const index = value.findIndex((entry) => entry === name || node(entry).name === name || node(entry).url === name);
  return index < 0 ? null : { keys: [...keys, String(index)], value: value[index] };
}

/** Returns the form of a union with this label: `type end` is the form with the constant `end` in `type`. Returns null if missing. */
function branchOf(document: Node, part: Part, label: string): Part | null {
  const { keys, value } = followed(document, part);
  if (!Array.isArray(value)) return null;
  const [name = "", text] = label.split(" ");
  for (const [index, entry] of value.entries()) {
    const form = followed(document, { keys: [...keys, String(index)], value: entry });
    const own = node(node(node(form.value).properties)[name]);
    const constant = own.const ?? (Array.isArray(own.enum) ? own.enum[0] : undefined);
    if (text === undefined ? node(form.value).type === name : JSON.stringify(constant) === text || constant === text)
      return form;
  }
  return null;
}

function childOf(document: Node, part: Part, key: string): Part | null {
  const { keys, value } = followed(document, part);
  if (!isNode(value)) return null;
  const own = Object.keys(value).find((name) => name === key || name.toLowerCase() === key);
  if (own !== undefined) return { keys: [...keys, own], value: value[own] };
  for (const list of ["allOf", "oneOf", "anyOf"]) {
    const parts = value[list];
    for (const [index, entry] of (Array.isArray(parts) ? parts : []).entries()) {
      const found = childOf(document, { keys: [...keys, list, String(index)], value: entry }, key);
      if (found !== null) return found;
    }
  }
  return null;
}

function followed(document: Node, part: Part): Part {
  let { keys, value } = part;
  for (let left = 50; isNode(value) && typeof value.$ref === "string" && left > 0; left -= 1) {
    keys = value.$ref
      .replace(/^#\/?/, "")
      .split("/")
      .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
    value = pointed(document, value.$ref);
  }
  return { keys, value };
}

function lineOfKeys(tree: Document, lines: LineCounter, keys: readonly string[]): number {
  let current: unknown = tree.contents;
  let offset = 0;
  for (const key of keys) {
    if (isAlias(current)) current = current.resolve(tree);
    if (isMap(current)) {
      const pair = current.items.find(
        (entry) => isPair(entry) && isScalar(entry.key) && String(entry.key.value) === key,
      );
      if (pair === undefined) break;
      offset = isScalar(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      current = pair.value;
    } else if (isSeq(current)) {
      current = current.items[Number(key)];
      offset = (current as { range?: [number] } | undefined)?.range?.[0] ?? offset;
    } else break;
  }
  return lines.linePos(offset).line;
}
