import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { posix } from "node:path";
import { fileOfProgram, isBuilt } from "../values/root.ts";

/** Folders of `src` with modules for browsers. */
export const browserFolders = [
  "web/browser",
  "web/start/browser",
  "web/market/browser",
  "web/indexes/browser",
  "web/events/browser",
  "web/openables/browser",
  "web/docs/browser",
  "web/dashboard/browser",
];
/** Modules of `src` that the program shares with browsers. */
const sharedModules = [
  "values/money/money-text",
  ...["mend", "name-words", "nicknames", "rank", "read-words", "sounds", "word-index"].map(
    (name) => `values/search/${name}`,
  ),
  "values/text/counted",
  "values/text/csv",
  "values/text/item-names",
  "values/text/phases",
  "values/text/search-text",
  "values/time/time-text",
];
/** Path of the view library below `src`, with the files that it imports beside it. */
export const viewLibrary = "web/browser/lit-html";
/** Matches doc comments, which are removed because they would be a fifth of a page's scripts. */
const documentation = /^ *\/\*\*[\s\S]*?\*\/\n/gm;
const relativeImport = /(\bfrom |\bimport |\bimport\()"(\.{1,2}\/[^"]+)\.ts"/g;
const libraryImport = /(\bfrom )"lit-html(?:\/([^"]+))?"/g;

/**
 * Returns the JavaScript modules for pages, by path relative to `src`. A checkout strips the types here; the package contains the results.
 */
export function pageScripts(): ReadonlyMap<string, string> {
  const ending = isBuilt ? ".js" : ".ts";
  const paths = browserFolders.flatMap((folder) =>
    readdirSync(fileOfProgram(`src/${folder}`))
      .filter((name) => name.endsWith(ending))
      .map((name) => `${folder}/${name.slice(0, -ending.length)}`),
  );
  const read = (path: string) => readFileSync(fileOfProgram(`src/${path}${ending}`), "utf8");
  const scripts = [...paths, ...sharedModules].map((path) => [`${path}.js`, read(path)] as const);
  return new Map(isBuilt ? scripts : withoutWarning(() => scripts.map(([path, text]) => [path, scriptOf(path, text)])));
}

/** Strips the types of a module, and rewrites its imports to the served file names. */
function scriptOf(path: string, source: string): string {
  const library = `./${posix.relative(posix.dirname(path), viewLibrary)}`;
  return stripTypeScriptTypes(source.replaceAll(documentation, ""))
    .replaceAll(/^\s+\n/gm, "\n")
    .replaceAll(relativeImport, '$1"$2.js"')
    .replaceAll(libraryImport, (_, from: string, file = "lit-html.js") => `${from}"${library}/${file}"`);
}

/** Calls `strip` without Node's one-time warning that stripping types is experimental. */
function withoutWarning<Result>(strip: () => Result): Result {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return strip();
  } finally {
    process.emitWarning = emitWarning;
  }
}
