import { fileURLToPath } from "node:url";

/** The built package holds its entries as single files in `dist`; a checkout runs its sources. */
export const isBuilt = !import.meta.url.endsWith(".ts");

/** The folder of the checkout or of the installed package, as a URL with a slash at its end. */
export const root = new URL(isBuilt ? "../" : "../../", import.meta.url);

/** The contract diff as one file of the built package, which servers hand out. */
export const contractDiffFile = "dist/contract-diff.mjs";

/** Returns the URL of a file of the program that is not a module, such as a migration. `path` is relative to the root. */
export function fileOfProgram(path: string): URL {
  return new URL(path, root);
}

/** Returns the path of a module that a thread or process starts with. `source` is its source file, such as `src/jobs/roi/worker.ts`. */
export function entryPath(source: string): string {
  return fileURLToPath(new URL(isBuilt ? builtEntry(source) : source, root));
}

/** Flags of Node for an entry. A loader or a profiler of the program itself is not passed on. */
export const entryFlags: readonly string[] = isBuilt
  ? []
  : ["--import", fileOfProgram("src/store/drizzle-paths.mjs").href];

/** Returns the path of an entry in the built package: `src/jobs/roi/worker.ts` is `dist/jobs-roi-worker.js`. */
export function builtEntry(source: string): string {
  return `dist/${source
    .replace(/^src\//, "")
    .replaceAll("/", "-")
    .replace(/\.ts$/, ".js")}`;
}
