import { rmSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { tableKinds } from "../../db/schema/kinds.ts";
import { HourlyHistory } from "../../src/domain/hourly-history.ts";
import { checkHistory } from "../../src/store/check/history.ts";
import { openReader } from "../../src/store/database.ts";
import { migrateDatabase, refuseUnlessValid } from "../../src/store/file/file.ts";
import { StoreRefusal } from "../../src/store/file/refusal.ts";
import { CatalogStore } from "../../src/store/read/catalog.ts";
import { FramesStore } from "../../src/store/read/frames.ts";
import { KnownFramesStore } from "../../src/store/read/known-frames.ts";
import { ProvidersStore } from "../../src/store/read/providers.ts";
import { temporaryFolder } from "../support/files.ts";
import { referenceOf } from "../support/reference.ts";
import { casesBySize, itLong } from "../support/size.ts";
import { change, noteOf, noteSql } from "../support/sql-file.ts";
import { addOldItem, killedBefore, migrations, schemaNames, writeOlder } from "./older-file.ts";

describe("migration of a database file", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "itemtape.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("updates an empty or older file once and keeps its content", () => {
    writeOlder(path, 0);
    expect(migrateDatabase(path)).to.equal(migrations.length);
    expect(migrateDatabase(path)).to.equal(0);
    const older = join(folder, "older.db");
    writeOlder(older, 2);
    change(older, noteSql("kept"));
    expect(() => refuseUnlessValid(older)).to.throw(StoreRefusal, "itemtape db migrate");
    expect(migrateDatabase(older)).to.equal(migrations.length - 2);
    expect(refuseUnlessValid(older)).to.equal(migrations.length);
    expect(noteOf(older)).to.equal("kept");
  });

  it("accepts a newest migration recorded with an earlier time", () => {
    const newest = migrations.findIndex(({ sql }) => sql.some((text) => text.includes("`unconfirmed_until`")));
    writeOlder(path, newest + 1);
    change(
      path,
      `UPDATE __drizzle_migrations SET created_at = 1795997888342 WHERE hash = '${migrations[newest]!.hash}'`,
    );
    expect(migrateDatabase(path)).to.equal(migrations.length - newest - 1);
  });

  it("is dated after all earlier ones, so that no release skips it", () => {
    const dates = migrations.map(({ folderMillis }) => folderMillis);
    const early = dates.filter((date, index) => date <= Math.max(0, ...dates.slice(0, index)));
    expect(early).to.deep.equal([]);
  });

  it("keeps rows of old frames and adds no later items to them", () => {
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
    const reference = referenceOf(database);
    const stores = { catalog: new CatalogStore(database), frames: new FramesStore(database), providers };
    const hourly = new HourlyHistory({ ...stores, past: new KnownFramesStore(database), reference });
    const history = (itemId: number) => {
      const params = { item_id: itemId, from: "2024-10-04", to: "2024-10-04", provider: "a1" };
      const at = recordedAt + 3_600_000;
      const { data, meta } = hourly.read(hourly.prepare(params, { caller: { plan: "builder" }, at, reference }), at);
      const rows = JSON.parse(data.json) as { ts: string; availability: string }[];
      return [...rows.map((row) => `${row.ts.slice(11, 13)} ${row.availability}`), meta.missing_points.slice(0, 6)];
    };
    expect(history(1)).to.deep.equal(["03 item_missing", "4 of 5"]);
    expect(history(2)).to.deep.equal(["5 of 5"]);
    expect(checkHistory(database).filter(({ isFault }) => isFault)).to.deep.equal([]);
    database.$client.close();
  });

  it("keeps rows of rekeyed frame segments, also after an interruption", () => {
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
    expect(refuseUnlessValid(older)).to.equal(migrations.length);
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

  it("derives last used days of keys from charges and keeps the activity", () => {
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

  it("moves drafts and the cursor key to private tables without counters", () => {
    const older = join(folder, "drafts.db");
    writeOlder(
      older,
      migrations.findIndex(({ sql }) => sql.some((text) => text.includes("node_secrets"))),
    );
    addOldItem(older, 1, 1);
    addOldItem(older, 2, 1);
    const columns = "'case', NULL, NULL, 1, 249";
    change(
      older,
      `INSERT INTO openables VALUES ('box', 1, 'active', ${columns}, 'pr_1', 5, 6), ('new', 2, 'draft', ${columns}, NULL, 7, 8);
       INSERT INTO openable_drafts VALUES ('box', '{}', 'its source', 9), ('new', '{"type":"case"}', 'a source', 8);
       INSERT INTO pool_revisions VALUES ('pr_1', 'box', 1, '{}', '{}', 'published', 'w', '[]', '1', 1, 6);
       INSERT INTO market_checksums SELECT 'openables', quote(slug), 1 FROM openables;
       INSERT INTO accounts VALUES ('acc_a', 'Ann', 'free', NULL, NULL, 0);
       INSERT INTO activity VALUES (7, 'acc_a', NULL, 'account_created', 5, NULL);
       INSERT INTO purchases VALUES (8, 'acc_a', 'quant', 1, 2, 3);
       INSERT INTO guard_acceptances VALUES (9, 'a', 'shrink', 1, NULL, NULL)`,
    );
    const rows = (text: string) => {
      const client = new SqliteDatabase(older);
      const found = client.prepare(text).raw().all();
      client.close();
      return found;
    };
    const key = rows("SELECT cursor_key FROM market_state");
    migrateDatabase(older);
    expect(rows("SELECT cursor_key FROM node_secrets")).to.deep.equal(key);
    expect(rows("SELECT * FROM openables")).to.deep.equal([
      ["box", 1, "active", "case", null, null, 1, 249, "pr_1", 5, 6],
    ]);
    expect(rows("SELECT slug, item_id, provenance, drafted_at FROM openable_drafts ORDER BY 1")).to.deep.equal([
      ["box", 1, "its source", 9],
      ["new", 2, "a source", 8],
    ]);
    const checked = "SELECT row_key FROM market_checksums WHERE table_name = 'openables' UNION ALL";
    expect(rows(`${checked} SELECT row_key FROM row_checksums WHERE table_name = 'openable_drafts'`)).to.deep.equal([
      ["'box'"],
      ["'box'"],
      ["'new'"],
    ]);
    expect(tableKinds.market).to.include.members(rows("SELECT name FROM sqlite_sequence").flat());
    change(
      older,
      `UPDATE openables SET changed_at = 7;
       INSERT INTO activity (account_id, kind, at) VALUES ('acc_a', 'account_renamed', 6);
       INSERT INTO purchases (account_id, plan, purchased_at, starts_at, ends_at) VALUES ('acc_a', 'quant', 1, 2, 3);
       INSERT INTO guard_acceptances (feed, guard, accepted_at) VALUES ('a', 'shrink', 1)`,
    );
    const ids = "SELECT max(activity_id), (SELECT max(purchase_id) FROM purchases), (SELECT max(acceptance_id)";
    expect(rows(`${ids} FROM guard_acceptances), (SELECT changes FROM openable_changes) FROM activity`)).to.deep.equal([
      [8, 9, 10, 2],
    ]);
    for (const clash of ["('box', 2, '{}', '{}', 1)", "('other', 1, '{}', '{}', 1)"])
      expect(() => change(older, `REPLACE INTO openable_drafts VALUES ${clash}`), clash).to.throw("another container");
  });

  it("treats old sources as unconfirmed for seven days after their first prices", () => {
    const older = join(folder, "doubts.db");
    writeOlder(
      older,
      migrations.findIndex(({ sql }) => sql.some((text) => text.includes("SET `unconfirmed_until`"))),
    );
    const hour = 20_000 * 24;
    const at = hour * 3_600_000;
    change(
      older,
      `INSERT INTO feeds (feed, adapter, item_count, ingested_at)
       VALUES ('framed', 'mapped', 9, ${at + 9}), ('imported', 'mapped', 9, ${at + 8}), ('dropped', 'mapped', 0, ${at});
       INSERT INTO frames (hour, feed, verified_by, ingested_at, checked_at, recorded_at, items, quotes)
       VALUES (${hour}, 'framed', 'body', ${at}, ${at}, ${at}, 9, 9)`,
    );
    migrateDatabase(older);
    const client = new SqliteDatabase(older);
    const doubts = client.prepare("SELECT feed, unconfirmed_until FROM feeds ORDER BY feed").raw().all();
    client.close();
    const weekMs = 7 * 86_400_000;
    expect(doubts).to.deep.equal([
      ["dropped", null],
      ["framed", at + weekMs],
      ["imported", at + 8 + weekMs],
    ]);
  });

  itLong("leaves the old or new schema when killed, and is then completed", async () => {
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
        expect(refuseUnlessValid(file), text).to.equal(migrations.length);
      }),
    );
  });
});
