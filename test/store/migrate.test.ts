import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { childProgram } from "../../scripts/support/child-program.ts";
import { HourlyHistory } from "../../src/domain/hourly-history.ts";
import { Reference } from "../../src/domain/reference.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { checkHistory } from "../../src/store/check/history.ts";
import { migrationsFolder, openReader, openWriter } from "../../src/store/database.ts";
import { migrateDatabase, refuseUnlessOurs } from "../../src/store/file/file.ts";
import { applicationId } from "../../src/store/file/header.ts";
import { StoreRefusal } from "../../src/store/file/refusal.ts";
import { CatalogStore } from "../../src/store/read/catalog.ts";
import { FramesStore } from "../../src/store/read/frames.ts";
import { MarketStateStore } from "../../src/store/read/market-state.ts";
import { ProvidersStore } from "../../src/store/read/providers.ts";
import { temporaryFolder } from "../support/files.ts";
import { casesBySize } from "../support/size.ts";
import { change, noteOf } from "../support/sql-file.ts";

const migrateChild = new URL("./migrate-child.ts", import.meta.url);
const migrations = readMigrationFiles({ migrationsFolder });

describe("migrating a database file", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "itemtape.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("a migration brings an empty file to this release, keeps the content of an older one, and then has nothing to do", () => {
    writeOlder(path, 0);
    expect(migrateDatabase(path)).to.equal(migrations.length);
    expect(migrateDatabase(path)).to.equal(0);
    const older = join(folder, "older.db");
    writeOlder(older, 2);
    change(older, "UPDATE market_state SET note = 'kept'");
    expect(() => refuseUnlessOurs(older)).to.throw(StoreRefusal, "itemtape db migrate");
    expect(migrateDatabase(older)).to.equal(migrations.length - 2);
    expect(refuseUnlessOurs(older)).to.equal(migrations.length);
    expect(noteOf(older)).to.equal("kept");
  });

  it("a migration makes the digest of the published generation that of its exports and seals them, also where a quoted item has left the catalog", () => {
    for (const inCatalog of [1, 0]) {
      const older = join(folder, `published ${inCatalog}.db`);
      writeOlder(older, 9);
      change(older, "UPDATE market_state SET current_generation_id = 12");
      const quotes = `"asks":[],"bids":[{"url":"https://example.com/★"}]`;
      const [line, other] = [7, 4321].map((id) => `{"item_id":${id},${quotes}}\n`) as [string, string];
      const digest = sha256(line + other).toString("hex");
      for (const [id, isIn] of [
        [7, 1],
        [4321, inCatalog],
        [9, 0],
      ]) {
        const columns =
          "item_id, identity_key, market_hash_name, slug, identity, origin, in_catalog, first_seen_at, search_text";
        change(
          older,
          `INSERT INTO items (${columns}) VALUES (${id}, ${id}, 'x', 'x', 'exact', 'catalog', ${isIn}, 1, 'x')`,
        );
        if (id !== 9)
          change(older, `INSERT INTO generation_quotes (quote_key, quotes) VALUES ((12 << 31) + ${id}, '${quotes}')`);
      }
      change(older, `INSERT INTO generations VALUES (11, 'superseded', 1, 1, 2, 9, zeroblob(32))`);
      change(older, `INSERT INTO generations VALUES (12, 'published', 1, 1, 2, 9, X'${digest}')`);
      expect(migrateDatabase(older)).to.equal(migrations.length - 9);
      const [superseded, published] = generationsOf(older);
      expect(superseded?.delistedDigest).to.equal(null);
      const [reported, rest] = inCatalog === 1 ? [[line, other], ""] : [[line], other];
      const bytes = Buffer.byteLength(reported.join(""));
      expect(published).to.deep.equal({
        items: reported.length,
        bytes,
        digest: sha256(reported.join("")),
        delistedDigest: sha256(rest),
      });
      const { facts, faults } = checkDatabase(older);
      expect(faults.filter((fault) => /digest|states/.test(fault))).to.deep.equal([]);
      const sealed = new RegExp(`exports: [12] sealed pages hold the lines of ${reported.length} items`);
      expect(facts.join("\n")).to.match(sealed);
    }
  });

  it("frames recorded before they had a memory keep their rows, and have none of items that came after them", () => {
    const older = join(folder, "frames.db");
    writeOlder(
      older,
      migrations.findIndex(({ sql }) => sql.some((text) => text.includes("refused_names"))),
    );
    const columns =
      "item_id, identity_key, market_hash_name, slug, identity, origin, in_catalog, first_seen_at, search_text";
    const hour = 20_000 * 24 + 3;
    const recordedAt = hour * 3_600_000 + 5;
    change(
      older,
      `INSERT INTO feeds (feed, adapter) VALUES ('alpha', 'canonical');
       INSERT INTO providers VALUES ('a1', 'A1', 'cash', 'alpha', 1, 0, 1);
       INSERT INTO frames VALUES (${hour}, 'alpha', 'body', ${recordedAt}, ${recordedAt}, ${recordedAt}, 0, 0);
       INSERT INTO feed_days VALUES (20000, 'alpha', 8, NULL);
       INSERT INTO items (${columns}) VALUES (1, 1, 'x', 'x', 'exact', 'catalog', 1, ${recordedAt}, 'x');
       INSERT INTO items (${columns}) VALUES (2, 2, 'y', 'y', 'exact', 'catalog', 1, ${recordedAt + 1}, 'y')`,
    );
    expect(migrateDatabase(older)).to.be.above(1);
    const database = openReader(older);
    const providers = new ProvidersStore(database);
    const reference = new Reference({ state: new MarketStateStore(database), providers });
    const stores = { catalog: new CatalogStore(database), frames: new FramesStore(database), providers };
    const hourly = new HourlyHistory({ ...stores, cursors: reference.cursors });
    const history = (itemId: number) => {
      const params = { item_id: itemId, from: "2024-10-04", to: "2024-10-04", provider: "a1" };
      const at = recordedAt + 3_600_000;
      const { data, meta } = hourly.read(hourly.prepare(params, { at, reference }), at);
      const rows = JSON.parse(data.json) as { ts: string; availability: string }[];
      return [...rows.map((row) => `${row.ts.slice(11, 13)} ${row.availability}`), meta.missing_points.slice(0, 6)];
    };
    expect(history(1)).to.deep.equal(["03 item_missing", "4 of 5"]);
    expect(history(2)).to.deep.equal(["5 of 5"]);
    expect(checkHistory(database).filter(({ isFault }) => isFault)).to.deep.equal([]);
    database.$client.close();
  });

  it("segments of frames keep their rows when their key changes, also after an interruption", () => {
    const older = join(folder, "segments.db");
    const changing = migrations.findIndex(({ sql }) => sql.some((text) => text.includes("__new_frame_segments")));
    writeOlder(older, changing);
    const days = [20_000, 20_001, 20_002];
    for (const day of days)
      for (const [itemId, feed] of [
        [1, "alpha"],
        [1, "beta"],
        [2, "alpha"],
      ])
        change(older, `INSERT INTO frame_segments VALUES (${day}, ${itemId}, '${feed}', x'01')`);
    // The first day was moved before the process was killed.
    change(
      older,
      `${migrations[changing]!.sql[0]};
       INSERT INTO __new_frame_segments SELECT * FROM frame_segments WHERE day = 20000;
       DELETE FROM frame_segments WHERE day = 20000`,
    );
    expect(migrateDatabase(older)).to.equal(migrations.length - changing);
    expect(refuseUnlessOurs(older)).to.equal(migrations.length);
    const database = openReader(older);
    const rows = database.$client.prepare("SELECT day, feed, item_id FROM frame_segments").raw().all();
    expect(rows).to.deep.equal(
      days.flatMap((day) => [
        [day, "alpha", 1],
        [day, "alpha", 2],
        [day, "beta", 1],
      ]),
    );
    database.$client.close();
  });

  it("keys of a file without their last used days get them from their charges, and the activity stays as it was", () => {
    const older = join(folder, "uses.db");
    writeOlder(
      older,
      migrations.findIndex(({ sql }) => sql.some((text) => text.includes("key_uses"))),
    );
    const dayMs = 86_400_000;
    change(
      older,
      `INSERT INTO accounts VALUES ('acc_a', 'Ann', 'free', NULL, NULL, 0);
       INSERT INTO activity VALUES (7, 'acc_a', 'key_a', 'key_created', 5, 'x');
       INSERT INTO usage_events VALUES ('req_1', 'acc_a', 'key_a', 'getItem', '1970-01', ${2 * dayMs - 1});
       INSERT INTO usage_events VALUES ('req_2', 'acc_a', 'key_a', 'getItem', '1970-01', ${3 * dayMs});
       INSERT INTO usage_events VALUES ('req_3', 'acc_a', 'key_b', 'getItem', '1970-01', ${4 * dayMs - 1})`,
    );
    migrateDatabase(older);
    change(older, "INSERT INTO activity (account_id, kind, at) VALUES ('acc_a', 'account_renamed', 6)");
    const client = new SqliteDatabase(older);
    expect(client.prepare("SELECT * FROM key_uses ORDER BY 1").raw().all()).to.deep.equal([
      ["key_a", 3],
      ["key_b", 3],
    ]);
    expect(client.prepare("SELECT activity_id, key_id, kind FROM activity ORDER BY 1").raw().all()).to.deep.equal([
      [7, "key_a", "key_created"],
      [8, null, "account_renamed"],
    ]);
    client.close();
  });

  it("a migration killed anywhere leaves the old schema or the new one, and the next one completes it", async () => {
    const places = { BEGIN: 1, items_are_never_deleted: 1, generations_seal: 1, COMMIT: 1, "user_version =": 3 };
    const before = writeOlder(join(folder, "before.db"), 1);
    await Promise.all(
      casesBySize(Object.entries(places), 3).map(async ([text, migrated]) => {
        const file = join(folder, `killed before ${text}.db`);
        writeOlder(file, 1);
        expect(await killedBefore(text, file), text).to.equal("SIGKILL");
        const tables = schemaNames(file);
        if (migrated === 1) expect(tables, text).to.deep.equal(before);
        else expect(tables.length, text).to.be.above(before.length);
        migrateDatabase(file);
        expect(refuseUnlessOurs(file), text).to.equal(migrations.length);
      }),
    );
  });
});

