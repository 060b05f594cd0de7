import { readFileSync } from "node:fs";
import { costOf, isStream, operationEntry } from "./derive-client.ts";
import {
  componentsOf,
  isOpenList,
  listedValues,
  type Node,
  node,
  type Operation,
  operationsOf,
  resolve,
} from "./document.ts";

/** Parts of the client that are written by hand, in their order. */
const parts = [
  "errors",
  "settings",
  "requests",
  "retry",
  "transport",
  "records",
  "exports",
  "follow",
  "paging",
  "client",
];
const methodsMark = "    # {{methods}}\n";
/** Words of the contract that Python reserves. */
const keywords = ["from"];

/** A parameter or a field of the body of an operation. */
type Argument = { readonly name: string; readonly type: string; readonly isRequired: boolean };

/** Returns the client for Python as one file. `document` is the full contract, `short` the part for clients. */
export function derivePython(document: Node, short: Node): string {
  const [first, ...others] = parts.map(partOf);
  // Envelopes need no type, because a method returns their `data` and `meta`.
  const schemas = Object.entries(componentsOf(short, "schemas")).filter(([name]) => !name.endsWith("Envelope"));
  const types = schemas.map(([name, schema]) => typeText(short, name, schema));
  const methods = operationsOf(short)
    .filter((operation) => !isStream(document, operation))
    .map((operation) => methodsOf({ document, short }, operation));
  return [
    partOf("head"),
    `CONTRACT_VERSION = ${text(String(node(document.info).version))}\n`,
    ...types,
    tableText(document),
    first ?? "",
    ...others,
  ]
    .join("")
    .replace(methodsMark, () => methods.join("\n"))
    .replaceAll(/\n{4,}/g, "\n\n\n");
}

function partOf(name: string): string {
  return readFileSync(new URL(`python/${name}.py`, import.meta.url), "utf8");
}

/** Declares a schema: a dictionary with known keys, or an alias of a type. */
function typeText(document: Node, name: string, schema: Node): string {
  if (schema.type !== "object") {
    return `\n${comment(schema, "")}${name} = ${typeOf(document, schema, true)}\n`;
  }
  const fields = Object.entries(node(schema.properties)).map(([key, value]) => ({ key, value: node(value) }));
  if (fields.some(({ key }) => keywords.includes(key))) {
    const pairs = fields.map(
      ({ key, value }) =>
        `${comment(value, "        ")}        ${text(key)}: ${text(typeOf(document, value, false))},\n`,
    );
    return `\n${comment(schema, "")}${name} = TypedDict(\n    ${text(name)},\n    {\n${pairs.join("")}    },\n)\n`;
  }
  const required = listOf(schema.required);
  const written = (all: readonly { key: string; value: Node }[]) =>
    all.map(({ key, value }) => `${comment(value, "    ")}    ${key}: ${typeOf(document, value, false)}\n`).join("");
  const optional = fields.filter(({ key }) => !required.includes(key));
  const description = `    """${String(schema.description ?? name).replaceAll("\\", "\\\\")}"""\n\n`;
  const main = (base: string) =>
    `\n\nclass ${name}(${base}):\n${description}${written(fields.filter(({ key }) => required.includes(key)))}\n`;
  if (optional.length === 0) return main("TypedDict");
  return `\n\nclass _${name}(TypedDict, total=False):\n${written(optional)}${main(`_${name}`)}`;
}

function comment(schema: Node, indent: string): string {
  return schema.description === undefined ? "" : `${indent}# ${String(schema.description)}\n`;
}

/** Returns the type of a schema. `isEvaluated`: Python evaluates it immediately, so names of later types are quoted. */
function typeOf(document: Node, schema: unknown, isEvaluated: boolean): string {
  const { $ref, anyOf, oneOf, enum: values, const: value, type, items } = node(schema);
  if (isOpenList(schema)) return `Union[${literalOf(listedValues(schema))}, str]`;
  const inner = (one: unknown) => typeOf(document, one, isEvaluated);
  if (typeof $ref === "string") {
    const name = String($ref.split("/").at(-1));
    return isEvaluated && resolve(document, schema).type === "object" ? text(name) : name;
  }
  const options = listOf(anyOf ?? oneOf);
  if (options.length > 0) {
    const others = options.filter((one) => node(one).type !== "null").map(inner);
    const union = others.length === 1 ? String(others[0]) : `Union[${others.join(", ")}]`;
    return others.length < options.length ? `Optional[${union}]` : union;
  }
  if (Array.isArray(type)) {
    const [first] = type.filter((one) => one !== "null");
    const kept = listOf(values).filter((one) => one !== null);
    return `Optional[${inner({ ...node(schema), type: first, ...(values === undefined ? {} : { enum: kept }) })}]`;
  }
  if (type === "null") return "None";
  if (values !== undefined || value !== undefined) {
    return literalOf(listOf(values ?? [value]));
  }
  if (type === "array") return `List[${inner(items)}]`;
  const plain: Record<string, string> = { string: "str", integer: "int", number: "float", boolean: "bool" };
  const found = plain[String(type)];
  if (found === undefined) throw new Error(`the client for Python has no type for ${JSON.stringify(schema)}`);
  return found;
}

