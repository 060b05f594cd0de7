import type { ClientOperation, ValueKind } from "../../../generated/client-operations.ts";
import { clientOperations } from "../../../generated/client-operations.ts";
import type { JsonOperationId } from "../../client/types.ts";
import type { OperationId } from "../../contract/types.ts";
import { displayText } from "../../values/display-text.ts";
import { nearestOf } from "../../values/suggestion.ts";
import { usageError } from "../command.ts";

const names = Object.keys(clientOperations) as OperationId[];

/** Returns every operation of the contract with its facts, in the contract's order. */
export function operationList(): readonly (readonly [OperationId, ClientOperation])[] {
  return names.map((name) => [name, clientOperations[name]] as const);
}

/**
 * Returns the operation of that name.
 * @throws {OperatorError} when the operation is unknown or the stream; it lists the others.
 */
export function operationNamed(text: string): { operationId: JsonOperationId; operation: ClientOperation } {
  const operationId = names.find((name) => name === text);
  if (operationId === undefined) {
    const meant = nearestOf(text, names);
    const help = meant === null ? `it has ${names.join(", ")}` : `perhaps \`${meant}\`; \`itemtape get\` lists all`;
    throw usageError(`the contract has no operation \`${displayText(text)}\`; ${help}`);
  }
  const operation: ClientOperation = clientOperations[operationId];
  if (operation.isStream) {
    const command = operationId === "streamHistoryDay" ? "export day DATE" : "export FILE";
    throw usageError(`${operationId} is a stream; \`itemtape ${command} --format FORMAT\` reads it, and verifies it`);
  }
  return { operationId: operationId as JsonOperationId, operation };
}

/** Returns every parameter and field of the body by its name. */
export function parametersOf({ pathParams, queryParams, bodyFields }: ClientOperation): Record<string, ValueKind> {
  return { ...pathParams, ...queryParams, ...bodyFields };
}

/** Returns in a few words what a request costs and who may send it, for a table. */
export function shortTermsOf({ isProtected, plan, scope, cost }: ClientOperation): string {
  if (!isProtected) return "no key";
  const who = scope === "portfolio:read" ? "personal" : plan === "paid" ? "paid" : "any plan";
  return `${who}, ${cost} ${cost === 1 ? "unit" : "units"}`;
}

/** Returns in a sentence what a request costs and who may send it. */
export function termsOf({ isProtected, plan, scope, cost }: ClientOperation): string {
  if (!isProtected) return "needs no key, costs nothing";
  const who = scope === "portfolio:read" ? "personal tokens" : plan === "paid" ? "paid plans" : "all plans";
  return `${who}, ${cost === 0 ? "costs no unit of the month" : "one unit of the month"}`;
}
