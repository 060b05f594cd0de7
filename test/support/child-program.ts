import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const programs = new Map<string, Promise<string>>();
let folder: string | undefined;

/**
 * Returns the path of a JavaScript file that does what the TypeScript program at `address` does. It is translated once in a
 * test process, because a child that translates for itself needs a second of a core at each start.
 */
export function childProgram(address: URL): Promise<string> {
  const path = fileURLToPath(address);
  let program = programs.get(path);
  if (program === undefined) {
    const outdir = translationFolder();
    program = translate([path], outdir).then(() => join(outdir, basename(path).replace(/\.ts$/, ".mjs")));
    programs.set(path, program);
  }
  return program;
}

/** Makes a folder for translated programs where they find the checkout's packages. It is removed when the process ends. */
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

/**
 * Translates TypeScript files with all of the checkout that they import into `outdir`, as `.mjs` files that share their
 * modules. `textOf` gives the text of a source file; null: the text that is on disk.
 */
export async function translate(
  entries: readonly string[],
  outdir: string,
  textOf: (path: string) => string | null = () => null,
): Promise<void> {
  await build({
    absWorkingDir: repository,
    entryPoints: [...entries],
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "silent",
    plugins: [
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
