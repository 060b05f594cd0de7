import { type Html, html, prose } from "../html.ts";
import { shell } from "../shell.ts";
import type { Heading, MarkdownDocument } from "./markdown.ts";

/** A guide as others refer to it; `path` is its page, and `path` with `.md` its Markdown. */
export type Guide = { readonly path: string; readonly title: string; readonly description: string };

/** Guides below one heading of the index; an empty title: no heading. */
export type GuideGroup = { readonly title: string; readonly guides: readonly Guide[] };

/** Returns the page of the guide at `path`: the list of all guides beside it, its sections in that list, and a search in the page. */
export function guidePage(path: string, document: MarkdownDocument, groups: readonly GuideGroup[]): string {
  const sections = document.sections.map(({ body }) => html`<section data-part>\n${body}</section>\n`);
  const intro = document.intro.text === "" ? "" : html`<div data-part>\n${document.intro}</div>\n`;
  return guideShell(
    document.title,
    sideList(groups, path, document.sections),
    html`<h1>${document.title}</h1>
${search}
${intro}${sections}`,
  );
}

/** Makes the page of all guides with their sections. `sectionsOf` takes the path of a guide. */
export function guidesIndexPage(
  intro: Html,
  groups: readonly GuideGroup[],
  sectionsOf: (path: string) => readonly Heading[],
): string {
  const lists = groups.map(({ title, guides }) => {
    const entries = guides.map(
      ({ path, title: name, description }) => html`<li data-part><a href="${path}">${name}</a>: ${prose(description)}
<ul class="parts">${sectionsOf(path).map((section) => html`<li><a href="${path}#${section.id}">${section.title}</a></li> `)}</ul></li>
`,
    );
    return html`${title === "" ? "" : html`<h2>${title}</h2>`}
<ul class="guides">
${entries}</ul>
`;
  });
  return guideShell("Guides", sideList(groups, "", []), html`<h1>Guides</h1>\n${search}\n${intro}\n${lists}`);
}

function guideShell(title: string, side: Html, article: Html): string {
  return shell({
    title: `${title === "Itemtape" ? "Start" : title} · Itemtape`,
    current: "/docs",
    styles: ["/docs/browser/guides.css"],
    scripts: ["/docs/browser/guides.mjs"],
    main: html`<p class="crumbs"><a href="/docs">Reference</a> · <a href="/docs/guides/">Guides</a></p>
<div class="columns">
${side}
<article>
${article}
</article>
</div>`,
  });
}

function sideList(groups: readonly GuideGroup[], current: string, sections: readonly Heading[]): Html {
  const parts = html`<ol class="sections">${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ol>`;
  const lists = groups.map(({ title, guides }) => {
    const entries = guides.map(({ path, title: name }) =>
      path === current
        ? html`<li><a href="${path}" aria-current="page">${name}</a>${parts}</li>\n`
        : html`<li><a href="${path}">${name}</a></li>\n`,
    );
    return html`${title === "" ? "" : html`<h2>${title}</h2>`}<ul>\n${entries}</ul>\n`;
  });
  return html`<nav class="side" aria-label="Guides">\n${lists}</nav>`;
}

/** Shown by the script that makes it work. */
const search = html`<div id="search" role="search" hidden>
<label for="find">Search in this page</label>
<input id="find" type="search" autocomplete="off" spellcheck="false" maxlength="80">
<p id="found" class="muted" role="status"></p>
</div>`;
