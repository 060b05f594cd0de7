import { fork } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import { ChunkMemory } from "../../src/releases/chunk-memory.ts";
import type { ManifestFile } from "../../src/releases/manifest.ts";
import { sealedStatePath } from "../../src/releases/seal.ts";
import { entryFlags, entryPath } from "../../src/values/root.ts";
import { temporaryFolder } from "../support/files.ts";
import { casesBySize, itLong } from "../support/size.ts";
import { ReleaseWorld } from "./release-world.ts";

describe("digests of sealed chunks", function () {
  this.timeout(120_000);
  let world: ReleaseWorld;
  beforeEach(() => {
    world = new ReleaseWorld();
  });
  afterEach(() => world.remove());

  const place = () => `${world.market.path}-releases.chunks`;
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

  it("recognize chunks of the same manifest, pages and uses", () => {
    const path = join(temporaryFolder(), "x.chunks");
    const chunk = (byte: number, window: number) => ["a".repeat(64), byte, window, 3] as const;
    const fileOf = (of: string, chunks: readonly (readonly [string, number, number, number])[]) =>
      ({ sha256: of, text: "", manifest: { chunks } }) as unknown as ManifestFile;
    const one = fileOf("1", [chunk(1, 0), chunk(2, 1), chunk(3, 2)]);
    const two = fileOf("2", [chunk(1, 0), chunk(4, 1)]);
    const added = (
      head: ManifestFile | null,
      chunks: readonly [byte: number, way: number | null][],
      next?: ManifestFile,
    ) => {
      const memory = new ChunkMemory(path, head);
      const known = chunks.map(([byte, way], window) =>
        memory.add([window, 3], Buffer.alloc(512, byte), way === null ? null : Uint16Array.of(0, way)),
      );
      if (next !== undefined) memory.write(next);
      return known.map((found) => found?.[1] ?? null);
    };
    const all: [number, number | null][] = [
      [1, 0],
      [2, 7],
      [3, null],
    ];
    expect(added(null, all, one)).to.deep.equal([null, null, null]);
    expect(added(one, all)).to.deep.equal([1, 2, null]);
    expect(
      added(one, [
        [1, 1],
        [9, 7],
        [3, 0],
      ]),
    ).to.deep.equal([null, null, null]);
    expect(
      added(one, [
        [2, 7],
        [1, 0],
      ]),
    ).to.deep.equal([null, null]);
    expect(added(two, all)).to.deep.equal([null, null, null]);
    expect(
      added(
        one,
        [
          [1, 0],
          [9, 7],
        ],
        two,
      ),
    ).to.deep.equal([1, null]);
    expect(added(one, all)).to.deep.equal([null, null, null]);
    expect(
      added(two, [
        [1, 0],
        [9, 7],
      ]),
    ).to.deep.equal([1, 4]);
  });

  it("make the release of a fresh folder, also if damaged or lost", async () => {
    await world.seal();
    const older = readFileSync(place());
    const spoil = [
      () => writeFileSync(place(), older),
      () => writeFileSync(place(), readFileSync(place()).fill(0, 100)),
      () => truncateSync(place(), 100),
      () => rmSync(place()),
    ];
    for (const damage of casesBySize(spoil, 2)) {
      world.publish();
      await world.seal();
      damage();
    }
    world.verify();
    await world.seal();
    const { mtimeNs } = statSync(place(), { bigint: true });
    world.change(({ $client }) =>
      $client.exec("INSERT INTO usage_events VALUES ('req_1', 'acc', 'key', 'getItem', '2026-01', 1)"),
    );
    expect((await world.seal()).isNew).to.equal(false);
    expect(statSync(place(), { bigint: true }).mtimeNs).to.equal(mtimeNs);
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
