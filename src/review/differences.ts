import { isNode, type Node } from "./document.ts";
import { empty, labelled } from "./schema-form.ts";
import { Identities } from "./stable.ts";

/** One difference of two views: its path, and the value before and after; undefined if there is none. */
export type Difference = { path: readonly string[]; before: unknown; after: unknown };

/** Differences of two views. Equal parts are not walked: most of a document is the same part in many operations. */
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

/** Returns a single form beside a choice of forms as a choice of one, so that forms are compared with each other; else null. */
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
