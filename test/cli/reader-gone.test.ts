import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "chai";
import { programPath } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { describeLong } from "../support/size.ts";
import { needPath } from "../support/skip.ts";
import { ExportServer } from "./export-server.ts";

/** The program with a closed standard output from the start. */
function unread(...words: string[]): ChildProcess {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("ITEMTAPE_")));
  const child = spawn(process.execPath, [programPath, ...words], { env, stdio: ["ignore", "pipe", "pipe"] });
  child.stdout!.destroy();
  return child;
}

async function ended(child: ChildProcess) {
  const [[code], message] = await Promise.all([once(child, "exit"), text(child.stderr!)]);
  return { code: code as number | null, message };
}

describeLong("standard output with a closed reader", () => {
  const folder = temporaryFolder();
  const db = ["--db", join(folder, "itemtape.db")];
  const children: ChildProcess[] = [];
  after(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  it("lets a command do its work and keep its exit code", async () => {
    expect(await ended(unread("db", "create", ...db))).to.deep.equal({ code: 0, message: "" });
    expect(existsSync(db[1]!)).to.equal(true);
    const missing = unread("db", "check", "--db", join(folder, "no.db"));
    missing.stderr!.destroy();
    const [checked, [code]] = await Promise.all([ended(unread("db", "check", ...db)), once(missing, "exit")]);
    expect(checked).to.deep.equal({ code: 0, message: "" });
    expect(code).to.equal(66);
  });

  it("keeps a server running", async () => {
    const server = unread("serve", ...db, "--port", "0");
    children.push(server);
    let message = "";
    const port = await new Promise<string>((resolve, reject) => {
      server.stderr!.setEncoding("utf8").on("data", (part: string) => {
        message += part;
        const [, found] = /"port":(\d+).*"listening"/.exec(message) ?? [];
        if (found !== undefined) resolve(found);
      });
      server.once("exit", () => reject(new Error(message)));
    });
    expect((await fetch(`http://127.0.0.1:${port}/v1/status`)).status).to.equal(200);
    server.kill("SIGTERM");
    expect(await once(server, "exit")).to.deep.equal([0, null]);
    expect(message).to.not.include("unexpected");
  });
});

describeLong("unwritable output", () => {
  const folder = temporaryFolder();
  let server: ExportServer;
  before(async () => {
    server = await ExportServer.start();
  });
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The program behind a shell that redirects its outputs by `redirects`. */
  const redirected = (redirects: string, ...words: string[]) => {
    const env = { PATH: process.env.PATH, ITEMTAPE_API_KEY: "itemtape_live_k", ITEMTAPE_URL: server.base };
    const whole = ["-c", `exec "$@" ${redirects}`, "bash", process.execPath, programPath, ...words];
    const child = spawn("bash", whole, { env, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout!.resume();
    return ended(child);
  };

  it("exits with 74 for standard output; standard error is ignored", async function () {
    needPath(this, "/dev/full");
    const description = "itemtape: standard output cannot be written (ENOSPC); the command's changes stay\n";
    const [first, second] = [join(folder, "first.csv"), join(folder, "second.csv")];
    const [help, toOutput, toError] = await Promise.all([
      redirected("> /dev/full", "help"),
      redirected("> /dev/full", "export", first, "--format", "csv"),
      redirected("2> /dev/full", "export", second, "--format", "csv"),
    ]);
    expect(help).to.deep.equal({ code: 74, message: description });
    expect(toOutput).to.deep.equal({ code: 74, message: `exporting\n${description}` });
    expect(toError).to.deep.equal({ code: 0, message: "" });
    expect(readdirSync(folder).sort()).to.deep.equal(
      ["first", "second"].flatMap((name) => [`${name}.csv`, `${name}.csv-metadata.json`]),
    );
  });
});
