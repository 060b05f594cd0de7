const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats an instant for people, in UTC: `20 Nov 2026, 09:07 UTC`. */
export function instantText(timestamp: string | null | undefined) {
  if (timestamp === null || timestamp === undefined) return "unknown";
  const [date = "", time = ""] = timestamp.split("T");
  return `${dateText(date)}, ${time.slice(0, 5)} UTC`;
}

/** Formats the time from `timestamp` to `now`, both from the server: `3 h 12 min`, `2 d 4 h`. */
export function ageText(timestamp: string | null, now: string) {
  if (timestamp === null) return "unknown";
  const minutes = Math.max(0, Math.floor((Date.parse(now) - Date.parse(timestamp)) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24];
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

/** Formats an age in its largest unit: minutes up to two hours, hours up to two days. Examples: `18 min`, `5 h`, `3 d`. */
export function roundAge(ms: number) {
  const minutes = Math.max(0, Math.floor(ms / 60_000));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

/**
 * Formats the time that a point covers: a day, or an hour with both ends.
 * @param at Seconds.
 * @param step Seconds.
 */
export function spanText(at: number, step: number) {
  const [date = "", time = ""] = isoOf(at).split("T");
  if (step >= 86_400) return dateText(date);
  return `${dateText(date)}, ${time.slice(0, 5)}–${isoOf(at + step - 60).slice(11, 16)} UTC`;
}

/** Formats the time from the start of the first point to the end of the last. */
export function rangeText(first: number, last: number, step: number) {
  if (first === last) return spanText(first, step);
  if (step >= 86_400) return `${spanText(first, step)} – ${spanText(last, step)}`;
  const [date = "", time = ""] = isoOf(first).split("T");
  return `${dateText(date)}, ${time.slice(0, 5)} – ${spanText(last, step).replace(/\d\d:\d\d–/, "")}`;
}

/**
 * Formats a label of the time axis: the date at the start of a day, else the hour.
 * @param at Seconds.
 */
export function tickText(at: number) {
  const [date = "", time = ""] = isoOf(at).split("T");
  if (!time.startsWith("00:00")) return time.slice(0, 5);
  const [year, month, day] = date.split("-").map(Number);
  return month === 1 && day === 1 ? String(year) : `${day} ${months[(month ?? 1) - 1]}`;
}

/** Returns the date `days` after `date`. */
export function addDays(date: string, days: number) {
  return isoOf(Date.parse(`${date}T00:00:00Z`) / 1000 + days * 86_400).slice(0, 10);
}

/**
 * Formats a date: `20 Nov 2026`.
 * @param date `YYYY-MM-DD`
 */
export function dateText(date: string) {
  return `${Number(date.slice(8))} ${monthText(date)}`;
}

/**
 * Formats the month of a date: `Nov 2026`.
 * @param date `YYYY-MM` or `YYYY-MM-DD`
 */
export function monthText(date: string) {
  const [year, month = 1] = date.split("-").map(Number);
  return `${months[month - 1]} ${year}`;
}

function isoOf(seconds: number) {
  return new Date(seconds * 1000).toISOString();
}