function literalOf(values: readonly unknown[]): string {
  return `Literal${literal(values)}`;
}

/** Writes the table of operations, as for the TypeScript client. */
function tableText(document: Node): string {
  const entries = operationsOf(document).map((operation) => {
    const entry = operationEntry(document, operation);
    const fields = {
      method: entry.method,
      path: entry.path,
      path_params: entry.pathParams,
      query_params: entry.queryParams,
      body_fields: entry.bodyFields,
      required: entry.required,
      is_protected: entry.isProtected,
      paging: entry.paging,
      is_stream: entry.isStream,
    };
    const lines = Object.entries(fields).map(([key, value]) => `        ${text(key)}: ${literal(value)},\n`);
    return `    ${text(operation.id)}: {\n${lines.join("")}    },\n`;
  });
  return `

class Operation(TypedDict):
    """One operation as a client needs it."""

    method: str
    path: str
    path_params: Dict[str, str]
    query_params: Dict[str, str]
    body_fields: Optional[Dict[str, str]]
    required: List[str]
    is_protected: bool
    paging: Optional[str]
    is_stream: bool


# Every operation of the contract, in its order.
OPERATIONS: Dict[str, Operation] = {
${entries.join("")}}
`;
}

/** Writes the method of an operation and, for a list, the method that reads all rows. */
function methodsOf({ document, short }: { document: Node; short: Node }, operation: Operation): string {
  const original = operationsOf(document).find(({ id }) => id === operation.id);
  if (original === undefined) throw new Error(`the contract has no operation ${operation.id}`);
  const given = argumentsOf(short, operation);
  const { content } = node(node(operation.node.responses)["200"]);
  const { data, meta } = node(resolve(short, node(node(content)["application/json"]).schema).properties);
  const answer = `Answer[${typeOf(short, data, false)}, ${typeOf(short, meta, false)}]`;
  const name = snake(operation.id);
  const params = `{${given.map((one) => `${text(one.name)}: ${parameter(one)}`).join(", ")}}`;
  const signature = (suffix: string, result: string) =>
    `    def ${name}${suffix}(self${given
      .filter(({ isRequired }) => isRequired)
      .map(declared)
      .join("")}, *${given
      .filter(({ isRequired }) => !isRequired)
      .map(declared)
      .join("")}, retry: Optional[RetryPolicy] = None) -> ${result}:\n`;
  const terms = `${String(original.node.summary)}. ${costOf(original)}`;
  const method = `${signature("", answer)}        """${terms}"""
        return self.call(${text(operation.id)}, ${params}, retry=retry)
`;
  if (operationEntry(document, original).paging === null) return method;
  const row = typeOf(short, node(data).items, false);
  return `${method}
${signature("_rows", `Iterator[${row}]`)}        """Yields the rows of all pages of \`${name}\`, one by one; each page costs its unit."""
        return self.rows(${text(operation.id)}, ${params}, retry=retry)
`;
}

function argumentsOf(short: Node, { node: operation }: Operation): Argument[] {
  const parameters = listOf(operation.parameters).map((one) => {
    const { name, required, schema } = node(one);
    return { name: String(name), type: typeOf(short, schema, false), isRequired: required === true };
  });
  const body = node(node(node(operation.requestBody).content)["application/json"]).schema;
  const { properties, required } = resolve(short, body);
  const fields = Object.entries(node(properties)).map(([name, schema]) => ({
    name,
    type: typeOf(short, schema, false),
    isRequired: listOf(required).includes(name),
  }));
  return [...parameters, ...fields];
}

function declared(one: Argument): string {
  return one.isRequired ? `, ${parameter(one)}: ${one.type}` : `, ${parameter(one)}: Optional[${one.type}] = None`;
}

function parameter({ name }: Argument): string {
  return keywords.includes(name) ? `${name}_` : name;
}

function snake(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function text(value: string): string {
  return JSON.stringify(value);
}

/** Returns the Python of a plain value, on one line. */
function literal(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const fields = Object.entries(value).map(([key, inner]) => `${text(key)}: ${literal(inner)}`);
  return `{${fields.join(", ")}}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
