import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { build } from "esbuild";

/** Sources that are loaded by name: the command line and the threads (`src/worker/entry.mjs`), a process. */
const entries = [
  "src/cli/main.ts",
  "src/access/ledger/worker.ts",
  "src/jobs/mirror/worker.ts",
  "src/jobs/mirror/body-reader-process.ts",
  "src/jobs/releases/worker.ts",
  "src/jobs/follow/worker.ts",
  "src/jobs/roi/worker.ts",
  "src/jobs/valuation/worker.ts",
  "src/access/owners/worker.ts",
  "src/access/owners/usage-worker.ts",
  "src/jobs/owner-portfolios/worker.ts",
];
/** Stays outside: its native part lies in its own folder. */
const binding = "better-sqlite3";
/** What `pg` would use if it were there: its native driver, and the sockets of another platform. */
const unused = ["pg-native", "pg-cloudflare"];
/** Packages that a command or option needs which an installation without development packages does not have. */
const optional = ["@modelcontextprotocol/sdk", "hyparquet-writer", "pg-driver", "prom-client"];

/**
 * Translates the program below `root` into one CommonJS function per entry, packages included, each in `outdir` at the path of its
 * source and with the ending `.cjs`. The function takes `(exports, require, module, root)`, root as an address with a slash at its end.
 * Resolves to the paths of the sources that are in it, from `root`.
 */
export async function bundle(root, outdir, of = entries) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: of,
    outbase: ".",
    outdir,
    outExtension: { ".js": ".cjs" },
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    charset: "ascii",
    legalComments: "none",
    logLevel: "silent",
    metafile: true,
    external: [binding, ...unused, ...absentPackages(root)],
    banner: { js: "(function (exports, require, module, itemtapeRoot) {" },
    footer: { js: "})" },
    plugins: [ownAddress(root)],
  });
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

/** Returns the optional packages that are not installed below `root`. A translation without them says so where it needs one. */
export function absentPackages(root) {
  return optional.filter((name) => !existsSync(join(root, "node_modules", name)));
}

/** A translated module finds the files beside its source, wherever the program lies, not those beside itself. */
function ownAddress(root) {
  return {
    name: "own-address",
    setup({ onLoad }) {
      onLoad({ filter: /\.(ts|mjs)$/ }, ({ path }) => {
        if (dirname(path).split(sep).includes("node_modules")) return undefined;
        const place = JSON.stringify(relative(root, path).split(sep).join("/"));
        const contents = readFileSync(path, "utf8").replaceAll("import.meta.url", `(itemtapeRoot + ${place})`);
        return { contents, loader: path.endsWith(".ts") ? "ts" : "js" };
      });
    },
  };
}
