import { StoreRefusal } from "../../../store/file/refusal.ts";
import { exitCodes, OperatorError } from "../../../values/failure/operator-error.ts";

/** SQLite error codes for a rejected value. All other codes concern the file. */
const codesOfValues = ["SQLITE_CONSTRAINT", "SQLITE_TOOBIG", "SQLITE_MISMATCH", "SQLITE_RANGE"];

/**
 * Returns whether an error concerns a single piece of work, which is then dropped. An unwritable file, a temporary refusal and an abort
 * concern the whole mirror.
 */
export function isOwnFault(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted || error instanceof StoreRefusal) return false;
  if (error instanceof OperatorError) return error.exitCode !== exitCodes.temporary;
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code !== "string" || !code.startsWith("SQLITE_")) return true;
  return codesOfValues.some((ofValues) => code.startsWith(ofValues));
}

/** Returns an error as one line. Errors other than `OperatorError` are marked as unexpected. */
export function faultText(error: unknown): string {
  if (error instanceof OperatorError) return error.message;
  return `unexpected: ${error instanceof Error ? error.message : String(error)}`;
}
