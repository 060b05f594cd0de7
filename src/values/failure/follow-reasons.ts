/** Names of the reasons for which a release is not taken. `full`: the disk; `failed`: anything else. */
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

/** One of these reasons. */
export type FollowReasonName = (typeof followReasons)[number];
