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
import { releasePartPath } from "../../src/releases/assemble.ts";
import {
  assembleRelease,
  downloadedRelease,
  downloadStatePath,
  findRelease,
  installRelease,
} from "../../src/releases/fetch.ts";
import { chunkName, manifestName, ReleaseFolder, timestampName } from "../../src/releases/folder.ts";
import { namedManifest } from "../../src/releases/metadata.ts";
import { openSource, type Pace, type ReleaseSource } from "../../src/releases/source.ts";
import { ReleaseState } from "../../src/releases/state.ts";
import { parseTrust } from "../../src/releases/trust.ts";
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
    const first = world.file(timestampName);
    world.publish();
    const sealed = await world.seal();
    const { isNew, fetchedBytes } = await world.fetch();
    expect([isNew, priceIn(world.to)]).to.deep.equal([true, 102]);
    // Also the chunks of the two pages that differ in every file.
    expect(fetchedBytes).to.be.lessThan(sealed.bytes);
    writeFileSync(join(world.folder, timestampName), first);
    expect(await refusalOf(world.fetch())).to.match(
      /^rollback: .*timestamp.json does not continue the versions that were seen before/,
    );
    rmSync(world.to);
    expect(await refusalOf(world.fetch())).to.match(/^rollback: /);
  });

  it("names a forged, torn, swapped or missing part and keeps the file", async () => {
    await world.fetch();
    world.publish();
    await world.seal();
    const { latest } = await world.check();
    const [one, two] = latest.chunks.filter(([sha256], index, all) => index < 2 || all[0]![0] !== sha256);
    const [first, second] = [chunkName(one![0]), chunkName(two![0])];
    const text = world.file(timestampName).toString();
    const manifest = manifestName(namedManifest(new ReleaseFolder(world.folder))!);
    const [snapshot, targets] = ["snapshot", "targets"].map((role) => versionedName(world, role));
    const faults: Record<string, [file: string, content: string | Buffer | null]> = {
      "^forged: .*timestamp.json is not signed by the keys of root 1": [
        timestampName,
        text.replace('"expires":"20', '"expires":"21'),
      ],
      "^torn: .*timestamp.json is not the signed file": [timestampName, text.slice(0, -10)],
      "^missing: .* has no metadata/timestamp": [timestampName, null],
      "^torn: .* is not the signed file": [snapshot!, world.file(snapshot!).toString().replace('"20', '"21')],
      "^too large: .*targets": [targets!, `${world.file(targets!)} `],
      "^torn: .*does not match its SHA-256": [
        manifest,
        world.file(manifest).toString().replace('"items":50', '"items":51'),
      ],
      "^missing: .* has no manifests": [manifest, null],
      "^missing: .* has no chunks": [first, null],
      "^torn: .*chunks": [first, world.file(first).subarray(1)],
      "^too large: .*more than": [first, Buffer.concat([world.file(first), Buffer.alloc(10)])],
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
    const [chunk] = latest.chunks;
    const sign = (change: object) => world.sign({ ...latest, ...change });
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
      await sign(change);
      expect(await refusalOf(world.fetch()), JSON.stringify(change)).to.match(/^malformed: /);
    }
    await sign({ schema: latest.schema + 1 });
    expect(await refusalOf(world.fetch())).to.match(/^other schema: release 1 has schema/);
  });

  it("refuses a file that the disk or the release before does not permit", async () => {
    const { latest } = await world.check();
    const sparse = 256 * 1024 ** 4;
    await world.sign({ ...latest, bytes: sparse });
    expect(await refusalOf(world.fetch())).to.match(
      /the disk is full.*release 1 has 281474976710656 bytes, the disk has /,
    );
    await world.sign(latest);
    await world.fetch();
    await world.sign({ ...latest, bytes: 1024 ** 3 + latest.page_bytes });
    expect(await refusalOf(world.fetch())).to.match(/^too large: release 1 has .* bytes, more than 8 times the /);
    expect([priceIn(world.to), leftovers(world)]).to.deep.equal([101, []]);
  });

  it("resumes an interrupted run", async () => {
    const { signal } = new AbortController();
    const source = openSource(world.folder, signal);
    let reads = 0;
    const failing: ReleaseSource = {
      name: source.name,
      read(name, bytesMax) {
        reads += 1;
        if (reads > 9) throw new Error("the network is gone");
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
    await world.fetch();
    const taken = new ReleaseState(downloadStatePath(world.to)).get("market")!;
    writeFileSync(world.to, old);
    state.set("market", { ...taken, next: taken.sha256 });
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
    const found = await findRelease(source, parseTrust(world.trust), world.to);
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
    const find = () => findRelease(source, parseTrust(world.trust), path);
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
    const taken = state.get("market")!;
    state.set("market", { ...taken, next: taken.sha256, before: { number: 1 } });
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
    kept.set("market", { ...kept.get("market")!, next: third.sha256, before });
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
    let hangs = false;
    let base: string;

    before(async () => {
      server = createServer((request, response) => {
        answered.push(request.url!);
        const path = join(world.folder, request.url!.slice("/market".length));
        if (hangs) return;
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
      hangs = false;
    });
    after(() => {
      server.close();
      server.closeAllConnections();
    });

    it("verifies a release from a web server and retries a busy server", async () => {
      failures = 1;
      expect((await world.check(base)).latest.number).to.equal(1);
      expect((await world.fetch(base)).isNew).to.equal(true);
      expect(answered.slice(0, 2)).to.deep.equal(Array(2).fill("/market/metadata/1.root.json"));
    });

    it("refuses an address that sends too slowly", async () => {
      const { signal } = new AbortController();
      const slow = (pace: Pace) => refusalOf(world.fetch(openSource(base, signal, pace)));
      const pace = { bytesPerSecond: 1e9, graceMs: 10_000, startMs: 0 };
      expect(await slow(pace)).to.match(/^slow: http.* sends \d+ of 1000000000 bytes a second/);
      hangs = true;
      expect(await slow({ ...pace, graceMs: 10 })).to.match(/^slow: http.*1\.root\.json sends less than/);
    });

    it("names a missing file and follows no redirect", async () => {
      rmSync(join(world.folder, timestampName));
      expect(await refusalOf(world.check(base))).to.match(/^missing: http.*timestamp\.json/);
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
  return read(path, "SELECT lower(hex(cursor_key)) FROM node_secrets");
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
  return readdirSync(dirname(to)).filter(
    (name) => !/^taken\.db(-trust|-taken\.json|-release\.spare|-wal|-shm|-\w+\.lock)?$/.test(name),
  );
}

/** Returns the name of the newest metadata of a role. */
function versionedName({ folder }: ReleaseWorld, role: string): string {
  const names = readdirSync(join(folder, "metadata")).filter((name) => name.endsWith(`.${role}.json`));
  return `metadata/${names.sort().at(-1)}`;
}

function padded(bytes: Buffer, length: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(length)]).subarray(0, length);
}
