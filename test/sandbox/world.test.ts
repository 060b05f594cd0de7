import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { copiedWorld } from "../../src/sandbox/world.ts";
import { programPath } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFewItemsFile } from "../support/kept-files.ts";
import { itLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { runSandbox } from "./run.ts";

type Printed = { base: string; keys: Record<string, string>; token: string; control_key: string };

describe("sandbox of a file", () => {
  const folder = temporaryFolder();
  const file = join(folder, "market.db");
  const digest = () => createHash("sha256").update(readFileSync(file)).digest("hex");
  const left = () => readdirSync(folder).filter((name) => name.startsWith("itemtape-sandbox-"));
  const children: ChildProcess[] = [];
  let before = "";
  let temporary: string | undefined;

  beforeEach(function () {
    // The demo world is made here when this file is run first.
    this.timeout(180_000);
    copyFileSync(demoFewItemsFile().path, file);
    before = digest();
    temporary = process.env.TMPDIR;
    process.env.TMPDIR = folder;
  });
  afterEach(() => {
    if (temporary === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporary;
    for (const child of children) child.kill("SIGKILL");
  });

  const expectOwnAccounts = async ({ base, keys, token }: Omit<Printed, "control_key">) => {
    const status = async (key: string, target = "/v1/items?limit=1") =>
      (await fetch(`${base}${target}`, { headers: { authorization: `Bearer ${key}` } })).status;
    expect(await status(demoFewItemsFile().keys.builder)).to.equal(401);
    for (const key of Object.values(keys)) expect(await status(key)).to.equal(200);
    expect(await status(token, "/v1/me/portfolios")).to.equal(200);
  };
  const start = async (...more: string[]) => {
    const words = ["sandbox", "--db", file, "--port", "0", "--json", ...more];
    const child = spawn(process.execPath, [programPath, ...words], { env: process.env });
    children.push(child);
    for await (const line of createInterface({ input: child.stdout! })) return { child, printed: JSON.parse(line) };
    throw new Error("the sandbox printed nothing");
  };

  it("has its own accounts, keeps the file unchanged and removes its copy", async () => {
    // A process that has ended: a crash has left its folder.
    mkdirSync(join(folder, `itemtape-sandbox-${spawnSync("true").pid}-killed`));
    const sandbox = await runSandbox({ world: await copiedWorld(file, new AbortController().signal) });
    expect(left()).to.have.length(1);
    await expectOwnAccounts(sandbox);
    await sandbox.close();
    expect(left()).to.deep.equal([]);
    expect(digest()).to.equal(before);
  });

  itLong("stops on SIGTERM, and the next one removes a killed one's copy", async () => {
    const killed = await start();
    killed.child.kill("SIGKILL");
    await once(killed.child, "exit");
    expect(left()).to.have.length(1);
    const { child, printed } = await start();
    expect(left()).to.have.length(1);
    await expectOwnAccounts(printed);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).to.deep.equal([0, null]);
    expect(left()).to.deep.equal([]);
    expect(digest()).to.equal(before);
  });

  itLong("moves the clock of a replay by itself, and leaves no file behind", async () => {
    const { child, printed } = await start("--replay", "2026-01-15T09:30:00Z", "--speed", "3600");
    const headers = { authorization: `Bearer ${printed.control_key}` };
    const now = async () =>
      ((await (await fetch(`${printed.base}/sandbox/clock`, { headers })).json()) as { now: string }).now;
    await until("the end of the replay", async () => (await now()) === "2026-01-15T12:00:00.000Z");
    child.kill("SIGINT");
    expect(await once(child, "exit")).to.deep.equal([0, null]);
    expect(readdirSync(folder)).to.deep.equal(["market.db"]);
    expect(digest()).to.equal(before);
  });
});
