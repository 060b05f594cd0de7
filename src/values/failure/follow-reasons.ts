/** Reasons for refusing a release. `full` means a full disk, `failed` any other error. */
export const followReasons = [
  "forged",
  "torn",
  "malformed",
  "missing",
  "rollback",
  "fork",
  "other_schema",
  "unreachable",
  "full",
  "failed",
] as const;

export type FollowReasonName = (typeof followReasons)[number];
