import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { PageMemory } from "../../src/releases/page-memory.ts";
import { sealedStatePath } from "../../src/releases/seal.ts";
import { entryFlags, entryPath } from "../../src/values/root.ts";
import { temporaryFolder } from "../support/files.ts";
import { itLong } from "../support/size.ts";
import { ReleaseWorld } from "./release-world.ts";

describe("digests of sealed pages", function () {
  this.timeout(120_000);
  let world: ReleaseWorld;
  beforeEach(() => {
    world = new ReleaseWorld();
  });
  afterEach(() => world.remove());

  const place = () => `${world.market.path}-releases.pages`;
  const chunks = async () => (await world.check()).latest.chunks.map(([sha256, , ...pages]) => [sha256, ...pages]);

  /** Returns the chunks of a release that is sealed from a copy of the file into a new folder. */
  async function freshChunks(): Promise<unknown[]> {
    const other = new ReleaseWorld();
    world.change(({ $client }) => void $client.pragma("wal_checkpoint(TRUNCATE)"));
    copyFileSync(world.market.path, other.market.path);
    for (const suffix of ["-wal", "-shm"]) rmSync(other.market.path + suffix, { force: true });
    await other.seal();
    const { latest } = await other.check();
    other.remove();
    return latest.chunks.map(([sha256, , ...pages]) => [sha256, ...pages]);
  }

  it("recognize equal pages of the same manifest and use only", () => {
    const path = join(temporaryFolder(), "x.pages");
    const page = (byte: number) => Buffer.alloc(512, byte);
    const added = (manifest: string | null, pages: readonly [byte: number, way: number][], next?: string) => {
      const memory = new PageMemory(path, manifest, pages.length);
      const known = pages.map(([byte, way], index) => memory.add(index + 1, page(byte), way));
      if (next !== undefined) memory.write(next);
      return known;
    };
    const [one, two] = ["1".repeat(64), "2".repeat(64)];
    expect(
      added(
        null,
        [
          [1, 1],
          [2, 7],
          [3, 0],
        ],
        one,
      ),
    ).to.deep.equal([false, false, false]);
    expect(
      added(one, [
        [1, 1],
        [2, 8],
        [3, 0],
        [4, 1],
      ]),
    ).to.deep.equal([true, false, false, false]);
    expect(added(two, [[1, 1]])).to.deep.equal([false]);
    expect(
      added(
        one,
        [
          [9, 1],
          [2, 7],
        ],
        two,
      ),
    ).to.deep.equal([false, true]);
    expect(added(one, [[9, 1]])).to.deep.equal([false]);
    expect(
      added(two, [
        [9, 1],
        [2, 7],
        [3, 1],
      ]),
    ).to.deep.equal([true, true, false]);
  });

  it("make the release of a fresh folder after each change", async () => {
    for (const change of ["publish", "verify", "charge", "publish"] as const) {
      await world.seal();
      const before = statSync(place(), { bigint: true }).mtimeNs;
      await world.seal();
      // Without a change nothing is written.
      expect(statSync(place(), { bigint: true }).mtimeNs).to.equal(before);
      if (change === "charge") {
        world.change(({ $client }) =>
          $client.exec("INSERT INTO usage_events VALUES ('req_1', 'acc', 'key', 'getItem', '2026-01', 1)"),
        );
      } else world[change]();
    }
    await world.seal();
    expect(await chunks()).to.deep.equal(await freshChunks());
  });

  it("are ignored if they are lost, cut, half written or of an older release", async () => {
    await world.seal();
    const older = readFileSync(place());
    const damage: (() => void)[] = [
      () => rmSync(place()),
      () => truncateSync(place(), 5000),
      () => writeFileSync(place(), older),
      () => writeFileSync(place(), readFileSync(place()).fill(0, 0, 32)),
    ];
    for (const spoil of damage) {
      world.publish();
      await world.seal();
      spoil();
      world.publish();
      await world.seal();
    }
    expect(await chunks()).to.deep.equal(await freshChunks());
  });

  itLong("make the release of a fresh folder after kills at any instant", async () => {
    await world.seal();
    const { folder, market } = world;
    const keyPath = join(temporaryFolder(), "key.pem");
    writeFileSync(keyPath, world.key.export({ type: "pkcs8", format: "pem" }), { mode: 0o600 });
    const order = { databasePath: market.path, folder, keyPath, retention: { count: 24, hours: 24 } };
    for (let killed = 0; killed < 60; killed += 1) {
      world.publish();
      const child = fork(entryPath("src/jobs/releases/worker.ts"), {
        execArgv: [...entryFlags],
        serialization: "advanced",
      });
      child.send({ ...order, signsOnly: false });
      const ended = once(child, "exit");
      await Promise.race([ended, setTimeout(300 + killed * 20)]);
      child.kill("SIGKILL");
      await ended;
      expect(existsSync(sealedStatePath(market.path))).to.equal(true);
      if (killed % 3 > 0) continue;
      await world.seal();
      expect(await chunks()).to.deep.equal(await freshChunks());
    }
  });
});
