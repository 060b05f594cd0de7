import { copyFileSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { checkDatabase } from "../../../src/store/check/check.ts";
import { closeDatabase, openWriter } from "../../../src/store/database.ts";
import { fillItemChecksums } from "../../../src/store/migrate/backfills.ts";
import type { QuoteWorld } from "../../import/quotes/quote-world.ts";
import { temporaryFolder } from "../../support/files.ts";
import { bySize, casesBySize, itLong } from "../../support/size.ts";
import { edit } from "../../support/unguarded.ts";
import { checkedWorld, flipRing } from "./flip-ring.ts";

/** A night plays more of them. */
const flipsWanted = bySize({ short: 6, long: 100 });

describe("check of a file", function () {
  this.timeout(180_000);
  let world: QuoteWorld;
  const folder = temporaryFolder();
  const path = join(folder, "market.db");

  before(async () => {
    ({ world } = await checkedWorld());
    expect(existsSync(`${world.path}-wal`), "something has it open").to.equal(false);
  });
  after(() => {
    world.destroy();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => {
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
    copyFileSync(world.path, path);
  });

  it("finds no fault in a sound file and reports every part", () => {
    const { facts, faults } = checkDatabase(path);
    expect(faults).to.deep.equal([]);
    expect(facts.map((fact) => fact.split(":")[0])).to.include.members([
      "pages",
      "tables",
      "generations",
      "catalog",
      "ledger",
    ]);
    expect(facts.join("\n"))
      .to.match(/g2 is published and complete: 12 items/)
      .and.to.match(/6 charged units/)
      .and.to.match(/1 export leases are reserved/);
  });

  it("accepts items of an older release after a migration adds checksums", () => {
    const writer = openWriter(path, 0);
    edit(writer.$client, "UPDATE items SET checksum = NULL WHERE item_id < 4");
    expect(checkDatabase(path).faults.join("\n")).to.match(/3 items with a wrong checksum of their columns/);
    fillItemChecksums(writer);
    closeDatabase(writer);
    expect(checkDatabase(path).faults).to.deep.equal([]);
  });

  const lies: Record<string, { sql: string; description: RegExp }> = {
    "another price": {
      sql: `UPDATE quotes SET ask_cents = 136 WHERE ask_cents = 135; UPDATE best_asks SET ask_cents = 136 WHERE ask_cents = 135`,
      description: /do not have its digest/,
    },
    "a quoted item outside the catalog": {
      sql: "UPDATE items SET in_catalog = 0 WHERE item_id = 3",
      description: /g2 do not have its digest(.|\n)*g2 states 12 items and has 11/,
    },
    "another digest of rows outside exports": {
      sql: "UPDATE generations SET rest_digest = zeroblob(32) WHERE state = 'published'",
      description: /without an item in the catalog do not have its second digest/,
    },
    "another best ask": {
      sql: "UPDATE best_asks SET ask_cents = ask_cents + 1",
      description: /12 items of g2 with a best ask/,
    },
    "another time of a provider's quotes": {
      sql: "UPDATE providers SET quotes_as_of = quotes_as_of + 1 WHERE provider = 'row'",
      description: /the times of the quotes of g2 do not have its checksum/,
    },
    "a missing quote": {
      sql: "DELETE FROM quotes WHERE item_id = 3",
      description: /g2 states 12 items and has 11/,
    },
    "a quote without an item": {
      sql: "UPDATE quotes SET item_id = 99 WHERE item_id = 3",
      description: /1 quotes without an item/,
    },
    "an item with a very large id": {
      sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; UPDATE items SET item_id = 1 << 60 WHERE item_id = 3",
      description: /1 quotes without an item/,
    },
    "a quote without a provider": {
      sql: "PRAGMA foreign_keys = OFF; UPDATE quotes SET provider_id = 99 WHERE item_id = 3",
      description: /1 quotes without a provider/,
    },
    "a best ask without an item": {
      sql: "INSERT INTO best_asks VALUES (99, 1, 0, 1, 1)",
      description: /1 best asks without an item/,
    },
    "a quantity without a quote": {
      sql: "PRAGMA ignore_check_constraints = ON; UPDATE quotes SET bid_quantity = 1 WHERE item_id = 3",
      description: /1 quantities without a quote/,
    },
    "a page without a quote": {
      sql: "INSERT INTO quote_urls SELECT provider_id, 99, side, url FROM quote_urls LIMIT 1",
      description: /1 pages without a quote/,
    },
    "another current generation": {
      sql: "UPDATE market_state SET current_generation_id = 1",
      description: /g1 is the current generation, g2 the published one/,
    },
    "another slug": {
      sql: "UPDATE items SET slug = 'else' WHERE item_id = 4",
      description: /1 items with a wrong checksum of their columns, such as 4/,
    },
    "another search text": {
      sql: "UPDATE items SET search_text = 'else' WHERE item_id = 4",
      description: /1 items with a search text .* such as 4/,
    },
    "a unit that was not charged": {
      sql: "UPDATE usage_months SET used = used + 1",
      description: /2 stated|4 stated|5 stated|7 stated|another sum than their charged units/,
    },
    "a missing charged unit": {
      sql: "DROP TRIGGER usage_events_never_vanish; DELETE FROM usage_events WHERE request_id = (SELECT min(request_id) FROM usage_events)",
      description: /another sum than their charged units/,
    },
    "an unpaid export": {
      sql: "INSERT INTO snapshot_leases SELECT 'free', 'nobody', 8, 'reserved', admitted_at, expires_at, NULL FROM snapshot_leases LIMIT 1",
      description: /without the unit that paid/,
    },
    "a key without an account": {
      sql: "PRAGMA foreign_keys = OFF; UPDATE api_keys SET account_id = 'acc_none'",
      description: /a row of api_keys names none of accounts/,
    },
  };
  for (const [what, { sql, description }] of Object.entries(lies)) {
    it(`reports a foreign edit: ${what}`, () => {
      const client = new SqliteDatabase(path);
      edit(client, sql);
      client.close();
      expect(checkDatabase(path).faults.join("\n")).to.match(description);
    });
  }

  itLong("reports every edited value in each column and row of the quotes", () => {
    const edits = editsOf(path);
    expect(new Set(edits.map(({ column }) => column)).size).to.equal(19);
    const missed = casesBySize(edits, 60).filter(({ sql, values }) => {
      copyFileSync(world.path, path);
      const client = new SqliteDatabase(path);
      client.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
      expect(client.prepare(sql).run(...values).changes).to.equal(1);
      client.close();
      return checkDatabase(path).faults.length === 0;
    });
    expect(missed).to.deep.equal([]);
  });

  it(`reports all ${flipsWanted} random single-bit flips that change an answer`, async () => {
    const { tried, changing, faults } = await flipRing({ flips: flipsWanted });
    process.stdout.write(`      ${tried} flips, ${changing} of them changed an answer\n`);
    expect(faults).to.deep.equal([]);
  });
});

/** The tables of quotes with the columns of their keys. */
const quoteTables = {
  quotes: ["provider_id", "item_id"],
  quote_urls: ["provider_id", "item_id", "side"],
  best_asks: ["item_id"],
  providers: ["provider"],
};

type Edit = { column: string; sql: string; values: unknown[] };

/** Returns edits of some bits of a value, or of a text's first bytes, to nothing, and from nothing: of each row and column of quotes. */
function editsOf(path: string): Edit[] {
  const client = new SqliteDatabase(path);
  const edits = Object.entries(quoteTables).flatMap(([table, key]) =>
    client
      .prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`)
      .all()
      .flatMap((row) => {
        const columns = table === "providers" ? ["quotes_as_of"] : Object.keys(row);
        const where = key.map((name) => `${name} = ?`).join(" AND ");
        const isFree = (values: unknown[]) =>
          client.prepare(`SELECT 1 FROM ${table} WHERE ${where}`).get(...values) === undefined;
        return columns.flatMap((name) =>
          edited(row[name])
            .filter((value) => !key.includes(name) || isFree(key.map((part) => (part === name ? value : row[part]))))
            .filter((value) => value !== null || !client.prepare(notNull).pluck().get(table, name))
            .map((value) => ({
              column: `${table}.${name}`,
              sql: `UPDATE ${table} SET ${name} = ? WHERE ${where}`,
              values: [value, ...key.map((part) => row[part])],
            })),
        );
      }),
  );
  client.close();
  return edits;
}

const notNull = 'SELECT "notnull" OR pk FROM pragma_table_info(?) WHERE name = ?';

function edited(value: unknown): unknown[] {
  if (value === null) return [1];
  if (typeof value === "string") return [null, value.replace(/^./, "x"), `${value}x`, ""];
  return [null, ...[0, 1, 6, 13, 20, 31, 41].map((bit) => Number(BigInt(value as number) ^ (1n << BigInt(bit))))];
}
