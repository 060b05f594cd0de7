/** UTC calendar. Every window of the service is UTC, so there is no daylight saving anywhere. */
export const secondMs = 1000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;
export const hoursOfDay = 24;

/** Returns the number of the UTC minute that `at` falls in. */
export function utcMinute(at: number): number {
  return Math.floor(at / minuteMs);
}

/** Returns the days since 1970 of the UTC day that `at` falls in. */
export function dayOf(at: number): number {
  return Math.floor(at / dayMs);
}

/** Returns the hours since 1970 of the UTC hour that `at` falls in. */
export function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}

/** Returns `YYYY-MM-DD` of a day since 1970. */
export function dayText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** Returns `YYYY-MM-DD` of a day since 1970; null where it is not known. */
export function dayTextOrNull(day: number | null): string | null {
  return day === null ? null : dayText(day);
}

/** Returns the day since 1970 that `YYYY-MM-DD` names, from year 1 on; null where the calendar has no such day. */
export function parseDay(text: string): number | null {
  if (!/^(?!0000)[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return null;
  const at = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(at) || dayText(dayOf(at)) !== text ? null : dayOf(at);
}

/** Returns `YYYY-MM` of the UTC month that `at` falls in. */
export function utcMonth(at: number): string {
  return new Date(at).toISOString().slice(0, 7);
}

/** Returns the first instant of the month `YYYY-MM` and of the month after it, UTC ms. */
export function monthBounds(month: string): { startsAt: number; endsAt: number } {
  const year = Number(month.slice(0, 4));
  const index = Number(month.slice(5, 7)) - 1;
  return { startsAt: Date.UTC(year, index), endsAt: Date.UTC(year, index + 1) };
}

/** Returns the first day of the month that is `monthsBefore` months before the month of `day`. Days since 1970. */
export function monthStart(day: number, monthsBefore: number): number {
  const date = new Date(day * dayMs);
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - monthsBefore));
}

/** Returns the whole seconds until `at` for `Retry-After`, at least 1. */
export function secondsUntil(at: number, now: number): number {
  return Math.max(1, Math.ceil((at - now) / secondMs));
}
