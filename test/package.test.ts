import { isAscii } from "node:buffer";
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect } from "chai";
import { temporaryFolder } from "./support/files.ts";
import { itLong } from "./support/size.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const packageFolders = ["db", "generated", "src"];
/** Tracked files of those folders that only the development of the program needs: the package holds the sources translated. */
const forDevelopment = [
  /^(src|db\/schema)\/.*\.m?ts$/,
  /^generated\/[\w.-]+\.ts$/,
  /^src\/bundle\.mjs$/,
  /^db\/drizzle\.config\.ts$/,
  /^db\/sqlite-node20/,
  /^db\/(postgres\/)?migrations\/meta\/\d+_snapshot\.json$/,
  /^db\/postgres\/(drizzle\.config|schema)\.ts$/,
  /^generated\/operations\.txt$/,
  /\/tsconfig\.json$/,
];
/** Says in a translation of which package's folder the lines below it are. */
const translatedSource = /^ *\/\/ (\S*node_modules\/(?:@[^/\s]+\/)?[^/\s]+)\//gm;
/** What an operator leaves behind in a checkout that is used. */
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
  "generated/build/keys.json",
  "generated/build/src/cli/old.db",
  "generated/client/keys.json",
  "generated/itemtape.db",
  "generated/keys.json",
  "itemtape.db",
  "itemtape.db-wal",
  "itemtape.log",
  "mirror.json",
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

