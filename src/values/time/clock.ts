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

/** Parses a UTC instant, `YYYY-MM-DDTHH:MM:SSZ` with up to three decimals, or the start of a day, into UTC ms. Returns null for others. */
export function parseInstant(text: string): number | null {
  const [, day = "", time = "00:00:00", decimals = ""] =
    /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(?:\.(\d{1,3}))?Z)?$/.exec(text) ?? [];
  const at = Date.parse(`${day}T${time}.${decimals.padEnd(3, "0")}Z`);
  return Number.isNaN(at) || !toTimestamp(at).startsWith(`${day}T${time}`) ? null : at;
}
