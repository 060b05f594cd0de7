import type { FollowReasonName } from "./failure/follow-reasons.ts";
import { dayMs } from "./time/calendar.ts";

/**
 * Status of the releases that this process seals. `number` is null before the first check. `sealedAt` is the last time at which the newest
 * release matched the market, UTC ms. `failure` is null unless the last attempt failed.
 */
export type ReleaseStatus = {
  number: number | null;
  bytes: number;
  sealedAt: number | null;
  failure: string | null;
  expiries: Expiries | null;
};

/** Times at which signed metadata, and the root alone, end, UTC ms. */
export type Expiries = { expiresAt: number; rootExpiresAt: number };

const rootWarningMs = 90 * dayMs;

/** Returns whether the root expires within 90 days, so that the publisher must renew it. */
export function isRootEnding({ rootExpiresAt }: Expiries, now: number): boolean {
  return rootExpiresAt - now < rootWarningMs;
}

/**
 * Status of the releases that a server follows. `number` is null before the first release. `sealedAt` and `checkedAt` (last confirmed as
 * newest) are UTC ms, null if unknown. `failure` is the reason for not serving the newest release. `swapMs` is the time that requests
 * waited for the last swap. With `isExpired` no signed metadata are in force, and nothing is taken.
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
  expiries: Expiries | null;
  isExpired: boolean;
};
