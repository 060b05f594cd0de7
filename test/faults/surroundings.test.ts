import { once } from "node:events";
import { copyFileSync, existsSync, renameSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { openWriter } from "../../src/store/database.ts";
import { casesBySize, describeLong, itLong } from "../support/size.ts";
import { needTool } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { bearer, jobsOff, programPath, ServerChild, tryFetch } from "./child.ts";
import { FaultFile, type Person } from "./fault-file.ts";
import { Tracer } from "./tracer.ts";

describeLong("faults around a running server", function () {
  this.timeout(180_000);
  let file: FaultFile;
  let person: Person;
  let server: ServerChild;

  before(async () => {
    file = new FaultFile({ fewItems: true });
    person = file.person();
    server = await start(["--log-level", "debug"]);
  });
  after(async () => {
    await server.stop();
    file.remove();
  });

  const start = (flags: readonly string[] = []) => ServerChild.start(file.path, { flags: [...jobsOff, ...flags] });
  const read = () => fetch(`${server.base}/v1/items/1`, { headers: bearer(person) });

  it("refuse a second server on the file with one line, code 75", async () => {
    const second = await ServerChild.refused(file.path);
    expect(second.exit).to.deep.equal({ code: 75, signal: null });
    expect(second.stderr.trimEnd().split("\n")).to.have.length(1);
    expect(second.stderr).to.contain(file.path).and.to.contain("a server is running on it");
    expect((await read()).status).to.equal(200);
  });

  it("end a start at a used port with one line naming it", async () => {
    const holder = createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as AddressInfo;
    const other = new FaultFile({ fewItems: true });
    try {
      const refused = await ServerChild.refused(other.path, { port, flags: jobsOff });
      expect(refused.exit?.code).to.be.greaterThan(0);
      expect(refused.stderr.trimEnd().split("\n"), refused.stderr).to.have.length(1);
      expect(refused.stderr).to.contain(String(port));
    } finally {
      holder.close();
      other.remove();
    }
  });

  itLong("leave no file with unseen keys after a failed first start", async () => {
    const path = join(file.folder, "first.db");
    const { port } = server;
    const program = [programPath, "start", "--db", path, "--port", String(port)];
    const refused = await ServerChild.refused(path, { program });
    expect(refused.exit?.code).to.equal(75);
    expect([existsSync(path), refused.stdout]).to.deep.equal([false, ""]);
  });

  it("give 503 with Retry-After while a write lock is held", async () => {
    const usedBefore = file.used(person);
    const other = openWriter(file.path, 1000);
    other.$client.exec("BEGIN IMMEDIATE");
    const endsMs = performance.now() + 1000;
    const statuses: number[] = [];
    const paid = Promise.all(
      Array.from({ length: 4 }, async () => {
        while (performance.now() < endsMs - 300) {
          const answer = await read();
          statuses.push(answer.status);
          expect(answer.headers.get("retry-after")).to.match(/^[1-9]\d*$/);
        }
      }),
    );
    const tookMs: number[] = [];
    while (performance.now() < endsMs) {
      const askedMs = performance.now();
      expect((await fetch(`${server.base}/v1/status`)).status).to.equal(200);
      tookMs.push(performance.now() - askedMs);
      await wait(5);
    }
    await paid;
    other.$client.exec("ROLLBACK");
    other.$client.close();
    expect(new Set(statuses)).to.deep.equal(new Set([503]));
    expect(file.used(person)).to.equal(usedBefore);
    // Waiting for the lock in the event loop would block for 250 ms and delay nearly every response.
    expect(tookMs.sort((a, b) => a - b)[Math.floor(tookMs.length / 2)]).to.be.lessThan(200);
    expect((await read()).status).to.equal(200);
    expect(file.used(person)).to.equal(usedBefore + 1);
  });

  itLong("do not stop the server when its output pipe closes", async () => {
    const one = file.person();
    server.closePipes();
    for (let count = 0; count < 20; count += 1) {
      expect((await fetch(`${server.base}/v1/items/1`, { headers: bearer(one) })).status).to.equal(200);
    }
    server.signal("SIGTERM");
    expect((await server.exited).code).to.equal(0);
    expect(file.used(one)).to.equal(20);
    server = await start();
  });

  it("stop the server after a failed sync, keeping every confirmed charge", async function () {
    needTool(this, "strace", "-o", "/dev/null", "true");
    const answered = (await read()).headers.get("x-request-id")!;
    const usedBefore = file.used(person);
    const tracer = await Tracer.attach(server.pid, [`${file.path}-wal`], "inject=fsync:error=EIO");
    const failed = await tryFetch(`${server.base}/v1/items/1`, { headers: bearer(person) });
    expect(failed?.status ?? 503).to.equal(503);
    await until("the server stops", () => server.exit !== null);
    await tracer.detach();
    expect(server.exit).to.deep.equal({ code: 1, signal: null });
    expect(server.stderr).to.contain("storage failed; the server stops");
    server = await start();
    expect((await read()).status).to.equal(200);
    const { requestIds, faults } = file.ledger();
    expect([requestIds.has(answered), faults]).to.deep.equal([true, []]);
    // The failed one may be on disk all the same: a unit at most.
    expect(file.used(person)).to.be.within(usedBefore + 1, usedBefore + 2);
  });

  for (const [name, replace] of casesBySize<readonly [string, (path: string) => void]>(
    [
      ["moved", (path: string) => renameSync(path, `${path}.moved`)],
      [
        "replaced",
        (path: string) => {
          copyFileSync(path, `${path}.copy`);
          renameSync(`${path}.copy`, path);
        },
      ],
    ],
    1,
  )) {
    it(`stop a server with a message if its file is ${name}`, async () => {
      if (server.exit !== null) server = await start();
      replace(file.path);
      await until("the server stops", () => server.exit !== null);
      expect(server.exit?.code).to.equal(1);
      expect(server.stderr).to.contain("moved or replaced while the server ran");
      if (!existsSync(file.path)) renameSync(`${file.path}.moved`, file.path);
    });
  }
});
