import { dayText, utcMonth } from "../../../values/time/calendar.ts";
import { toTimestamp } from "../../../values/time/clock.ts";
import { dateText, monthText, instantText as timestampText } from "../../../values/time/time-text.ts";
import { type Html, html } from "../../html.ts";

export { counted } from "../../../values/text/counted.ts";

/** Renders an instant (UTC ms) for people, in UTC: `20 Nov 2026, 09:07 UTC`. */
export function instant(at: number): Html {
  const timestamp = toTimestamp(at);
  return html`<time datetime="${timestamp}">${instantText(at)}</time>`;
}

/** Formats an instant (UTC ms) to the minute. */
export function instantText(at: number): string {
  return timestampText(toTimestamp(at));
}

/** Formats a day since 1970: `20 Nov 2026`. */
export function dayName(day: number): string {
  return dateText(dayText(day));
}

/** Formats the month of an instant (UTC ms): `Nov 2026`. */
export function monthName(at: number): string {
  return monthText(utcMonth(at));
}

/** Capitalises a word. */
export function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Renders words for screen readers only, if the layout shows their meaning visually. */
export function screenReaderOnly(words: string): Html {
  return html`<span class="hidden">${words}</span>`;
}

/** Renders a list of names with values. */
export function facts(rows: readonly (readonly [name: string, value: string | Html])[]): Html {
  return html`<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Renders a notice about a completed action. It gets the focus, so that screen readers announce it first. */
export function notice(body: Html | string, kind: "done" | "warning" = "done"): Html {
  return html`<div class="notice ${kind}" role="status" tabindex="-1" autofocus><p>${body}</p></div>`;
}
