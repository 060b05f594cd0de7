import type { Contract } from "../../contract/document.ts";

/** An object of the contract. */
export type ContractNode = { readonly [key: string]: unknown };

/** Resolves a value of the contract to an object, through references. Returns an empty object for undefined. */
export type Resolve = (value: unknown) => ContractNode;

/**
 * Returns a function that resolves references of the contract.
 * @throws {Error} from the function, if a reference has no target.
 */
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

/** Returns the value if it is a list, else an empty list. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the entries of an object of objects; none for undefined. */
export function entriesOf(value: unknown): [string, ContractNode][] {
  return Object.entries((value ?? {}) as Record<string, ContractNode>);
}

/** Returns a text of the contract; "" for other values. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Returns the values that a schema lists: all (`enum`), or the known values of an open list. Returns none if it lists none. */
export function listedValues(schema: ContractNode): readonly unknown[] {
  return listOf(schema["x-extensible-enum"] ?? schema.enum);
}

/** Returns the example value of a parameter: the only one, or the first named one. Returns undefined without an example. */
export function exampleValue({ example, examples }: ContractNode): unknown {
  return example ?? entriesOf(examples)[0]?.[1].value;
}
