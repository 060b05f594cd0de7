import { type Html, html } from "../html.ts";
import { policyOf } from "../send-page.ts";
import { shell } from "../shell.ts";
import type { Heading } from "./markdown.ts";
import { type SideContent, sideList } from "./side-list.ts";

/** Files of this server and requests to it. */
export const docsPolicy = policyOf({ "script-src": "'self'", "connect-src": "'self'" });

/** `path`: its own address. `script`: file of its own in `/docs/browser/`. `isWide`: uses all of the page's width. */
type DocsPage = {
  readonly path: string;
  readonly title: string;
  readonly article: Html;
  readonly side: SideContent;
  readonly sections?: readonly Heading[];
  readonly script?: string;
  readonly isWide?: boolean;
};

/** Returns a page of the documentation: the list of all of them on the left, the article beside it. */
export function docsPage({ path, title, article, side, sections = [], script, isWide = false }: DocsPage): string {
  return shell({
    title: `${title} · Itemtape`,
    current: "/docs",
    styles: ["/browser/shared.css", "/docs/browser/docs.css"],
    scripts: ["/docs/browser/side.js", ...(script === undefined ? [] : [`/docs/browser/${script}`])],
    main: html`<p class="to-pages"><a href="#pages">All pages of the documentation</a></p>
<div class="columns">
${sideList(side, { current: path, sections })}
<article${isWide ? html` class="wide"` : ""}>
${article}
</article>
</div>`,
  });
}
