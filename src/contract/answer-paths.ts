import type { ClientOperation } from "../../generated/client-operations.ts";
import { loadContract } from "./document.ts";

/** Any object of the contract's document. */
export type Schema = { readonly [keyword: string]: unknown };

/** Returns an operation from the contract's document. */
export function operationSchema({ method, path }: ClientOperation): Schema {
  const paths = loadContract().document.paths as unknown as Record<string, Record<string, Schema>>;
  return paths[path]![method.toLowerCase()]!;
}

/** Resolves a `$ref`. Other schemas are returned unchanged. */
export function followed(schema: Schema): Schema {
  if (typeof schema.$ref !== "string") return schema;
  const target = schema.$ref
    .split("/")
    .slice(1)
    .reduce<unknown>((at, part) => (at as Schema)[part], loadContract().document);
  return followed(target as Schema);
}

/** An argument of an operation: a path parameter, a query parameter or a field of the body. `schema` has no `$ref`. */
export type Argument = { name: string; isRequired: boolean; description: string; schema: Schema };

/** Returns the arguments of an operation, in the contract's order. */
export function argumentsOf(operation: ClientOperation): Argument[] {
  const { parameters = [], requestBody = {} } = operationSchema(operation) as {
    parameters?: readonly Schema[];
    requestBody?: Schema;
  };
  const argument = (name: string, required: unknown, written: Schema, description: unknown): Argument => {
    const schema = followed(written);
    return {
      name,
      isRequired: required === true,
      description: String(description ?? schema.description ?? ""),
      schema,
    };
  };
  const inAddress = parameters.map(followed).filter((one) => one.in === "path" || one.in === "query");
  const { content } = followed(requestBody) as { content?: Record<string, { schema: Schema }> };
  const { properties = {}, required = [] } = followed(content?.["application/json"]?.schema ?? {}) as {
    properties?: Record<string, Schema>;
    required?: readonly string[];
  };
  return [
    ...inAddress.map((one) => argument(String(one.name), one.required, one.schema as Schema, one.description)),
    ...Object.entries(properties).map(([name, one]) => argument(name, required.includes(name), one, undefined)),
  ];
}

/**
 * Returns the dotted names of all fields in an operation's `data`: of the record, or of each row of a list. An inner list is one name; with
 * `intoLists` the fields of its rows are included.
 */
export function answerPaths(operation: ClientOperation, { intoLists = false } = {}): string[] {
  const { responses } = operationSchema(operation) as { responses: Record<string, Schema> };
  const { content } = followed(responses["200"]!) as { content: Record<string, { schema: Schema }> };
  const { data } = followed(content["application/json"]!.schema).properties as Record<string, Schema>;
  const [whole] = variantsOf(data!);
  const rows = whole!.type === "array" ? (whole!.items as Schema) : whole!;
  return [...new Set(variantsOf(rows).flatMap((one) => leaves(one, "", intoLists)))];
}

function leaves(schema: Schema, path: string, intoLists: boolean): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  if (properties.length === 0) {
    if (schema.type === "null") return [];
    const inner = intoLists && schema.type === "array" ? variantsOf(schema.items as Schema) : [];
    return [path, ...inner.flatMap((one) => (one.properties === undefined ? [] : leaves(one, path, intoLists)))];
  }
  return properties.flatMap(([name, inner]) =>
    variantsOf(inner).flatMap((one) => leaves(one, path === "" ? name : `${path}.${name}`, intoLists)),
  );
}

/** Returns all alternatives of a schema, with references resolved. */
function variantsOf(schema: Schema): Schema[] {
  const whole = followed(schema);
  const choices = (whole.anyOf ?? whole.oneOf) as Schema[] | undefined;
  return choices === undefined ? [whole] : choices.flatMap(variantsOf);
}
