import { exitCodes, OperatorError } from "../values/failure/operator-error.ts";

/** The reasons to reject a release, each with exit code and fix. */
const refusals = {
  forged: { exitCode: exitCodes.denied, fix: "compare --trust with the text that the publisher has given you" },
  expired: {
    exitCode: exitCodes.unavailable,
    fix: "the publisher's server or `release seal` signs again; check both clocks",
  },
  rollback: { exitCode: exitCodes.badData, fix: "nothing was changed; ask the publisher why the folder went back" },
  torn: { exitCode: exitCodes.badData, fix: "fetch it again; the publisher's next 16 releases repair it" },
  malformed: { exitCode: exitCodes.badData, fix: "run the program of the publisher's release" },
  damaged: { exitCode: exitCodes.badData, fix: "a server with --follow, or `release fetch`, writes it again" },
  missing: { exitCode: exitCodes.noInput, fix: "fetch it again; the publisher's next release repairs it" },
  too_large: {
    exitCode: exitCodes.badData,
    fix: "ask the publisher; for a file that has grown so much, fetch into a new one",
  },
  other_schema: { exitCode: exitCodes.unavailable, fix: "run the program of the same release as the publisher" },
  other_publisher: {
    exitCode: exitCodes.cannotCreate,
    fix: "if the other file is yours, stop it and run `release seal --take-over`, else the key is stolen: `release root rotate`",
  },
  not_allowed: {
    exitCode: exitCodes.denied,
    fix: "for your own nodes only, seal with --own-nodes, or serve with --release-own-nodes on",
  },
  other_key: { exitCode: exitCodes.denied, fix: "name the key of the newest `release root rotate`" },
  slow: { exitCode: exitCodes.temporary, fix: "try again, or use another copy of the folder" },
  unreachable: { exitCode: exitCodes.temporary, fix: "try again" },
} as const;

type ReleaseRefusalKind = keyof typeof refusals;

/** Thrown for a release that must not be downloaded, or a folder that must not receive a release. The message begins with the kind. */
export class ReleaseRefusal extends OperatorError {
  readonly kind: ReleaseRefusalKind;
  /** The message without kind and fix. */
  readonly reason: string;

  constructor(kind: ReleaseRefusalKind, reason: string) {
    const { exitCode, fix } = refusals[kind];
    super(`${kind.replace("_", " ")}: ${reason}; ${fix}`, exitCode);
    this.name = "ReleaseRefusal";
    this.kind = kind;
    this.reason = reason;
  }
}
