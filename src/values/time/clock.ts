/** Time source of the program. `now` returns UTC ms for windows and rows; `monotonicMs` measures durations and never jumps. */
export type Clock = { now(): number; monotonicMs(): number };

export const systemClock: Clock = { now: () => Date.now(), monotonicMs: () => performance.now() };

/** Returns a clock that always shows `at`, UTC ms. */
export function clockAt(at: number): Clock {
  return { now: () => at, monotonicMs: () => 0 };
}

/** Formats UTC ms as RFC 3339 with milliseconds and `Z`. */
export function toTimestamp(at: number): string {
  return new Date(at).toISOString();
}

/** Formats UTC ms as RFC 3339 with milliseconds and `Z`. Returns null for null. */
export function toTimestampOrNull(at: number | null): string | null {
  return at === null ? null : toTimestamp(at);
}
