import { dayText, utcMonth } from "../../../values/time/calendar.ts";
import { toTimestamp } from "../../../values/time/clock.ts";
import { dateText, monthText, instantText as timestampText } from "../../../values/time/time-text.ts";
import { type Html, html } from "../../html.ts";

export { counted } from "../../../values/text/counted.ts";

/** Returns an instant as a person reads it, always UTC: `20 Nov 2026, 09:07 UTC`. */
export function instant(at: number): Html {
  const timestamp = toTimestamp(at);
  return html`<time datetime="${timestamp}">${instantText(at)}</time>`;
}

/** Formats an instant, UTC ms, to the minute. */
export function instantText(at: number): string {
  return timestampText(toTimestamp(at));
}

/** Formats a day since 1970: `20 Nov 2026`. */
export function dayName(day: number): string {
  return dateText(dayText(day));
}

/** Formats the month of an instant, UTC ms: `Nov 2026`. */
export function monthName(at: number): string {
  return monthText(utcMonth(at));
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
