/** Exit codes of the command line, after sysexits; a refused database file has codes of its own (`store/refusal.ts`). */
export const exitCodes = {
  ok: 0,
  unexpected: 1,
  usage: 64,
  badData: 65,
  noInput: 66,
  cannotCreate: 73,
  temporary: 75,
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
