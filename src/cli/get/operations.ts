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
/** Minimum characters of a part of a name. Shorter parts match too many names. */
const partCharsLeast = 3;

/** Returns every operation of the contract with its facts, in the contract's order. */
export function operationList(): readonly (readonly [OperationId, ClientOperation])[] {
  return names.map((name) => [name, clientOperations[name]] as const);
}

/**
 * Returns the operation of that name.
 * @throws {OperatorError} when the operation is unknown or the stream; it suggests similar names.
 */
export function operationNamed(text: string): { operationId: JsonOperationId; operation: ClientOperation } {
  const operationId = names.find((name) => name === text);
  if (operationId === undefined) {
    const meant = meantBy(text).map((name) => `\`${name}\``);
    const hint = meant.length === 0 ? "" : `; perhaps ${meant.join(", ")}`;
    throw usageError(`the contract has no operation \`${displayText(text)}\`${hint}; \`npx itemtape get\` lists all`);
  }
  const operation: ClientOperation = clientOperations[operationId];
  if (operation.isStream) {
    const command = operationId === "streamHistoryDay" ? "export day DATE" : "export FILE";
    throw usageError(
      `${operationId} is a stream; \`npx itemtape ${command} --format FORMAT\` reads it, and verifies it`,
    );
  }
  return { operationId: operationId as JsonOperationId, operation };
}

/** Returns the most likely operations for a mistyped or partial name, at most `meantMax`. */
function meantBy(text: string): readonly OperationId[] {
  const nearest = nearestOf(text, names) as OperationId | null;
  if (nearest !== null) return [nearest];
  const part = text.toLowerCase();
  return part.length < partCharsLeast
    ? []
    : names.filter((name) => name.toLowerCase().includes(part)).slice(0, meantMax);
}

/** Returns every parameter and body field by its name. */
export function parametersOf({ pathParams, queryParams, bodyFields }: ClientOperation): Record<string, ValueKind> {
  return { ...pathParams, ...queryParams, ...bodyFields };
}

/** Returns each parameter and body field by its name, as the contract describes it. */
export function parameterFacts(operation: ClientOperation): Map<string, Argument> {
  return new Map(argumentsOf(operation).map((one) => [one.name, one]));
}

/** Returns the cost of a request and the required key in a few words, for a table. */
export function shortTermsOf({ isProtected, plan, scope, cost }: ClientOperation): string {
  if (!isProtected) return "no key";
  const who = scope === "portfolio:read" ? "personal" : plan === "paid" ? "paid" : "any plan";
  return `${who}, ${plural(cost, "unit")}`;
}

/** Returns the cost of a request and the required key in a sentence. */
export function termsOf({ isProtected, plan, scope, cost }: ClientOperation): string {
  if (!isProtected) return "needs no key, costs nothing";
  const who = scope === "portfolio:read" ? "personal tokens" : plan === "paid" ? "paid plans" : "all plans";
  return `${who}, ${cost === 0 ? "costs no unit of the month" : "one unit of the month"}`;
}
