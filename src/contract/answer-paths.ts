import type { ClientOperation } from "../../generated/client-operations.ts";
import { loadContract } from "./document.ts";

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

/** One argument of an operation: a path or query parameter, or a field of its body. The schema is no reference. */
export type Argument = { name: string; isRequired: boolean; description: string; schema: Schema };

/** Returns the arguments of an operation, in the order of the contract. */
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
 * Returns the dotted names of what `data` of an answer can hold: of its record, or of a row where it is a list. A list within is one name;
 * with `intoLists` the names of its rows' fields follow it.
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

/** Returns the schemas that a value may have, references followed. */
function variantsOf(schema: Schema): Schema[] {
  const whole = followed(schema);
  const choices = (whole.anyOf ?? whole.oneOf) as Schema[] | undefined;
  return choices === undefined ? [whole] : choices.flatMap(variantsOf);
}
