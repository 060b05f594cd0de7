import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import { childProgram } from "../../scripts/support/child-program.ts";
import { openReader } from "../../src/store/database.ts";
import type { CheckpointEvent } from "../../src/store/file/checkpoints.ts";
import { casesBySize, itLong } from "../support/size.ts";
import { needTool } from "../support/skip.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";
import { bearer, jobsOff, ServerChild, tryFetch } from "./child.ts";
import { FaultFile, type Person } from "./fault-file.ts";
import { Tracer } from "./tracer.ts";

const mebibyte = 1024 * 1024;
const driver = new URL("./checkpoint-driver.ts", import.meta.url);

describe("space for the write-ahead log", function () {
  this.timeout(180_000);
  let disk: SmallDisk | null;
  let file: FaultFile;
  let person: Person;
  let server: ServerChild | null;

  beforeEach(() => {
    disk = null;
    server = null;
  });
  afterEach(async () => {
    await server?.stop();
    file.remove();
    disk?.unmount();
  });

  async function start(flags: readonly string[] = [], folder?: string): Promise<ServerChild> {
    file = new FaultFile(folder === undefined ? {} : { folder });
    person = file.person();
    // Jobs may read for long right after the start and hold back the checkpoint.
    server = await ServerChild.start(file.path, { flags: [...flags, ...jobsOff] });
    return server;
  }

  const read = () => tryFetch(`${server!.base}/v1/items/1`, { headers: bearer(person) });
  const logged = (message: string) => server!.stderr.split("\n").filter((line) => line.includes(message));

  it("stays sufficient for charges until the first checkpoint", async function () {
    disk = SmallDisk.mount(this, 64 * mebibyte);
    await start([], disk.folder);
    disk.fill(mebibyte);
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count < 150; count += 1) statuses.push((await read())?.status);
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(file.used(person)).to.equal(150);
    expect(file.ledger().faults).to.deep.equal([]);
  });

  itLong("gives 503 without a charge when exhausted, and recovers", async function () {
    disk = SmallDisk.mount(this, 64 * mebibyte);
    await start([], disk.folder);
    disk.fill(0);
    const full = await read();
    expect([full?.status, full?.headers.get("retry-after")]).to.deep.equal([503, "1"]);
    expect(file.used(person)).to.equal(0);
    disk.clear();
    expect((await read())?.status).to.equal(200);
    expect(file.used(person)).to.equal(1);
  });

  itLong("gives 503 at a used-up quota without ending the server", async function () {
    needTool(this, "strace", "-o", "/dev/null", "true");
    const { pid, stderr } = await start();
    const probe = `${file.path}.itemtape-part-${pid}-room`;
    const tracer = await Tracer.attach(pid, [`${file.path}-wal`, probe], "inject=pwrite64:error=EDQUOT");
    expect((await read())?.status, stderr).to.equal(503);
    await tracer.detach();
    expect((await read())?.status).to.equal(200);
    expect(file.used(person)).to.equal(1);
    expect(server!.exit).to.equal(null);
  });

  itLong("is logged if a reader blocks checkpoints, then gives 503", async () => {
    await start(["--wal-bytes-max", String(mebibyte)]);
    const reader = openReader(file.path);
    reader.$client.exec("BEGIN");
    reader.$client.prepare("SELECT count(*) FROM usage_events").get();
    let charged = 0;
    await until("charges are refused", async () => {
      const status = (await read())?.status;
      if (status === 200) charged += 1;
      return status === 503;
    });
    await until("it is logged", () => logged("a reader keeps the write-ahead log from being emptied").length > 0);
    const [line] = logged("a reader keeps the write-ahead log from being emptied");
    const { wal_bytes: bytes, refuses_charges: refuses } = JSON.parse(line!);
    expect([bytes >= mebibyte, bytes < 2 * mebibyte, refuses], line).to.deep.equal([true, true, true]);
    expect((await tryFetch(`${server!.base}/v1/status`))?.status).to.equal(200);
    reader.$client.close();
    await until("charges go on", async () => (await read())?.status === 200);
    expect(file.used(person)).to.equal(charged + 1);
    await until("the end of it is logged", () => logged("the write-ahead log is no longer held back").length === 1);
    expect(server!.exit).to.equal(null);
  });

  itLong("is logged if a checkpoint fails, and charges continue", async function () {
    needTool(this, "strace", "-o", "/dev/null", "true");
    const { pid } = await start(["--wal-bytes-max", String(4 * mebibyte)]);
    const tracer = await Tracer.attach(pid, [file.path], "inject=pwrite64:error=EIO");
    await until("it is logged", async () => {
      expect((await read())?.status).to.equal(200);
      return logged("checkpoint failed").length > 0;
    });
    expect(JSON.parse(logged("checkpoint failed")[0]!)).to.include({ level: 50, code: "SQLITE_IOERR_WRITE" });
    await tracer.detach();
    const used = file.used(person);
    expect((await read())?.status).to.equal(200);
    expect(file.used(person)).to.equal(used + 1);
    expect(server!.exit).to.equal(null);
  });

  for (const [title, injection, expected] of casesBySize(
    [
      [
        "checkpoints that fail for 30 s end the ledger's thread",
        "inject=pwrite64:error=EIO",
        "checkpoints have failed for 30 s",
      ],
      ["checkpoints that recover within 30 s change nothing", "inject=pwrite64:error=EIO:when=1..8", "went on"],
    ] as const,
    1,
  )) {
    it(title, async function () {
      needTool(this, "strace", "-o", "/dev/null", "true");
      file = new FaultFile({ empty: true });
      const words = ["-D", "-f", "-qq", "-o", "/dev/null", "-P", file.path, "-e", injection];
      const child = spawn("strace", [...words, process.execPath, ...childProgram(driver), file.path], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let text = "";
      child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      await once(child, "close");
      const lines = text.trimEnd().split("\n");
      const events = lines.slice(0, -1).map((line) => JSON.parse(line) as CheckpointEvent);
      expect(lines.at(-1)).to.equal(expected);
      const failures = events.filter((event) => event.kind === "failed");
      expect(failures.length).to.be.greaterThan(5);
      expect(new Set(failures.map(({ code }) => code))).to.deep.equal(new Set(["SQLITE_IOERR_WRITE"]));
      expect(file.ledger().faults).to.deep.equal([]);
    });
  }
});
