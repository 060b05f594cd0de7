import { type Html, html } from "../html.ts";
import { type Documented, referencePath } from "./documented.ts";
import type { Heading } from "./markdown.ts";

/** A guide. `path` is its page; its Markdown is at `path` plus `.md`. */
export type Guide = { readonly path: string; readonly title: string; readonly description: string };

/** Guides below one heading of the index. An empty title means no heading. */
export type GuideGroup = { readonly title: string; readonly guides: readonly Guide[] };

/** Content of the side list on each page of the documentation. */
export type SideContent = { readonly operations: readonly Documented[]; readonly guides: readonly GuideGroup[] };

/** The open page: its path, and its headings, which are listed below its entry. */
type Open = { readonly current: string; readonly sections?: readonly Heading[] };

const firstPages = [
  { path: "/docs", name: "Overview" },
  { path: "/docs/conventions", name: "Conventions" },
];
const guidesPath = "/docs/guides/";

/**
 * Renders the list of all pages: operations by tag, and guides by group. The group with the open page is first. Without its script, the
 * list is complete but has no search.
 */
export function sideList({ operations, guides }: SideContent, open: Open): Html {
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const reference = tags.map((tag) =>
    group(
      tag,
      operations
        .filter((operation) => operation.tag === tag)
        .map((operation) => entry(referencePath(operation), html`${operation.operationId}`, open)),
    ),
  );
  const index = { title: "Guides", guides: [{ path: guidesPath, title: "All guides", description: "" }] };
  const reading = [index, ...guides].map(({ title, guides: ones }) =>
    group(
      title,
      ones.map(({ path, title: name }) => entry(path, html`${name}`, open)),
    ),
  );
  const first = group(
    "",
    firstPages.map(({ path, name }) => entry(path, html`${name}`, open)),
  );
  const lists = open.current.startsWith(guidesPath) ? [...reading, ...reference] : [...reference, ...reading];
  return html`<nav class="side" id="pages" aria-label="Documentation">
<div id="side-filter" hidden><label class="hidden" for="side-find">Search the documentation</label>
<input id="side-find" type="search" placeholder="Search" autocomplete="off" spellcheck="false" maxlength="80">
<p id="side-count" class="muted" role="status"></p><ul id="side-found"></ul></div>
${first}${lists}
</nav>`;
}

function group(title: string, entries: readonly Html[]): Html {
  const heading = title === "" ? "" : html`<h2>${title}</h2>`;
  return html`<div class="side-group">${heading}<ul>\n${entries}</ul></div>\n`;
}

function entry(path: string, name: Html, { current, sections = [] }: Open): Html {
  if (path !== current) return html`<li><a href="${path}">${name}</a></li>\n`;
  const parts =
    sections.length === 0
      ? ""
      : html`<ol class="sections">${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ol>`;
  return html`<li><a href="${path}" aria-current="page">${name}</a>${parts}</li>\n`;
}
