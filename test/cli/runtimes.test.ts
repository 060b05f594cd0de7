import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect } from "chai";
import { runCli } from "../support/cli.ts";
import { casesBySize } from "../support/size.ts";
import { World } from "../support/world.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

describe("the versions of Node", () => {
  const refused = [
    ["18.20.8", "9"],
    ["20.20.1", "9"],
    ["21.7.3", "9"],
    ["22.13.1", "9"],
    ["23.5.0", "9"],
  ] as const;
  for (const [node, napi] of casesBySize(refused, 2)) {
    it(`Node ${node} is refused with exit code 69 in one line that names what it needs`, async () => {
      expect(await runAs(node, napi, "--help")).to.deep.equal({
        code: 69,
        signal: null,
        stdout: "",
        stderr: `itemtape: Node ${node} cannot run it; it needs 20.20.2 or a newer 20, 22.14 or a newer 22, or 24 or newer\n`,
      });
    });
  }

  const taken = [
    ["20.20.2", "9"],
    ["20.21.0", "9"],
    ["22.14.0", "10"],
    ["24.0.0", "10"],
    ["28.0.0", "11"],
  ] as const;
  for (const [node, napi] of casesBySize(taken, 2)) {
    it(`Node ${node} is not refused`, async () => {
      const { code, stderr } = await runAs(node, napi, "--help");
      expect([code, stderr]).to.deep.equal([0, ""]);
    });
  }
});

describe("the SQLite binding of Node 20", () => {
  const archive = join(repository, "db/sqlite-node20-12.11.1.tgz");
  const unpack = (...words: string[]) => execFileSync("tar", [...words], { encoding: "utf8" });

  it("the archive of the SQLite binding, which npm installs, equals the folder beside it, byte for byte", () => {
    const names = ["index.cjs", "package.json"];
    expect(readdirSync(join(repository, "db/sqlite-node20")).sort()).to.deep.equal(names);
    expect(unpack("-tzf", archive).trim().split("\n").sort()).to.deep.equal(names.map((name) => `package/${name}`));
    for (const name of names) {
      expect(unpack("-xzOf", archive, `package/${name}`)).to.equal(
        readFileSync(join(repository, "db/sqlite-node20", name), "utf8"),
      );
    }
  });

  it("npm skips the SQLite binding on every other Node, and no other dependency compiles", () => {
    const packages: Record<string, { optional?: true; hasInstallScript?: true; engines?: object; resolved?: string }> =
      JSON.parse(readFileSync(join(repository, "package-lock.json"), "utf8")).packages;
    const wrapper = packages["node_modules/sqlite-node20"];
    expect(wrapper?.engines).to.deep.equal({ node: "20.x" });
    expect([wrapper?.optional, wrapper?.resolved]).to.deep.equal([true, "file:db/sqlite-node20-12.11.1.tgz"]);
    expect(packages["node_modules/better-sqlite3-12"]?.optional).to.equal(true);
    const withScript = Object.keys(packages).filter((path) => {
      const { hasInstallScript, optional } = packages[path]!;
      return hasInstallScript === true && optional !== true;
    });
    // Scripts that fetch or check a prebuilt program; the second is not allowed to run.
    expect(new Set(withScript.map((path) => path.split("node_modules/").at(-1)))).to.have.all.keys(
      "esbuild",
      "@scarf/scarf",
    );
  });
});

describe("the program without a SQLite binding that can be loaded", function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), "itemtape-no-binding-"));
  const program = join(folder, "src/cli/itemtape.mjs");
  let world: World;
  let env: Record<string, string>;
  before(async () => {
    copyWithoutBinding(folder);
    world = await World.start({ fewItems: true });
    env = { ITEMTAPE_API_KEY: world.account("trader").secret, ITEMTAPE_URL: world.base };
  });
  after(async () => {
    await world.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const words of casesBySize([["--help"], ["serve", "--help"], ["get"], ["get", "getStatus"]], 2)) {
    it(`\`itemtape ${words.join(" ")}\` runs without a SQLite binding`, async () => {
      const { code, stdout, stderr } = await runCli(words, { program, env });
      expect([code, stderr]).to.deep.equal([0, ""]);
      expect(stdout).to.match(/\w/);
    });
  }

  it("an export to a file other than SQLite runs without a SQLite binding", async () => {
    const path = join(folder, "market.csv");
    const { code, stdout } = await runCli(["export", path, "--format", "csv"], { program, env });
    expect(code).to.equal(0);
    expect(stdout).to.include("complete, 284 items");
  });

  it("`itemtape mcp` serves agents without a SQLite binding", async () => {
    const transport = new StdioClientTransport({ command: process.execPath, args: [program, "mcp"], env });
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({ name: "getUsage", arguments: {} });
    expect((structuredContent as { data: { plan: string } }).data.plan).to.equal("trader");
    await client.close();
  });

  it("`itemtape doctor` says that SQLite cannot be loaded, and calls nothing ok that it could not look at", async () => {
    const { code, stdout, stderr } = await runCli(["doctor", "--db", world.path, "--json"], { program, env });
    expect([code, stderr]).to.deep.equal([88, ""]);
    const { checks } = JSON.parse(stdout) as { checks: { check: string; status: string; fix: string }[] };
    const statuses = Object.fromEntries(checks.map(({ check, status }) => [check, status]));
    expect(statuses).to.include({
      sqlite: "failed",
      file: "warning",
      ledger: "warning",
      server: "warning",
      space: "ok",
    });
    expect(checks.find(({ check }) => check === "sqlite")?.fix).to.match(/^run `npm ci` with this Node/);
  });

  it("a command that opens a file without a SQLite binding ends with exit code 69, one line with the fix and no file", async () => {
    const file = join(folder, "market.db");
    for (const words of [
      ["export", file, "--format", "sqlite"],
      ["db", "create", "--db", file],
      ["start", "--db", file, "--port", "0"],
    ]) {
      const { code, stdout, stderr } = await runCli(words, { program, env });
      expect([code, stdout], words.join(" ")).to.deep.equal([69, ""]);
      expect(stderr).to.match(
        /^(exporting\n)?itemtape: SQLite cannot be loaded on Node \S+ \(.+\); run `npm ci` with this Node in a checkout[^\n]*\n$/,
      );
      expect(existsSync(file)).to.equal(false);
    }
  });
});

/** Runs the program while the process says that it is another Node. */
function runAs(node: string, napi: string, ...words: string[]) {
  const versions = JSON.stringify({ ...process.versions, node, napi });
  const script = `Object.defineProperty(process,"versions",{value:${versions}})`;
  return runCli(words, { env: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` } });
}

/** Copies the checkout's program into `folder`, with the packages of the checkout but the native part of SQLite's. */
function copyWithoutBinding(folder: string): void {
  for (const name of [
    "src",
    "generated",
    "db/schema",
    "db/postgres",
    "db/migrations",
    "package.json",
    "openapi.yaml",
  ]) {
    cpSync(join(repository, name), join(folder, name), { recursive: true });
  }
  const [from, to] = [join(repository, "node_modules"), join(folder, "node_modules")];
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name.startsWith(".") || ["better-sqlite3", "better-sqlite3-12", "sqlite-node20"].includes(name)) continue;
    symlinkSync(join(from, name), join(to, name), "junction");
  }
  for (const name of ["package.json", "lib"]) {
    cpSync(join(from, "better-sqlite3", name), join(to, "better-sqlite3", name), { recursive: true });
  }
}
