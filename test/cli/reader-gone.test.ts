import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { programPath } from "../support/cli.ts";

/** The program with a reader of its standard output that is gone before the first line. */
function unread(...words: string[]): ChildProcess {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("ITEMTAPE_")));
  const child = spawn(process.execPath, [programPath, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout!.destroy();
  return child;
}

async function ended(child: ChildProcess) {
  const [[code], said] = await Promise.all([once(child, "exit"), text(child.stderr!)]);
  return { code: code as number | null, said };
}

describe("a reader of standard output that is gone", () => {
  const folder = mkdtempSync(join(tmpdir(), "itemtape-reader-"));
  const db = ["--db", join(folder, "itemtape.db")];
  const children: ChildProcess[] = [];
  after(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  it("stops no command: it does its work, says nothing and keeps its exit code", async () => {
    expect(await ended(unread("db", "create", ...db))).to.deep.equal({ code: 0, said: "" });
    expect(existsSync(db[1]!)).to.equal(true);
    const missing = unread("db", "check", "--db", join(folder, "no.db"));
    missing.stderr!.destroy();
    const [checked, [code]] = await Promise.all([ended(unread("db", "check", ...db)), once(missing, "exit")]);
    expect(checked).to.deep.equal({ code: 0, said: "" });
    expect(code).to.equal(66);
  });

  it("does not stop a server either", async () => {
    const server = unread("serve", ...db, "--port", "0");
    children.push(server);
    let said = "";
    const port = await new Promise<string>((resolve, reject) => {
      server.stderr!.setEncoding("utf8").on("data", (part: string) => {
        said += part;
        const [, found] = /"port":(\d+).*"listening"/.exec(said) ?? [];
        if (found !== undefined) resolve(found);
      });
      server.once("exit", () => reject(new Error(said)));
    });
    expect((await fetch(`http://127.0.0.1:${port}/v1/status`)).status).to.equal(200);
    server.kill("SIGTERM");
    expect(await once(server, "exit")).to.deep.equal([0, null]);
    expect(said).to.not.include("unexpected");
  });
});
