import { isNode, type Node, node, resolve } from "../contract/document.ts";

/**
 * Writes TypeScript that reads every field of a response at its type in the contract. It reads each leaf at its own type, and at a wrong
 * type that must not compile. A generated type that is `any`, too wide or not nullable fails. With `keepsConst` false, a const is read as
 * any value of its type.
 */
export function typedUses(document: Node, schema: Node, expression: string, keepsConst = true): string[] {
  const lines: string[] = [];
  let count = 0;
  const visit = (given: unknown, path: string, indent: string): void => {
    const { schema, isNullable } = nonNull(document, given);
    const text = leafType(schema, keepsConst);
    count += 1;
    const name = `v${count}`;
    if (text !== null) {
      lines.push(`${indent}const ${name}: ${text.right}${isNullable ? " | null" : ""} = ${path};`);
      lines.push(`${indent}// @ts-expect-error -- ${isNullable ? "it can be null" : `it is no ${text.wrong}`}`);
      lines.push(`${indent}const not${count}: ${isNullable ? text.right : text.wrong} = ${path};`);
    } else if (schema.type === "array") {
      lines.push(`${indent}const ${name} = ${path}${isNullable ? "?." : ""}[0];`);
      lines.push(`${indent}if (${name} !== undefined) {`);
      visit(schema.items, name, `${indent}  `);
      lines.push(`${indent}}`);
    } else if (isNode(schema.properties)) {
      lines.push(`${indent}const ${name} = ${path};`);
      lines.push(`${indent}if (${name} !== null) {`);
      for (const [key, child] of requiredOf(schema)) visit(child, `${name}.${key}`, `${indent}  `);
      lines.push(`${indent}  // @ts-expect-error -- there is no such field`);
      lines.push(`${indent}  void ${name}.no_such_field;`);
      lines.push(`${indent}}`);
    }
  };
  visit(schema, expression, "    ");
  return lines;
}

/** Returns the required fields. Optional fields are not read. */
function requiredOf(schema: Node): [string, unknown][] {
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(node(schema.properties)).filter(([key]) => required.includes(key));
}

/** Returns the schema without null and with references resolved. */
function nonNull(document: Node, given: unknown): { schema: Node; isNullable: boolean } {
  const schema = resolve(document, given);
  if (Array.isArray(schema.type)) {
    const [type] = schema.type.filter((name) => name !== "null");
    return { schema: { ...schema, type }, isNullable: schema.type.includes("null") };
  }
  if (Array.isArray(schema.anyOf)) {
    const branches = schema.anyOf.map((branch) => resolve(document, branch));
    const rest = branches.filter(({ type }) => type !== "null");
    const [only] = rest;
    if (rest.length === 1 && only !== undefined) {
      const inner = nonNull(document, only);
      return { schema: inner.schema, isNullable: inner.isNullable || rest.length < branches.length };
    }
  }
  return { schema, isNullable: false };
}

/** Returns the type of a leaf and a wrong type. Null for a schema with fields, items or branches. */
function leafType(schema: Node, keepsConst: boolean): { right: string; wrong: string } | null {
  const { type, enum: values } = schema;
  if (keepsConst && "const" in schema) return { right: JSON.stringify(schema.const), wrong: "undefined" };
  if (Array.isArray(values))
    return { right: values.map((value) => JSON.stringify(value)).join(" | "), wrong: "undefined" };
  if (type === "string") return { right: "string", wrong: "number" };
  if (type === "integer" || type === "number") return { right: "number", wrong: "string" };
  if (type === "boolean") return { right: "boolean", wrong: "string" };
  return type === "null" ? { right: "null", wrong: "string" } : null;
}
