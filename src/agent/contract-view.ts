import { type ClientOperation, clientOperations } from "../../generated/client-operations.ts";
import { type Argument, argumentsOf, operationSchema, type Schema } from "../contract/answer-paths.ts";
import { loadContract } from "../contract/document.ts";
import type { OperationId } from "../contract/types.ts";

/** A JSON Schema, or another object of the document or of a message. */
export type Node = Schema;

/** One operation, with the facts from which its tool is made. */
export type OperationView = {
  operationId: OperationId;
  facts: ClientOperation;
  description: string;
  arguments: readonly Argument[];
};

/** The only stream that is a tool: the whole market. An agent gets its facts and first rows. */
const exportId = "streamMarketSnapshot";

/** Returns every operation that agents may call, in the order of the document. Other streams are for programs that maintain a copy. */
export function operationViews(): OperationView[] {
  const offered = [...loadContract().operations.keys()].filter(
    (operationId) => operationId === exportId || !clientOperations[operationId].isStream,
  );
  return offered.map(operationView);
}

/** Returns the facts of the operation for its tool. */
export function operationView(operationId: OperationId): OperationView {
  const facts: ClientOperation = clientOperations[operationId];
  const given = argumentsOf(facts);
  const names = given.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`${operationId}: two arguments have the name ${twice}`);
  const description = String(operationSchema(facts).description ?? facts.summary);
  return { operationId, facts, description, arguments: given };
}

/** Returns `value` as a node of the document, or an empty node for any other type. */
export function node(value: unknown): Node {
  return isNode(value) ? value : {};
}

/** Returns whether `value` is an object, not a list or null. */
export function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
