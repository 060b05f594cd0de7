/** Exit codes of the command line, after sysexits; a refused database file has codes of its own (`store/file/refusal.ts`). */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 64,
  badData: 65,
  noInput: 66,
  /** The month's allowance is used up: not before the next one; or this Node cannot run the program. */
  unavailable: 69,
  cannotCreate: 73,
  ioError: 74,
  temporary: 75,
  /** The credential is not accepted, or not for this. */
  denied: 77,
  /** Results of `doctor`. */
  checkWarned: 87,
  checkFailed: 88,
  /** Failures of an export after it had begun. */
  exportChanged: 90,
  exportInterrupted: 91,
  exportTruncated: 92,
  exportMalformed: 93,
  exportDigest: 94,
} as const;

/** Something the operator can mend: one line that names the thing and the fix. */
export class OperatorError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.badData) {
    super(message);
    this.name = "OperatorError";
    this.exitCode = exitCode;
  }
}
