import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import {
  assembleRelease,
  downloadedRelease,
  downloadStatePath,
  findRelease,
  installRelease,
  releasePartPath,
} from "../../src/releases/fetch.ts";
import { chunkName, latestName, manifestName } from "../../src/releases/folder.ts";
import { parsePublicKey, publicKeyText } from "../../src/releases/key.ts";
import { signManifest } from "../../src/releases/manifest.ts";
import { openSource, type ReleaseSource } from "../../src/releases/source.ts";
import { ReleaseState } from "../../src/releases/state.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { openWriter } from "../../src/store/database.ts";
import { holdLock } from "../../src/store/file/lock.ts";
import { itLong } from "../support/size.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { ReleaseWorld, refusalOf } from "./release-world.ts";

describe("release fetch", function () {
  this.timeout(20_000);
  let world: ReleaseWorld;
  beforeEach(async () => {
    world = new ReleaseWorld();
    await world.seal();
  });
  afterEach(() => world.remove());

  it("creates a private market file that passes the database check", async () => {
    const { isNew, fetchedChunks, manifest } = await world.fetch();
    expect([isNew, fetchedChunks]).to.deep.equal([true, manifest.chunks.length]);
    expect(checkDatabase(world.to).faults).to.deep.equal([]);
    if (process.platform !== "win32") expect(statSync(world.to).mode & 0o777).to.equal(0o600);
    expect(priceIn(world.to)).to.equal(101);
    const keys = [world.to, world.market.path].map(cursorKeyIn);
    expect(keys[0]).to.not.equal(keys[1]);
    expect(keys[0]).to.not.equal("00".repeat(32));
    expect((await world.fetch()).isNew).to.equal(false);
    expect(leftovers(world)).to.deep.equal([]);
  });

  it("reads only new chunks of a newer release, and rejects older releases", async () => {
    await world.fetch();
    const first = new Map([latestName, manifestName(1)].map((name) => [name, world.file(name)]));
    world.publish();
    const sealed = await world.seal();
    const { isNew, isChained, fetchedBytes } = await world.fetch();
    expect([isNew, isChained, priceIn(world.to)]).to.deep.equal([true, true, 102]);
    // Also the chunks of the two pages that differ in every file.
    expect(fetchedBytes).to.be.lessThan(sealed.bytes);
    for (const [name, content] of first) writeFileSync(join(world.folder, name), content);
    expect(await refusalOf(world.fetch())).to.match(/^rollback: .* has release 1, but 2 was fetched before/);
    rmSync(world.to);
    expect(await refusalOf(world.fetch())).to.match(/^rollback: /);
  });

  it("rejects a fork and keeps the file", async () => {
    await world.fetch();
    const { latest } = await world.check();
    const other = { ...latest, sealed_at: "2026-01-01T00:00:00.000Z" };
    const second = { ...other, number: 2, previous: signManifest(other, world.key).sha256 };
    const forks = {
      "differs from the fetched release of this number": [other],
      "does not follow release 1": [second, other],
      "does not name manifests": [second, latest],
      "belongs to another folder": [{ ...latest, lineage: "rel_another" }],
    };
    for (const [reason, manifests] of Object.entries(forks)) {
      const texts = manifests.map((manifest) => ({ number: manifest.number, ...signManifest(manifest, world.key) }));
      writeFileSync(join(world.folder, latestName), texts[0]!.text);
      for (const { number, text } of texts) writeFileSync(join(world.folder, manifestName(number)), text);
      expect(await refusalOf(world.fetch()), reason)
        .to.match(/^fork: /)
        .and.to.contain(reason);
    }
    expect(priceIn(world.to)).to.equal(101);
  });

  for (const lineage of ["__proto__", "constructor"])
    it(`refuses an older release if its lineage is ${lineage}`, async () => {
      const { latest } = await world.check();
      const first = signManifest({ ...latest, lineage }, world.key);
      const second = { ...latest, lineage, number: 2, previous: first.sha256 };
      const put = (text: string) => writeFileSync(join(world.folder, latestName), text);
      writeFileSync(join(world.folder, manifestName(1)), first.text);
      put(signManifest(second, world.key).text);
      await world.fetch();
      put(signManifest({ ...second, lineage: "rel_another" }, world.key).text);
      expect(await refusalOf(world.fetch())).to.match(/^fork: .*belongs to another folder/);
      put(first.text);
      expect(await refusalOf(world.fetch())).to.match(/^rollback: .* has release 1, but 2 was fetched before/);
    });

  itLong("accepts a release without its predecessors and reports an unverified chain", async () => {
    await world.fetch();
    for (let count = 0; count < 3; count += 1) {
      world.publish();
      await world.seal();
    }
    rmSync(join(world.folder, manifestName(1)));
    expect((await world.fetch()).isChained).to.equal(true);
    for (let count = 0; count < 3; count += 1) {
      world.publish();
      await world.seal();
    }
    for (const number of [2, 3, 4, 5, 6]) rmSync(join(world.folder, manifestName(number)));
    const { isNew, isChained } = await world.fetch();
    expect([isNew, isChained, priceIn(world.to)]).to.deep.equal([true, false, 107]);
  });

  it("names a forged, torn, swapped or missing part and keeps the file", async () => {
    await world.fetch();
    world.publish();
    await world.seal();
    const { latest } = await world.check();
    const [one, two] = latest.chunks.filter(([sha256], index, all) => index < 2 || all[0]![0] !== sha256);
    const [first, second] = [chunkName(one![0]), chunkName(two![0])];
    const text = world.file(latestName).toString();
    const faults: Record<string, [file: string, content: string | Buffer | null]> = {
      "^forged: .*latest": [latestName, text.replace('"items":50', '"items":51')],
      "^torn: .*latest.* is cut off": [latestName, text.slice(0, -10)],
      "^torn: .*latest.* is incomplete": [latestName, `${text.split("\n")[0]}\n{\n`],
      "^missing: .* has no latest": [latestName, null],
      "^missing: .* has no chunks": [first, null],
      "^torn: .*chunks": [first, world.file(first).subarray(1)],
      "^malformed: .*more than": [first, Buffer.concat([world.file(first), Buffer.alloc(10)])],
      "^torn: .*chunks.*does not match its name": [first, padded(world.file(second), one![1])],
    };
    const before = readFileSync(world.to);
    for (const [expected, [name, content]] of Object.entries(faults)) {
      const path = join(world.folder, name);
      renameSync(path, `${path}.kept`);
      if (content !== null) writeFileSync(path, content);
      const { to } = world;
      expect(await refusalOf(world.check()), expected).to.match(new RegExp(expected));
      rmSync(`${to}-release.part`, { force: true });
      const target = join(dirname(to), "fresh.db");
      expect(await refusalOf(world.fetch(world.folder, target)), expected).to.match(new RegExp(expected));
      rmSync(`${target}-release.part`, { force: true });
      renameSync(`${path}.kept`, path);
    }
    expect(readFileSync(world.to).equals(before)).to.equal(true);
    expect((await world.fetch()).isNew).to.equal(true);
  });

  it("rejects invalid signed manifests and other schemas before reading chunks", async () => {
    const { latest } = await world.check();
    const signed = (change: object) => signManifest({ ...latest, ...change }, world.key).text;
    const put = (text: string) => writeFileSync(join(world.folder, latestName), text);
    const [chunk] = latest.chunks;
    for (const change of [
      { chunks: [chunk, chunk] },
      { chunks: [[...chunk!.slice(0, 3), 2 ** 32]] },
      { chunks: [[chunk![0], 2 ** 30, 0, 1]] },
      { page_bytes: 65_536 },
      { number: 0 },
      { previous: "x" },
      { bytes: 1.5 },
      { bytes: 16_384 },
    ]) {
      put(signed(change));
      expect(await refusalOf(world.fetch()), JSON.stringify(change)).to.match(/^malformed: /);
    }
    put(signed({ schema: latest.schema + 1 }));
    expect(await refusalOf(world.fetch())).to.match(/^other schema: release 1 has schema/);
  });

  it("resumes an interrupted run", async () => {
    const { signal } = new AbortController();
    const source = openSource(world.folder, signal);
    let reads = 0;
    const failing: ReleaseSource = {
      name: source.name,
      read(name, bytesMax) {
        reads += 1;
        if (reads > 4) throw new Error("the network is gone");
        return source.read(name, bytesMax);
      },
    };
    expect(await refusalOf(world.fetch(failing))).to.equal("the network is gone");
    const { fetchedChunks, manifest } = await world.fetch();
    expect(fetchedChunks).to.equal(manifest.chunks.length - 3);
    expect(leftovers(world)).to.deep.equal([]);
  });

  it("replaces the file on the next run after an early kill", async () => {
    await world.fetch();
    const [old, state] = [readFileSync(world.to), new ReleaseState(downloadStatePath(world.to))];
    world.publish();
    await world.seal();
    const { manifest } = await world.fetch();
    const taken = new ReleaseState(downloadStatePath(world.to)).get(manifest.lineage)!;
    writeFileSync(world.to, old);
    state.set(manifest.lineage, { ...taken, next: taken.sha256 });
    expect([(await world.fetch()).isNew, priceIn(world.to)]).to.deep.equal([true, 102]);
  });

  it("reports the file's own release after a kill before its replacement", async () => {
    await world.fetch();
    const { number, generation } = downloadedRelease(world.to)!;
    expect(number).to.equal(1);
    world.publish();
    await world.seal();
    const { signal } = new AbortController();
    const source = openSource(world.folder, signal);
    const found = await findRelease(source, parsePublicKey(publicKeyText(world.key)), world.to);
    await assembleRelease(found, { source, path: world.to, signal });
    // Nothing is renamed to the name of a folder.
    renameSync(world.to, `${world.to}-kept`);
    mkdirSync(world.to);
    expect(() => installRelease(found, world.to)).to.throw(/EISDIR|EEXIST|ENOTEMPTY|EPERM/);
    rmdirSync(world.to);
    renameSync(`${world.to}-kept`, world.to);
    expect(downloadedRelease(world.to)).to.include({ number: 1, generation });
    expect((await world.fetch()).isNew).to.equal(true);
    expect([downloadedRelease(world.to)?.number, priceIn(world.to)]).to.deep.equal([2, 102]);
  });

  itLong("names the file's release after two kills around its replacement", async () => {
    const killed = new Error("killed");
    const { signal } = new AbortController();
    const source = openSource(world.folder, signal);
    const path = world.to;
    const broken: ReleaseSource = {
      ...source,
      read: (name, ...more) => (name.startsWith("chunks/") ? Promise.reject(killed) : source.read(name, ...more)),
    };
    const find = () => findRelease(source, parsePublicKey(publicKeyText(world.key)), path);
    const publish = async () => {
      world.publish();
      await world.seal();
    };
    await world.fetch();
    await publish();
    const second = await find();
    await assembleRelease(second, { source, path, signal });
    installRelease(second, path);
    // As it is right after the rename.
    const state = new ReleaseState(downloadStatePath(path));
    const taken = state.get(second.manifest.lineage)!;
    state.set(second.manifest.lineage, { ...taken, next: taken.sha256, before: { number: 1 } });
    expect(downloadedRelease(path)?.number).to.equal(2);
    await publish();
    const failed = await assembleRelease(await find(), { source: broken, path, signal }).catch((error) => error);
    expect([failed === killed, downloadedRelease(path)?.number, priceIn(path)]).to.deep.equal([true, 2, 102]);

    // Before the rename: the part exists, and the next download removes it.
    const third = await find();
    await assembleRelease(third, { source, path, signal });
    const part = readFileSync(releasePartPath(path));
    installRelease(third, path);
    const kept = new ReleaseState(downloadStatePath(path));
    const before = { number: 2 };
    kept.set(third.manifest.lineage, { ...kept.get(third.manifest.lineage)!, next: third.sha256, before });
    writeFileSync(releasePartPath(path), part);
    expect(downloadedRelease(path)?.number).to.equal(2);
    await publish();
    await assembleRelease(await find(), { source: broken, path, signal }).catch(() => {});
    rmSync(releasePartPath(path));
    expect(downloadedRelease(path)?.number).to.equal(2);
    expect((await world.fetch()).isNew).to.equal(true);
    expect(downloadedRelease(path)?.number).to.equal(4);
  });

  it("never replaces an open file or a file with accounts", async () => {
    await world.fetch();
    world.publish();
    await world.seal();
    const lock = holdLock(world.to, "serve");
    expect(await refusalOf(world.fetch())).to.match(/a server is running on it/);
    lock.release();
    const database = openWriter(world.to, 0);
    database.$client.exec("INSERT INTO accounts VALUES ('acc_1', 'Somebody', 'free', NULL, NULL, 1)");
    database.$client.close();
    expect(await refusalOf(world.fetch())).to.match(/it holds rows of accounts, which a release would replace/);
    expect(priceIn(world.to)).to.equal(101);
    const foreign = join(dirname(world.to), "foreign.db");
    writeFileSync(foreign, "something else");
    chmodSync(foreign, 0o600);
    expect(await refusalOf(world.fetch(world.folder, foreign))).to.match(/not an Itemtape database/);
  });

  itLong("keeps the file when the disk fills, then succeeds with space", async function () {
    const disk = SmallDisk.mount(this, 8 * 1024 * 1024);
    const to = join(disk.folder, "taken.db");
    try {
      await world.fetch(world.folder, to);
      world.publish();
      await world.seal();
      for (const room of [0, 64 * 1024]) {
        disk.fill(room);
        expect(await refusalOf(world.fetch(world.folder, to))).to.match(/the disk is full/);
        disk.clear();
        expect(priceIn(to)).to.equal(101);
      }
      expect([(await world.fetch(world.folder, to)).isNew, priceIn(to)]).to.deep.equal([true, 102]);
    } finally {
      disk.unmount();
    }
  });

  describe("over HTTP", () => {
    let server: Server;
    let answered: string[];
    let failures = 0;
    let redirects = false;
    let base: string;

    before(async () => {
      server = createServer((request, response) => {
        answered.push(request.url!);
        const path = join(world.folder, request.url!.slice("/market".length));
        if (redirects) return void response.writeHead(302, { Location: "/elsewhere" }).end();
        failures -= 1;
        if (failures >= 0) return void response.writeHead(503).end();
        try {
          response.end(readFileSync(path));
        } catch {
          response.writeHead(404).end();
        }
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/market`;
    });
    beforeEach(() => {
      answered = [];
      failures = 0;
      redirects = false;
    });
    after(() => server.close());

    it("verifies a release from a web server and retries a busy server", async () => {
      failures = 1;
      expect((await world.check(base)).latest.number).to.equal(1);
      expect((await world.fetch(base)).isNew).to.equal(true);
      expect(answered[0]).to.equal("/market/latest.ndjson");
      expect(answered[1]).to.equal("/market/latest.ndjson");
    });

    it("names a missing file and follows no redirect", async () => {
      rmSync(join(world.folder, latestName));
      expect(await refusalOf(world.check(base))).to.match(/^missing: http.*latest\.ndjson/);
      redirects = true;
      expect(await refusalOf(world.check(base))).to.match(/^unreachable: .* answers 302 for /);
      expect(answered.filter((path) => path === "/elsewhere")).to.deep.equal([]);
    });
  });
});

function priceIn(path: string): number {
  return read(path, "SELECT min(ask_cents) FROM best_asks");
}

function cursorKeyIn(path: string): string {
  return read(path, "SELECT lower(hex(cursor_key)) FROM market_state");
}

function read<T>(path: string, sql: string): T {
  const client = new SqliteDatabase(path, { readonly: true });
  try {
    return client.prepare<[], T>(sql).pluck().get()!;
  } finally {
    client.close();
  }
}

/** Returns the files beside the downloaded one, except locks and its state. */
function leftovers({ to }: ReleaseWorld): string[] {
  return readdirSync(dirname(to)).filter((name) => !/^taken\.db(-taken\.json|-wal|-shm|-\w+\.lock)?$/.test(name));
}

function padded(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(length)]).subarray(0, length);
}
