import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { hasPostgres } from "../support/postgres.ts";
import { type Installed, newRing, steps } from "./tarball.ts";

// Installs the tarball of the package with npm on another Node, without a compiler on the path, and runs all its features.
const execute = promisify(execFile);
const usage = "usage: node test/start/tarball-run.ts NODE TARBALL [NPM_CLI]";
/** A line that npm prints about itself or the number of packages. */
const note =
  /^(npm notice|added \d+ packages? |\d+ packages? (is|are) looking| {2}run `npm fund`|found 0 vulnerabilities|$)/;

const [node, tarball, npmCli = onPath("npm")] = process.argv.slice(2);
if (node === undefined || tarball === undefined) {
  console.error(usage);
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "itemtape-tarball-"));
try {
  const installed = await install(resolve(node), resolve(tarball));
  const ring = newRing(installed);
  for (const { title, needsPostgres, run } of steps) {
    if (needsPostgres && !hasPostgres()) console.log(`skipped ${title}: PostgreSQL is not installed`);
    else {
      await run(ring);
      console.log(`ok ${title}`);
    }
  }
  const left = readdirSync(installed.env.TMPDIR!);
  if (left.length > 0) throw new Error(`the program left ${left.join(", ")} in the shared temporary folder`);
  console.log("ok the program leaves nothing in the shared temporary folder");
} catch (error) {
  console.log(`failed: ${(error as Error).stack}`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Installs the tarball in an empty folder with nothing but Node, npm and a shell on the path. */
async function install(node: string, tarball: string): Promise<Installed> {
  const bin = mkdirSync(join(folder, "bin"), { recursive: true })!;
  const programs = {
    node,
    npm: npmCli,
    npx: join(dirname(npmCli), "npx-cli.js"),
    sh: onPath("sh"),
    env: onPath("env"),
  };
  for (const [name, path] of Object.entries(programs)) symlinkSync(path, join(bin, name));
  const [home, work, temporary] = ["home", "work", "tmp"].map((name) => join(folder, name));
  for (const path of [home!, work!, temporary!]) mkdirSync(path);
  const settings = Object.entries(process.env).filter(
    ([name]) => !/^(ITEMTAPE_|NODE_(COMPILE_CACHE|OPTIONS)$|npm_lifecycle)/.test(name),
  );
  const install = { ...Object.fromEntries(settings), PATH: bin, TMPDIR: temporary! } as Record<string, string>;
  const options = { cwd: work!, env: install };
  const { stdout, stderr } = await execute("npm", ["install", tarball], options);
  const warnings = `${stdout}\n${stderr}`.split("\n").filter((line) => !note.test(line));
  if (warnings.length > 0) throw new Error(`npm printed more than its notes: ${warnings.join("\n")}`);
  const [npm, version] = await Promise.all([execute("npm", ["-v"], options), execute(node, ["-v"], options)]);
  console.log(`ok npm ${npm.stdout.trim()} installs the package on Node ${version.stdout.trim()}`);
  console.log(`ok npx starts ${(await execute("npx", ["itemtape", "--version"], options)).stdout.trim()}`);
  // npm has left its compiled code there.
  rmSync(temporary!, { recursive: true });
  mkdirSync(temporary!);
  const env = { ...install, HOME: home!, XDG_DATA_HOME: join(home!, "data"), XDG_CACHE_HOME: join(home!, "cache") };
  const modules = join(work!, "node_modules");
  // npm leaves compiled code in the temporary folder.
  const ofNpm = { ...install, TMPDIR: home! };
  const installFrom = async (address: string, cwd: string) => {
    await execute("npm", ["install", "--prefix", cwd, address], { cwd, env: ofNpm });
  };
  const command = [join(modules, ".bin/itemtape")] as const;
  return { command, node, home: join(modules, "itemtape"), folder: work!, env, install: installFrom };
}

function onPath(name: string): string {
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const folder of folders)
    try {
      return realpathSync(join(folder, name));
    } catch {
      // The next one may have it.
    }
  throw new Error(`${name} is not on the path`);
}
