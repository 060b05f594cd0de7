import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { holdLock } from "../../src/store/lock.ts";
import { StoreRefusal } from "../../src/store/refusal.ts";

const childPath = fileURLToPath(new URL("./lock-child.ts", import.meta.url));

describe("locks", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "itemtape-lock-"));
    path = join(folder, "itemtape.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("one holder at a time has a purpose; the other purpose stays free", () => {
    const server = holdLock(path, "serve");
    expect(() => holdLock(path, "serve"))
      .to.throw(StoreRefusal, "a server is running on it")
      .with.property("exitCode", 75);
    const importing = holdLock(path, "import");
    expect(() => holdLock(path, "import")).to.throw(StoreRefusal, "an import is running on it");
    server.release();
    holdLock(path, "serve").release();
    importing.release();
  });

  it("locks of different files have nothing to do with each other", () => {
    const one = holdLock(path, "serve");
    holdLock(join(folder, "another.db"), "serve").release();
    one.release();
  });

  it("other users may not open the lock's file", function () {
    if (process.platform === "win32") this.skip();
    holdLock(path, "serve").release();
    expect(statSync(`${path}-serve.lock`).mode & 0o777).to.equal(0o600);
  });

  it("a holder in another process is respected while it lives and forgotten when it is killed", async () => {
    const holder = spawn(process.execPath, ["--import", "tsx", childPath, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    expect(() => holdLock(path, "serve")).to.throw(StoreRefusal, "a server is running on it");
    holder.kill("SIGKILL");
    await once(holder, "exit");
    holdLock(path, "serve").release();
  });

  it("a place where no lock can be made is refused in one line", () => {
    expect(() => holdLock(join(folder, "nowhere", "itemtape.db"), "serve"))
      .to.throw(/nowhere/)
      .and.not.match(/\n/);
  });
});
