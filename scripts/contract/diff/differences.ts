import { type ComapreContext, type CompareResult, type CompareRules, compare } from "api-smart-diff";
import { isNode, type Node } from "../document.ts";
import { empty, labelled } from "./schema-form.ts";
import { Identities } from "./stable.ts";

/** One difference of two views: where, and what stood or stands there, undefined where nothing does. */
export type Difference = { path: readonly string[]; before: unknown; after: unknown };

/**
 * Differences of two views. api-smart-diff walks them; its rules here are our own, because its rules for OpenAPI see neither the
 * direction of a nullable, a constant or a format, nor the extensions, and tell every component apart by its name.
 */
export class Differences {
  readonly #identities = new Identities();
  readonly #rules: CompareRules = {
    "/**": { compare: (context) => this.#shortened(context) },
  };

  of(before: Node, after: Node): Difference[] {
    if (this.#identities.of(before) === this.#identities.of(after)) return [];
    const { diffs } = compare(before, after, { rules: this.#rules });
    return diffs.map((diff) => ({ path: diff.path.map(String), before: diff.before, after: diff.after }));
  }

  /**
   * Equal parts are not walked: most of a document is the same part in many operations. Where a single form stands beside a choice, the
   * rest of the walk compares choices.
   */
  #shortened({ before, after }: ComapreContext): CompareResult | undefined {
    if (!isNode(before.value) || !isNode(after.value)) return undefined;
    const isEqual = this.#identities.of(before.value) === this.#identities.of(after.value);
    if (isEqual) return { diffs: [], merged: after.value };
    const choices = aligned(before.value, after.value);
    if (choices === null) return undefined;
    const result = compare(...choices, { rules: this.#rules });
    return { ...result, diffs: result.diffs.map((diff) => ({ ...diff, path: [...before.path, ...diff.path] })) };
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
