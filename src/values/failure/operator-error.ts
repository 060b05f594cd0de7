/** Exit codes of the command line, after sysexits. A refused database file has codes of its own (`store/file/refusal.ts`). */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 64,
  badData: 65,
  noInput: 66,
  /** The monthly allowance is used up, or this version of Node cannot run the program. */
  unavailable: 69,
  cannotCreate: 73,
  ioError: 74,
  temporary: 75,
  /** The credential is invalid, or does not permit the operation. */
  denied: 77,
  /** Results of `doctor`. */
  checkWarned: 87,
  checkFailed: 88,
  /** Failures of an export that had already started. */
  exportChanged: 90,
  exportInterrupted: 91,
  exportTruncated: 92,
  exportMalformed: 93,
  exportDigest: 94,
} as const;

/** An error that the operator can fix. The message is one line that names the thing and the fix. */
export class OperatorError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.badData) {
    super(message);
    this.name = "OperatorError";
    this.exitCode = exitCode;
  }
}
