import { createHash } from "node:crypto";
import { Html, html } from "./html.ts";

/**
 * Parts of a page. `icon`, `styles` and `scripts` are addresses of this server; a script is a module unless its name ends with `.js`.
 * `inlineStyle`: style sheet within the page.
 */
type Shell = {
  title: string;
  body: Html;
  icon?: string;
  styles?: readonly string[];
  scripts?: readonly string[];
  inlineStyle?: string;
};

/** Returns a whole page: every page of this service is made here. */
export function shell({ title, body, icon, styles = [], scripts = [], inlineStyle }: Shell): string {
  const head = [
    ...(icon === undefined ? [] : [iconTag(icon)]),
    ...styles.map((href) => html`<link rel="stylesheet" href="${href}">\n`),
    ...scripts.map(scriptTag),
    ...(inlineStyle === undefined ? [] : [html`<style>${new Html(inlineStyle)}</style>\n`]),
  ];
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}</head>
<body>
${body}
</body>
</html>
`.text;
}

/** Returns a page without script that loads nothing. */
export function plainPage(title: string, body: Html): string {
  return shell({ title, body: html`<main>\n${body}\n</main>`, inlineStyle: pageStyle });
}

function iconTag(href: string): Html {
  return href.endsWith(".svg")
    ? html`<link rel="icon" type="image/svg+xml" href="${href}">\n`
    : html`<link rel="icon" href="${href}">\n`;
}

function scriptTag(src: string): Html {
  const how = src.endsWith(".js") ? html`defer` : html`type="module"`;
  return html`<script src="${src}" ${how}></script>\n`;
}

/** Style sheet that all pages share. */
export const pageStyle = `
:root { color-scheme: light dark; --text: #1c1e21; --muted: #5b626b; --back: #fbfbfa; --line: #d9dce0; --code: #eef0f2; --link: #0b57b0; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e6e8ea; --muted: #a2a9b1; --back: #15171a; --line: #33383e; --code: #23272c; --link: #82b6ff; }
}
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.05rem; margin: 2rem 0 .25rem; }
p { margin: .25rem 0 .75rem; overflow-wrap: anywhere; }
a { color: var(--link); }
.muted { color: var(--muted); }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; background: var(--code); border-radius: .25rem; }
code { padding: .1em .3em; }
pre { padding: .8rem 1rem; overflow-x: auto; }
pre code { padding: 0; background: none; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
`;

/** Policy of a plain page: nothing is loaded, framed, sent or run; only its one style sheet is applied. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(pageStyle).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");
