import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect } from "chai";
import { filledPrivateTables } from "../../src/store/file/taken-market.ts";
import { programPath } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFewItemsFile } from "../support/kept-files.ts";

type Printed = { base: string; control_key: string; keys: Record<string, string>; token: string };

describe("itemtape sandbox --db FILE", () => {
  const folder = temporaryFolder();
  const file = join(folder, "market.db");
  const digest = () => createHash("sha256").update(readFileSync(file)).digest("hex");
  const left = () => readdirSync(folder).filter((name) => name.startsWith("itemtape-sandbox-"));
  const children: ChildProcess[] = [];

  const start = async (): Promise<{ child: ChildProcess; printed: Printed }> => {
    const words = ["sandbox", "--db", file, "--port", "0", "--json"];
    const child = spawn(process.execPath, [programPath, ...words], { env: { ...process.env, TMPDIR: folder } });
    children.push(child);
    for await (const line of createInterface({ input: child.stdout! })) return { child, printed: JSON.parse(line) };
    throw new Error("the sandbox printed nothing");
  };

  before(function () {
    // The demo world is made here when this file is run first.
    this.timeout(180_000);
    copyFileSync(demoFewItemsFile().path, file);
  });
  after(() => {
    for (const child of children) child.kill("SIGKILL");
  });

  it("serves a copy without the accounts of the file, which stays as it is and whose copy goes", async () => {
    const before = digest();
    // A process that has ended: a crash has left its folder.
    mkdirSync(join(folder, `itemtape-sandbox-${spawnSync("true").pid}-killed`));
    const { child, printed } = await start();
    expect(left()).to.have.length(1);
    expect(left()[0]).to.match(new RegExp(`^itemtape-sandbox-${child.pid}-`));
    const status = async (key: string, target: string) => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${printed.base}${target}`, { headers })).status;
    };
    expect(await status(demoFewItemsFile().keys.builder, "/v1/items?limit=1")).to.equal(401);
    for (const key of Object.values(printed.keys)) expect(await status(key, "/v1/items?limit=1")).to.equal(200);
    expect(await status(printed.token, "/v1/me/portfolios")).to.equal(200);
    child.kill("SIGTERM");
    expect(await once(child, "exit")).to.deep.equal([0, null]);
    expect(left()).to.deep.equal([]);
    expect(digest()).to.equal(before);
    expect(filledPrivateTables(file)).to.not.deep.equal([]);
  });
});
