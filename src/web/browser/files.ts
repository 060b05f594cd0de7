import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileOfProgram } from "../../values/root.ts";
import { type Page, policyOf } from "../send-page.ts";
import { assets, baseStyle } from "./assets.ts";

/** A file as it is served; `policy` is its content security policy. */
export type BrowserFile = { readonly mediaType: string; readonly body: string | Buffer; readonly policy: string };

/** Scripts, styles, pictures and data of this origin and nothing else; no inline script or style, no form that goes anywhere. */
const policy = policyOf({ "script-src": "'self'", "connect-src": "'self'" });

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";
const library = createRequire(import.meta.url);

/** Folders beside `src/web`'s own files whose modules and styles pages load, by the path that they are served at. */
const folders = [
  "/browser/",
  "/start/browser/",
  "/market/browser/",
  "/indexes/browser/",
  "/openables/browser/",
  "/docs/browser/",
  "/dashboard/browser/",
];
/** Modules of `src` that the program and the pages share. */
const sharedModules = ["money/money-text", "text/csv", "text/nearest-word", "text/phases", "time/time-text"].map(
  (name) => `/values/${name}.mjs`,
);
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

/** Returns a page that runs scripts of this server. */
export function pageFile(page: string): BrowserFile {
  return file(html, page);
}

function read(): NonNullable<typeof kept> {
  if (kept !== null) return kept;
  const files = new Map([
    ["/browser/uplot.css", file(style, readFileSync(library.resolve("uplot/dist/uPlot.min.css")))],
    ...sharedModules.map((path): [string, BrowserFile] => [
      path,
      file(script, readFileSync(fileOfProgram(`src${path}`))),
    ]),
    ["/browser/levenshtein.js", file(script, readFileSync(library.resolve("fastest-levenshtein/esm/mod.js")))],
    ["/browser/uplot.js", file(script, readFileSync(library.resolve("uplot/dist/uPlot.iife.min.js")))],
    ...folders.flatMap(ownFiles),
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

/** Modules and styles of the folder that has this path beside this one, each at the path that it has there, so that imports mean the same. */
function ownFiles(path: string): [string, BrowserFile][] {
  const folder = fileOfProgram(`src/web${path}`);
  return readdirSync(folder).flatMap((name): [string, BrowserFile][] => {
    const mediaType = name.endsWith(".mjs") ? script : name.endsWith(".css") ? style : null;
    return mediaType === null ? [] : [[path + name, file(mediaType, readFileSync(new URL(name, folder)))]];
  });
}

function file(mediaType: string, body: string | Buffer): BrowserFile {
  return { mediaType, body, policy };
}
