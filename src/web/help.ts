import { type Html, html } from "./html.ts";

/**
 * Returns a mark `?` that shows a text when it is pressed.
 * @param about Subject of the text, for readers who hear the mark alone.
 */
export function helpMark(about: string, text: string): Html {
  return html`<details class="why"><summary aria-label="About ${about}">?</summary><div>${text}</div></details>`;
}
