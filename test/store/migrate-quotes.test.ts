import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { checkDatabase } from "../../src/store/check/check.ts";
import { migrateDatabase, refuseUnlessValid } from "../../src/store/file/file.ts";
import { StoreRefusal } from "../../src/store/file/refusal.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import { marketOf, type PlainItem, type PlainQuote, priceLine } from "../import/quotes/quote-world.ts";
import { temporaryFolder } from "../support/files.ts";
import { casesBySize, itLong } from "../support/size.ts";
import { change } from "../support/sql-file.ts";
import { addOldItem, killedBefore, migrations, schemaNames, writeOlder } from "./older-file.ts";

const textsVersion = migrations.findIndex(({ sql }) => sql.some((text) => text.includes("CREATE TABLE `best_asks`")));
const sharedAt = Date.UTC(2026, 0, 2, 3);
const plain = { quantity: null, url: null, as_of: null };

/** Quotes of a1 share a time. Quotes of a2 have separate times or none, and quotes of a3 have none. Item 4 has left the catalog. */
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

describe("migration of quotes stored as text by generation", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "itemtape.db");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const rowsOf = (file: string) =>
    read(file, (client) => ({
      ...readMarket(client),
      best: client.prepare("SELECT * FROM best_asks").raw().all(),
      since: client.prepare("SELECT provider_id, item_id, ask_since FROM quotes").raw().all(),
      shared: client.prepare("SELECT provider, quotes_as_of FROM providers").raw().all(),
    }));
  const faultsOf = (file: string) => checkDatabase(file).faults.filter((fault) => !fault.startsWith("catalog:"));

  it("creates rows with the same generation and digests", () => {
    writeOldMarket(path);
    const before = generationsOf(path);
    // An interrupted publication leaves such a row, which is removed.
    change(path, "INSERT INTO generations (generation_id, state, created_at) VALUES (13, 'staging', 9)");
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

  it("gives a generation two digests if a quoted item left the catalog", () => {
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

  it("leaves no quotes in a file without a publication", () => {
    writeOldMarket(path);
    change(path, "UPDATE market_state SET current_generation_id = NULL; DELETE FROM generations");
    migrateDatabase(path);
    const { market, best, shared } = rowsOf(path);
    expect([market, best]).to.deep.equal([[], []]);
    expect(shared.map((row) => (row as unknown[])[1])).to.deep.equal([null, null, null, null]);
    expect(checkDatabase(path).facts).to.include("generations: nothing is published");
  });

  const edits = {
    "another amount": `quotes = replace(quotes, '"amount":100', '"amount":101')`,
    "another page": "quotes = replace(quotes, 'a.example', 'b.example')",
    "one side alone": `quotes = '"asks":[]'`,
    "an amount that is not a number": `quotes = replace(quotes, '"amount":100', '"amount":"1oo"')`,
    "an unknown provider": `quotes = replace(quotes, '"a2"', '"zz"')`,
    "a provider twice": `quotes = replace(quotes, '"a2"', '"a1"')`,
    "malformed quotes": "quotes = substr(quotes, 2)",
    "another item": "quote_key = (12 << 31) + 5",
  };
  for (const [what, edit] of Object.entries(edits)) {
    it(`rejects a text with ${what}`, () => {
      writeOldMarket(path);
      change(path, `UPDATE generation_quotes SET ${edit}, observed = NULL WHERE quote_key = (12 << 31) + 1`);
      const old = () => read(path, (client) => client.prepare("SELECT * FROM generation_quotes").all());
      const before = old();
      for (let tries = 0; tries < 2; tries += 1) {
        expect(() => migrateDatabase(path)).to.throw(OperatorError, "do not have their published digest");
        expect(old()).to.deep.equal(before);
        expect(read(path, (client) => client.prepare("SELECT * FROM quotes").all())).to.deep.equal([]);
        expect(() => refuseUnlessValid(path)).to.throw(StoreRefusal);
      }
    });
  }

  itLong("loses nothing when killed between or within steps", async () => {
    const reference = join(folder, "reference.db");
    writeOldMarket(reference);
    migrateDatabase(reference);
    const places = [
      "name = 'generation_quotes'",
      "UPDATE generations SET items",
      "items_take_their_export_page",
      "DROP TABLE generation_quotes",
      "user_version =",
    ];
    for (const [index, place] of casesBySize([...places.entries()], 3)) {
      const file = join(folder, `killed ${index}.db`);
      writeOldMarket(file);
      expect(await killedBefore(place, file), place).to.equal("SIGKILL");
      expect(schemaNames(file).includes("generation_quotes"), place).to.equal(index < 4);
      expect(() => refuseUnlessValid(file), place).to.throw(StoreRefusal);
      migrateDatabase(file);
      expect(rowsOf(file), place).to.deep.equal(rowsOf(reference));
      expect(faultsOf(file), place).to.deep.equal([]);
    }
  });
});

/** A file of the last release with quotes as texts, with one published generation and rows of the previous one. */
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
