import type { Contract } from "../../contract/document.ts";

/** An object somewhere in the contract. */
export type ContractNode = { readonly [key: string]: unknown };

/** Returns the object that a value of the contract is or refers to; an empty one for nothing. */
export type Resolve = (value: unknown) => ContractNode;

/** Returns how references of the contract are followed. @throws {Error} when one leads nowhere */
export function resolverOf({ document }: Contract): Resolve {
  return (value) => {
    let found = (value ?? {}) as ContractNode;
    while (typeof found.$ref === "string") {
      const { $ref } = found;
      const keys = $ref.slice(2).split("/");
      const target = keys.reduce<unknown>((parent, key) => (parent as ContractNode | undefined)?.[key], document);
      if (target === undefined) throw new Error(`the contract has no ${$ref}`);
      found = target as ContractNode;
    }
    return found;
  };
}

/** Returns a value that is a list; an empty list for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the entries of a value that is an object of objects; none for anything else. */
export function entriesOf(value: unknown): [string, ContractNode][] {
  return Object.entries((value ?? {}) as Record<string, ContractNode>);
}

/** Returns a text of the contract; "" where there is none. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the values that a schema lists: all (`enum`), or those of an open list that are known; empty if it lists none. */
export function listedValues(schema: ContractNode): readonly unknown[] {
  return listOf(schema["x-extensible-enum"] ?? schema.enum);
}

/** Returns the value that the contract shows for a parameter: its only one, or the first that has a name; undefined: none. */
export function shownValue({ example, examples }: ContractNode): unknown {
  return example ?? entriesOf(examples)[0]?.[1].value;
}
