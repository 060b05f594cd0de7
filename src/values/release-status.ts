import type { FollowReasonName } from "./failure/follow-reasons.ts";

/**
 * What is known of the releases that this run seals. `number` null: none was looked at yet. `sealedAt`: when the newest one was last
 * found to be the market, UTC ms. `failure`: why the last attempt failed, null: it did not.
 */
export type ReleaseStatus = { number: number | null; bytes: number; sealedAt: number | null; failure: string | null };

/**
 * What is known of the releases that a server takes. `number` null: none was taken yet. `sealedAt`, `checkedAt` (when it was last found
 * to be the newest): UTC ms, null: not known. `failure`: why the newest one is not served. `swapMs`: how long requests waited for the
 * last exchange.
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
