import MarkdownIt, { type Renderer, type Token } from "markdown-it";
import { Html, html } from "../html.ts";

/** A level-2 heading. `id` is its anchor, as code hosts generate it. */
export type Heading = { readonly id: string; readonly title: string };

/** Part of a document below a level-2 heading. */
type Section = Heading & { readonly body: Html };

/** A Markdown document: its level-1 heading, the text before the first section, and its sections. */
export type MarkdownDocument = {
  readonly title: string;
  readonly intro: Html;
  readonly sections: readonly Section[];
};

/** Maps a link target to its served address. Returns null if it is not served; only the link's text is then shown. */
export type LinkTarget = (target: string) => string | null;

// Markers of generated tables, the only HTML in guides.
const comments = /^<!--.*-->\n/gm;
const markdownLink = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g;

/** Maps a word in backquotes to the address that it links to; null for no link. */
export type CodeTarget = (word: string) => string | null;

/**
 * Renders Markdown, and escapes raw HTML. `targetOf` maps link targets, `codeTarget` words in backquotes.
 * @throws {Error} without a level-1 heading.
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

/** Returns a renderer for short Markdown: paragraphs, lists and tables without headings. Raw HTML is escaped. */
export function proseRenderer(codeTarget: CodeTarget): (text: string) => Html {
  const markdown = createMarkdown(codeTarget);
  return (text) => new Html(markdown.render(text));
}

/** Returns the Markdown with link targets mapped by `targetOf`, and without the markers of generated tables. */
export function withServedLinks(text: string, targetOf: LinkTarget): string {
  return text.replace(comments, "").replace(markdownLink, (_, image: string, label: string, target: string) => {
    const served = targetOf(target);
    return served === null ? label : `${image}[${label}](${served})`;
  });
}

/** Returns the level-2 headings without rendering. */
export function headingsOf(text: string): readonly Heading[] {
  return sectionsOf(text).sections.map(({ id, title }) => ({ id, title }));
}

/** Splits Markdown at its level-2 headings, but not at lines of code that look like one. */
export function sectionsOf(text: string): { intro: string; sections: readonly (Heading & { text: string })[] } {
  const prose = text.replace(/^```[\s\S]*?^```$/gm, (block) => block.replace(/^#+/gm, ""));
  const [intro = "", ...parts] = prose.split(/^## (?=.)/m);
  const sections = parts.map((part) => {
    const [line = ""] = part.split("\n", 1);
    const title = line.replaceAll("`", "");
    return { id: anchorOf(title), title, text: part.slice(line.length) };
  });
  return { intro, sections };
}

/** Returns the anchor of a heading as code hosts generate it: lower case, without punctuation, with hyphens for spaces. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
}

/** Adds anchors to all headings below level 1, and numbers repeated titles. */
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

/** Makes tables and code blocks scrollable, also by keyboard, so that the page never scrolls sideways. Adds a link to each heading. */
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

/** Returns the accessible name of a table: the previous heading with a number if there are several tables, else its column names. */
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

/** Returns the text of a heading without formatting. */
function textOf(inline: Token | undefined): string {
  return (inline?.children ?? []).map(({ content }) => content).join("");
}

function attributeOf(token: Token | undefined, name: string): string {
  return String(token?.attrGet(name) ?? "");
}
