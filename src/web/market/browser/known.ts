import { html, nothing } from "lit-html";
import { instantText } from "../../../values/time/time-text.ts";
import { byId, fill } from "../../browser/dom.ts";
import { failureOf } from "../../browser/messages.ts";
import type { Chart, Series } from "./types.ts";

const minuteMs = 60_000;

/** The control for a second line with the prices as known at an earlier minute, and the sentence about the result. */
export class KnownField {
  #input = byId("known", HTMLInputElement);
  #off = byId("known-off", HTMLButtonElement);
  #shown: string | null = null;

  /** @param onChange Receives the chosen minute, such as `2026-01-15T09:00Z`, or "" to remove the line. */
  constructor(onChange: (known: string) => void) {
    byId("known-form", HTMLFormElement).addEventListener("submit", (event) => {
      event.preventDefault();
      onChange(this.#input.value === "" ? "" : `${this.#input.value}Z`);
    });
    this.#off.addEventListener("click", () => {
      this.#input.focus();
      onChange("");
    });
  }

  /** @param limits First and last instant to choose. `since` is null if it is unknown. */
  show(known: string, { isFree, since, now }: { isFree: boolean; since: string | null; now: string }) {
    // A drawing must not replace a time that the reader is typing.
    if (known !== this.#shown) this.#input.value = known.slice(0, 16);
    this.#shown = known;
    this.#input.min = since === null ? "" : minuteFrom(since);
    this.#input.max = now.slice(0, 16);
    const controls = byId("known-form", HTMLFormElement).querySelectorAll<HTMLInputElement>("input, [type=submit]");
    for (const control of controls) {
      control.disabled = isFree;
      control.title = isFree ? "Earlier versions need a paid plan" : "";
    }
    this.#off.hidden = known === "";
  }

  clear() {
    fill("known-note", nothing);
  }

  /**
   * Explains the dotted lines and counts their differences, or explains a refusal of the API.
   * @param series Shown series.
   */
  explain({ knownAt, refusal }: Chart, series: readonly Series[]) {
    if (refusal !== null) return fill("known-note", refusalText(refusal));
    if (knownAt === null) return;
    const sample = html`<svg width="22" height="4" aria-hidden="true"><path d="M0 2h22"></path></svg>`;
    fill("known-note", html`${sample} Dotted: as known then. ${differencesOf(series, knownAt)}`);
  }
}

function differencesOf(series: readonly Series[], knownAt: string): string {
  const pairs = series.flatMap(({ points, knownRows = [] }) =>
    points
      .map(({ at, row }, index) => ({ at, now: row?.amount ?? null, past: knownRows[index]?.amount ?? null }))
      .filter(({ at, now, past }) => at * 1000 <= Date.parse(knownAt) && (now !== null || past !== null)),
  );
  if (pairs.length === 0) return "No price of this range was known then.";
  const count = pairs.filter(({ now, past }) => now !== past).length;
  return `${count} of ${pairs.length} points differ.`;
}

/** Returns the explanation of the API without the name of its parameter, with instants as people write them. */
function refusalText(refusal: Error): string {
  const detail = failureOf(refusal).detail.replace(/^query parameter `known_at`: /, "this time ");
  const text = detail.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => instantText(`${minuteFrom(instant)}Z`));
  return `Not shown: ${text}.`;
}

/** Returns the first whole minute from an instant, such as `2026-01-15T09:00`. */
function minuteFrom(instant: string): string {
  return new Date(Math.ceil(Date.parse(instant) / minuteMs) * minuteMs).toISOString().slice(0, 16);
}
