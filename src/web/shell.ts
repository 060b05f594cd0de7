import { fontPath, markPath } from "./assets.ts";
import { addressOf } from "./browser-files.ts";
import { type Html, html } from "./html.ts";

/**
 * Parts of a page. `current` is its place in the navigation. `bar` is between the header and `main`. `styles` and `scripts` are paths of
 * this server; all scripts except uPlot are modules.
 */
type Shell = {
  readonly title: string;
  readonly main: Html;
  readonly current?: Place | null;
  readonly bar?: Html;
  readonly styles?: readonly string[];
  readonly scripts?: readonly string[];
};

const places = [
  { path: "/market", name: "Market" },
  { path: "/openables", name: "Openables" },
  { path: "/indexes", name: "Indexes" },
  { path: "/docs", name: "Docs" },
  { path: "/dashboard", name: "Dashboard" },
] as const;

/** Path of a page in the navigation. */
export type Place = (typeof places)[number]["path"];

/** Renders a whole page. All pages of the service use it. `main` is the content of the `main` element. */
export function shell({ title, main, current = null, bar, styles = [], scripts = [] }: Shell): string {
  const head = [...["/browser/base.css", ...styles].map(styleTag), ...scripts.map(scriptTag)];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="${markPath}">
<link rel="preload" href="${fontPath}" as="font" type="font/woff2" crossorigin>
${head}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
${header(current)}
${bar ?? html``}
<main id="content" tabindex="-1">
${main}
</main>
${footer}
</body>
</html>
`.text;
}

/** Renders a page of text without scripts. */
export function plainPage(title: string, main: Html, current: Place | null = null): string {
  return shell({ title, current, main: html`<div class="text">\n${main}\n</div>` });
}

function header(current: Place | null): Html {
  const links = places.map(({ path, name }) =>
    path === current
      ? html`<li><a href="${path}" aria-current="true">${name}</a></li>\n`
      : html`<li><a href="${path}">${name}</a></li>\n`,
  );
  return html`<header class="site-head"><div class="site-in">
<a class="site-name" href="/"><img src="${markPath}" alt="" width="26" height="26">Itemtape</a>
<nav aria-label="Main"><ul>
${links}</ul></nav>
</div></header>`;
}

const footer = html`<footer class="site-foot"><div class="site-in">
<p>Itemtape: stored prices of Counter-Strike 2 items. Counter-Strike and its marks belong to Valve, with which this service is not connected.</p>
<ul>
<li><a href="/changes">What changed</a></li>
<li><a href="/docs/guides/">Guides</a></li>
<li><a href="/client/">Clients</a></li>
<li><a href="/problems">Problems</a></li>
<li><a href="/openapi.json">openapi.json</a></li>
<li><a href="/llms.txt">llms.txt</a></li>
<li><a href="/v1/status">Status</a></li>
</ul>
</div></footer>`;

function styleTag(href: string): Html {
  return html`<link rel="stylesheet" href="${addressOf(href)}">\n`;
}

function scriptTag(src: string): Html {
  const how = src === "/browser/uplot.js" ? html`defer` : html`type="module"`;
  return html`<script src="${addressOf(src)}" ${how}></script>\n`;
}
