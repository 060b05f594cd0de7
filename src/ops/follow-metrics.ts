import type { Registry } from "prom-client";
import { type FollowReasonName, followReasons } from "../values/failure/follow-reasons.ts";
import { secondMs } from "../values/time/calendar.ts";
import type { Clock } from "../values/time/clock.ts";
import { counted, type NewGauge } from "./gauges.ts";

/**
 * The release that is served; null: none, or not known. `sealedAt`, `checkedAt`: UTC ms. `failure`: why the newest one is not taken;
 * `swapMs`: how long the last exchange took.
 */
export type FollowFigures = {
  number: number | null;
  sealedAt: number | null;
  checkedAt: number | null;
  failure: string | null;
  isStale: boolean;
  refusals: ReadonlyMap<FollowReasonName, number>;
  fetchedChunks: number;
  fetchedBytes: number;
  swapMs: number | null;
};

/** Creates the metrics of the releases that a server takes. `status` returns null where it takes none. */
export function followMetrics(
  registry: Registry,
  gauge: NewGauge,
  clock: Clock,
  status: () => FollowFigures | null,
): void {
  const age = (at: number | null | undefined) => (at == null ? null : Math.max(0, clock.now() - at) / secondMs);
  gauge("itemtape_follow_release", "Number of the release that is served.", () => status()?.number ?? null);
  gauge("itemtape_follow_age_seconds", "Time since it was sealed.", () => age(status()?.sealedAt));
  gauge("itemtape_follow_stale", "1 while that time is beyond --follow-stale-hours, else 0.", () => {
    return Number(status()?.isStale ?? false);
  });
  gauge("itemtape_follow_asked_age_seconds", "Time since it was last known to be the newest one.", () => {
    return age(status()?.checkedAt);
  });
  gauge("itemtape_follow_failing", "1 while the newest release cannot be taken, else 0.", () => {
    return Number((status()?.failure ?? null) !== null);
  });
  gauge("itemtape_follow_swap_seconds", "Time for which the last exchange held requests up.", () => {
    const swapMs = status()?.swapMs ?? null;
    return swapMs === null ? null : swapMs / secondMs;
  });
  counted(registry, {
    name: "itemtape_follow_refusals_total",
    help: "Attempts to take a release that failed, by reason.",
    label: "reason",
    values: () => followReasons.map((reason) => [reason, status()?.refusals.get(reason) ?? 0]),
  });
  counted(registry, {
    name: "itemtape_follow_fetched_total",
    help: "What was read of chunks: their number and their bytes as stored.",
    label: "unit",
    values: () => [
      ["chunks", status()?.fetchedChunks ?? 0],
      ["bytes", status()?.fetchedBytes ?? 0],
    ],
  });
}
