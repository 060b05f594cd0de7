import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";

/** The reasons to reject a release, each with exit code and fix. */
const refusals = {
  forged: { exitCode: exitCodes.denied, fix: "compare the key with that of the publisher" },
  torn: { exitCode: exitCodes.badData, fix: "take it again; a publisher mends it with its next 16 releases" },
  malformed: { exitCode: exitCodes.badData, fix: "run the program of the publisher's release" },
  missing: { exitCode: exitCodes.noInput, fix: "take it again; a publisher's next release mends it" },
  spoilt: {
    exitCode: exitCodes.badData,
    fix: "remove it if no release had this number, or put it back from a copy of the folder; else seal into a new folder",
  },
  rollback: { exitCode: exitCodes.badData, fix: "nothing was changed; ask the publisher why the folder went back" },
  fork: { exitCode: exitCodes.badData, fix: "nothing was changed; two publishers seal with one key" },
  other_schema: { exitCode: exitCodes.unavailable, fix: "run the program of the same release as the publisher" },
  other_publisher: {
    exitCode: exitCodes.cannotCreate,
    fix: "stop one of the two; --take-over continues the folder from this file once the other is gone",
  },
  restored: { exitCode: exitCodes.cannotCreate, fix: "seal into a new folder" },
  unreachable: { exitCode: exitCodes.temporary, fix: "try again" },
} as const;

type ReleaseRefusalKind = keyof typeof refusals;

/** Thrown for a release that must not be downloaded, or a folder that must not receive a release. The message begins with the kind. */
export class ReleaseRefusal extends OperatorError {
  readonly kind: ReleaseRefusalKind;

  constructor(kind: ReleaseRefusalKind, reason: string) {
    const { exitCode, fix } = refusals[kind];
    super(`${kind.replace("_", " ")}: ${reason}; ${fix}`, exitCode);
    this.name = "ReleaseRefusal";
    this.kind = kind;
  }
}