/** A file as a release with only the first `count` migrations left it. Returns the names of what it holds. */
function writeOlder(path: string, count: number): string[] {
  const older = `${path}-migrations`;
  cpSync(migrationsFolder, older, { recursive: true });
  const journalPath = join(older, "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(journalPath, "utf8"));
  writeFileSync(journalPath, JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }));
  writeFileSync(path, "", { mode: 0o600 });
  const database = openWriter(path, 0);
  database.$client.pragma(`application_id = ${applicationId}`);
  migrate(database, { migrationsFolder: older });
  database.$client.pragma(`user_version = ${count}`);
  database.$client.close();
  return schemaNames(path);
}

function schemaNames(path: string): string[] {
  const client = new SqliteDatabase(path);
  const names = client.prepare(
    "SELECT name FROM sqlite_schema WHERE name <> '__drizzle_migrations' AND name NOT LIKE 'sqlite_%' ORDER BY name",
  );
  const found = names.pluck().all() as string[];
  client.close();
  return found;
}

async function killedBefore(text: string, path: string): Promise<NodeJS.Signals | null> {
  const child = spawn(process.execPath, [...childProgram(migrateChild), path, text], { stdio: "inherit" });
  return new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
}

function sha256(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function generationsOf(path: string): { delistedDigest: Buffer | null }[] {
  const client = new SqliteDatabase(path);
  const rows = client
    .prepare("SELECT items, bytes, digest, rest_digest AS delistedDigest FROM generations ORDER BY generation_id")
    .all();
  client.close();
  return rows as { delistedDigest: Buffer | null }[];
}
