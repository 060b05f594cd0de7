import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// Node 20 cannot read TypeScript, and a loader that translates file by file takes longer than everything else at a start.
// So the sources are translated once into node_modules/.cache and loaded from there until one of them changes.
const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, "node_modules", ".cache", "itemtape");
/** Sources that are loaded by name: the command line and the threads (`src/worker/entry.mjs`). */
const entries = [
  "src/cli/main.ts",
  "src/access/ledger/worker.ts",
  "src/jobs/mirror/worker.ts",
  "src/jobs/roi/worker.ts",
  "src/jobs/valuation/worker.ts",
  "src/access/owners/worker.ts",
  "src/access/owners/usage-worker.ts",
];
const keptMs = 60 * 60 * 1000;

/** Imports a source file of `entries` by its path from the root of the checkout. */
export async function importSource(path) {
  const built = join(await builtFolder(), path.replace(/\.ts$/, ".js"));
  if (existsSync(built)) return import(pathToFileURL(built).href);
  const { register } = await import("tsx/esm/api");
  register();
  return import(pathToFileURL(join(root, path)).href);
}

async function builtFolder() {
  const folder = join(cache, stampOf());
  if (!existsSync(folder)) await build(folder).catch(() => undefined);
  return folder;
}

/** Changes with the name, size or time of any source file, and with what translates and runs them. */
function stampOf() {
  const hash = createHash("sha256").update(`${root} ${process.version} ${readFileSync(join(root, "package.json"))}`);
  for (const folder of ["src", "db/schema", "generated"]) {
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).sort()) {
      if (!/\.(ts|mjs)$/.test(name)) continue;
      const { size, mtimeMs } = statSync(join(root, folder, name));
      hash.update(`${folder}/${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest("hex").slice(0, 32);
}

/** A checkout that cannot be written to is translated at each start instead. */
async function build(folder) {
  const { build } = await import("esbuild");
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    await build({
      absWorkingDir: root,
      entryPoints: entries,
      outbase: ".",
      outdir: draft,
      bundle: true,
      splitting: true,
      platform: "node",
      format: "esm",
      target: "node20",
      logLevel: "silent",
      plugins: [packages, ownAddress],
    });
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  forgetOld(folder);
}

/** Packages stay outside, but for one of very many small modules, which each thread would load one by one. */
const packages = {
  name: "packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === "entry-point" || /^drizzle-orm\b/.test(path) ? undefined : { path, external: true },
    );
  },
};

/** A translated module finds the files beside its source, not beside itself. */
const ownAddress = {
  name: "own-address",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8").replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href));
      return { contents: text, loader: "ts" };
    });
  },
};

/** A program that was just started from an older translation may still load the rest of it. */
function forgetOld(kept) {
  const { mtimeMs } = statSync(kept);
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (mtimeMs - statSync(folder).mtimeMs > keptMs) rmSync(folder, { recursive: true, force: true });
  }
}
