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
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import { marketOf, type PlainItem, type PlainQuote, priceLine } from "../import/quotes/quote-world.ts";
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

  describe("of which quotes are texts by generation", () => {
    const rowsOf = (file: string) =>
      read(file, (client) => ({
        ...readMarket(client),
        best: client.prepare("SELECT * FROM best_asks").raw().all(),
        since: client.prepare("SELECT provider_id, item_id, ask_since FROM quotes").raw().all(),
        shared: client.prepare("SELECT provider, quotes_as_of FROM providers").raw().all(),
      }));
    const faultsOf = (file: string) => checkDatabase(file).faults.filter((fault) => !fault.startsWith("catalog:"));

    it("quotes become rows, with the same generation and digests", () => {
      writeOldMarket(path);
      const before = generationsOf(path);
      expect(migrateDatabase(path)).to.equal(migrations.length - textsVersion);
      expect(generationsOf(path)).to.deep.equal(before);
      const { market, generation, best, since, shared } = rowsOf(path);
      expect(market).to.deep.equal(oldMarket);
      expect(generation).to.deep.equal({ id: 12, quotes: 9 });
      expect(shared).to.deep.equal([
        ["a1", sharedAt],
        ["a2", null],
        ["a3", null],
        ["a4", null],
      ]);
      // Item, best ask in cents, number of its provider, its last change, bytes of its quotes.
      expect(best).to.deep.equal(
        [
          [1, 100, 0, 5],
          [2, 200, 1, 9],
          [3, null, null, null],
          [4, 400, 0, 7],
        ].map((row, index) => [...row, Buffer.byteLength(sidesText(oldMarket[index]!, false))]),
      );
      expect(since).to.deep.equal([
        [0, 1, 5],
        [0, 2, null],
        [0, 3, null],
        [0, 4, 7],
        [1, 1, null],
        [1, 2, 9],
        [2, 1, null],
      ]);
      expect(faultsOf(path)).to.deep.equal([]);
    });

    it("a generation of one digest gets two, where a quoted item has left the catalog", () => {
      for (const inCatalog of [1, 0]) {
        const older = join(folder, `published ${inCatalog}.db`);
        writeOlder(older, 9);
        const quote = { provider: "a1", amount: 7, quantity: null, url: "https://example.com/★", as_of: null };
        const sides = { asks: [], bids: [quote] };
        const [line, other] = [7, 4321].map((id) => priceLine(id, sides)) as [string, string];
        change(older, "INSERT INTO feeds (feed, adapter) VALUES ('alpha', 'canonical')");
        change(older, "INSERT INTO providers VALUES ('a1', 'A1', 'cash', 'alpha', 0, 1, 1)");
        for (const [id, isIn] of [[7, 1] as const, [4321, inCatalog] as const, [9, 0] as const]) {
          addOldItem(older, id, isIn);
          if (id === 9) continue;
          const values = `(12 << 31) + ${id}, '${sidesText({ itemId: id, ...sides }, false)}'`;
          change(older, `INSERT INTO generation_quotes (quote_key, quotes) VALUES (${values})`);
        }
        const digest = sha256(line + other).toString("hex");
        change(older, `INSERT INTO generations VALUES (11, 'superseded', 1, 1, 2, 9, zeroblob(32))`);
        change(older, `INSERT INTO generations VALUES (12, 'published', 1, 1, 2, 9, X'${digest}')`);
        change(older, "UPDATE market_state SET current_generation_id = 12");
        expect(migrateDatabase(older)).to.equal(migrations.length - 9);
        const [superseded, published] = generationsOf(older);
        expect(superseded?.delistedDigest).to.equal(null);
        const [reported, rest] = inCatalog === 1 ? [[line, other], ""] : [[line], other];
        expect(published).to.deep.equal({
          items: reported.length,
          bytes: Buffer.byteLength(reported.join("")),
          digest: sha256(reported.join("")),
          delistedDigest: sha256(rest),
        });
        expect(faultsOf(older)).to.deep.equal([]);
      }
    });

    it("a file of which nothing is published has no quotes after it", () => {
      writeOldMarket(path);
      change(path, "UPDATE market_state SET current_generation_id = NULL; DELETE FROM generations");
      migrateDatabase(path);
      const { market, best, shared } = rowsOf(path);
      expect([market, best]).to.deep.equal([[], []]);
      expect(shared.map(([, time]) => time)).to.deep.equal([null, null, null, null]);
      expect(checkDatabase(path).facts).to.include("generations: nothing is published");
    });

    const edits = {
      "another amount": `quotes = replace(quotes, '"amount":100', '"amount":101')`,
      "another page": "quotes = replace(quotes, 'a.example', 'b.example')",
      "one side alone": `quotes = '"asks":[]'`,
      "an amount that is no number": `quotes = replace(quotes, '"amount":100', '"amount":"1oo"')`,
      "a provider that there is not": `quotes = replace(quotes, '"a2"', '"zz"')`,
      "a provider twice": `quotes = replace(quotes, '"a2"', '"a1"')`,
      "no text of quotes": "quotes = substr(quotes, 2)",
      "another item": "quote_key = (12 << 31) + 5",
    };
    for (const [what, edit] of Object.entries(edits)) {
      it(`a text with ${what} is refused, and the old rows stay`, () => {
        writeOldMarket(path);
        change(path, `UPDATE generation_quotes SET ${edit}, observed = NULL WHERE quote_key = (12 << 31) + 1`);
        const old = () => read(path, (client) => client.prepare("SELECT * FROM generation_quotes").all());
        const before = old();
        for (let tries = 0; tries < 2; tries += 1) {
          expect(() => migrateDatabase(path)).to.throw(OperatorError, "do not have the digest");
          expect(old()).to.deep.equal(before);
          expect(read(path, (client) => client.prepare("SELECT * FROM quotes").all())).to.deep.equal([]);
          expect(() => refuseUnlessOurs(path)).to.throw(StoreRefusal);
        }
      });
    }

    it("a kill between two steps, or inside of one, loses nothing", async () => {
      const reference = join(folder, "reference.db");
      writeOldMarket(reference);
      migrateDatabase(reference);
      const places = [
        "name = 'generation_quotes'",
        "UPDATE generations SET items",
        "items_take_their_export_page",
        "DROP TABLE `generation_quotes`",
        "user_version =",
      ];
      for (const [index, place] of casesBySize([...places.entries()], 3)) {
        const file = join(folder, `killed ${index}.db`);
        writeOldMarket(file);
        expect(await killedBefore(place, file), place).to.equal("SIGKILL");
        expect(schemaNames(file).includes("generation_quotes"), place).to.equal(index < 4);
        expect(() => refuseUnlessOurs(file), place).to.throw(StoreRefusal);
        migrateDatabase(file);
        expect(rowsOf(file), place).to.deep.equal(rowsOf(reference));
        expect(faultsOf(file), place).to.deep.equal([]);
      }
    });
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

const textsVersion = migrations.findIndex(({ sql }) => sql.some((text) => text.includes("CREATE TABLE `best_asks`")));
const sharedAt = Date.UTC(2026, 0, 2, 3);
const plain = { quantity: null, url: null, as_of: null };

/** Quotes of a1 share a time, those of a2 have their own or none, those of a3 have none. Item 4 has left the catalog. */
const oldMarket: PlainItem[] = [
  {
    itemId: 1,
    asks: [
      { provider: "a1", amount: 100, quantity: 2, url: "https://a.example/★", as_of: sharedAt },
      { ...plain, provider: "a2", amount: 120, as_of: sharedAt },
    ],
    bids: [{ ...plain, provider: "a3", amount: 90 }],
  },
  {
    itemId: 2,
    asks: [
      { ...plain, provider: "a2", amount: 200, url: "https://a.example/?q=%22" },
      { ...plain, provider: "a1", amount: 210, as_of: sharedAt },
    ],
    bids: [{ ...plain, provider: "a2", amount: 190, quantity: 5, as_of: sharedAt + 1 }],
  },
  {
    itemId: 3,
    asks: [],
    bids: [{ ...plain, provider: "a1", amount: 30, url: "https://a.example/3", as_of: sharedAt }],
  },
  {
    itemId: 4,
    asks: [{ ...plain, provider: "a1", amount: 400, as_of: sharedAt }],
    bids: [{ ...plain, provider: "a1", amount: 390, as_of: sharedAt }],
  },
];

/** A file of the last release that held quotes as texts, with one published generation and rows of the one before it. */
function writeOldMarket(path: string): void {
  writeOlder(path, textsVersion);
  change(
    path,
    `INSERT INTO feeds (feed, adapter) VALUES ('alpha', 'canonical');
     INSERT INTO providers SELECT 'a' || value, 'A', 'cash', 'alpha', 1, 1, 1 FROM json_each('[1,2,3,4]');
     INSERT INTO frame_providers VALUES ('a1', 0), ('a2', 1)`,
  );
  for (const itemId of [1, 2, 3, 4, 5]) addOldItem(path, itemId, itemId === 4 ? 0 : 1);
  const changedAt = [5, null, null, 7];
  const client = new SqliteDatabase(path);
  const put = client.prepare(
    `INSERT INTO generation_quotes (quote_key, quotes, observed, best_ask_cents, best_ask_provider, best_ask_changed_at)
     VALUES ((? << 31) + ?, ?, ?, ?, ?, ?)`,
  );
  for (const [index, item] of oldMarket.entries()) {
    const [best] = item.asks;
    put.run(
      12,
      item.itemId,
      sidesText(item, false),
      sidesText(item, true),
      best?.amount,
      best?.provider,
      changedAt[index],
    );
  }
  put.run(11, 1, sidesText(oldMarket[1]!, false), null, 1, "a1", 1);
  const lines = oldMarket.map(({ itemId, ...sides }) => priceLine(itemId, sides));
  const [listed, delisted] = [lines.slice(0, 3).join(""), lines[3]!];
  client.prepare("INSERT INTO generations VALUES (11, 'superseded', 1, 1, 2, 9, zeroblob(32), NULL)").run();
  client
    .prepare("INSERT INTO generations VALUES (12, 'published', 9, 9, 3, ?, ?, ?)")
    .run(Buffer.byteLength(listed), sha256(listed), sha256(delisted));
  client.prepare("UPDATE market_state SET current_generation_id = 12").run();
  client.close();
}

function addOldItem(path: string, itemId: number, inCatalog: number): void {
  const columns =
    "item_id, identity_key, market_hash_name, slug, identity, origin, in_catalog, first_seen_at, search_text";
  const values = `${itemId}, ${itemId}, 'x', 'x', 'exact', 'catalog', ${inCatalog}, 1, 'x'`;
  change(path, `INSERT INTO items (${columns}) VALUES (${values})`);
}

/** Returns the members of quotes as an older release held them. */
function sidesText({ asks, bids }: PlainItem, isTimed: boolean): string {
  const quote = ({ provider, amount, quantity, url, as_of }: PlainQuote) => {
    const time = !isTimed || as_of === null ? null : new Date(as_of).toISOString();
    return { provider, amount, currency: "USD", minor_units: 2, quantity, url, as_of: time };
  };
  return JSON.stringify({ asks: asks.map(quote), bids: bids.map(quote) }).slice(1, -1);
}

function readMarket(client: SqliteDatabase.Database) {
  return {
    market: marketOf(client),
    generation: client.prepare("SELECT generation_id AS id, quotes FROM generations WHERE state = 'published'").get(),
  };
}

function read<T>(path: string, work: (client: SqliteDatabase.Database) => T): T {
  const client = new SqliteDatabase(path, { readonly: true });
  try {
    return work(client);
  } finally {
    client.close();
  }
}

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
