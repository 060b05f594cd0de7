import { StoreRefusal } from "../../store/refusal.ts";
import { exitCodes, OperatorError } from "../../values/operator-error.ts";

/** What SQLite says of values that no table takes; all else that it says is of the file. */
const codesOfValues = ["SQLITE_CONSTRAINT", "SQLITE_TOOBIG", "SQLITE_MISMATCH", "SQLITE_RANGE"];

/**
 * Whether what failed is one piece of work, which is dropped so that the others go on. A file that cannot be written, what is to
 * be tried again and the end of the mirror concern all of it.
 */
export function isOwnFault(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted || error instanceof StoreRefusal) return false;
  if (error instanceof OperatorError) return error.exitCode !== exitCodes.temporary;
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== "string" || !code.startsWith("SQLITE_")) return true;
  return codesOfValues.some((ofValues) => code.startsWith(ofValues));
}

/** What failed in one line; what nobody foresaw is marked as such. */
export function faultText(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return `unexpected: ${error instanceof Error ? error.message : String(error)}`;
}
