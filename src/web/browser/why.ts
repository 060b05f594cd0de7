import { html, type TemplateResult } from "lit-html";

/** Returns a mark that shows an explanation when pressed. `about` names the subject for screen readers. */
export function why(about: string, explanation: unknown): TemplateResult {
  return html`<details class="why" @focusout=${close}><summary aria-label=${`Why: ${about}`}>?</summary><div>${explanation}</div></details>`;
}

/** Closes an explanation when it loses the focus. */
function close({ currentTarget, relatedTarget }: FocusEvent): void {
  const mark = currentTarget as HTMLDetailsElement;
  if (!(relatedTarget instanceof Node && mark.contains(relatedTarget))) mark.open = false;
}
