import { type Html, html } from "../html.ts";
import { policyOf } from "../send-page.ts";
import { shell } from "../shell.ts";
import type { Heading } from "./markdown.ts";
import { type SideContent, sideList } from "./side-list.ts";

/** Policy for scripts of this server and requests to it. */
export const docsPolicy = policyOf({ "script-src": "'self'", "connect-src": "'self'" });

/** A page of the documentation. `path` is its address, `script` its own file in `/docs/browser/`. `isWide` uses the full width. */
type DocsPage = {
  readonly path: string;
  readonly title: string;
  readonly article: Html;
  readonly side: SideContent;
  readonly sections?: readonly Heading[];
  readonly script?: string;
  readonly isWide?: boolean;
};

/** Renders a page of the documentation, with the list of all pages on the left. */
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
