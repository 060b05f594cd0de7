import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { expect } from "chai";
import { PartFile } from "../../src/cli/export/part-file.ts";
import { runCli, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { needPath } from "../support/skip.ts";
import { ExportServer } from "./export-server.ts";

const ordinaryId = 65534;

describe("export destination", () => {
  const folder = temporaryFolder();
  let server: ExportServer;
  let env: Record<string, string>;
  before(async () => {
    server = await ExportServer.start();
    env = { ITEMTAPE_API_KEY: "itemtape_live_k", ITEMTAPE_URL: server.base };
  });
  beforeEach(() => server.reset());
  after(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("may have the longest possible file name", async () => {
    const path = join(folder, "x".repeat(255));
    expect((await runHere(["export", path, "--format", "sqlite"], { env })).code).to.equal(0);
    expect(readdirSync(folder)).to.deep.equal([basename(path)]);
    const part = new PartFile(join(folder, "other.csv"), { mayReplace: true });
    expect(basename(part.path)).to.match(/^\.itemtape-part-\d+-[0-9A-Za-z]{20}$/);
    part.remove();
    expect(readdirSync(folder)).to.deep.equal([basename(path)]);
  });

  it("is cleared of a killed export's part file by the next export", () => {
    const littered = temporaryFolder();
    const gone = spawnSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).stdout.trim();
    const running = `.itemtape-part-${process.ppid}-1aZ`;
    for (const name of [`.itemtape-part-${gone}-1aZ`, running]) writeFileSync(join(littered, name), "half");
    new PartFile(join(littered, "market.csv"), { mayReplace: true }).remove();
    expect(readdirSync(littered)).to.deep.equal([running]);
  });

  it("is refused before any request if its folder cannot be synced", async () => {
    const closed = join(folder, "closed");
    const path = join(closed, "market.csv");
    mkdirSync(closed);
    writeFileSync(path, "old");
    const isRoot = process.getuid?.() === 0;
    if (isRoot) for (const one of [folder, closed, path]) chownSync(one, ordinaryId, ordinaryId);
    chmodSync(closed, 0o300);
    const user = isRoot ? { uid: ordinaryId, gid: ordinaryId } : {};
    const { code, stderr } = await runCli(["export", path, "--format", "csv", "--force"], { env, ...user });
    chmodSync(closed, 0o700);
    expect([code, stderr]).to.deep.equal([73, `itemtape: ${path}: cannot create a file in its folder (EACCES)\n`]);
    expect([server.requests, readdirSync(closed), readFileSync(path, "utf8")]).to.deep.equal([
      [],
      ["market.csv"],
      "old",
    ]);
  });

  it("causes a warning if its folder fails after the rename", function () {
    needPath(this, "/proc/self/fd");
    const own = mkdtempSync(join(folder, "lost-"));
    const path = join(own, "market.csv");
    writeFileSync(path, "old");
    const part = new PartFile(path, { mayReplace: true });
    writeFileSync(part.path, "new");
    const isOfFolder = (fd: string) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === own;
      } catch {
        return false;
      }
    };
    const open = readdirSync("/proc/self/fd").filter(isOfFolder);
    expect(open).to.have.length(1);
    closeSync(Number(open[0]));
    expect(part.publish()).to.equal("EBADF");
    part.remove();
    expect([readdirSync(own), readFileSync(path, "utf8")]).to.deep.equal([["market.csv"], "new"]);
  });
});
