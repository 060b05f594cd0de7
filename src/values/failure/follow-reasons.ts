/** Reasons for refusing a release. `damaged` means the served file, `full` a full disk, `failed` any other error. */
export const followReasons = [
  "forged",
  "expired",
  "rollback",
  "torn",
  "malformed",
  "damaged",
  "missing",
  "too_large",
  "other_schema",
  "slow",
  "unreachable",
  "full",
  "failed",
] as const;

export type FollowReasonName = (typeof followReasons)[number];
