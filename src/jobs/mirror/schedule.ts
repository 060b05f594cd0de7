import { minuteMs, secondMs } from "../../values/calendar.ts";

const firstRetryMs = 30 * secondMs;
const retryMaxMs = 15 * minuteMs;

/**
 * How long to wait after the `failures`-th failure in a row: twice as long each time, up to the interval or 15 minutes, whichever
 * is longer, and between half and all of it, so that mirrors of one source do not come back together. `chance` is in [0, 1).
 * A source that asked to be left alone is left alone for longer.
 */
export function retryDelayMs(
  intervalMs: number,
  failures: number,
  retryAfterMs: number | null,
  chance: () => number,
): number {
  const longestMs = Math.max(intervalMs, retryMaxMs);
  const wholeMs = Math.min(longestMs, Math.min(intervalMs, firstRetryMs) * 2 ** Math.min(failures - 1, 30));
  return Math.max(Math.round(wholeMs * (0.5 + chance() / 2)), retryAfterMs ?? 0);
}
