import { type ClientOperation, clientOperations } from "../../generated/client-operations.ts";
import type { Contract } from "../contract/document.ts";
import type { OperationId } from "../contract/types.ts";

/** A JSON Schema, or another node of the document. */
export type Node = { readonly [key: string]: unknown };

/** One argument of an operation: a path or query parameter, or a field of its body. References are not followed. */
export type Argument = { name: string; isRequired: boolean; description: string; schema: Node };

/** One operation as the tools are made from it. */
export type OperationView = {
  operationId: OperationId;
  facts: ClientOperation;
  description: string;
  arguments: readonly Argument[];
};

/** The one stream that is a tool: the whole market, of which an agent gets facts and first rows. */
const exportId = "streamMarketSnapshot";

/** Returns every operation that agents may call, in the order of the document: other streams are for programs that keep a copy. */
export function operationViews({ document, operations }: Contract): OperationView[] {
  const root = document as unknown as Node;
  const offered = [...operations.values()].filter(
    ({ operationId }) => operationId === exportId || !clientOperations[operationId].isStream,
  );
  return offered.map(({ operationId, method, path }) => {
    const item = node(document.paths[path]);
    const operation = node(item[method.toLowerCase()]);
    const parameters = [...list(item.parameters), ...list(operation.parameters)].map((one) => follow(root, one));
    const given = [
      ...parameters.filter((one) => one.in === "path" || one.in === "query").map(parameterArgument),
      ...bodyArguments(root, operation),
    ];
    const names = given.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`${operationId}: two arguments are called ${twice}`);
    const facts = clientOperations[operationId];
    const description = String(operation.description ?? facts.summary);
    return { operationId, facts, description, arguments: given };
  });
}

/** Follows a reference of the document; anything else is itself. */
export function follow(root: Node, value: unknown): Node {
  const { $ref } = node(value);
  if (typeof $ref !== "string") return node(value);
  let target: unknown = root;
  for (const part of $ref.slice(2).split("/")) target = node(target)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  return follow(root, target);
}

/** Returns `value` as a node of the document; an empty one where it is none. */
export function node(value: unknown): Node {
  return isNode(value) ? value : {};
}

/** Tells whether `value` is a mapping of the document, no list and no null. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function parameterArgument(parameter: Node): Argument {
  return {
    name: String(parameter.name),
    isRequired: parameter.required === true,
    description: String(parameter.description ?? ""),
    schema: node(parameter.schema),
  };
}

/** A body is spread: each of its fields is an argument. */
function bodyArguments(root: Node, operation: Node): Argument[] {
  if (operation.requestBody === undefined) return [];
  const content = node(follow(root, operation.requestBody).content);
  const schema = follow(root, node(content["application/json"]).schema);
  const required = list(schema.required);
  return Object.entries(node(schema.properties)).map(([name, property]) => ({
    name,
    isRequired: required.includes(name),
    description: String(follow(root, property).description ?? ""),
    schema: node(property),
  }));
}
