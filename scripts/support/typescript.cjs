// Loads the TypeScript of tests and program as CommonJS, which is translated once for all processes and runs: no thread of a loader is
// asked for each module. A shipped program is CommonJS, too. Run as a program it translates all that is not kept yet.
const { createHash } = require("node:crypto");
const { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { basename, dirname, join } = require("node:path");
const { fileURLToPath } = require("node:url");

const root = dirname(dirname(__dirname));
const sources = join(root, "src");
const cache = join(root, "node_modules", ".cache", "itemtape-test-code");
/** Folders with sources that tests load. */
const folders = ["src", "db", "generated", "scripts", "test"];
/** What is translated in another way has another name. */
const settings = {
  loader: "ts",
  format: "cjs",
  platform: "node",
  target: "node20",
  sourcemap: "inline",
  sourcesContent: false,
  define: { "import.meta.url": "importMetaUrl" },
  // What `import()` gives of an ES module is the module itself: without a default that it does not have.
  banner: `const importMetaUrl = require("node:url").pathToFileURL(__filename).href;
const asImported = (toModule, found) => require("node:util").types.isModuleNamespaceObject(found) ? found : toModule(found);`,
  supported: { "dynamic-import": false },
};
let esbuild;

if (require.main === module) translateAll();
else install();

/** Translates all TypeScript of the checkout that is not kept yet, and forgets what is of older sources. */
function translateAll() {
  const names = new Set();
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
      if (!name.endsWith(".ts") || name.endsWith(".d.ts")) continue;
      const path = join(root, folder, name);
      const text = readFileSync(path, "utf8");
      names.add(basename(keptPath(path, text)));
      try {
        translated(path, text);
      } catch {
        // A program that waits at its end cannot be CommonJS. It is never loaded here.
      }
    }
  for (const name of existsSync(cache) ? readdirSync(cache) : [])
    if (!names.has(name)) rmSync(join(cache, name), { force: true });
}

function install() {
  process.setSourceMapsEnabled(true);
  const load = (module, path) => module._compile(translated(path, readFileSync(path, "utf8")), path);
  const loadOther = Module._extensions[".mjs"] ?? Module._extensions[".js"];
  Module._extensions[".ts"] = load;
  // One of them imports TypeScript, which Node's own loader of such files cannot.
  Module._extensions[".mjs"] = (module, path) => (path.startsWith(sources) ? load : loadOther)(module, path);
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = (request, ...rest) =>
    resolveFilename(request.startsWith("file:") ? fileURLToPath(request) : request, ...rest);
}

function keptPath(path, text) {
  const hash = createHash("sha256").update(JSON.stringify(settings)).update(path).update("\n").update(text);
  return join(cache, `${hash.digest("hex").slice(0, 32)}.cjs`);
}

function translated(path, text) {
  const kept = keptPath(path, text);
  try {
    return readFileSync(kept, "utf8");
  } catch {
    esbuild ??= require("esbuild");
    const { code } = esbuild.transformSync(text, { ...settings, sourcefile: path });
    const faithful = code.replaceAll("() => __toESM(require(", "() => asImported(__toESM, require(");
    keep(kept, faithful);
    return faithful;
  }
}

/** Another process sees all of a file or nothing. A checkout that cannot be written to keeps nothing. */
function keep(kept, code) {
  try {
    mkdirSync(cache, { recursive: true });
    writeFileSync(`${kept}.${process.pid}`, code);
    renameSync(`${kept}.${process.pid}`, kept);
  } catch {
    // Each process translates for itself.
  }
}
