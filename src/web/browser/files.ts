import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
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

/** Returns the files that the pages share, by path: modules, styles, the library that draws lines over time and the one that compares words. */
export function sharedFiles(): [string, Page][] {
  return [
    ...assets.map(({ path, ...asset }): [string, Page] => [path, { ...asset, lasting: true }]),
    ["/browser/uplot.css", file(style, readFileSync(library.resolve("uplot/dist/uPlot.min.css")))],
    // Modules of the pages name it beside their own folders, where the program has it.
    ["/values/nearest-word.mjs", file(script, readFileSync(new URL("../../values/nearest-word.mjs", import.meta.url)))],
    ["/browser/levenshtein.js", file(script, readFileSync(library.resolve("fastest-levenshtein/esm/mod.js")))],
    ["/browser/uplot.js", file(script, readFileSync(library.resolve("uplot/dist/uPlot.iife.min.js")))],
    ...ownFiles("/browser/"),
    ["/browser/base.css", file(style, baseStyle())],
  ];
}

/** Returns a page that runs scripts of this server. */
export function pageFile(page: string): BrowserFile {
  return file(html, page);
}

/** Returns a page and the modules and styles of its own, each at the path that it has beside this folder, so that imports mean the same. */
export function pageFiles(path: string, page: string): [string, BrowserFile][] {
  return [[path, pageFile(page)], ...ownFiles(`${path}/browser/`)];
}

/** Modules and styles of the folder that has this path beside this one. */
export function ownFiles(path: string): [string, BrowserFile][] {
  const folder = new URL(`..${path}`, import.meta.url);
  return readdirSync(folder).flatMap((name): [string, BrowserFile][] => {
    const mediaType = name.endsWith(".mjs") ? script : name.endsWith(".css") ? style : null;
    return mediaType === null ? [] : [[path + name, file(mediaType, readFileSync(new URL(name, folder)))]];
  });
}

function file(mediaType: string, body: string | Buffer): BrowserFile {
  return { mediaType, body, policy };
}
