import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const repository = fileURLToPath(new URL("../../", import.meta.url));
let folder: string | undefined;

/** Makes a folder in which translated programs find the checkout's packages. It is removed when the process ends. */
export function translationFolder(): string {
  if (folder === undefined) {
    const cache = join(repository, "node_modules", ".cache");
    mkdirSync(cache, { recursive: true });
    const made = mkdtempSync(join(cache, "itemtape-tests-"));
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  return mkdtempSync(join(folder, "of-"));
}

/** Settings of a translation. */
type Translation = {
  /** Returns the text of a source file, or null for the text on disk. */
  textOf?: (path: string) => string | null;
};

/** Translates TypeScript files with all of the checkout that they import into `outdir`, as `.mjs` files that share their modules. */
export async function translate(
  entries: readonly string[],
  outdir: string,
  { textOf = () => null }: Translation = {},
): Promise<void> {
  await build({
    absWorkingDir: repository,
    entryPoints: [...entries],
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node22",
    logLevel: "silent",
    plugins: [
      {
        name: "packages",
        setup({ onResolve }) {
          onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
            kind === "entry-point" ? undefined : { path, external: true },
          );
        },
      },
      {
        name: "own-address",
        setup({ onLoad }) {
          onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const text = textOf(path) ?? readFileSync(path, "utf8");
            // A translated module finds the files beside its source, not beside itself.
            const address = JSON.stringify(pathToFileURL(path).href);
            return { contents: text.replaceAll("import.meta.url", address), loader: "ts" };
          });
        },
      },
    ],
  });
}
