import { html } from "../html.ts";
import { shell } from "../shell.ts";

/** Returns the page of the reference. Its content is made in the browser out of the contract that this server serves. */
export function docsPage(): string {
  return shell({
    title: "API reference · Itemtape",
    styles: ["/browser/base.css", "/docs/swagger-ui.css", "/docs/browser/docs.css"],
    scripts: ["/docs/swagger-ui.js", "/docs/browser/main.mjs"],
    body: html`<main>
<nav class="muted" aria-label="Pages"><a href="/">Itemtape</a> · <span aria-current="page">Reference</span> · <a href="/docs/guides/">guides</a> · <a href="/openapi.json">openapi.json</a> ·
<a href="/llms.txt">llms.txt</a> · <a href="/problems">problems</a> · <a href="/charts">charts</a></nav>
<noscript><p>This page needs JavaScript; the contract does not: see <a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a> and the <a href="/docs/guides/">guides</a>.</p></noscript>
<p id="status" class="status" role="status">Reading the contract…</p>
<div id="reference"></div>
</main>`,
  });
}