describe("the package that npm makes of a checkout that is used", function () {
  this.timeout(120_000);
  let folder: string;
  /** The folder of the package where npm installed it. */
  let home: string;
  let tracked: string[];
  let packed: string[];
  /** What was left of a packing that was killed before the one that all tests look at. */
  let killed: { signal: string; manifest: object };

  before(async () => {
    folder = temporaryFolder();
    home = join(folder, "node_modules", "itemtape");
    const { stdout } = await run("git", ["ls-files", "-z"], { cwd: root });
    tracked = stdout.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
    const checkout = join(folder, "checkout");
    for (const path of tracked) cpSync(join(root, path), join(checkout, path));
    for (const path of decoys) {
      expect(existsSync(join(checkout, path)), path).to.equal(false);
      mkdirSync(dirname(join(checkout, path)), { recursive: true });
      writeFileSync(join(checkout, path), "an operator's secret");
    }
    symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"), "junction");
    killed = { signal: await killPacking(checkout), manifest: manifestOf(checkout) };
    const { tarball, paths } = await pack(checkout, folder);
    packed = paths;
    mkdirSync(home, { recursive: true });
    await run("tar", ["-xzf", tarball, "-C", home, "--strip-components=1"]);
  });

  const ownData = () => {
    const settings = Object.entries(process.env).filter(([name]) => !name.startsWith("ITEMTAPE_"));
    return { cwd: folder, env: { ...Object.fromEntries(settings), XDG_DATA_HOME: join(folder, "data") } };
  };

  /** Runs the installed server on the file in the folder for data until `work` is done and SIGTERM has ended it. Resolves to its exit code. */
  async function served(work: (addresses: { base: string; ops: string }) => Promise<void>): Promise<number | null> {
    const entry = join(home, "src/cli/itemtape.mjs");
    const words = [entry, "serve", "--port", "0", "--ops-port", "0", "--log-level", "silent"];
    const program = spawn(process.execPath, words, { ...ownData(), stdio: ["ignore", "pipe", "inherit"] });
    const ended = new Promise<number | null>((resolve) => program.once("close", resolve));
    try {
      await work(await addressesOf(program));
    } finally {
      program.kill();
    }
    return ended;
  }

  it("the package has the program's tracked files, the contract, the license and the README, and nothing else", () => {
    const needed = tracked.filter(
      (path) => packageFolders.includes(path.split("/")[0]!) && !forDevelopment.some((pattern) => pattern.test(path)),
    );
    const always = ["LICENSE", "README.md", "generated/build/licenses.txt", "openapi.yaml", "package.json"];
    expect(packed.filter((path) => !isBuilt(path))).to.deep.equal([...always, ...needed].sort());
    expect(packed.filter(isBuilt)).to.include("generated/build/src/cli/main.cjs");
    expect(needed).to.include.members(["db/demo-catalog.json", "src/cli/itemtape.mjs", "generated/openapi.json"]);
    const client = ["LICENSE", "README.md", "itemtape.d.ts", "itemtape.js", "itemtape.py", "package.json"];
    expect(needed).to.include.members(client.map((name) => `generated/client/${name}`));
  });

  it("a translation is plain ASCII, and loads no binding past the choice of one", () => {
    for (const path of packed.filter(isBuilt)) {
      const text = readFileSync(join(home, path));
      expect(isAscii(text), path).to.equal(true);
      expect(text.toString("latin1"), path).not.to.match(/\brequire\("better-/);
    }
  });

  it("the package has no byte of what the operator left in the checkout", () => {
    expect(packed.filter((path) => decoys.includes(path))).to.deep.equal([]);
    const revealing = packed.filter((path) =>
      readFileSync(join(home, path), "utf8").startsWith("an operator's secret"),
    );
    expect(revealing).to.deep.equal([]);
  });

  it("a server needs at most 110 packages, translator included", () => {
    const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
      packages: Record<string, { dev?: true; optional?: true }>;
    };
    const needed = Object.entries(packages).filter(([path, one]) => path !== "" && !one.dev && !one.optional);
    const translatorForPlatform = 1;
    expect(needed.length + translatorForPlatform).to.be.within(50, 110);
  });

  it("the package names three packages, of which npm installs four, and no archive; the checkout has its own list again", () => {
    const whole = manifestOf(root);
    const { dependencies, ...others } = manifestOf(home);
    expect(Object.keys(dependencies)).to.deep.equal(["better-sqlite3", "fastest-levenshtein", "uplot"]);
    for (const [name, version] of Object.entries(dependencies)) expect(version).to.equal(whole.dependencies[name]);
    expect(others)
      .to.include({ name: whole.name, version: whole.version })
      .and.deep.include({ engines: whole.engines });
    const absent = ["optionalDependencies", "devDependencies", "overrides", "allowScripts"];
    for (const name of absent) expect(others).not.to.have.property(name);
    expect(manifestOf(join(folder, "checkout"))).to.deep.equal(whole);
    const brought = Object.keys(dependencies).map((name) =>
      Object.keys(manifestOf(join(root, "node_modules", name)).dependencies ?? {}),
    );
    expect(brought).to.deep.equal([["node-addon-api"], [], []]);
  });

  it("the package has the license of each package that is translated into it, with its name and version", () => {
    const checkout = join(folder, "checkout");
    const named = packed
      .filter(isBuilt)
      .flatMap((path) => [...readFileSync(join(home, path), "utf8").matchAll(translatedSource)])
      .map(([, path = ""]) => join(checkout, path));
    const translated = [...new Set(named)].map((path) => ({ path, ...manifestOf(path) }));
    const text = readFileSync(join(home, "generated/build/licenses.txt"), "utf8");
    const headings = translated.map(({ name, version, license }) => `==== ${name} ${version}, ${license} ====`);
    expect(headings).to.include.members(["==== express 5.3.0, MIT ====", "==== drizzle-orm 0.45.4, Apache-2.0 ===="]);
    expect(text.match(/^==== .*$/gm)).to.deep.equal([...new Set(headings)].sort());
    const entries = new Map(text.split(/^(?===== )/m).map((entry) => [entry.split("\n")[0], entry]));
    for (const [index, { path }] of translated.entries()) {
      const files = readdirSync(path).filter((name) => /^(un)?licen[cs]e\b|^(copying|notice)\b/i.test(name));
      for (const name of files)
        expect(entries.get(headings[index])).to.include(
          readFileSync(join(path, name), "utf8").replaceAll("\r\n", "\n").trim(),
        );
    }
    // These two have their license in their README, one has none but its name.
    expect(entries.get("==== pg-types 2.2.0, MIT ====")).to.match(/^Copyright \(c\) 2014 Brian M\. Carlson$/m);
    expect(entries.get("==== pgpass 1.0.5, MIT ====")).to.match(/^Copyright \(c\) 2013-2016 Hannes Hörl$/m);
    expect(entries.get("==== drizzle-orm 0.45.4, Apache-2.0 ====")).to.include(
      "By Drizzle Team. The package has no text of its license.",
    );
  });

  it("packing that was killed is mended by the next: the package has the program, the checkout its own manifest", () => {
    const checkout = join(folder, "checkout");
    const whole = readFileSync(join(root, "package.json"), "utf8");
    expect(killed.signal).to.equal("SIGKILL");
    expect(killed.manifest).not.to.have.property("devDependencies");
    expect(packed).to.include("generated/build/src/cli/main.cjs");
    expect(readFileSync(join(checkout, "package.json"), "utf8")).to.equal(whole);
    expect(readdirSync(join(checkout, "generated/build"))).not.to.include("package.json");
  });

  itLong("a checkout in which nothing was killed makes the same package", async () => {
    const checkout = join(folder, "checkout");
    const again = await pack(checkout, mkdirSync(join(folder, "again"), { recursive: true })!);
    expect(again.paths).to.deep.equal(packed);
    const licenses = (path: string) => readFileSync(join(path, "generated/build/licenses.txt"), "utf8");
    expect(licenses(checkout)).to.equal(licenses(home));
  });

  it("a manifest that is written twice before it is brought back is whole again", async () => {
    const checkout = join(folder, "checkout");
    const twice = `
      import { restoreManifest, writePackageManifest } from "./scripts/package-manifest.mjs";
      writePackageManifest();
      writePackageManifest();
      restoreManifest();`;
    await run(process.execPath, ["--input-type=module", "-e", twice], { cwd: checkout });
    expect(manifestOf(checkout)).to.deep.equal(manifestOf(root));
  });

  it("the installed program makes a file in the folder for data, private to its owner, serves it and ends at SIGTERM", async () => {
    const { dependencies } = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
    mkdirSync(join(home, "node_modules"));
    // On Node 20 the binding is another one, which a checkout brings.
    for (const name of [...Object.keys(dependencies), "sqlite-node20"])
      if (existsSync(join(root, "node_modules", name)))
        symlinkSync(join(root, "node_modules", name), join(home, "node_modules", name), "junction");
    const entry = join(home, "src/cli/itemtape.mjs");
    await run(process.execPath, [entry, "db", "create"], ownData());
    const permissions = (...path: string[]) => statSync(join(folder, "data", ...path)).mode & 0o777;
    expect([permissions("itemtape"), permissions("itemtape", "itemtape.db")]).to.deep.equal([0o700, 0o600]);
    const code = await served(async ({ base, ops }) => {
      for (const path of [
        "/v1/status",
        "/openapi.json",
        "/docs",
        "/docs/guides/mirror",
        "/market",
        "/dashboard",
        "/browser/uplot.js",
        "/browser/levenshtein.js",
        "/values/nearest-word.mjs",
      ]) {
        expect((await fetch(base + path)).status, path).to.equal(200);
      }
      // Signs beyond ASCII are as they were written.
      const page = await (await fetch(`${base}/docs/operations/getItem`)).text();
      expect(page).to.contain(" · ").and.not.contain("Â");
      // The package holds the metrics' library, which a server without the option does not load.
      expect(await (await fetch(`${ops}/metrics`)).text()).to.include("itemtape_build_info{release=");
    });
    expect(code).to.equal(0);
  });

  it("a server that starts again takes the code that V8 compiled for the one before, threads too", async () => {
    const built = join(home, "generated/build/src");
    const kept = () =>
      (readdirSync(built, { recursive: true }) as string[])
        .filter((name) => /\.cjs\.(server|thread)-\w+$/.test(name))
        .sort()
        .map((name) => [name, statSync(join(built, name)).ino]);
    const before = kept();
    expect(before.map(([name]) => String(name).replace(/-\w+$/, ""))).to.include.members([
      "access/ledger/worker.cjs.thread",
      "cli/main.cjs.server",
    ]);
    // Code that is refused is kept anew, in another file.
    expect(await served(() => Promise.resolve())).to.equal(0);
    expect(kept()).to.include.deep.members(before);
  });

  it("a program whose compiled code was damaged, or belongs to another translation of the same length, compiles again", async () => {
    const built = join(home, "generated/build/src/cli");
    const entry = join(home, "src/cli/itemtape.mjs");
    const help = async () => (await run(process.execPath, [entry, "--help"])).stdout;
    const whole = await help();
    const [name = ""] = readdirSync(built).filter((name) => name.startsWith("main.cjs.command-"));
    const compiled = readFileSync(join(built, name));
    const damaged = Buffer.from(compiled).fill(0, 1000, compiled.length - 8);
    writeFileSync(join(built, name), damaged);
    expect(await help()).to.equal(whole);
    expect(readFileSync(join(built, name)).equals(damaged)).to.equal(false);
    const source = readFileSync(join(built, "main.cjs"), "latin1");
    writeFileSync(join(built, "main.cjs"), source.replaceAll("serve the file", "serve the fire"), "latin1");
    const changed = await help();
    expect(changed).to.equal(whole.replaceAll("serve the file", "serve the fire")).and.not.equal(whole);
    writeFileSync(join(built, "main.cjs"), source, "latin1");
  });

  itLong(
    "a checkout that is started twice at once, for the first time, runs both times, and every user may read its translation",
    async () => {
      const checkout = join(folder, "checkout");
      const modules = join(checkout, "node_modules");
      unlinkSync(modules);
      mkdirSync(modules);
      for (const name of readdirSync(join(root, "node_modules")).filter((name) => !name.startsWith(".")))
        symlinkSync(join(root, "node_modules", name), join(modules, name), "junction");
      const help = () => run(process.execPath, [join(checkout, "src/cli/itemtape.mjs"), "--help"]);
      const [one, other] = await Promise.all([help(), help()]);
      expect(one.stdout).to.equal(other.stdout).and.include("serve the file");
      const cache = join(modules, ".cache", "itemtape");
      const [translation = "", ...others] = readdirSync(cache);
      expect(others).to.deep.equal([]);
      const places = ["..", ".", translation, `${translation}/src/cli`, `${translation}/src/cli/main.cjs`];
      expect(places.map((place) => statSync(join(cache, place)).mode & 0o444)).to.deep.equal(places.map(() => 0o444));
    },
  );
});

/** Kills a packing while the package's manifest is in the place of the checkout's. Resolves to the signal that ended it. */
async function killPacking(checkout: string): Promise<string> {
  const words = `
    import { writePackageManifest } from "./scripts/package-manifest.mjs";
    writePackageManifest();
    process.kill(process.pid, "SIGKILL");`;
  const program = run(process.execPath, ["--input-type=module", "-e", words], { cwd: checkout });
  return program.then(
    () => "none",
    (error) => error.signal,
  );
}

/** Packs a checkout. Resolves to the tarball, which lies in `destination`, and the sorted paths that it holds. */
async function pack(checkout: string, destination: string): Promise<{ tarball: string; paths: string[] }> {
  const options = ["--json", "--offline", "--foreground-scripts=false", "--pack-destination", destination];
  const [{ filename, files }] = JSON.parse((await run("npm", ["pack", ...options], { cwd: checkout })).stdout) as [
    { filename: string; files: { path: string }[] },
  ];
  return { tarball: join(destination, filename), paths: files.map(({ path }) => path).sort() };
}

function manifestOf(path: string) {
  return JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
}

/** Translated when the package is made. */
function isBuilt(path: string): boolean {
  return /^generated\/build\/src\/[\w/-]+\.cjs$/.test(path);
}

/** Reads the addresses that the server prints before and when it listens: its own and that of the listener for operators. */
async function addressesOf(program: ChildProcessByStdio<null, Readable, null>): Promise<{ base: string; ops: string }> {
  const lines: string[] = [];
  for await (const line of createInterface(program.stdout)) {
    lines.push(line);
    const [ops, base] = [/metrics are on (http:\S+)/, /listens on (http:[^\s,]+)/].map(
      (pattern) => pattern.exec(lines.join("\n"))?.[1],
    );
    if (ops !== undefined && base !== undefined) return { base, ops };
  }
  throw new Error(`the program did not listen; it printed ${lines.join("\n")}`);
}
