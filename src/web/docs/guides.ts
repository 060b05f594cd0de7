import { readdirSync, readFileSync } from "node:fs";
import { basename, posix } from "node:path";
import { root } from "../../values/root.ts";
import type { BrowserFile } from "../browser-files.ts";
import { docsPolicy as policy } from "./docs-frame.ts";
import type { Documented } from "./documented.ts";
import { guidePage, guidesIndexPage } from "./guide-page.ts";
import { headingsOf, type LinkTarget, parseMarkdown, withServedLinks } from "./markdown.ts";
import type { Guide, GuideGroup } from "./side-list.ts";

const folder = "src/web/docs/guides";
const base = "/docs/guides/";
/** The repository's README is shown as a guide. */
const readme = { file: "README.md", path: `${base}start` };
const index = `${folder}/README.md`;

/**
 * Returns all pages below `/docs/guides/` by path: guides, their Markdown, pictures, and linked schemas. Texts are read now and rendered on
 * demand. `operations` are shown in the side list.
 */
export function guidePages(operations: readonly Documented[]): ReadonlyMap<string, () => BrowserFile> {
  const texts = new Map([readme.file, index, ...guideFiles()].map((path) => [path, read(path)]));
  const textOf = (path: string): string => texts.get(path) ?? "";
  const side = { operations, guides: guideGroups() };
  const indexPage = () => {
    const { intro } = parseMarkdown(textOf(index), targetsOf(index));
    return htmlFile(guidesIndexPage(base, intro, side, (path) => headingsOf(textOf(fileOf(path)))));
  };
  const pages = new Map<string, () => BrowserFile>([
    [base, indexPage],
    [base.slice(0, -1), indexPage],
    [`${base}README.md`, () => markdownFile(index, textOf(index))],
  ]);
  for (const path of [readme.file, ...guideFiles()]) {
    const document = () => parseMarkdown(textOf(path), targetsOf(path));
    pages.set(pathOf(path), () => htmlFile(guidePage(pathOf(path), document(), side)));
    pages.set(`${pathOf(path)}.md`, () => markdownFile(path, textOf(path)));
    for (const schema of schemasIn(path, textOf(path)))
      pages.set(servedPath(schema) ?? "", () => file("application/json", read(schema)));
  }
  for (const path of attachedFiles()) {
    pages.set(base + path, () => file(mediaTypeOf(path), readFileSync(new URL(`${folder}/${path}`, root))));
  }
  return pages;
}

/** Returns the guides with order, titles and descriptions from the index. */
export function guideList(): readonly Guide[] {
  return listedGroups(read(index)).flatMap(({ guides }) => guides);
}

/** Returns the groups of the index, after the README as the first guide. */
export function guideGroups(): readonly GuideGroup[] {
  const start = { ...readme, title: "Start", description: "an introduction, the start and a first tour." };
  return [{ title: "", guides: [start] }, ...listedGroups(read(index))];
}

/** Returns the Markdown of all guides by page path. */
export function guideTexts(): ReadonlyMap<string, { title: string; text: string }> {
  const guides = guideGroups().flatMap((group) => group.guides);
  return new Map(guides.map(({ path, title }) => [path, { title, text: read(fileOf(path)) }]));
}

/** Parses the index: a level-2 heading per group, and a list entry `[title](file): description.` per guide. */
function listedGroups(text: string): readonly GuideGroup[] {
  const [, ...parts] = text.split(/^## /m);
  return parts.map((part) => ({
    title: part.slice(0, part.indexOf("\n")),
    guides: [...part.matchAll(/^- \[([^\]]+)\]\(([\w-]+)\.md\): (.+)$/gm)].map(([, title, name, description]) => ({
      path: base + name,
      title: title ?? "",
      description: description ?? "",
    })),
  }));
}

/** Returns the paths of the guides from the repository's root, without the index. */
function guideFiles(): string[] {
  const names = readdirSync(new URL(folder, root)).filter((name) => name.endsWith(".md") && name !== "README.md");
  return names.map((name) => `${folder}/${name}`);
}

/** Returns the paths of pictures and downloadable files, relative to the folder of the guides. */
function attachedFiles(): string[] {
  const folders = ["pictures", "files"];
  return folders.flatMap((name) => readdirSync(new URL(`${folder}/${name}`, root)).map((file) => `${name}/${file}`));
}

function mediaTypeOf(path: string): string {
  if (path.endsWith(".png")) return "image/png";
  return path.endsWith(".json") ? "application/json" : "text/plain; charset=utf-8";
}

/** Returns the paths of the schemas that a file links to. */
function schemasIn(source: string, text: string): string[] {
  const links = [...text.matchAll(/\]\(([^()\s]+\.schema\.json)\)/g)];
  return links.map(([, target]) => posix.join(posix.dirname(source), target ?? ""));
}

/** Returns a function that maps relative links of a file to served addresses. */
function targetsOf(source: string): LinkTarget {
  return (target) => {
    if (/^(https?:|#)/.test(target)) return target;
    const [path = "", anchor] = target.split("#");
    const served = servedPath(posix.join(posix.dirname(source), path));
    return served === null || anchor === undefined ? served : `${served}#${anchor}`;
  };
}

function servedPath(file: string): string | null {
  if (file === "openapi.yaml") return "/openapi.json";
  if (file === index) return base;
  if (file === readme.file || (file.startsWith(`${folder}/`) && file.endsWith(".md"))) return pathOf(file);
  if (/^(pictures|files)\//.test(posix.relative(folder, file))) return base + posix.relative(folder, file);
  return file.endsWith(".schema.json") ? `${base}schemas/${basename(file)}` : null;
}

function pathOf(source: string): string {
  return source === readme.file ? readme.path : base + basename(source, ".md");
}

function fileOf(path: string): string {
  return path === readme.path ? readme.file : `${folder}/${basename(path)}.md`;
}

/** Renders a guide as Markdown, in which links to other guides also point to Markdown. */
function markdownFile(source: string, text: string): BrowserFile {
  const targetOf = targetsOf(source);
  const linked = withServedLinks(text, (target) => {
    const served = targetOf(target);
    if (served === base) return `${base}README.md`;
    const isPage = served?.startsWith(base) === true && !/\/(pictures|files|schemas)\//.test(served);
    return isPage ? served.replace(/(?=#|$)/, ".md") : served;
  });
  return file("text/markdown; charset=utf-8", linked);
}

function read(path: string): string {
  return readFileSync(new URL(path, root), "utf8");
}

function htmlFile(page: string): BrowserFile {
  return file("text/html; charset=utf-8", page);
}

function file(mediaType: string, body: string | Buffer): BrowserFile {
  return { mediaType, body, policy };
}
