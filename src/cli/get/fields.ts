import type { ClientOperation } from "../../../generated/client-operations.ts";
import { displayText } from "../../values/display-text.ts";
import { usageError } from "../command.ts";
import { followed, operationSchema, type Schema } from "./contract-schema.ts";
import { titleOf } from "./field-text.ts";

/**
 * Returns the paths of the fields that `text` names, a comma between, each by its path or its title, in that order.
 * @throws {OperatorError} for a field that no answer of the operation has.
 */
export function fieldsOf(operation: ClientOperation, text: string): string[] {
  const paths = answerPaths(operation);
  return text.split(",").map((field) => {
    const path = paths.find((one) => one === field || titleOf(one) === field);
    if (path !== undefined) return path;
    throw usageError(`--fields: the answer has no \`${displayText(field)}\`; it has ${paths.map(titleOf).join(", ")}`);
  });
}

/** Dotted names of what `data` of an answer can hold: of its record, or of a row where it is a list. A list within is one name. */
export function answerPaths(operation: ClientOperation): string[] {
  const { responses } = operationSchema(operation) as { responses: Record<string, Schema> };
  const { content } = followed(responses["200"]!) as { content: Record<string, { schema: Schema }> };
  const { data } = followed(content["application/json"]!.schema).properties as Record<string, Schema>;
  const [whole] = variantsOf(data!);
  const paths = variantsOf(whole!.type === "array" ? (whole!.items as Schema) : whole!).flatMap((one) =>
    leaves(one, ""),
  );
  return [...new Set(paths)];
}

function leaves(schema: Schema, path: string): string[] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>);
  if (properties.length === 0) return schema.type === "null" ? [] : [path];
  return properties.flatMap(([name, inner]) =>
    variantsOf(inner).flatMap((one) => leaves(one, path === "" ? name : `${path}.${name}`)),
  );
}

/** Returns the schemas that a value may have, references followed. */
function variantsOf(schema: Schema): Schema[] {
  const whole = followed(schema);
  const choices = (whole.anyOf ?? whole.oneOf) as Schema[] | undefined;
  return choices === undefined ? [whole] : choices.flatMap(variantsOf);
}
