import type { FollowReasonName } from "./failure/follow-reasons.ts";

/**
 * Status of the releases that this process seals. `number` is null before the first check. `sealedAt` is the last time at which the newest
 * release matched the market, UTC ms. `failure` is null unless the last attempt failed.
 */
export type ReleaseStatus = { number: number | null; bytes: number; sealedAt: number | null; failure: string | null };

/**
 * Status of the releases that a server follows. `number` is null before the first release. `sealedAt` and `checkedAt` (last confirmed as
 * newest) are UTC ms, null if unknown. `failure` is the reason for not serving the newest release. `swapMs` is the time that requests
 * waited for the last swap.
 */
export type FollowStatus = {
  number: number | null;
  generation: string | null;
  sealedAt: number | null;
  checkedAt: number | null;
  failure: string | null;
  isStale: boolean;
  refusals: ReadonlyMap<FollowReasonName, number>;
  fetchedChunks: number;
  fetchedBytes: number;
  swapMs: number | null;
};
