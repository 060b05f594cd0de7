import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { chunkName, manifestName, ReleaseFolder, timestampName } from "../../src/releases/folder.ts";
import { namedManifest } from "../../src/releases/metadata.ts";
import { sealedStatePath, sealRelease } from "../../src/releases/seal.ts";
import { ReleaseState } from "../../src/releases/state.ts";
import { holdLock } from "../../src/store/file/lock.ts";
import { hourMs } from "../../src/values/time/calendar.ts";
import { temporaryFolder } from "../support/files.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { isWhole, ReleaseWorld, refusalOf } from "./release-world.ts";

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

  it("writes releases of files with the largest pages", async () => {
    world.change(({ $client }) => $client.exec("PRAGMA journal_mode = DELETE; PRAGMA page_size = 65536; VACUUM"));
    await world.seal();
    const { manifest } = await world.fetch();
    expect([manifest.page_bytes, isWhole(world.to)]).to.deep.equal([65_536, true]);
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

  it("continues a folder that was restored from a copy", async () => {
    await world.seal();
    const copy = join(temporaryFolder(), "copy");
    cpSync(world.folder, copy, { recursive: true });
    world.publish();
    await world.seal();
    await world.fetch();
    rmSync(world.folder, { recursive: true });
    cpSync(copy, world.folder, { recursive: true });
    expect(await refusalOf(world.fetch())).to.match(/^rollback: /);
    world.clock.at += 60_000;
    world.publish();
    expect((await world.seal()).number).to.equal(3);
    expect((await world.fetch()).manifest.number).to.equal(3);
  });

  it("begins a new chain after a damaged manifest", async () => {
    await world.seal();
    writeFileSync(join(world.folder, newestOf(world)), "garbage");
    expect(await refusalOf(world.check())).to.match(/^torn: .* does not match its SHA-256/);
    expect((await world.seal()).number).to.equal(2);
    expect((await world.check()).latest.previous).to.equal(null);
  });

  it("refuses another key, and a folder without a root", async () => {
    await world.seal();
    const stranger = new ReleaseWorld(world.folder);
    expect(await refusalOf(stranger.seal())).to.match(/^other key: root 1 in .* names another online key/);
    stranger.remove();
    rmSync(join(world.folder, "metadata"), { recursive: true });
    const { folder, key } = world;
    const order = { databasePath: world.market.path, folder, key, retention: { count: 1, hours: 1 } };
    const parts = { clock: world.clock, newLineage: () => "rel_1", signal: new AbortController().signal };
    expect(await refusalOf(sealRelease(order, parts))).to.match(/the folder has no root; .*release root init/);
  });

  it("signs again when due, with the targets only weekly", async () => {
    await world.seal();
    const signs = async (hours: number) => {
      world.clock.at += hours * hourMs;
      const before = filesOf(world);
      await world.seal({ signsOnly: true });
      return filesOf(world)
        .filter((file) => !before.includes(file))
        .map((file) => file.split(" ")[0]!.replace(/^\d+\./, ""));
    };
    expect(await signs(0.9)).to.deep.equal([]);
    expect(await signs(0.2)).to.deep.equal(["timestamp.json"]);
    expect((await signs(8 * 24)).sort()).to.deep.equal(["snapshot.json", "targets.json", "timestamp.json"]);
    expect((await world.check()).latest.number).to.equal(1);
  });

  it("does not sign a forged release again", async () => {
    await world.seal();
    world.publish();
    await world.seal();
    const { latest } = await world.check();
    world.clock.at += 2 * hourMs;
    await world.sign({ ...latest, number: 1, sealed_at: "2999-01-01T00:00:00.000Z" });
    world.clock.at += 2 * hourMs;
    const { isNew, number } = await world.seal({ signsOnly: true });
    expect([isNew, number, (await world.check()).latest.sealed_at < "2900"]).to.deep.equal([true, 3, true]);
    await world.sign({ ...latest, number: 9 });
    expect(await refusalOf(world.seal({ signsOnly: true }))).to.match(/^other publisher: release 9 /);
  });

  it("signs the index of a dataset as a second target", async () => {
    await world.seal();
    mkdirSync(join(world.folder, "dataset"));
    writeFileSync(join(world.folder, "dataset/index.json"), "{}\n");
    await world.seal();
    const [targets] = filesOf(world)
      .filter((file) => file.includes(".targets.json"))
      .sort()
      .reverse();
    const { signed } = JSON.parse(world.file(`metadata/${targets!.split(" ")[0]}`).toString());
    const { length, hashes } = signed.targets["dataset/index.json"];
    expect([length, world.file(`dataset/${hashes.sha256}.index.json`).toString()]).to.deep.equal([3, "{}\n"]);
    expect((await world.check()).latest.number).to.equal(1);
  });

  it("completes a release after a kill before its signatures", async () => {
    await world.seal();
    const before = world.file(timestampName);
    world.publish();
    await world.seal();
    const state = new ReleaseState(sealedStatePath(world.market.path));
    const { lineage, previous } = (await world.check()).latest;
    state.set(lineage, { number: 1, sha256: previous!, next: state.get(lineage)!.sha256 });
    writeFileSync(join(world.folder, timestampName), before);
    expect((await world.check()).latest.number).to.equal(1);
    expect((await world.seal()).number).to.equal(2);
    expect((await world.check()).latest.previous).to.equal(previous);
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

  it("removes a manifest that no release names", async () => {
    await world.seal();
    writeFileSync(join(world.folder, manifestName("0".repeat(64))), "garbage");
    world.publish();
    expect((await world.seal()).number).to.equal(2);
    expect(manifestsOf(world)).to.deep.equal([1, 2]);
  });

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

/** Returns the numbers of the releases in the folder. */
function manifestsOf({ folder }: ReleaseWorld): number[] {
  const names = readdirSync(join(folder, "manifests"));
  return names.map((name) => JSON.parse(readFileSync(join(folder, "manifests", name), "utf8")).number).sort();
}

function newestOf({ folder }: ReleaseWorld): string {
  return manifestName(namedManifest(new ReleaseFolder(folder))!);
}

/** Returns the files of the metadata, each with its content. */
function filesOf({ folder }: ReleaseWorld): string[] {
  const names = readdirSync(join(folder, "metadata"));
  return names.map((name) => `${name} ${readFileSync(join(folder, "metadata", name), "utf8")}`);
}

/** Returns the number of files among the chunks. */
function chunksOf({ folder }: ReleaseWorld): number {
  const names = readdirSync(join(folder, "chunks"), { recursive: true, encoding: "utf8" });
  return names.filter((name) => name.includes("/")).length;
}
