import { html } from "../html.ts";

/** The page of the reference. What it shows is made in the browser out of the contract that this server serves. */
export function docsPage(): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Itemtape</title>
<link rel="stylesheet" href="/browser/base.css">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="stylesheet" href="/docs/browser/docs.css">
<script src="/docs/swagger-ui.js" defer></script>
<script src="/docs/browser/main.mjs" type="module"></script>
</head>
<body>
<main>
<nav class="muted" aria-label="Pages"><a href="/">Itemtape</a> · <span aria-current="page">Reference</span> · <a href="/docs/guides/">guides</a> · <a href="/openapi.json">openapi.json</a> ·
<a href="/llms.txt">llms.txt</a> · <a href="/problems">problems</a> · <a href="/charts">charts</a></nav>
<noscript><p>This page needs JavaScript; the contract does not: see <a href="/openapi.json">openapi.json</a>, <a href="/llms.txt">llms.txt</a> and the <a href="/docs/guides/">guides</a>.</p></noscript>
<p id="status" class="status" role="status">Reading the contract…</p>
<div id="reference"></div>
</main>
</body>
</html>
`.text;
}
