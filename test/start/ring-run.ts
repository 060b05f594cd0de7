import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs";
import { basename, delimiter, dirname, join } from "node:path";
import { guidePaths, shellBlocks } from "../../scripts/guides/blocks.ts";
import { parseWordsOrExit } from "../../scripts/support/flags.ts";
import { repository } from "../support/guides.ts";
import { Clone, hostPath, shellEnvironment } from "./clone.ts";
import { type Played, playDocument, playLines, type Ring } from "./ring.ts";

/**
 * Plays the commands of README and guides twice, with `--once` once, in a copy with a fresh `npm ci`. The PATH has one Node, one npm and
 * the system's tools, but not Python, make and compilers. `--documents` chooses documents, `--until` and `--after` two parts of all.
 * Servers use the ports of the guides, or free ones with `--documents` and `--after`. The part after a document has the modules of this
 * checkout. Prints a line for each block, and closes with `N passed, N failed`. Exit code 1 if a block failed.
 */
const usage = `usage: node test/start/ring-run.ts [--node BIN] [--npm VERSION] [--documents README.md,live-prices.md] [--once]
       node test/start/ring-run.ts [--node BIN] [--npm VERSION] --until|--after DOCUMENT`;
const text = { type: "string" } as const;
const { values } = parseWordsOrExit(
  { node: text, npm: text, documents: text, until: text, after: text, once: { type: "boolean", default: false } },
  usage,
);

/** Tools that could build a package from sources. */
const forbidden = /^(python.*|g?make|cmake|cc|c\+\+|(.*-)?(gcc|g\+\+|cpp|clang)(-.*)?|node|nodejs|npm|npx|corepack)$/;
const systemFolders = ["/usr/local/bin", "/usr/bin", "/bin"];
const outputMax = 3000;

const hasModules = values.after !== undefined;
const clone = new Clone(hasModules);
try {
  const env = shellEnvironment(makePath(), makeCache());
  const version = (program: string) => execFileSync(program, ["-v"], { env, encoding: "utf8" }).trim();
  const host = version("node");
  process.stdout.write(`host: Node ${host}, npm ${version("npm")}\n`);
  const isSupported = /^v(?:22\.(?:1[89]|[2-9]\d)|2[4-9]|[3-9]\d)\./.test(host);
  const takesFreePorts = values.documents !== undefined || hasModules;
  const node = checkoutNode();
  const played = await playAll({
    clone,
    env,
    isShort: false,
    takesFreePorts,
    made: new Map(),
    node,
    isSupported,
    report,
  });
  const failed = played.filter(({ failure }) => failure !== null);
  process.stdout.write(`${played.length - failed.length} passed, ${failed.length} failed\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  clone.remove();
}

async function playAll(ring: Ring): Promise<Played[]> {
  const paths = chosenDocuments();
  // The README's first block installs by itself.
  const isInstalled = hasModules || paths[0] === "README.md";
  const played = isInstalled ? [] : await playLines(ring, "installation", "npm ci");
  for (const path of paths) played.push(...(await playDocument(ring, path, values.once ? 1 : 2)));
  return played;
}

function chosenDocuments(): string[] {
  const all = guidePaths(repository).filter((path) => shellBlocks(repository, path).some(({ mark }) => mark === null));
  const named = (name: string) => {
    const path = all.find((path) => path === name || (path !== "README.md" && name === basename(path)));
    if (path === undefined) throw new Error(`${name} is not a document with commands to play`);
    return path;
  };
  const { documents, until, after } = values;
  if (documents !== undefined) return documents.split(",").map(named);
  const last = until ?? after;
  const end = last === undefined ? all.length : all.indexOf(named(last)) + 1;
  return hasModules ? all.slice(end) : all.slice(0, end);
}

function report({ title, seconds, failure }: Played): void {
  const line = `${failure === null ? "ok    " : "FAILED"} ${seconds.toFixed(1).padStart(6)} s  ${title}\n`;
  process.stdout.write(failure === null ? line : `${line}${failure.slice(0, outputMax)}\n`);
}

/** Makes the folders of the PATH and returns it. */
function makePath(): string {
  const [host, tools] = [clone.folderBeside("host"), clone.folderBeside("tools")];
  const npm = npmFolder();
  symlinkSync(realpathSync(values.node ?? hostProgram("node")), join(host, "node"));
  for (const name of ["npm", "npx"]) symlinkSync(join(npm, "bin", `${name}-cli.js`), join(host, name));
  const names = new Map(
    systemFolders.flatMap((folder) => readdirSync(folder).map((name): [string, string] => [name, join(folder, name)])),
  );
  mkdirSync(tools, { recursive: true });
  for (const [name, program] of names) if (!forbidden.test(name)) symlinkSync(program, join(tools, name));
  return `${host}${delimiter}${tools}`;
}

/** Returns the folder of the npm to use: the host's, or a version that is installed beside the copy. */
function npmFolder(): string {
  if (values.npm === undefined) return dirname(dirname(realpathSync(hostProgram("npm"))));
  const folder = clone.folderBeside("npm");
  const words = ["install", "--prefix", folder, "--no-save", "--no-audit", "--no-fund", `npm@${values.npm}`];
  execFileSync("npm", words, { env: shellEnvironment(hostPath(), hostCache()), stdio: "inherit" });
  return join(folder, "node_modules/npm");
}

/** Makes a cache of npm with the packages of the host's, so that npx leaves nothing there. */
function makeCache(): string {
  const [folder, packages] = [clone.folderBeside("npm-cache"), join(hostCache(), "_cacache")];
  mkdirSync(packages, { recursive: true });
  symlinkSync(packages, join(folder, "_cacache"));
  return folder;
}

function hostCache(): string {
  return execFileSync("npm", ["config", "get", "cache"], { encoding: "utf8" }).trim();
}

function hostProgram(name: string): string {
  const found = hostPath()
    .split(delimiter)
    .find((folder) => readdirSync(folder).includes(name));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return join(found, name);
}

/** Returns the version of Node that the packages bring. */
function checkoutNode(): string {
  const { optionalDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  return Object.values(optionalDependencies as Record<string, string>)[0]!;
}
