import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { releasePartPath } from "../../src/releases/assemble.ts";
import { HeldCheck } from "../../src/releases/held.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { releaseSparePath } from "../../src/store/file/names.ts";
import { casesBySize } from "../support/size.ts";
import { damagePage, isWhole, ReleaseWorld, refusalOf } from "./release-world.ts";

describe("release fetch into two files in turns", function () {
  this.timeout(20_000);
  let world: ReleaseWorld;
  beforeEach(async () => {
    world = new ReleaseWorld();
    await world.seal();
    await world.fetch();
  });
  afterEach(() => world.remove());

  it("writes only changed pages, and all pages when its records are torn", async () => {
    const spare = releaseSparePath(world.to);
    const trust = `${world.to}-trust`;
    const readers: SqliteDatabase.Database[] = [];
    const before: Record<string, () => void> = {
      "the first update copies": () => {},
      "the file before is the spare": () => {},
      "another program reads the spare": () => {
        readers.push(new SqliteDatabase(spare, { readonly: true }));
        readers[0]!.exec("BEGIN; SELECT 1 FROM feeds");
      },
      "a killed installation left a second name": () => {
        rmSync(spare);
        linkSync(world.to, spare);
      },
      "the spare was removed": () => rmSync(spare),
      "the spare was written by others": () => appendFileSync(spare, "x"),
      "the file was written by others": () => utimesSync(world.to, 1, 1),
      "a manifest is torn": () => tearManifests(trust),
      "the records are torn": () => truncateSync(join(trust, "held.json"), 9),
      "the records are of another kind": () =>
        writeFileSync(join(trust, "held.json"), JSON.stringify({ [statSync(world.to).ino]: null })),
      "a killed run left a part": () => writeFileSync(releasePartPath(world.to), randomBytes(1e6)),
      "the file is damaged": () => damagePage(world.to),
    };
    const [first, second, ...others] = Object.entries(before);
    for (const [what, prepare] of [first!, second!, ...casesBySize(others, 2)]) {
      prepare();
      world.publish();
      await world.seal();
      const { fetchedChunks, writtenBytes, manifest } = await world.fetch();
      const isSmall = writtenBytes < manifest.bytes / 8;
      expect([isSmall, fetchedChunks < 7], what).to.deep.equal([!/manifest|records|part/.test(what), true]);
      expect(isWhole(world.to), what).to.equal(true);
    }
    for (const reader of readers) {
      expect(reader.prepare("SELECT min(ask_cents) FROM best_asks").pluck().get()).to.equal(102);
      reader.close();
    }
    expect(checkDatabase(world.to).faults).to.deep.equal([]);
  });

  it("changes no page under a reader, and shows new pages to idle connections", async () => {
    for (const [begin, expected] of [
      ["", [101, 103]],
      ["BEGIN", [103, 103]],
    ] as const) {
      const reader = new SqliteDatabase(world.to, { readonly: true }).exec(begin);
      const lowest = () => reader.prepare("SELECT min(ask_cents) FROM quotes").pluck().get();
      const before = lowest();
      for (let count = 0; count < 2; count += 1) {
        world.publish();
        await world.seal();
        await world.fetch();
      }
      expect([before, lowest()]).to.deep.equal(expected);
      expect(isWhole(world.to)).to.equal(true);
      reader.close();
    }
  });

  it("names a folder that has the path of one of its files", async () => {
    world.publish();
    const memory = `${world.market.path}-releases.chunks`;
    const files = [
      memory,
      releaseSparePath(world.to),
      releasePartPath(world.to),
      join(`${world.to}-trust`, "held.json"),
    ];
    for (const [index, file] of files.entries()) {
      rmSync(file, { force: true });
      mkdirSync(file);
      const refused = await refusalOf(index === 0 ? world.seal() : world.fetch());
      expect(refused)
        .to.include(file)
        .and.match(/folder|directory/);
      rmdirSync(file);
      if (index === 0) await world.seal();
    }
    expect([(await world.fetch()).isNew, isWhole(world.to)]).to.deep.equal([true, true]);
  });

  it("writes a damaged file again from the same release", async () => {
    damagePage(world.to);
    expect(() => isWhole(world.to)).to.throw(/^damaged: .* pages \d+ to \d+ differ from release 1; /);
    const check = HeldCheck.of(world.to)!;
    const { isNew, fetchedChunks } = await world.fetch();
    expect(() => check.step(0)).to.throw(/a newer release has replaced it/);
    expect([isNew, fetchedChunks, isWhole(world.to)]).to.deep.equal([true, 1, true]);
  });
});

/** Empties the manifests that a fetched file remembers. */
function tearManifests(folder: string): void {
  for (const name of readdirSync(folder)) if (name.endsWith(".release.json")) truncateSync(join(folder, name));
}
