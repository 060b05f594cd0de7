import { type Html, html, prose } from "../html.ts";
import { docsPage } from "./docs-frame.ts";
import type { Heading, MarkdownDocument } from "./markdown.ts";
import type { SideContent } from "./side-list.ts";

/** Renders the guide at `path`, with its sections in the side list, and a search within the page. */
export function guidePage(path: string, document: MarkdownDocument, side: SideContent): string {
  const sections = document.sections.map(({ body }) => html`<section data-part>\n${body}</section>\n`);
  const intro = document.intro.text === "" ? "" : html`<div data-part>\n${document.intro}</div>\n`;
  return docsPage({
    path,
    title: document.title === "Itemtape" ? "Start" : document.title,
    side,
    sections: document.sections,
    script: "guides.js",
    article: html`<h1>${document.title}</h1>
${search}
${intro}${sections}`,
  });
}

/** Renders the index of all guides at `path`, with their sections. `sectionsOf` receives the path of a guide. */
export function guidesIndexPage(
  path: string,
  intro: Html,
  side: SideContent,
  sectionsOf: (guide: string) => readonly Heading[],
): string {
  const lists = side.guides.map(({ title, guides }) => {
    const entries = guides.map(
      ({
        path: guide,
        title: name,
        description,
      }) => html`<li data-part><a href="${guide}">${name}</a>: ${prose(description)}
<ul class="parts">${sectionsOf(guide).map((section) => html`<li><a href="${guide}#${section.id}">${section.title}</a></li> `)}</ul></li>
`,
    );
    return html`${title === "" ? "" : html`<h2>${title}</h2>`}
<ul class="guides">
${entries}</ul>
`;
  });
  const article = html`<h1>Guides</h1>\n${search}\n${intro}\n${lists}`;
  return docsPage({ path, title: "Guides", side, script: "guides.js", article });
}

/** Shown by its script. */
const search = html`<div id="search" role="search" hidden>
<label for="find">Search in this page</label>
<input id="find" type="search" autocomplete="off" spellcheck="false" maxlength="80">
<p id="found" class="muted" role="status"></p>
</div>`;
