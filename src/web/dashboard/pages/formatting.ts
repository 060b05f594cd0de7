import { dayMs } from "../../../values/calendar.ts";
import { toTimestamp } from "../../../values/clock.ts";
import { type Html, html } from "../../html.ts";

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Returns an instant as a person reads it, always UTC: `20 Nov 2026, 09:07 UTC`. */
export function instant(at: number): Html {
  const timestamp = toTimestamp(at);
  return html`<time datetime="${timestamp}">${instantText(at)}</time>`;
}

/** Returns `at` (UTC ms) as pages write it, to the minute. */
export function instantText(at: number): string {
  return `${dayName(Math.floor(at / dayMs))}, ${toTimestamp(at).slice(11, 16)} UTC`;
}

/** Formats a day since 1970: `20 Nov 2026`. */
export function dayName(day: number): string {
  const date = new Date(day * dayMs);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Returns the month that an instant falls in: `Nov 2026`. */
export function monthName(at: number): string {
  const date = new Date(at);
  return `${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Formats a number: `12,345`. */
export function grouped(count: number | bigint | string): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Formats a count with its noun: `1 request`, `2,000 requests`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** Formats USD cents as `$1,234.56`, digit by digit: no amount passes through a fraction. Null is unknown and never zero. */
export function dollars(cents: number | bigint | null): string {
  if (cents === null) return "unknown";
  if (cents < 0) return `−${dollars(-cents)}`;
  const digits = String(cents).padStart(3, "0");
  return `$${grouped(digits.slice(0, -2))}.${digits.slice(-2)}`;
}

/** Returns the word with a capital letter. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Renders words for a screen reader only, where the position shows it to the eye. */
export function spoken(words: string): Html {
  return html`<span class="hidden">${words}</span>`;
}

/** Makes a list of names with their values; `value` is text or HTML. */
export function facts(rows: readonly (readonly [name: string, value: string | Html])[]): Html {
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Renders what has just happened. It takes the focus, so that it is read first. */
export function notice(body: Html | string, kind: "done" | "warning" = "done"): Html {
  return html`<div class="notice ${kind}" role="status" tabindex="-1" autofocus><p>${body}</p></div>`;
}
