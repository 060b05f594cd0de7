import { ExportError } from "../../client/index.ts";
import { isSqliteError } from "../../store/file/refusal.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { refusalOf } from "../get/refusal.ts";
import { Stopped } from "../signals.ts";
import { LastUnit } from "./receive.ts";

/** Exit codes of the outcomes of an export. */
export const exportCodes = {
  changed: exitCodes.exportChanged,
  interrupted: exitCodes.exportInterrupted,
  truncated: exitCodes.exportTruncated,
  malformed: exitCodes.exportMalformed,
  digest: exitCodes.exportDigest,
} as const;

const detailCharsMax = 400;

/** Returns the failure of an export as one line with the exit code of its kind. Other errors are returned unchanged. */
export function failureOf(error: unknown, file: string, base: string): unknown {
  const nothing = `${file} is not written`;
  if (error instanceof ExportError) {
    if (error.reason === "unconfirmed") return unconfirmed(error, nothing, base);
    const request = error.requestId === null ? "" : ` (${displayText(error.requestId)})`;
    const failure = `${error.reason}: ${displayText(error.message, detailCharsMax)}${request}`;
    return new OperatorError(`export ${failure}; ${nothing}${fixOf(error)}`, exportCodes[error.reason]);
  }
  if (error instanceof LastUnit) {
    const why = "the export used the last unit of the month, so its digest cannot be requested (getGeneration)";
    return new OperatorError(`${why}; ${nothing}; --no-digest skips it`, exitCodes.unavailable);
  }
  if (error instanceof Stopped) return new OperatorError(`${error.message}; ${nothing}`, error.exitCode);
  if (isSqliteError(error) || isSystemError(error)) {
    const message = `${file}: cannot be written (${error.code}); no part of it remains`;
    return new OperatorError(message, exitCodes.ioError);
  }
  return refusalOf(error, "export", base);
}

/** Returns the failure of an unread digest, with the exit code of the refusal. */
function unconfirmed({ message, cause }: ExportError, nothing: string, base: string): unknown {
  const refusal = refusalOf(cause, "getGeneration", base);
  if (!(refusal instanceof OperatorError)) return refusal;
  const failure = `export unconfirmed: ${displayText(message, detailCharsMax)}; ${nothing}; ${refusal.message}`;
  return new OperatorError(`${failure}; or skip the comparison with --no-digest`, refusal.exitCode);
}

function fixOf({ reason }: ExportError): string {
  if (reason === "malformed") return "; report it to the operator of the service";
  if (reason === "digest") return "; run it again, or skip the comparison with --no-digest";
  return "; run it again, or repeat it with --attempts";
}

/** Returns whether an error is from the file system. */
export function isSystemError(error: unknown): error is Error & { code: string } {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return error instanceof Error && typeof code === "string" && typeof syscall === "string" && /^E[A-Z]+$/.test(code);
}
