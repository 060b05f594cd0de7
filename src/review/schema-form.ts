import { type Node, node } from "./document.ts";
import { stable } from "./stable.ts";

/** The type of what is always null, beside `nullable`. */
export const noType = "";

/** Returns a schema without any keyword. Maps are always there, so that the first key of one is reported like later ones. */
export function empty(): Node {
  return { properties: {}, required: {}, notes: {}, other: {} };
}

/** Tells whether the schema takes nothing but null. */
export function isOnlyNull(view: Node): boolean {
  if (view.type !== noType) return false;
  return stable({ ...view, notes: {} }) === stable({ ...empty(), type: noType, nullable: true });
}

/** Turns exclusive bounds of an integer into the inclusive ones that allow the same. */
export function integral(view: Node): Node {
  const { exclusiveMinimum: over, exclusiveMaximum: under, ...rest } = view;
  if (view.type !== "integer" || (typeof over !== "number" && typeof under !== "number")) return view;
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = view;
  if (typeof over === "number") rest.minimum = Math.max(Number(minimum), Math.floor(over) + 1);
  if (typeof under === "number") rest.maximum = Math.min(Number(maximum), Math.ceil(under) - 1);
  if (over !== undefined && typeof over !== "number") rest.exclusiveMinimum = over;
  if (under !== undefined && typeof under !== "number") rest.exclusiveMaximum = under;
  return rest;
}

/** Branches by their labels: the value of the discriminator, a constant, the type. Their order means nothing. */
export function labelled(branches: readonly Node[], discriminator: unknown): Node {
  const found: Node = {};
  for (const branch of branches) {
    const label = labelOf(branch, discriminator);
    const longer = `${label} of ${Object.keys(node(branch.properties)).sort().join(", ")}`;
    const free = [label, longer].find((name) => !(name in found));
    found[free ?? `${longer} (${Object.keys(found).length + 1})`] = branch;
  }
  return found;
}

/** Returns the label of a branch, which no other branch has. */
export function labelOf(branch: Node, discriminator: unknown): string {
  const properties = node(branch.properties);
  const names = typeof discriminator === "string" ? [discriminator] : Object.keys(properties).sort();
  for (const name of names) {
    const values = node(properties[name]).values;
    const list: unknown = typeof values === "string" ? JSON.parse(values) : [];
    if (Array.isArray(list) && list.length === 1) return `${name} ${String(list[0])}`;
  }
  return typeof branch.type === "string" ? branch.type : "any";
}
