import { type Html, html } from "../../html.ts";
import { jsonParts } from "../browser/json-parts.ts";

/** Renders an example value of the contract: indented JSON, or the lines of a stream unchanged. */
export function exampleHtml(value: unknown, label: string): Html {
  const text = typeof value === "string" ? value.trimEnd() : JSON.stringify(value, null, 2);
  return html`<pre class="json" tabindex="0" aria-label="${label}"><code>${jsonHtml(text)}</code></pre>`;
}

/** Highlights JSON without changing its text, so that a copy is valid JSON. */
function jsonHtml(json: string): Html {
  const parts = jsonParts(json).map(({ text, kind }) =>
    kind === null ? html`${text}` : html`<i class="${kind}">${text}</i>`,
  );
  return html`${parts}`;
}
