import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileOfProgram } from "../values/root.ts";
import { assets, baseStyle } from "./assets.ts";
import { browserFolders, pageScripts, viewLibrary } from "./page-scripts.ts";
import { type Page, policyOf } from "./send-page.ts";

/** A file for browsers. `policy` is its content security policy. */
export type BrowserFile = { readonly mediaType: string; readonly body: string | Buffer; readonly policy: string };

/** Policy for scripts, styles, pictures and data of this origin only, without inline code and without form targets. */
const scriptSources = { "script-src": "'self'", "connect-src": "'self'" };
const policy = policyOf(scriptSources);

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";
const library = createRequire(import.meta.url);

/** Files of the view library that the pages import, directly or indirectly. */
const viewFiles = [
  "lit-html.js",
  "directive.js",
  "directive-helpers.js",
  "directives/class-map.js",
  "directives/live.js",
  "directives/repeat.js",
  "directives/style-map.js",
];
/** Matches an address with a digest. Paths below `/web` mirror `src/web`, so that relative imports work unchanged. */
const addressPattern = /^\/assets\/([0-9a-f]{12})(?:\/web)?(\/.+)$/;

let kept: { readonly files: ReadonlyMap<string, BrowserFile>; readonly digest: string } | null = null;

/** Returns all files that pages load, by path: modules, styles, and the libraries for plots and for search. Reads them once per process. */
export function browserFiles(): ReadonlyMap<string, BrowserFile> {
  return read().files;
}

/**
 * Returns the address of a file, with a digest of all files because they import each other. Caches may keep it forever. Returns other paths
 * unchanged.
 */
export function addressOf(path: string): string {
  const { files, digest } = read();
  return files.has(path) ? `/assets/${digest}/web${path}` : path;
}

/**
 * Returns the file at an address with a digest; null if the file is unknown. `lasting` is true if the digest belongs to this program.
 * Otherwise the page is from a node with another release, and gets this program's file.
 */
export function fileAt(address: string): { readonly file: BrowserFile; readonly lasting: boolean } | null {
  const [, asked, path = ""] = addressPattern.exec(address) ?? [];
  const { files, digest } = read();
  const found = files.get(path);
  return found === undefined ? null : { file: found, lasting: asked === digest };
}

/** Returns the font and the mark of all pages, by address. */
export function lastingFiles(): [string, Page][] {
  return assets.map(({ path, ...asset }) => [path, { ...asset, lasting: true }]);
}

/** Returns a page that may run scripts of this server. It may also show pictures of the origins in `pictures`. */
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

/** Returns the digest of files for their addresses. */
export function digestOf(files: Iterable<readonly [path: string, file: BrowserFile]>): string {
  const hash = createHash("sha256").update(policy);
  for (const [path, { body }] of files) hash.update(`\n${path} ${Buffer.byteLength(body)}\n`).update(body);
  return hash.digest("hex").slice(0, 12);
}

/** Returns the browser build of a library file. Node would resolve the package name to its Node build. */
function viewFile(name: string): string {
  const path = library
    .resolve(name === "lit-html.js" ? "lit-html" : `lit-html/${name}`)
    .replace(/(?<=lit-html[\\/])node[\\/]/, "");
  return readFileSync(path, "utf8").replace(/\n?\/\/# sourceMappingURL=.*/, "");
}

/** Returns the served path of a file of `src`, at which its relative imports work unchanged. */
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
