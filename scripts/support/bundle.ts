import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type BuildOptions, type BuildResult, build, type Plugin } from "esbuild";
import { builtEntry, contractDiffFile } from "../../src/values/root.ts";
import { installedPackages } from "./package-manifest.ts";

/** Entry points of the program, its threads and the process for bodies. */
export const programEntries: readonly string[] = [
  "src/cli/main.ts",
  "src/access/ledger/worker.ts",
  "src/access/owners/usage-worker.ts",
  "src/access/owners/worker.ts",
  "src/jobs/follow/worker.ts",
  "src/jobs/mirror/body-reader-process.ts",
  "src/jobs/mirror/worker.ts",
  "src/jobs/owner-portfolios/worker.ts",
  "src/jobs/releases/worker.ts",
  "src/jobs/roi/worker.ts",
  "src/jobs/valuation/worker.ts",
  "src/sandbox/replay/worker.ts",
];
/** Optional packages of pg that are not installed. */
const absent = ["pg-native", "pg-cloudflare"];
/**
 * Modules of prom-client and openapi-backend for features that the program does not use. The package needs neither them nor their licenses.
 */
const unused =
  /[\\/]node_modules[\\/](prom-client[\\/]lib[\\/](defaultMetrics|pushgateway)\.js|openapi-backend[\\/]refparser\.js|(openapi-schema-validator|mock-json-schema)[\\/].*)$/;
/** CommonJS packages require Node's modules, which is not possible in an ESM file without this. */
const banner = `import { createRequire as createRequireOfNode } from "node:module";\nconst require = createRequireOfNode(import.meta.url);`;

const withoutUnused: Plugin = {
  name: "without-unused",
  setup({ onLoad }) {
    onLoad({ filter: unused }, () => ({ contents: "" }));
  },
};

/** `entries`: sources such as `src/cli/main.ts`, relative to `root`. `outdir`: the folder of the package. */
type Order = { root: string; entries: readonly string[]; outdir: string };

/** Bundles each entry and all its imports into one ES module in `dist`. Resolves to esbuild's facts about inputs and outputs. */
export function bundle({ root, entries, outdir }: Order): Promise<BuildResult<{ metafile: true }>> {
  return written({
    ...options(root),
    entryPoints: Object.fromEntries(entries.map((source) => [builtEntry(source).replace(/\.js$/, ""), source])),
    outdir,
    target: "node22",
    external: [...installedPackages, ...absent],
  });
}

/** Bundles the contract diff into one file without dependencies for Node 20 and newer, `contract-diff.mjs` in `folder`. */
export function bundleContractDiff(root: string, folder: string): Promise<BuildResult<{ metafile: true }>> {
  const outfile = join(folder, contractDiffFile);
  return written({
    ...options(root),
    entryPoints: ["scripts/contract-diff.ts"],
    outfile,
    target: "node20",
    minify: true,
  });
}

function options(root: string): BuildOptions {
  return {
    absWorkingDir: root,
    bundle: true,
    platform: "node",
    format: "esm",
    charset: "ascii",
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    banner: { js: banner },
    plugins: [withoutUnused],
    write: false,
  };
}

async function written(order: BuildOptions): Promise<BuildResult<{ metafile: true }>> {
  const result = await build({ ...order, metafile: true, write: false });
  for (const { path, text } of result.outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, inAscii(text));
  }
  return result;
}

/**
 * Escapes the characters that esbuild leaves in templates and patterns. A single one makes V8 store the whole text at two bytes per
 * character, 6 MB more of a server's memory.
 */
function inAscii(text: string): string {
  if (/\braw`[^`]*[^\0-\x7f]|\\[^\0-\x7f]/.test(text))
    throw new Error("an escape would change a raw template or pattern");
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
