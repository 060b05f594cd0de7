import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { build } from "esbuild";

/** Sources that are loaded by name: the command line and the threads (`src/worker/entry.cjs`), a process. */
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
/** Chooses the binding. What a package imports by the binding's name is this, or Node 20 would load two of them. */
const bindingSeam = "src/store/sqlite.mjs";
/** What `pg` would use if it were there: its native driver, and the sockets of another platform. */
const unused = ["pg-native", "pg-cloudflare"];
/** What packages load for what nothing here asks of them: prom-client to push and to choose metrics, openapi-backend to read files, check documents and make up answers. */
const unasked =
  /[\\/]node_modules[\\/](prom-client[\\/]lib[\\/](defaultMetrics|pushgateway)\.js|openapi-backend[\\/]refparser\.js|(openapi-schema-validator|mock-json-schema)[\\/].*)$/;
/** Packages that a command or option needs which an installation without development packages does not have. */
const optional = ["@modelcontextprotocol/sdk", "hyparquet-writer", "pg-driver", "prom-client"];

/**
 * Translates the program below `root` into one CommonJS function per entry, packages included, each in `outdir` at the path of its
 * source, with the ending `.cjs` and in ASCII. The function takes `(exports, require, module, root)`, root as an address with a slash at its end.
 * Resolves to the paths of the sources that are in it, from `root`.
 */
export async function bundle(root, outdir, of = entries) {
  const { metafile, outputFiles } = await build({
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
    write: false,
    external: [binding, ...unused, ...absentPackages(root)],
    banner: { js: "(function (exports, require, module, itemtapeRoot) {" },
    footer: { js: "})" },
    plugins: [withoutUnasked, oneBinding(root), ownAddress(root)],
  });
  for (const { path, text } of outputFiles) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, inAscii(text));
  }
  return Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs));
}

/** Returns the optional packages that are not installed below `root`. A translation without them says so where it needs one. */
export function absentPackages(root) {
  return optional.filter((name) => !existsSync(join(root, "node_modules", name)));
}

/**
 * Writes the other signs of comments, patterns and templates as escapes; esbuild has done so with those of texts. With one of them left
 * V8 would hold all of the text with two bytes a sign, and read it slower.
 */
function inAscii(text) {
  if (/\braw`[^`]*[^\0-\x7f]|\\[^\0-\x7f]/.test(text))
    throw new Error("a raw template with a sign beyond ASCII, or such a sign behind a backslash, would be changed");
  return text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

const withoutUnasked = {
  name: "without-unasked",
  setup({ onLoad }) {
    onLoad({ filter: unasked }, () => ({ contents: "" }));
  },
};

function oneBinding(root) {
  return {
    name: "one-binding",
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`^${binding}$`) }, ({ kind }) =>
        kind === "import-statement" ? { path: join(root, bindingSeam) } : undefined,
      );
    },
  };
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
