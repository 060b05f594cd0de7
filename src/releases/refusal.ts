import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";

/** The reasons to reject a release, each with exit code and fix. */
const refusals = {
  forged: { exitCode: exitCodes.denied, fix: "compare the key with the publisher's key" },
  torn: { exitCode: exitCodes.badData, fix: "fetch it again; the publisher's next 16 releases repair it" },
  malformed: { exitCode: exitCodes.badData, fix: "run the program of the publisher's release" },
  missing: { exitCode: exitCodes.noInput, fix: "fetch it again; the publisher's next release repairs it" },
  spoilt: {
    exitCode: exitCodes.badData,
    fix: "remove it if no release had this number, or restore it from a copy of the folder; else seal into a new folder",
  },
  rollback: { exitCode: exitCodes.badData, fix: "nothing was changed; ask the publisher why the folder went back" },
  fork: {
    exitCode: exitCodes.badData,
    fix: "nothing was changed; two publishers use one key, or the publisher began a new folder",
  },
  other_schema: { exitCode: exitCodes.unavailable, fix: "run the program of the same release as the publisher" },
  other_publisher: {
    exitCode: exitCodes.cannotCreate,
    fix: "stop one of the two; --take-over then continues the folder from this file",
  },
  not_allowed: {
    exitCode: exitCodes.denied,
    fix: "for your own nodes only, seal with --own-nodes, or serve with --release-own-nodes on",
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
