import { type Node, node, type Operation, operationsOf, resolve } from "./document.ts";

const head = "// Derived from openapi.yaml by `npm run generate`; edit the document instead.\n";

/** Returns the table of operations for clients of the API. */
export function deriveOperations(document: Node): string {
  const entries = operationsOf(document).map((operation) => {
    const fields = Object.entries(operationEntry(document, operation));
    return `  ${operation.id}: {\n${fields.map(([key, value]) => `    ${key}: ${literal(value)},\n`).join("")}  },\n`;
  });
  return `${head}import type { operations } from "./openapi.d.ts";

/** Type of a parameter or body field. */
export type ValueKind = "integer" | "string" | "boolean" | "integer[]" | "string[]";

/** Facts of one operation for a client. */
export type ClientOperation = {
  readonly method: "GET" | "POST";
  /** Path template, such as \`/v1/items/{item_id}\`. */
  readonly path: string;
  readonly pathParams: Readonly<Record<string, ValueKind>>;
  readonly queryParams: Readonly<Record<string, ValueKind>>;
  /** Fields of the JSON body, null without a body. */
  readonly bodyFields: Readonly<Record<string, ValueKind>> | null;
  /** Names of the required parameters and fields. */
  readonly required: readonly string[];
  /** Whether it needs a key. */
  readonly isProtected: boolean;
  readonly scope: "none" | "any" | "market:read" | "portfolio:read";
  readonly plan: "none" | "free" | "paid";
  /** Units of the monthly quota that an admitted request costs. */
  readonly cost: 0 | 1;
  /** Whether a request counts against the minute limit. */
  readonly minute: boolean;
  /** Parameter for the next page: \`cursor\` for \`meta.next_cursor\`, \`after\` for \`meta.next_page\`, null without pages. */
  readonly paging: "cursor" | "after" | null;
  /** Whether the response is a stream of records instead of one JSON value. */
  readonly isStream: boolean;
  readonly summary: string;
};

/** Version of the contract from which this table is derived. */
export const contractVersion = ${JSON.stringify(String(node(document.info).version))};

/** Day of the contract's revision from which this table is derived. */
export const contractRevision = ${JSON.stringify(String(node(document.info)["x-itemtape-revision"]))};

/** Every operation of the contract, in its order. */
export const clientOperations = {
${entries.join("")}} as const satisfies Readonly<Record<keyof operations, ClientOperation>>;
`;
}

/** Returns the typed methods of the client, one per operation with a JSON response. */
export function deriveMethods(document: Node): string {
  const methods = operationsOf(document)
    .filter((operation) => !isStream(document, operation))
    .map((operation) => signaturesOf(operation));
  return `${head}import type { Answer, Arguments, ConditionalOptions, NotModified, Params } from "../src/client/types.ts";

/**
 * One method per operation with a JSON response. Parameters of path, query and body are one flat object. Each method throws
 * \`ItemtapeError\` for a refusal, \`TransportError\` for a missing or invalid response.
 */
export interface OperationMethods {
${methods.join("\n")}}
`;
}

/** Returns the overloads, each with the documentation, because editors show only the documentation of the matching signature. */
function signaturesOf(operation: Operation): string {
  const { id } = operation;
  const documentation = `  /** ${String(operation.node.summary)}. ${costOf(operation)} */\n`;
  const answer = `Answer<"${id}">`;
  return [
    `${documentation}  ${id}(params: Params<"${id}">, options: ConditionalOptions): Promise<${answer} | NotModified>;\n`,
    `${documentation}  ${id}(...given: Arguments<"${id}">): Promise<${answer}>;\n`,
  ].join("");
}

/** Returns a client's entry for an operation. */
export function operationEntry(document: Node, operation: Operation) {
  const parameters = listOf(operation.node.parameters).map((parameter) => resolve(document, parameter));
  const inPlace = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const body = bodyOf(document, operation);
  const sent = parameters.filter((parameter) => parameter.in !== "header");
  const required = sent.filter((parameter) => parameter.required === true).map((parameter) => String(parameter.name));
  const scope = String(operation.node["x-itemtape-scope"]);
  return {
    method: operation.method.toUpperCase(),
    path: operation.path,
    pathParams: kindsOf(document, inPlace("path")),
    queryParams: kindsOf(document, inPlace("query")),
    bodyFields: body === null ? null : fieldsOf(document, body),
    required: [...required, ...listOf(body?.required).map(String)],
    isProtected: scope !== "none",
    scope,
    plan: operation.node["x-itemtape-plan"],
    cost: operation.node["x-itemtape-cost"],
    minute: operation.node["x-itemtape-minute"],
    paging: pagingOf(inPlace("query").map((parameter) => String(parameter.name))),
    isStream: isStream(document, operation),
    summary: operation.node.summary,
  };
}

/** Returns the schema of an operation's body, null without a body. */
export function bodyOf(document: Node, operation: Operation): Node | null {
  if (operation.node.requestBody === undefined) return null;
  const content = node(resolve(document, operation.node.requestBody).content);
  return resolve(document, node(content["application/json"]).schema);
}

function kindsOf(document: Node, parameters: readonly Node[]): Record<string, string> {
  return Object.fromEntries(parameters.map(({ name, schema }) => [String(name), kindOf(document, schema)]));
}

function fieldsOf(document: Node, body: Node): Record<string, string> {
  const fields = Object.entries(node(body.properties));
  return Object.fromEntries(fields.map(([name, schema]) => [name, kindOf(document, schema)]));
}

function kindOf(document: Node, schema: unknown): string {
  const { type, items } = resolve(document, schema);
  if (type === "array") return `${kindOf(document, items)}[]`;
  return type === "integer" || type === "boolean" ? type : "string";
}

function pagingOf(names: readonly string[]): "cursor" | "after" | null {
  // In `getCurrentGeneration`, `after` is not a cursor.
  if (names.includes("after") && names.includes("limit")) return "after";
  return names.includes("cursor") ? "cursor" : null;
}

/** Returns whether an operation's response is lines instead of one JSON value. */
export function isStream(document: Node, operation: Operation): boolean {
  const content = resolve(document, node(operation.node.responses)["200"]).content;
  return node(content)["application/json"] === undefined;
}

/** Returns a sentence with the required plan and the cost of an operation. */
export function costOf({ node: operation }: Operation): string {
  const plan = operation["x-itemtape-plan"];
  if (plan === "none") return "Needs no key.";
  const units = operation["x-itemtape-cost"] === 0 ? "no monthly unit" : "one monthly unit";
  return `${plan === "paid" ? "Paid plans" : "All plans"}; ${units}.`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the TypeScript of a plain value, on one line. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const fields = Object.entries(value).map(([key, inner]) => `${key}: ${literal(inner)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
