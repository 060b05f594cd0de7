import MarkdownIt, { type Renderer, type Token } from "markdown-it";
import { Html, html } from "../html.ts";

/** A heading of level 2; `id` is its anchor, as code hosts make it. */
export type Heading = { readonly id: string; readonly title: string };

/** A part of a document below a heading of level 2. */
type Section = Heading & { readonly body: Html };

/** A Markdown document: its heading of level 1, what stands before the first section, and its sections. */
export type MarkdownDocument = {
  readonly title: string;
  readonly intro: Html;
  readonly sections: readonly Section[];
};

/** Returns the address under which a link target is served; null: not at all, and only the link's text is shown. */
export type LinkTarget = (target: string) => string | null;

// Markers of generated tables are comments, the one piece of HTML that guides hold.
const comments = /^<!--.*-->\n/gm;
const markdownLink = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

/** Returns the address that a word in backquotes leads to; null: it is no link. */
export type CodeTarget = (word: string) => string | null;

/**
 * Renders Markdown. Raw HTML in it is escaped, `targetOf` gives the target of each link, and `codeTarget` that of each word in
 * backquotes. @throws {Error} when there is no heading of level 1
 */
export function parseMarkdown(
  text: string,
  targetOf: LinkTarget,
  codeTarget: CodeTarget = () => null,
): MarkdownDocument {
  const markdown = createMarkdown(codeTarget);
  const tokens = markdown.parse(text.replace(comments, ""), {});
  addAnchors(tokens);
  for (const { children } of tokens) changeTargets(children ?? [], targetOf);
  const starts = tokens.flatMap(({ type, tag }, index) => (type === "heading_open" && tag === "h2" ? [index] : []));
  const [first, name] = tokens;
  if (first?.tag !== "h1" || name === undefined)
    throw new Error("a Markdown document begins with a heading of level 1");
  const render = (from: number, to?: number): Html =>
    new Html(markdown.renderer.render(tokens.slice(from, to), markdown.options, {}));
  return {
    title: textOf(name),
    intro: render(3, starts[0]),
    sections: starts.map((start, index) => ({
      id: attributeOf(tokens[start], "id"),
      title: textOf(tokens[start + 1]),
      body: render(start, starts[index + 1]),
    })),
  };
}

/** Returns a renderer of short Markdown: paragraphs, lists and tables without headings. Raw HTML is escaped. */
export function proseRenderer(codeTarget: CodeTarget): (text: string) => Html {
  const markdown = createMarkdown(codeTarget);
  return (text) => new Html(markdown.render(text));
}

/** Returns the Markdown itself with the targets of its links from `targetOf`; markers of generated tables are left out. */
export function withServedLinks(text: string, targetOf: LinkTarget): string {
  return text.replace(comments, "").replace(markdownLink, (_, image: string, label: string, target: string) => {
    const served = targetOf(target);
    return served === null ? label : `${image}[${label}](${served})`;
  });
}

/** Finds the headings of level 2 without rendering. */
export function headingsOf(text: string): readonly Heading[] {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, "");
  const titles = [...prose.matchAll(/^## (.+)$/gm)].map(([, title = ""]) => title.replaceAll("`", ""));
  return titles.map((title) => ({ id: anchorOf(title), title }));
}

/** Returns the anchor of a heading as code hosts make it: lower case, without punctuation, spaces as hyphens. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** Gives each heading below the first level an anchor; repeated titles are numbered. */
function addAnchors(tokens: readonly Token[]): void {
  const counts = new Map<string, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "heading_open" || token.tag === "h1") continue;
    const anchor = anchorOf(textOf(tokens[index + 1]));
    const count = counts.get(anchor) ?? 0;
    counts.set(anchor, count + 1);
    token.attrSet("id", count === 0 ? anchor : `${anchor}-${count}`);
  }
}

function changeTargets(children: readonly Token[], targetOf: LinkTarget): void {
  let isUnserved = false;
  for (const token of children) {
    if (token.type === "link_close") token.hidden = isUnserved;
    const attribute = token.type === "link_open" ? "href" : token.type === "image" ? "src" : null;
    if (attribute === null) continue;
    const target = targetOf(attributeOf(token, attribute));
    isUnserved = target === null;
    token.hidden = isUnserved;
    if (target !== null) token.attrSet(attribute, target);
  }
}

function createMarkdown(codeTarget: CodeTarget): InstanceType<typeof MarkdownIt> {
  const markdown = new MarkdownIt({ html: false, linkify: false });
  changeRules(markdown.renderer, codeTarget);
  return markdown;
}

/**
 * Tables and code scroll by themselves, also by keyboard, so that the page never scrolls sideways. Headings end with a link to
 * themselves.
 */
function changeRules({ rules }: Renderer, codeTarget: CodeTarget): void {
  const plainCode = rules.code_inline;
  rules.code_inline = (tokens, index, ...rest) => {
    const target = tokens[index - 1]?.type === "link_open" ? null : codeTarget(tokens[index]?.content ?? "");
    const code = new Html(plainCode?.(tokens, index, ...rest) ?? "");
    return (target === null ? code : html`<a href="${target}">${code}</a>`).text;
  };
  rules.table_open = (tokens, index) =>
    html`<div class="scroll" tabindex="0" role="region" aria-label="${tableName(tokens, index)}"><table>\n`.text;
  rules.table_close = () => "</table></div>\n";
  rules.fence = (tokens, index) => html`<pre tabindex="0"><code>${tokens[index]?.content ?? ""}</code></pre>\n`.text;
  rules.heading_close = (tokens, index) => {
    const id = attributeOf(tokens[index - 2], "id");
    const link = html` <a class="anchor" href="#${id}" aria-label="Link to this heading">#</a>`;
    return html`${id === "" ? "" : link}</${tokens[index]?.tag ?? ""}>\n`.text;
  };
}

/** Returns what tells a table from the others of a page: the heading before it and its number below that, its columns where there is no heading. */
function tableName(tokens: readonly Token[], index: number): string {
  const before = tokens.slice(0, index);
  const heading = before.findLastIndex(({ type }) => type === "heading_open");
  if (heading < 0) {
    const end = tokens.findIndex(({ type }, at) => at > index && type === "thead_close");
    const columns = tokens.slice(index, end).filter(({ type }) => type === "inline");
    return `Table: ${columns.map(textOf).join(", ")}`;
  }
  const count = before.slice(heading).filter(({ type }) => type === "table_open").length;
  return `Table: ${textOf(tokens[heading + 1])}${count === 0 ? "" : `, ${count + 1}`}`;
}

/** Returns the text of a heading without its marks. */
function textOf(inline: Token | undefined): string {
  return (inline?.children ?? []).map(({ content }) => content).join("");
}

function attributeOf(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? "");
}
