import { type Html, html } from "../../html.ts";

// The same marks as in `browser/operation.ts`, which colours the answers that come in.
const marks = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Colours JSON: names, texts, numbers and words. The text itself stays as it is, so that a copy of it is JSON again. */
export function jsonHtml(text: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const match of text.matchAll(marks)) {
    const [whole, quoted, colon] = match;
    const token = quoted ?? whole;
    parts.push(
      html`${text.slice(end, match.index)}<span class="${kindOf(token, colon)}">${token}</span>${colon ?? ""}`,
    );
    end = match.index + whole.length;
  }
  return html`${parts}${text.slice(end)}`;
}

/** Renders a value of the contract's examples: JSON in lines, and lines of a stream as they are sent. */
export function exampleHtml(value: unknown, label: string): Html {
  const text = typeof value === "string" ? value.trimEnd() : JSON.stringify(value, null, 2);
  return html`<pre class="json" tabindex="0" aria-label="${label}"><code>${jsonHtml(text)}</code></pre>`;
}

function kindOf(token: string, colon: string | undefined): string {
  if (token.startsWith('"')) return colon === undefined ? "js" : "jn";
  return /^[tfn]/.test(token) ? "jw" : "jd";
}
