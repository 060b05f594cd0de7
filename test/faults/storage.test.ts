import { copyFileSync, linkSync, renameSync, rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { runHere } from "../support/cli.ts";
import { casesBySize, itLong } from "../support/size.ts";
import { needPosix, needTool } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { bearer, jobsOff, ServerChild, tryFetch } from "./child.ts";
import { FaultFile, type Person } from "./fault-file.ts";
import { Tracer } from "./tracer.ts";

describe("failing storage of a running server", function () {
  this.timeout(60_000);
  let file: FaultFile;
  let person: Person;
  let server: ServerChild;

  beforeEach(async () => {
    file = new FaultFile({ fewItems: true });
    person = file.person();
    // Without jobs, which would open the file by name while it is moved away.
    server = await ServerChild.start(file.path, { flags: jobsOff });
  });
  afterEach(async () => {
    await server.stop();
    file.remove();
  });

  const read = () => tryFetch(`${server.base}/v1/items/1`, { headers: bearer(person) });

  it("ends the server if reads fail for over a second", async function () {
    needTool(this, "strace", "-o", "/dev/null", "true");
    expect((await read())?.status).to.equal(200);
    const used = file.used(person);
    const tracer = await Tracer.attach(server.pid, [file.path], "inject=pread64:error=EIO");
    const beganMs = performance.now();
    let refused = 0;
    await until("the server ends", async () => {
      const answer = await read();
      if (answer?.status === 503) refused += 1;
      return server.exit !== null;
    });
    const seconds = (performance.now() - beganMs) / 1000;
    await tracer.detach();
    expect(server.exit).to.deep.equal({ code: 1, signal: null });
    expect(server.stderr)
      .to.contain("storage failed; the server stops")
      .and.to.match(/SQLITE_(IOERR|CORRUPT)/);
    const lines = server.stderr.split("\n").filter((line) => line.includes("storage cannot be read or written"));
    expect(lines.length).to.be.within(1, Math.ceil(seconds) + 1);
    expect(refused).to.be.greaterThan(lines.length);
    expect(file.used(person)).to.equal(used);
  });

  itLong("does not end the server after one failed read", async function () {
    needTool(this, "strace", "-o", "/dev/null", "true");
    expect((await read())?.status).to.equal(200);
    const tracer = await Tracer.attach(server.pid, [file.path], "inject=pread64:error=EIO:when=1", {
      mainThread: true,
    });
    await until("a read fails", async () => (await read())?.status === 503);
    await wait(1500);
    expect((await read())?.status).to.equal(200);
    await tracer.detach();
    expect(server.exit).to.equal(null);
  });

  for (const [what, suffix, change] of casesBySize<readonly [string, string, (path: string) => void]>(
    [
      ["removed", "-wal", (path: string) => rmSync(path)],
      ["removed", "-shm", (path: string) => rmSync(path)],
      [
        "replaced",
        "-wal",
        (path: string) => {
          copyFileSync(path, `${path}.copy`);
          renameSync(`${path}.copy`, path);
        },
      ],
    ],
    1,
  )) {
    it(`ends the server with 1 if its ${suffix} file is ${what}`, async function () {
      needPosix(this);
      const usedBefore = file.used(person);
      for (let count = 0; count < 5; count += 1) expect((await read())?.status).to.equal(200);
      change(file.path + suffix);
      let answered = 5;
      await until("the server ends", async () => {
        if ((await read())?.status === 200) answered += 1;
        return server.exit !== null;
      });
      expect(server.exit).to.deep.equal({ code: 1, signal: null });
      expect(server.stderr).to.contain(`${file.path}${suffix}: the log was moved, removed or replaced`);
      expect(file.used(person)).to.equal(usedBefore + answered);
      expect(file.ledger().faults).to.deep.equal([]);
    });
  }

  itLong("logs a second file name once, and refuses starts by either", async function () {
    needPosix(this);
    const other = `${file.folder}/other.db`;
    linkSync(file.path, other);
    await until("it is logged", () => server.stderr.includes("the database file has a second name"));
    await wait(1500);
    expect(server.stderr.split("the database file has a second name")).to.have.length(2);
    expect((await read())?.status).to.equal(200);
    await server.stop();
    for (const name of casesBySize([other, file.path], 1)) {
      const refused = await ServerChild.refused(name);
      expect(refused.exit?.code, refused.stderr).to.equal(86);
      expect(refused.stderr.trimEnd().split("\n")).to.have.length(1);
      expect(refused.stderr).to.contain(file.path).and.to.contain(other);
    }
  });

  it("refuses a command that would begin a second log", async function () {
    needPosix(this);
    expect((await read())?.status).to.equal(200);
    // The watch of the server would end it within two seconds.
    server.signal("SIGSTOP");
    for (const suffix of ["-wal", "-shm"]) rmSync(file.path + suffix);
    const { code, notes } = await runHere(["keys", "revoke", person.keyId, "--db", file.path]);
    expect([code, notes.length], notes.join("\n")).to.deep.equal([75, 1]);
    server.signal("SIGCONT");
    expect((await server.exited).code).to.equal(1);
    expect(file.used(person)).to.equal(1);
  });

  itLong("refuses a second server while the moved file is open", async function () {
    needPosix(this);
    // The watch of the first would end it within two seconds.
    server.signal("SIGSTOP");
    const moved = `${file.folder}/moved.db`;
    renameSync(file.path, moved);
    const refused = await ServerChild.refused(moved);
    expect(refused.exit?.code, refused.stderr).to.equal(75);
    expect(refused.stderr).to.contain("under another name or path");
  });
});
