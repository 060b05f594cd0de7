import { isAscii } from "node:buffer";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { packageManifestOf } from "../scripts/support/package-manifest.ts";
import { builtEntry, contractDiffFile, packageList } from "../src/values/root.ts";
import { pageScripts } from "../src/web/page-scripts.ts";
import { databaseOf, newRing, type Ring, runInstalled, steps } from "./start/tarball.ts";
import { temporaryFolder } from "./support/files.ts";
import { hasPostgres } from "./support/postgres.ts";
import { describeLong, isLongRun, itLong } from "./support/size.ts";
import { skipForWant } from "./support/skip.ts";
import { until } from "./support/until.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const packageFolders = ["db", "generated", "src"];
/** Tracked files of those folders that the package does not contain. */
const forDevelopment = [
  /^(src|db)\/.*\.m?ts$/,
  /^generated\/[\w.-]+\.ts$/,
  /^generated\/operations\.txt$/,
  /^src\/store\/drizzle-paths\.mjs$/,
  /^db\/(postgres\/)?migrations\/meta\/\d+_snapshot\.json$/,
  /\/tsconfig\.json$/,
];
/** Names the source file of an entry: a thread or a process. */
const entryInSource = /(?:entry: |entryPath\(|runIn(?:Thread|Process)<\w+>\()"(src\/[\w/-]+\.ts)"/g;
/** A comment of a built file that names the package of the lines below it. */
const joinedSource = /^ *\/\/ (\S*node_modules\/(?:@[^/\s]+\/)?[^/\s]+)\//gm;
/** Files that an operator leaves behind in a checkout. */
const decoys = [
  ".env",
  "db/.env",
  "db/backup-2026-01-01.db",
  "db/backup.db.gz",
  "db/dump.sql",
  "db/itemtape.db",
  "db/itemtape.db-journal",
  "db/itemtape.db-shm",
  "db/itemtape.db-wal",
  "db/itemtape.db.lock",
  "db/itemtape.lock",
  "db/keys.json",
  "db/keys.txt",
  "db/migrations/itemtape.db",
  "db/migrations/dump.sql",
  "db/migrations/meta/keys.json",
  "db/mirror.json",
  "db/mirror.json.bak",
  "db/portfolio.csv",
  "db/schema/keys.json",
  "db/schema/itemtape.db",
  "generated/client/keys.json",
  "generated/itemtape.db",
  "generated/keys.json",
  "itemtape.db",
  "itemtape.db-wal",
  "itemtape.log",
  "mirror.json",
  "scripts/package/db/itemtape.db",
  "scripts/package/dist/old.js",
  "scripts/package/keys.json",
  "src/.env",
  "src/notes.md",
  "src/screenshot.png",
  "src/web/docs/samples/keys.txt",
  "src/web/docs/samples/mine.sh",
  "src/web/notes.md",
  "src/cli/keys.json",
  "src/cli/mirror.json",
  "src/itemtape.db",
  "src/itemtape.db-wal",
  "src/server.log",
  "src/server.pem",
];
/** Has the name of a file of the package, but is not in git. */
const untracked = "src/web/docs/guides/private-notes.md";

describeLong("package", function () {
  this.timeout(120_000);
  let checkout: string;
  let home: string;
  let tracked: string[];
  let packed: string[];
  let withoutEsbuild: string;
  let killedBy: unknown;
  let ring: Ring;

  before(async () => {
    const folder = temporaryFolder();
    checkout = join(folder, "checkout");
    const { stdout } = await run("git", ["ls-files", "-coz", "--exclude-standard"], { cwd: root });
    tracked = stdout.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
    for (const path of tracked) cpSync(join(root, path), join(checkout, path));
    withoutEsbuild = await refusalOf(process.execPath, [join(checkout, "scripts/build-package.ts")], checkout);
    symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"), "junction");
    killedBy = await killBuild(checkout);
    for (const path of decoys) {
      mkdirSync(dirname(join(checkout, path)), { recursive: true });
      writeFileSync(join(checkout, path), "an operator's secret");
    }
    const { tarball, paths } = await pack(checkout, folder);
    packed = paths;
    home = await unpack(tarball, folder);
    const [user, work, temporary] = ["user", "work", "tmp"].map((name) => join(folder, name));
    for (const path of [user!, work!, temporary!]) mkdirSync(path);
    const settings = Object.entries(process.env).filter(([name]) => !/^(ITEMTAPE_|NODE_COMPILE_CACHE$)/.test(name));
    const own = { HOME: user!, XDG_DATA_HOME: join(user!, "data"), XDG_CACHE_HOME: join(user!, "cache") };
    ring = newRing({
      command: [process.execPath, join(home, "src/cli/itemtape.mjs")],
      node: process.execPath,
      home,
      folder: work!,
      env: { ...(Object.fromEntries(settings) as Record<string, string>), ...own, TMPDIR: temporary! },
      install: async (address, folder) => {
        const served = join(folder, "itemtape.tgz");
        writeFileSync(served, Buffer.from(await (await fetch(address)).arrayBuffer()));
        await unpack(served, folder);
      },
    });
  });

  it("contains the needed tracked files and the built entries only", () => {
    const needed = tracked.filter(
      (path) => packageFolders.includes(path.split("/")[0]!) && !forDevelopment.some((pattern) => pattern.test(path)),
    );
    const always = [
      "LICENSE",
      "README.md",
      contractDiffFile,
      "dist/licenses.txt",
      packageList,
      "openapi.yaml",
      "package.json",
    ];
    const sources = tracked.filter((path) => /^src\/.*\.ts$/.test(path));
    const entries = sources.flatMap((path) =>
      [...readFileSync(join(root, path), "utf8").matchAll(entryInSource)].map(([, source]) => source!),
    );
    const built = ["src/cli/main.ts", ...new Set(entries)].map(builtEntry);
    const scripts = Array.from(pageScripts().keys(), (path) => `src/${path}`);
    expect(packed).to.deep.equal([...always, ...needed, ...scripts, ...built].sort());
    expect(needed).to.include.members(["db/catalog.json.br", "src/cli/itemtape.mjs", "generated/openapi.json"]);
    expect(built).to.have.members(steps.flatMap(({ entries }) => entries).map((name) => `dist/${name}.js`));
  });

  it("contains built files in ASCII, which V8 holds in half the memory", () => {
    for (const path of builtFiles()) expect(isAscii(readFileSync(join(home, path))), path).to.equal(true);
  });

  it("lists all of its files", () => {
    expect(readFileSync(join(home, packageList), "utf8")).to.equal(`${packed.join("\n")}\n`);
  });

  it("contains no byte that an operator left in the checkout", () => {
    expect(packed.filter((path) => decoys.includes(path))).to.deep.equal([]);
    const revealing = packed.filter((path) =>
      readFileSync(join(home, path), "utf8").startsWith("an operator's secret"),
    );
    expect(revealing).to.deep.equal([]);
  });

  it("has three dependencies; packing leaves the checkout's manifests as they are", () => {
    const whole = manifestOf(root);
    expect(Object.keys(manifestOf(home).dependencies)).to.deep.equal(["better-sqlite3", "lit-html", "uplot"]);
    for (const name of ["optionalDependencies", "devDependencies", "overrides", "allowScripts"])
      expect(manifestOf(home)).not.to.have.property(name);
    expect(manifestOf(home)).to.deep.include({ version: whole.version, engines: whole.engines, bin: whole.bin });
    expect(readFileSync(join(home, "package.json"), "utf8")).to.equal(packageManifestOf(root));
    for (const path of ["package.json", "scripts/package/package.json"])
      expect(readFileSync(join(checkout, path), "utf8")).to.equal(readFileSync(join(root, path), "utf8"));
  });

  it("contains the license of each package that is joined into it", () => {
    const named = builtFiles()
      .flatMap((path) => [...readFileSync(join(home, path), "utf8").matchAll(joinedSource)])
      .map(([, path = ""]) => join(checkout, path));
    const joined = [...new Set(named)].map((path) => ({ path, ...manifestOf(path) }));
    const text = readFileSync(join(home, "dist/licenses.txt"), "utf8");
    const headings = joined.map(({ name, version, license }) => `==== ${name} ${version}, ${license} ====`);
    expect(headings).to.include.members(["==== express 5.3.0, MIT ====", "==== drizzle-orm 0.45.4, Apache-2.0 ===="]);
    const catalog = "==== @ianlucas/cs2-lib 7.33.1, MIT ====";
    expect(text.match(/^==== .+$/gm)).to.deep.equal([...new Set([...headings, catalog])].sort());
    const entries = new Map(text.split(/^(?===== )/m).map((entry) => [entry.split("\n")[0], entry]));
    for (const [index, { path }] of joined.entries()) {
      const files = readdirSync(path).filter((name) => /^(un)?licen[cs]e\b|^(copying|notice)\b/i.test(name));
      for (const name of files)
        expect(entries.get(headings[index])).to.include(
          readFileSync(join(path, name), "utf8").replaceAll("\r\n", "\n").trim(),
        );
    }
    expect(entries.get(catalog)).to.match(/^Copyright \(c\) 2023 - present Ian Lucas$/m);
    // Two have their license in their README, one has only its name.
    expect(entries.get("==== pg-types 2.2.0, MIT ====")).to.match(/^Copyright \(c\) 2014 Brian M\. Carlson$/m);
    expect(entries.get("==== pgpass 1.0.5, MIT ====")).to.match(/^Copyright \(c\) 2013-2016 Hannes Hörl$/m);
    expect(entries.get("==== drizzle-orm 0.45.4, Apache-2.0 ====")).to.include(
      "By Drizzle Team. The package has no license text.",
    );
  });

  it("is whole after a killed build, and leaves no built file", () => {
    expect(killedBy).to.equal("SIGKILL");
    expect(packed).to.include("dist/cli-main.js");
    expect(readdirSync(join(checkout, "scripts/package"))).to.deep.equal(["package.json"]);
  });

  it("is refused in one line without esbuild or from the root folder", async () => {
    expect(withoutEsbuild).to.match(/^the build needs esbuild, .*`npm ci`.*\n$/);
    expect(await refusalOf("npm", ["pack", "--silent", "--dry-run"], checkout)).to.match(
      /^itemtape: .*npm pack \.\/scripts\/package\n$/,
    );
  });

  itLong("leaves out files that git does not track", async () => {
    await run("git", ["init", "--quiet"], { cwd: checkout });
    await run("git", ["add", ...packageFolders, "LICENSE", "README.md", "openapi.yaml"], { cwd: checkout });
    writeFileSync(join(checkout, untracked), "an operator's secret");
    await run(process.execPath, [join(checkout, "scripts/build-package.ts")], { cwd: checkout });
    const built = readdirSync(join(checkout, "scripts/package"), { recursive: true, withFileTypes: true });
    expect(built.filter((entry) => entry.isFile())).to.have.lengthOf(packed.length);
    expect(existsSync(join(checkout, "scripts/package", untracked))).to.equal(false);
  });

  // The starts play all steps on three versions of Node.
  const few = !isLongRun || process.env.TEST_STARTS === "follow";
  for (const { title, needsPostgres, run } of few ? steps.slice(0, 1) : steps) {
    it(title, async function () {
      if (needsPostgres && !hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
      await run(ring);
    });
  }

  it("keeps its data private and its compiled code in the user's folders", () => {
    const database = databaseOf(ring);
    const permissions = [dirname(database), database].map((path) => statSync(path).mode & 0o777);
    expect(permissions).to.deep.equal([0o700, 0o600]);
    expect(readdirSync(join(ring.env.XDG_CACHE_HOME!, "itemtape"))).not.to.deep.equal([]);
    expect(readdirSync(ring.env.TMPDIR!)).to.deep.equal([]);
  });

  for (const home of ["/dev/null", ""]) {
    it(`keeps no compiled code for a user with the home "${home}"`, async () => {
      const { XDG_CACHE_HOME: _, ...env } = ring.env;
      expect(await runInstalled({ ...ring, env: { ...env, HOME: home } }, "--version")).to.match(/^itemtape \d/);
      expect(existsSync(join(ring.folder, ".cache"))).to.equal(false);
      expect(readdirSync(ring.env.TMPDIR!)).to.deep.equal([]);
    });
  }

  function builtFiles(): string[] {
    return packed.filter((path) => /^dist\/.*\.js$/.test(path));
  }
});

/** Kills the build when it has copied its first files. Resolves to the signal that ended it. */
async function killBuild(checkout: string): Promise<unknown> {
  const child = spawn(process.execPath, [join(checkout, "scripts/build-package.ts")], { stdio: "ignore" });
  const ended = once(child, "exit");
  await until("the build copies", () => existsSync(join(checkout, "scripts/package/db")), 10_000);
  child.kill("SIGKILL");
  return (await ended)[1];
}

/** Runs a command that must fail and returns its standard error. */
async function refusalOf(command: string, words: readonly string[], cwd: string): Promise<string> {
  return run(command, words, { cwd }).then(
    () => "it did not fail",
    ({ stderr }: { stderr: string }) => stderr,
  );
}

/** Packs a checkout. Resolves to the tarball in `destination` and the sorted paths in it. */
async function pack(checkout: string, destination: string): Promise<{ tarball: string; paths: string[] }> {
  const options = ["--json", "--offline", "--foreground-scripts=false", "--pack-destination", destination];
  const { stdout } = await run("npm", ["pack", "./scripts/package", ...options], { cwd: checkout });
  const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
  return { tarball: join(destination, filename), paths: files.map(({ path }) => path).sort() };
}

/** Unpacks a tarball into the `node_modules` of a folder, beside links to its dependencies. Resolves to its folder. */
async function unpack(tarball: string, folder: string): Promise<string> {
  const home = join(folder, "node_modules", "itemtape");
  mkdirSync(home, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", home, "--strip-components=1"]);
  for (const name of Object.keys(manifestOf(home).dependencies))
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction");
  return home;
}

function manifestOf(path: string) {
  return JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
}
