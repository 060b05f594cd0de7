import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect } from "chai";
import { childProgram } from "../../scripts/support/child-program.ts";
import { holdLock } from "../../src/store/file/lock.ts";
import { StoreRefusal } from "../../src/store/file/refusal.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import { entryFlags } from "../../src/values/root.ts";
import { temporaryFolder } from "../support/files.ts";
import { needPosix } from "../support/skip.ts";

const lockChild = new URL("./lock-child.ts", import.meta.url);
const lockThread = new URL("./lock-thread.ts", import.meta.url);

describe("locks", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "itemtape.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("have one holder per purpose at a time", () => {
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

  it("are in a file that other users may not open", function () {
    needPosix(this);
    holdLock(path, "serve").release();
    expect(statSync(`${path}-serve.lock`).mode & 0o777).to.equal(0o600);
  });

  it("name any other object in their place and leave it unchanged", function () {
    needPosix(this);
    const lockPath = `${path}-serve.lock`;
    const foreignFile = join(folder, "foreign");
    writeFileSync(foreignFile, "");
    chmodSync(foreignFile, 0o644);
    const planted: [string, () => void][] = [
      ["it is a symbolic link", () => symlinkSync(foreignFile, lockPath)],
      ["it is a symbolic link", () => symlinkSync(join(folder, "made"), lockPath)],
      ["it is not empty", () => writeFileSync(lockPath, "a note", { mode: 0o644 })],
      ["it is a folder", () => mkdirSync(lockPath)],
    ];
    for (const [why, plant] of planted) {
      plant();
      const { mode } = statSync(lockPath, { throwIfNoEntry: false }) ?? {};
      expect(() => holdLock(path, "serve"))
        .to.throw(OperatorError, `${lockPath}: this is not a lock file (${why})`)
        .with.property("exitCode", 73);
      expect(statSync(lockPath, { throwIfNoEntry: false })?.mode).to.equal(mode);
      rmSync(lockPath, { recursive: true });
    }
    expect([readFileSync(foreignFile, "utf8"), statSync(foreignFile).mode & 0o777]).to.deep.equal(["", 0o644]);
    expect(statSync(join(folder, "made"), { throwIfNoEntry: false })).to.equal(undefined);
    holdLock(path, "serve").release();
  });

  it("survive a second attempt by the same process from any thread", async () => {
    const lock = holdLock(path, "serve");
    expect(() => holdLock(path, "serve")).to.throw(StoreRefusal);
    const thread = new Worker(lockThread, { workerData: path, execArgv: [...entryFlags] });
    // A thread that ends at once sends its message and its end in one turn.
    const ended = once(thread, "exit");
    const [message] = await once(thread, "message");
    await ended;
    expect(message).to.include("a server is running on it");
    const other = spawn(process.execPath, [...childProgram(lockChild), path], { stdio: ["ignore", "pipe", "ignore"] });
    // It ends if it is refused and prints "held" if not.
    const [exitCode] = await Promise.race([once(other, "exit"), once(other.stdout, "data")]);
    other.kill("SIGKILL");
    lock.release();
    expect(exitCode).to.equal(1);
  });

  it("last until their process ends or is killed", async () => {
    const holder = spawn(process.execPath, [...childProgram(lockChild), path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(holder.stdout, "data");
    expect(() => holdLock(path, "serve")).to.throw(StoreRefusal, "a server is running on it");
    holder.kill("SIGKILL");
    await once(holder, "exit");
    holdLock(path, "serve").release();
  });

  it("are refused in one line if they cannot be created", () => {
    expect(() => holdLock(join(folder, "nowhere", "itemtape.db"), "serve"))
      .to.throw(/nowhere/)
      .and.not.match(/\n/);
  });
});
