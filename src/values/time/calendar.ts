/** Calendar in UTC. All windows of the service use UTC, so daylight saving does not matter. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const hoursOfDay = 24;

/** Returns the number of the UTC minute that contains `at`. */
export function utcMinute(at: number): number {
  return Math.floor(at / minuteMs);
}

/** Returns the UTC day that contains `at`, in days since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

/** Returns the UTC hour that contains `at`, in hours since 1970. */
export function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}

/** Formats a day since 1970 as `YYYY-MM-DD`. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Formats a day since 1970 as `YYYY-MM-DD`. Returns null for null. */
export function dayTextOrNull(day: number | null): string | null {
  return day === null ? null : dayText(day);
}

/** Parses `YYYY-MM-DD` into days since 1970. Returns null for an invalid date or year 0. */
export function parseDay(text: string): number | null {
  if (!/^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) || dayText(dayOf(at)) !== text ? null : dayOf(at);
}

/** Returns the UTC month that contains `at`, as `YYYY-MM`. */
export function utcMonth(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** Returns the start of the month `YYYY-MM` and the start of the next month, UTC ms. */
export function monthBounds(month: string): { startsAt: number; endsAt: number } {
  const year = Number(month.slice(0, 4));
  const index = Number(month.slice(5, 7)) - 1;
  return { startsAt: Date.UTC(year, index), endsAt: Date.UTC(year, index + 1) };
}

/** Returns the first day of the month `monthsBefore` months before the month of `day`. Both are days since 1970. */
export function monthStart(day: number, monthsBefore: number): number {
  const date = new Date(day * dayMs);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBefore));
}

/** Returns the whole seconds from `now` until `at` for `Retry-After`, at least 1. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / secondMs));
}
