import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { chunkName, latestName, manifestName } from "../../src/releases/folder.ts";
import { sealedStatePath } from "../../src/releases/seal.ts";
import { ReleaseState } from "../../src/releases/state.ts";
import { holdLock } from "../../src/store/file/lock.ts";
import { hourMs } from "../../src/values/time/calendar.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { ReleaseWorld, refusalOf } from "./release-world.ts";

describe("release sealing", function () {
  this.timeout(20_000);
  let world: ReleaseWorld;
  beforeEach(() => {
    world = new ReleaseWorld();
  });
  afterEach(() => world.remove());

  it("names the generation and signs every file of the folder", async () => {
    const sealed = await world.seal();
    const { latest, oldest, chunks, bytes } = await world.check();
    expect([sealed.isNew, sealed.number, oldest, latest.previous]).to.deep.equal([true, 1, 1, null]);
    expect(latest.generation).to.deep.include({ generation: "g1", items: 50 });
    expect(latest.generation?.digest).to.match(/^[0-9a-f]{64}$/);
    expect(latest.sealed_at).to.equal(new Date(world.clock.at).toISOString());
    expect([chunks, bytes]).to.deep.equal([sealed.newChunks, sealed.newBytes]);
  });

  it("seals nothing for an unchanged market and few bytes for a verification", async () => {
    const first = await world.seal();
    expect((await world.seal()).isNew).to.equal(false);
    world.verify();
    const verified = await world.seal();
    expect([verified.isNew, verified.number]).to.deep.equal([true, 2]);
    // The row of the feed and its index.
    expect(verified.newChunks).to.be.within(1, 2);
    expect(verified.newBytes).to.be.lessThan(first.newBytes);
    expect((await world.check()).oldest).to.equal(1);
  });

  it("transfers a folder to another file only on request", async () => {
    await world.seal();
    const other = new ReleaseWorld(world.folder);
    const key = { key: world.key };
    expect(await refusalOf(other.seal(key))).to.match(
      /^other publisher: release 1 in .* was not sealed from this file/,
    );
    other.publish();
    expect((await other.seal({ ...key, takeOver: true })).number).to.equal(2);
    world.publish();
    expect(await refusalOf(world.seal())).to.match(/^other publisher: release 2 in/);
    expect((await world.check()).latest.number).to.equal(2);
    other.remove();
  });

  it("rejects a copied file after the other copy has sealed", async () => {
    await world.seal();
    const copy = `${world.market.path}-copy.db`;
    copyFileSync(world.market.path, copy);
    copyFileSync(sealedStatePath(world.market.path), sealedStatePath(copy));
    world.publish();
    await world.seal();
    expect(await refusalOf(world.seal({ databasePath: copy }))).to.match(/^other publisher: release 2/);
  });

  it("rejects a folder with an older state or another key's seal", async () => {
    await world.seal();
    const older = world.file(latestName);
    world.publish();
    await world.seal();
    writeFileSync(join(world.folder, latestName), older);
    const newer = world.file(manifestName(2));
    writeFileSync(join(world.folder, manifestName(2)), "");
    expect(await refusalOf(world.seal())).to.match(
      /^spoilt: .*0002\.ndjson is not the manifest of release 2; remove it if/,
    );
    new ReleaseState(sealedStatePath(world.market.path)).set("rel_1xxxxxxxxxxxxxxxxxxx", {
      number: 3,
      sha256: "0".repeat(64),
      next: null,
    });
    writeFileSync(join(world.folder, manifestName(2)), newer);
    expect(await refusalOf(world.seal())).to.match(/^restored: .* returned to release 2, and 3 was sealed/);
    const stranger = new ReleaseWorld(world.folder);
    expect(await refusalOf(stranger.seal())).to.match(/^forged: /);
    stranger.remove();
  });

  it("completes a release after a kill before it became the newest", async () => {
    await world.seal();
    const first = { latest: world.file(latestName), manifest: (await world.check()).latest };
    world.publish();
    await world.seal();
    const state = new ReleaseState(sealedStatePath(world.market.path));
    const { lineage } = first.manifest;
    const second = state.get(lineage)!;
    const firstSha256 = (await world.check()).latest.previous!;
    state.set(lineage, { number: 1, sha256: firstSha256, next: second.sha256 });
    writeFileSync(join(world.folder, latestName), first.latest);
    expect((await world.check()).latest.number).to.equal(1);
    expect((await world.seal()).isNew).to.equal(false);
    expect((await world.check()).latest.number).to.equal(2);
    expect(new ReleaseState(sealedStatePath(world.market.path)).get(lineage)).to.deep.equal(second);
  });

  it("rewrites a damaged chunk", async () => {
    await world.seal();
    const [sha256] = (await world.check()).latest.chunks.at(-1)!;
    writeFileSync(join(world.folder, chunkName(sha256)), "torn");
    expect(await refusalOf(world.check())).to.match(/^torn: /);
    world.verify();
    await world.seal();
    await world.check();
  });

  it("rewrites a chunk with a flipped bit within 16 releases", async () => {
    await world.seal();
    // Each seal reads the chunks of the next hexadecimal digit. The flipped chunk is the first to be read.
    const turnOf = (sha256: string) => (Number.parseInt(sha256[0]!, 16) + 15) % 16;
    const digests = (await world.check()).latest.chunks.map(([sha256]) => sha256);
    const [sha256 = ""] = digests.sort((one, other) => turnOf(one) - turnOf(other));
    const bytes = world.file(chunkName(sha256));
    bytes[20]! ^= 1;
    writeFileSync(join(world.folder, chunkName(sha256)), bytes);
    for (let releases = 0; releases <= turnOf(sha256); releases += 1) {
      world.verify();
      await world.seal({ retention: { count: 1, hours: 0 } });
    }
    await world.check();
  });

  for (const content of ["garbage", null]) {
    it(`continues despite ${content ?? "a copied manifest"} under a far number, and removes it`, async () => {
      await world.seal();
      const stray = join(world.folder, manifestName(9_999_999_999));
      writeFileSync(stray, content ?? world.file(manifestName(1)));
      world.publish();
      expect((await world.seal()).number).to.equal(2);
      expect([manifestsOf(world), (await world.check()).latest.number]).to.deep.equal([[1, 2], 2]);
    });
  }

  it("removes releases old by count and age, but no referenced chunk", async () => {
    const numbers: number[][] = [];
    for (const hours of [24, 24, 24, 0, 0]) {
      world.publish();
      world.clock.at += hourMs;
      await world.seal({ retention: { count: 2, hours } });
      numbers.push(manifestsOf(world));
      await world.check();
    }
    expect(numbers).to.deep.equal([[1], [1, 2], [1, 2, 3], [3, 4], [4, 5]]);
    const { chunks } = await world.check();
    expect(chunksOf(world)).to.equal(chunks);
  });

  it("refuses a second process while a file is being sealed", async () => {
    const lock = holdLock(world.market.path, "release");
    expect(await refusalOf(world.seal())).to.match(/another process holds the file/);
    lock.release();
  });

  it("keeps the last release on a full disk, then seals again", async function () {
    const disk = SmallDisk.mount(this, 4 * 1024 * 1024);
    const small = new ReleaseWorld(join(disk.folder, "releases"));
    try {
      await small.seal();
      const before = chunksOf(small);
      small.publish();
      for (const room of [0, 8 * 1024]) {
        disk.fill(room);
        expect(await refusalOf(small.seal())).to.match(/the disk is full/);
        disk.clear();
        expect((await small.check()).latest.number).to.equal(1);
        expect([chunksOf(small), manifestsOf(small)]).to.deep.equal([before, [1]]);
      }
      expect((await small.seal()).number).to.equal(2);
      await small.check();
    } finally {
      small.remove();
      disk.unmount();
    }
  });
});

function manifestsOf({ folder }: ReleaseWorld): number[] {
  return readdirSync(join(folder, "manifests"))
    .sort()
    .map((name) => Number.parseInt(name, 10));
}

/** Returns the number of files among the chunks. */
function chunksOf({ folder }: ReleaseWorld): number {
  const names = readdirSync(join(folder, "chunks"), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.includes("/")).length;
}
