import { type Html, html } from "./html.ts";

/**
 * Returns a mark `?` that shows a text when pressed.
 * @param about Subject of the text, for screen readers.
 */
export function helpMark(about: string, text: string): Html {
  return html`<details class="why"><summary aria-label="About ${about}">?</summary><div>${text}</div></details>`;
}
