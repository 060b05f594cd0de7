import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build, type Plugin } from "esbuild";
import { repositoryRoot } from "./document.ts";

/** Modules with the public interface as their exports. Each follows the modules that it refers to. */
const publicModules = [
  "src/client/types.ts",
  "src/client/errors.ts",
  "generated/client-methods.ts",
  "src/client/itemtape.ts",
];
const head = "// Made from src/client and openapi.yaml by `npm run generate`; edit those instead.\n";

/**
 * Returns the client's module, its declarations and the pages' parts of the client. The module imports only Node's own modules; the pages'
 * parts import nothing. `derived` replaces files. `contractTypes`: the declarations of `components` and `operations`.
 */
export async function bundleClient(
  derived: ReadonlyMap<string, string>,
  contractTypes: string,
): Promise<Map<string, string>> {
  return new Map([
    ["generated/client/itemtape.js", await bundle(derived, "src/client/index.ts")],
    ["generated/pages/client.js", await bundle(derived, "src/client/browser.ts")],
    ["generated/pages/find-items.js", await bundle(derived, "src/client/find-items.ts")],
    ["generated/client/itemtape.d.ts", declarations(derived, contractTypes)],
  ]);
}

/** Comments that the declarations also contain, or that do not concern users of the module. They would be a tenth of the package. */
const documentation = /^ *\/\*\*[\s\S]*?\*\/\n/gm;

async function bundle(derived: ReadonlyMap<string, string>, entry: string): Promise<string> {
  const isOfPages = entry !== "src/client/index.ts";
  const { outputFiles } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    platform: isOfPages ? "browser" : "node",
    target: "node20",
    minify: isOfPages,
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    tsconfigRaw: {},
    // Deno reads the declarations named in the second line.
    banner: { js: isOfPages ? head : `${head}// @ts-self-types="./itemtape.d.ts"` },
    plugins: isOfPages ? [fromMemory(derived, wordsOfPages())] : [fromMemory(derived, null), noPackages],
  });
  return outputFiles[0]!.text.replaceAll(documentation, "");
}

const searchModule = join(repositoryRoot, "src/client/find-items.ts");

/** Fields of the table of operations that the client does not read. */
const unusedFields = /^ {4}(?:scope|plan|cost|minute|summary): .*\n/gm;

/** An entry in the table of operations. */
const operationEntry = /^ {2}(\w+): \{\n(?: {4}.*\n)+ {2}\},\n/gm;
const pageFolder = /^(?:\w+\/)?browser\/[\w-]+\.ts$/;

/** Returns all quoted words in the pages' sources. The pages need only the operations among them. */
function wordsOfPages(): ReadonlySet<string> {
  const web = join(repositoryRoot, "src/web");
  const paths = readdirSync(web, { recursive: true, encoding: "utf8" }).map((path) => path.replaceAll("\\", "/"));
  const texts = [...paths.filter((path) => pageFolder.test(path)).map((path) => join(web, path)), searchModule].map(
    (path) => readFileSync(path, "utf8"),
  );
  return new Set(texts.flatMap((text) => Array.from(text.matchAll(/"(\w+)"/g), ([, word]) => word!)));
}

/** Serves the newly derived files instead of older ones in generated/. `ids`: operations to include, null for all. */
function fromMemory(derived: ReadonlyMap<string, string>, ids: ReadonlySet<string> | null): Plugin {
  return {
    name: "derived",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]generated[\\/][^\\/]+\.ts$/ }, ({ path }) => {
        const contents = derived.get(`generated/${path.split(/[\\/]/).at(-1)}`);
        if (contents === undefined) return undefined;
        const used =
          ids === null ? contents : contents.replaceAll(operationEntry, (entry, id) => (ids.has(id) ? entry : ""));
        return { contents: used.replaceAll(unusedFields, ""), loader: "ts" };
      });
    },
  };
}

/** Refuses packages, because users of the client do not install dependencies. */
const noPackages: Plugin = {
  name: "no packages",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) => {
      if (kind === "entry-point" || path.startsWith("node:")) return undefined;
      return { errors: [{ text: `the client may import nothing but Node's own modules, and it imports ${path}` }] };
    });
  },
};

/** Returns the declarations of the public modules and the contract's types as one file. */
function declarations(derived: ReadonlyMap<string, string>, contractTypes: string): string {
  const sources = publicModules.map(
    (module) => [module, derived.get(module) ?? readFileSync(join(repositoryRoot, module), "utf8")] as const,
  );
  const texts = declarationsOf(sources).map(withoutImports);
  // Without `export {}` all declarations would be exported, even unmarked ones.
  return withTabs(`${head}\n${texts.join("\n")}${contractTypes}export {};\n`);
}

/** Replaces indentation by tabs. Spaces would be a fifth of the bytes. */
function withTabs(text: string): string {
  return text.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}

const declarationOptions = {
  target: "es2023",
  module: "nodenext",
  verbatimModuleSyntax: true,
  types: [],
  declaration: true,
  emitDeclarationOnly: true,
  isolatedDeclarations: true,
  noCheck: true,
  noResolve: true,
  allowImportingTsExtensions: true,
  rootDir: ".",
  outDir: "out",
};

/** Returns the declarations of each module, derived from its text alone. */
function declarationsOf(sources: readonly (readonly [module: string, text: string])[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "itemtape-declarations-"));
  try {
    for (const [module, text] of sources) {
      mkdirSync(dirname(join(folder, module)), { recursive: true });
      writeFileSync(join(folder, module), text);
    }
    const files = sources.map(([module]) => module);
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: declarationOptions, files }));
    const words = [join(repositoryRoot, "node_modules/typescript-native/bin/tsc"), "--project", folder];
    const { status, stdout } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`the client cannot be declared: ${stdout}`);
    return files.map((module) => readFileSync(join(folder, "out", module.replace(/\.ts$/, ".d.ts")), "utf8"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Removes imports, because their targets are in the same file, and repeated heads. */
function withoutImports(text: string): string {
  return text
    .replaceAll(/^import (?:type )?[^;]*;\n/gm, "")
    .replaceAll(/^export \{\};\n/gm, "")
    .replaceAll(/^\/\/ Derived from .*\n/gm, "")
    .trimStart();
}
