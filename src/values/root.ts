import { fileURLToPath } from "node:url";

/** Whether the built package runs. Its entries are single files in `dist`; a checkout runs its sources. */
export const isBuilt = !import.meta.url.endsWith(".ts");

/** URL of the checkout or the installed package, with a slash at its end. */
export const root = new URL(isBuilt ? "../" : "../../", import.meta.url);

/** Path of the contract diff in the built package, as one file that servers offer for download. */
export const contractDiffFile = "dist/contract-diff.mjs";

/** Path of the list of the built package's files, one path per line. Other files in the folder are the operator's. */
export const packageList = "dist/files.txt";

/** Returns the URL of a program file that is not a module, such as a migration. `path` is relative to the root. */
export function fileOfProgram(path: string): URL {
  return new URL(path, root);
}

/** Returns the path of the entry module of a thread or process. `source` is its source file, such as `src/jobs/roi/worker.ts`. */
export function entryPath(source: string): string {
  return fileURLToPath(new URL(isBuilt ? builtEntry(source) : source, root));
}

/** Node flags for an entry. Loaders and profilers of the main program are not inherited. */
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
