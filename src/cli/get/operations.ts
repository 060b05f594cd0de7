import type { ClientOperation, ValueKind } from "../../../generated/client-operations.ts";
import { clientOperations } from "../../../generated/client-operations.ts";
import type { JsonOperationId } from "../../client/types.ts";
import { type Argument, argumentsOf } from "../../contract/answer-paths.ts";
import type { OperationId } from "../../contract/types.ts";
import { plural } from "../../values/text/counted.ts";
import { displayText } from "../../values/text/display-text.ts";
import { nearestOf } from "../../values/text/suggestion.ts";
import { usageError } from "../command.ts";

const names = Object.keys(clientOperations) as OperationId[];
const meantMax = 6;
/** Shorter parts are in too many names. */
const partCharsLeast = 3;

/** Returns every operation of the contract with its facts, in the contract's order. */
export function operationList(): readonly (readonly [OperationId, ClientOperation])[] {
  return names.map((name) => [name, clientOperations[name]] as const);
}

/**
 * Returns the operation of that name.
 * @throws {OperatorError} when the operation is unknown or the stream; it names those that may be meant.
 */
export function operationNamed(text: string): { operationId: JsonOperationId; operation: ClientOperation } {
  const operationId = names.find((name) => name === text);
  if (operationId === undefined) {
    const meant = meantBy(text).map((name) => `\`${name}\``);
    const hint = meant.length === 0 ? "" : `; perhaps ${meant.join(", ")}`;
    throw usageError(`the contract has no operation \`${displayText(text)}\`${hint}; \`itemtape get\` lists all`);
  }
  const operation: ClientOperation = clientOperations[operationId];
  if (operation.isStream) {
    const command = operationId === "streamHistoryDay" ? "export day DATE" : "export FILE";
    throw usageError(`${operationId} is a stream; \`itemtape ${command} --format FORMAT\` reads it, and verifies it`);
  }
  return { operationId: operationId as JsonOperationId, operation };
}

/** Returns the operations that a mistyped name or a part of a name most likely means, at most `meantMax`. */
function meantBy(text: string): readonly OperationId[] {
  const nearest = nearestOf(text, names) as OperationId | null;
  if (nearest !== null) return [nearest];
  const part = text.toLowerCase();
  return part.length < partCharsLeast
    ? []
    : names.filter((name) => name.toLowerCase().includes(part)).slice(0, meantMax);
}

/** Returns every parameter and field of the body by its name. */
export function parametersOf({ pathParams, queryParams, bodyFields }: ClientOperation): Record<string, ValueKind> {
  return { ...pathParams, ...queryParams, ...bodyFields };
}

/** Returns each parameter and field of the body by its name, as the contract describes it. */
export function parameterFacts(operation: ClientOperation): Map<string, Argument> {
  return new Map(argumentsOf(operation).map((one) => [one.name, one]));
}

/** Returns in a few words what a request costs and who may send it, for a table. */
export function shortTermsOf({ isProtected, plan, scope, cost }: ClientOperation): string {
  if (!isProtected) return "no key";
  const who = scope === "portfolio:read" ? "personal" : plan === "paid" ? "paid" : "any plan";
  return `${who}, ${plural(cost, "unit")}`;
}

/** Returns in a sentence what a request costs and who may send it. */
export function termsOf({ isProtected, plan, scope, cost }: ClientOperation): string {
  if (!isProtected) return "needs no key, costs nothing";
  const who = scope === "portfolio:read" ? "personal tokens" : plan === "paid" ? "paid plans" : "all plans";
  return `${who}, ${cost === 0 ? "costs no unit of the month" : "one unit of the month"}`;
}
