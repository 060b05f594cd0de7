import { StoreRefusal } from "../../../store/file/refusal.ts";
import { exitCodes, OperatorError } from "../../../values/failure/operator-error.ts";

/** SQLite's error codes for a refused value; every other code concerns the file. */
const codesOfValues = ["SQLITE_CONSTRAINT", "SQLITE_TOOBIG", "SQLITE_MISMATCH", "SQLITE_RANGE"];

/**
 * Tells whether an error concerns one piece of work, which is dropped so that the others continue. A file that cannot be written, a
 * temporary refusal and the end of the mirror concern all of it.
 */
export function isOwnFault(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted || error instanceof StoreRefusal) return false;
  if (error instanceof OperatorError) return error.exitCode !== exitCodes.temporary;
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== "string" || !code.startsWith("SQLITE_")) return true;
  return codesOfValues.some((ofValues) => code.startsWith(ofValues));
}

/** Returns an error as one line; an error that is no `OperatorError` is marked as unexpected. */
export function faultText(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return `unexpected: ${error instanceof Error ? error.message : String(error)}`;
}
