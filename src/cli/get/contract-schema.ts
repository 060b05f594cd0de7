import type { ClientOperation } from "../../../generated/client-operations.ts";
import { loadContract } from "../../contract/document.ts";

/** Any object of the contract's document. */
export type Schema = { readonly [keyword: string]: unknown };

/** Returns the operation as the contract's document has it. */
export function operationSchema({ method, path }: ClientOperation): Schema {
  const paths = loadContract().document.paths as unknown as Record<string, Record<string, Schema>>;
  return paths[path]![method.toLowerCase()]!;
}

/** Returns the schema that a reference stands for; other schemas as they are. */
export function followed(schema: Schema): Schema {
  if (typeof schema.$ref !== "string") return schema;
  const target = schema.$ref
    .split("/")
    .slice(1)
    .reduce<unknown>((at, part) => (at as Schema)[part], loadContract().document);
  return followed(target as Schema);
}
