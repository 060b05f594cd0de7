/** Reasons for refusing a release. `full` means a full disk, `failed` any other error. */
export const followReasons = [
  "forged",
  "expired",
  "rollback",
  "torn",
  "malformed",
  "missing",
  "too_large",
  "other_schema",
  "slow",
  "unreachable",
  "full",
  "failed",
] as const;

export type FollowReasonName = (typeof followReasons)[number];
