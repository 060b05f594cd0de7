/** UTC calendar. Every window of the service is UTC, so there is no daylight saving anywhere. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** Number of the UTC minute that `at` falls in. */
export function utcMinute(at: number): number {
  return Math.floor(at / minuteMs);
}

/** `YYYY-MM` of the UTC month that `at` falls in. */
export function utcMonth(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** First instant of the month `YYYY-MM` and of the month after it. */
export function monthBounds(month: string): { startsAt: number; endsAt: number } {
  const year = Number(month.slice(0, 4));
  const index = Number(month.slice(5, 7)) - 1;
  return { startsAt: Date.UTC(year, index), endsAt: Date.UTC(year, index + 1) };
}

/** Whole seconds until `at`, at least 1: what `Retry-After` says. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / secondMs));
}
