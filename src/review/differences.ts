import { isNode, type Node } from "./document.ts";
import { empty, labelled } from "./schema-form.ts";
import { Identities } from "./stable.ts";

/** A difference between two views: its path, and both values. A missing value is undefined. */
export type Difference = { path: readonly string[]; before: unknown; after: unknown };

/** Finds the differences between two views. Skips equal parts, which many operations share. */
export class Differences {
  readonly #identities = new Identities();

  of(before: unknown, after: unknown, path: readonly string[] = []): Difference[] {
    if (this.#identities.of(before) === this.#identities.of(after)) return [];
    if (!isNode(before) || !isNode(after)) return [{ path, before, after }];
    const [old, now] = aligned(before, after) ?? [before, after];
    const keys = new Set([...Object.keys(old), ...Object.keys(now)]);
    return [...keys].flatMap((key) => this.of(old[key], now[key], [...path, key]));
  }
}

/** Converts a single form into a choice of one if the other view is a choice. Returns null otherwise. */
function aligned(before: Node, after: Node): [Node, Node] | null {
  if (!isSchemaView(before) || !isSchemaView(after)) return null;
  if (isNode(before.branches) === isNode(after.branches)) return null;
  return isNode(before.branches)
    ? [before, choiceOfOne(after, before.discriminator)]
    : [choiceOfOne(before, after.discriminator), after];
}

function isSchemaView(value: Node): boolean {
  return isNode(value.properties) && isNode(value.required);
}

function choiceOfOne(view: Node, discriminator: unknown): Node {
  const { nullable, notes, ...form } = view;
  const choice: Node = { ...empty(), notes, branches: labelled([{ ...form, notes: {} }], discriminator) };
  if (nullable === true) choice.nullable = true;
  if (discriminator !== undefined) choice.discriminator = discriminator;
  return choice;
}
