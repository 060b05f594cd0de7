import { type Node, node } from "./document.ts";
import { stable } from "./stable.ts";

/** Type of a view that allows only null; `nullable` is also set. */
export const noType = "";

/** Returns the view of an empty schema. Its maps always exist, so that a first key is reported like later keys. */
export function empty(): Node {
  return { properties: {}, required: {}, notes: {}, other: {} };
}

/** Returns whether the schema allows only null. */
export function isOnlyNull(view: Node): boolean {
  if (view.type !== noType) return false;
  return stable({ ...view, notes: {} }) === stable({ ...empty(), type: noType, nullable: true });
}

/** Converts exclusive bounds of an integer to the equivalent inclusive bounds. */
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

/** Returns branches by label: the value of the discriminator, a constant or the type. Their order is irrelevant. */
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

/** Returns the label of a branch: a constant property, else its type. */
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
