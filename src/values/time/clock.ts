/** The only source of time. `now` is UTC milliseconds for every window and row; `monotonicMs` measures durations and never jumps. */
export type Clock = { now(): number; monotonicMs(): number };

export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };

/** Returns a clock that stands still at `at`, UTC ms. */
export function clockAt(at: number): Clock {
  return { now: () => at, monotonicMs: () => 0 };
}

/** Formats UTC ms as RFC 3339 with milliseconds and `Z`. */
export function toTimestamp(at: number): string {
  return new Date(at).toISOString();
}

/** Returns `at` (UTC ms) as the contract writes instants; null where it is not known. */
export function toTimestampOrNull(at: number | null): string | null {
  return at === null ? null : toTimestamp(at);
}
