import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import ts from "typescript";
import { repositoryRoot } from "./document.ts";

/** Whose exports are the public interface, each after those that it speaks of. */
const publicModules = [
  "src/client/types.ts",
  "src/client/errors.ts",
  "generated/client-methods.ts",
  "src/client/itemtape.ts",
];
const entry = "src/client/index.ts";
const head = "// Made from src/client and openapi.yaml by `npm run generate`; edit those instead.\n";

/**
 * Returns the module of the client, which imports nothing but Node's own, and its declarations, which import nothing. `derived` stands in
 * for files. `contractTypes`: the declarations of `components` and `operations`.
 */
export async function bundleClient(
  derived: ReadonlyMap<string, string>,
  contractTypes: string,
): Promise<Map<string, string>> {
  return new Map([
    ["generated/client/itemtape.js", await bundle(derived)],
    ["generated/client/itemtape.d.ts", declarations(derived, contractTypes)],
  ]);
}

/** Comments that the declarations hold, too, or that concern no user of the module. They would be a tenth of the package. */
const documentation = /^ *\/\*\*[\s\S]*?\*\/\n/gm;

async function bundle(derived: ReadonlyMap<string, string>): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    target: "node20",
    charset: "utf8",
    legalComments: "none",
    logLevel: "silent",
    tsconfigRaw: {},
    // Deno takes the declarations from the second line.
    banner: { js: `${head}// @ts-self-types="./itemtape.d.ts"` },
    plugins: [fromMemory(derived), noPackages],
  });
  return outputFiles[0]!.text.replaceAll(documentation, "");
}

/** Fields of the table of operations that the client does not read. */
const unusedFields = /^ {4}(?:scope|plan|cost|minute|summary): .*\n/gm;

/** Serves the files that were derived just now, not those of an earlier run in generated/. */
function fromMemory(derived: ReadonlyMap<string, string>): Plugin {
  return {
    name: "derived",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]generated[\\/][^\\/]+\.ts$/ }, ({ path }) => {
        const contents = derived.get(`generated/${path.split(/[\\/]/).at(-1)}`);
        return contents === undefined ? undefined : { contents: contents.replaceAll(unusedFields, ""), loader: "ts" };
      });
    },
  };
}

/** A dependency would not be there where the client is used. */
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
  const texts = publicModules.map((module) => {
    const text = derived.get(module) ?? readFileSync(join(repositoryRoot, module), "utf8");
    return withoutImports(declarationOf(module, text));
  });
  // Without the last line everything would be exported, what is not marked so too.
  return withTabs(`${head}\n${texts.join("\n")}${contractTypes}export {};\n`);
}

/** Indentation of the declarations is a fifth of their bytes. */
function withTabs(text: string): string {
  return text.replaceAll(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}

function declarationOf(fileName: string, text: string): string {
  const { outputText, diagnostics = [] } = ts.transpileDeclaration(text, {
    fileName,
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.NodeNext, verbatimModuleSyntax: true },
  });
  const [first] = diagnostics;
  if (first === undefined) return outputText;
  throw new Error(`${fileName}: cannot be declared: ${ts.flattenDiagnosticMessageText(first.messageText, " ")}`);
}

/** Their targets stand in the same file, and the derived head once. */
function withoutImports(text: string): string {
  return text
    .replaceAll(/^import (?:type )?[^;]*;\n/gm, "")
    .replaceAll(/^export \{\};\n/gm, "")
    .replaceAll(/^\/\/ Derived from .*\n/gm, "")
    .trimStart();
}
