import { ReleaseRefusal } from "../../releases/refusal.ts";
import { StoreRefusal } from "../../store/file/refusal.ts";
import { type FollowReasonName, followReasons } from "../../values/failure/follow-reasons.ts";

/** Why a release was not taken; it can be sent to another thread. */
export type FollowReason = { kind: FollowReasonName; message: string };

/** A release that was not taken: the one that is served stays. */
export class FollowRefusal extends Error {
  readonly kind: FollowReason["kind"];

  constructor({ kind, message }: FollowReason) {
    super(message);
    this.name = "FollowRefusal";
    this.kind = kind;
  }
}

/** Returns the reason that an error means; `failed`: whatever else went wrong. */
export function reasonOf(error: unknown): FollowReason {
  const { message } = error as Error;
  if (error instanceof FollowRefusal) return { kind: error.kind, message };
  const given = error instanceof ReleaseRefusal || error instanceof StoreRefusal ? error.kind : "failed";
  return { kind: followReasons.find((kind) => kind === given) ?? "failed", message };
}
