import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileOfProgram } from "../values/root.ts";
import { assets, baseStyle } from "./assets.ts";
import { browserFolders, pageScripts, viewLibrary } from "./page-scripts.ts";
import { type Page, policyOf } from "./send-page.ts";

/** A file as it is served; `policy` is its content security policy. */
export type BrowserFile = { readonly mediaType: string; readonly body: string | Buffer; readonly policy: string };

/** Scripts, styles, pictures and data of this origin and nothing else; no inline script or style, no form that goes anywhere. */
const scriptSources = { "script-src": "'self'", "connect-src": "'self'" };
const policy = policyOf(scriptSources);

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";
const library = createRequire(import.meta.url);

/** Files of the view library that the pages import, directly or through another one. */
const viewFiles = [
  "lit-html.js",
  "directive.js",
  "directive-helpers.js",
  "directives/class-map.js",
  "directives/live.js",
  "directives/repeat.js",
  "directives/style-map.js",
];
/** An address by a digest. Below `/web` stands what `src/web` has, so that imports mean the same as there. */
const addressPattern = /^\/assets\/([0-9a-f]{12})(?:\/web)?(\/.+)$/;

let kept: { readonly files: ReadonlyMap<string, BrowserFile>; readonly digest: string } | null = null;

/**
 * Returns the files that pages load, by path: modules, styles, the library that draws lines over time and the one that compares words.
 * They are read once in a process.
 */
export function browserFiles(): ReadonlyMap<string, BrowserFile> {
  return read().files;
}

/**
 * Returns the address that a page names a file by, with a digest of all files, because they import each other. What is there may be kept
 * for ever. A path of no such file stays as it is.
 */
export function addressOf(path: string): string {
  const { files, digest } = read();
  return files.has(path) ? `/assets/${digest}/web${path}` : path;
}

/**
 * Returns the file at an address by a digest; null: there is none. `lasting`: the digest is that of this program. With another one, of a
 * page that came from a node of another release, the file is what this program has.
 */
export function fileAt(address: string): { readonly file: BrowserFile; readonly lasting: boolean } | null {
  const [, asked, path = ""] = addressPattern.exec(address) ?? [];
  const { files, digest } = read();
  const found = files.get(path);
  return found === undefined ? null : { file: found, lasting: asked === digest };
}

/** Returns the font and the mark of all pages, by the address that names their content. */
export function lastingFiles(): [string, Page][] {
  return assets.map(({ path, ...asset }) => [path, { ...asset, lasting: true }]);
}

/** Returns a page that runs scripts of this server, and shows pictures of it and of these origins. */
export function pageFile(page: string, pictures = ""): BrowserFile {
  if (pictures === "") return file(html, page);
  return { ...file(html, page), policy: policyOf({ ...scriptSources, "img-src": `'self' ${pictures}` }) };
}

function read(): NonNullable<typeof kept> {
  if (kept !== null) return kept;
  const files = new Map([
    ["/browser/uplot.css", file(style, readFileSync(library.resolve("uplot/dist/uPlot.min.css")))],
    ["/browser/uplot.js", file(script, readFileSync(library.resolve("uplot/dist/uPlot.iife.min.js")))],
    ["/client/browser.js", file(script, readFileSync(fileOfProgram("generated/pages/client.js")))],
    ["/client/find-items.js", file(script, readFileSync(fileOfProgram("generated/pages/find-items.js")))],
    ...viewFiles.map((name): [string, BrowserFile] => [pathOf(`${viewLibrary}/${name}`), file(script, viewFile(name))]),
    ...[...pageScripts()].map(([path, text]): [string, BrowserFile] => [pathOf(path), file(script, text)]),
    ...browserFolders.flatMap(stylesOf),
    ["/browser/base.css", file(style, baseStyle())],
  ]);
  kept = { files, digest: digestOf(files) };
  return kept;
}

/** Returns the digest of these files by which their addresses name them. */
export function digestOf(files: Iterable<readonly [path: string, file: BrowserFile]>): string {
  const hash = createHash("sha256").update(policy);
  for (const [path, { body }] of files) hash.update(`\n${path} ${Buffer.byteLength(body)}\n`).update(body);
  return hash.digest("hex").slice(0, 12);
}

/** Returns a file of the library as browsers run it: Node resolves the name of the package to another build. */
function viewFile(name: string): string {
  const path = library
    .resolve(name === "lit-html.js" ? "lit-html" : `lit-html/${name}`)
    .replace(/(?<=lit-html[\\/])node[\\/]/, "");
  return readFileSync(path, "utf8").replace(/\n?\/\/# sourceMappingURL=.*/, "");
}

/** Returns the path that a file of `src` is served at; relative imports mean the same there. */
function pathOf(path: string): string {
  return `/${path.replace(/^web\//, "")}`;
}

function stylesOf(folder: string): [string, BrowserFile][] {
  return readdirSync(fileOfProgram(`src/${folder}`))
    .filter((name) => name.endsWith(".css"))
    .map((name) => [pathOf(`${folder}/${name}`), file(style, readFileSync(fileOfProgram(`src/${folder}/${name}`)))]);
}

function file(mediaType: string, body: string | Buffer): BrowserFile {
  return { mediaType, body, policy };
}
