import { isNode, type Node, node } from "./document.ts";
import { empty, noType } from "./schema-form.ts";
import { stable, without } from "./stable.ts";

const lower = ["minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"];
const upper = ["maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"];
const deeper = ["items", "contentSchema", "additional"];
const merged = [
  ...lower,
  ...upper,
  ...deeper,
  "type",
  "nullable",
  "values",
  "properties",
  "required",
  "notes",
  "other",
];
/** Keywords that two schemas can combine without contradiction. */
const harmless = ["closed", "default", "all", "uniqueItems"];

/**
 * Returns the view of a schema that requires both: the tighter bounds, the common values and types, and all keys. Notes and default of
 * `own` override `target`. If one view cannot express this, such as for two patterns, `own` becomes an entry of `all`.
 */
export function mergedView(target: Node, own: Node): Node {
  const notes = { ...node(target.notes), ...node(own.notes) };
  if (isIdle(own)) return Object.keys(node(own.notes)).length === 0 ? target : { ...target, notes };
  if (isIdle(target)) return { ...own, notes };
  const types = typesOfBoth(target, own);
  if (types === null || !isMergeable(target, own)) {
    return { ...target, notes, all: numbered([...Object.values(node(target.all)), { ...own, notes: {} }]) };
  }
  const view: Node = { ...without(target, merged), ...without(own, merged), ...types };
  for (const keyword of lower) setDefined(view, keyword, bound(target[keyword], own[keyword], Math.max));
  for (const keyword of upper) setDefined(view, keyword, bound(target[keyword], own[keyword], Math.min));
  for (const keyword of deeper) setDefined(view, keyword, both(target[keyword], own[keyword]));
  if (isNode(target.all) && isNode(own.all)) view.all = numbered([target.all, own.all].flatMap(Object.values));
  const names = new Set([target, own].flatMap(({ properties }) => Object.keys(node(properties))));
  view.properties = Object.fromEntries(
    Array.from(names, (name) => [name, both(node(target.properties)[name], node(own.properties)[name])]),
  );
  for (const map of ["required", "notes", "other"]) view[map] = { ...node(target[map]), ...node(own[map]) };
  if (view.closed === true) delete view.additional;
  return view;
}

/** Combines schemas that must all match into one view, independent of their order. */
export function conjunctionOf(views: readonly Node[]): Node {
  return views.toSorted(byText).reduce((one, other) => mergedView(one, other), empty());
}

function isIdle(view: Node): boolean {
  return Object.entries(view).every(([key, value]) => key === "notes" || stable(value) === "{}");
}

function setDefined(view: Node, keyword: string, value: unknown): void {
  if (value !== undefined) view[keyword] = value;
}

function bound(one: unknown, other: unknown, tighter: (one: number, other: number) => number): unknown {
  return one === undefined || other === undefined ? (one ?? other) : tighter(Number(one), Number(other));
}

function both(one: unknown, other: unknown): unknown {
  return isNode(one) && isNode(other) ? mergedView(one, other) : (one ?? other);
}

/** Returns whether both views can be merged: shared keywords are compatible, and neither forbids a key of the other. */
function isMergeable(target: Node, own: Node): boolean {
  const isEqual = (one: Node, other: Node) =>
    Object.keys(one).every((key) => !(key in other) || stable(one[key]) === stable(other[key]));
  const restOf = (view: Node) => without(view, [...merged, ...harmless]);
  if (!isEqual(restOf(target), restOf(own)) || !isEqual(node(target.other), node(own.other))) return false;
  if (isNode(target.branches) && isNode(own.branches)) return false;
  return coversKeys(target, own) && coversKeys(own, target);
}

function coversKeys(view: Node, other: Node): boolean {
  if (view.closed !== true && view.additional === undefined) return true;
  return Object.keys(node(other.properties)).every((name) => name in node(view.properties));
}

/** Returns the common types, null and listed values; null if they have no common value. */
function typesOfBoth(target: Node, own: Node): Node | null {
  const nullable = (!hasType(target) || target.nullable === true) && (!hasType(own) || own.nullable === true);
  const isNullable = nullable && (hasType(target) || hasType(own));
  const merged: Node = isNullable ? { nullable: true } : {};
  const values = common(listOf(target), listOf(own), (one, other) => (one === other ? one : null));
  const types = common(namesOf(target), namesOf(own), narrower);
  if (values?.length === 0 || types?.length === 0) return isNullable ? { ...merged, type: noType } : null;
  if (types !== null) merged.type = types.sort().join(" or ");
  if (values !== null) merged.values = stable(values.sort());
  return merged;
}

function hasType({ type, values, branches, cycle, nullable }: Node): boolean {
  return [type, values, branches, cycle, nullable].some((keyword) => keyword !== undefined);
}

function listOf({ values }: Node): string[] | null {
  return typeof values === "string" ? (JSON.parse(values) as string[]) : null;
}

function namesOf({ type }: Node): string[] | null {
  return typeof type === "string" ? type.split(" or ").filter((name) => name !== noType) : null;
}

function narrower(one: string, other: string): string | null {
  if (one === other) return one;
  const isInteger = [one, other].sort().join() === "integer,number";
  return isInteger ? "integer" : null;
}

function common(
  one: readonly string[] | null,
  other: readonly string[] | null,
  meet: (one: string, other: string) => string | null,
): string[] | null {
  if (one === null || other === null) return one?.slice() ?? other?.slice() ?? null;
  const found = one.flatMap((left) => other.map((right) => meet(left, right)).filter((name) => name !== null));
  return [...new Set(found)];
}

/** Returns the parts numbered in sorted order, because their order in the document is irrelevant. */
function numbered(parts: readonly unknown[]): Node {
  return { ...parts.map(node).toSorted(byText) };
}

function byText(one: Node, other: Node): number {
  const [a, b] = [one, other].map((view) => Object.keys(node(view.properties)).sort().join() + stable(view));
  return (a ?? "") < (b ?? "") ? -1 : 1;
}
