import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { checkDatabaseInChunks } from "../../../src/store/check/check.ts";
import { newDatabase, temporaryFolder } from "../../support/files.ts";
import { casesBySize } from "../../support/size.ts";

/** Many more pieces than a check of so few rows has. */
const piecesMax = 500;
class Circle extends Error {}

/** Returns a number as SQLite writes it for the key of a row. */
function varint(value: bigint): Buffer {
  const bytes = [Number(value & 127n)];
  for (let rest = value >> 7n; rest > 0n; rest >>= 7n) bytes.unshift(Number(rest & 127n) | 128);
  return Buffer.from(bytes);
}

/** Encodes a number as SQLite does in an index, for numbers of three bytes. */
function threeBytes(value: number): Buffer {
  const bytes = Buffer.alloc(3);
  bytes.writeUIntBE(value, 0, 3);
  return bytes;
}

const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Rows of a table, and the key of the last row in a chunk of the check. */
const tables = {
  items: {
    rows: () => many(600, (index) => ({ item_id: 100_000 + index, market_hash_name: `Name ${index}` })),
    key: varint(100_249n),
  },
  quotes: {
    rows: () => many(600, (index) => ({ provider_id: 7, item_id: 100_000 + index, ask_cents: 5 })),
    key: threeBytes(100_249),
  },
  best_asks: {
    rows: () => many(600, (index) => ({ item_id: 100_000 + index })),
    key: varint(100_249n),
  },
};

describe("check of keys made smaller by a flipped bit", () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder, "itemtape.db");
    newDatabase(path);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function fill(table: string, rows: readonly Record<string, unknown>[]): void {
    const client = new SqliteDatabase(path);
    client.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    client.exec("UPDATE market_state SET current_generation_id = 5");
    const columns = client.pragma(`table_info(${table})`) as { name: string; notnull: number; type: string }[];
    const needed = columns.filter(({ name, notnull }) => notnull === 1 || name in rows[0]!);
    const names = needed.map(({ name }) => name);
    const insert = client.prepare(`INSERT INTO ${table} (${names.join()}) VALUES (${names.map(() => "?").join()})`);
    rows.forEach((row, index) => {
      insert.run(needed.map(({ name, type }) => row[name] ?? (type === "BLOB" ? Buffer.of(0) : index)));
    });
    client.pragma("wal_checkpoint(TRUNCATE)");
    client.close();
  }

  for (const [table, { rows, key }] of Object.entries(tables)) {
    it(`ends for ${table}`, () => {
      fill(table, rows());
      const file = readFileSync(path);
      let places = 0;
      for (let at = file.indexOf(key); at >= 0; at = file.indexOf(key, at + 1)) {
        places += 1;
        const bits = many(key.length * 8, (bit) => [bit, at + (bit >> 3), 1 << (bit & 7)] as const);
        const set = bits.filter(([, byte, mask]) => (file[byte]! & mask) !== 0);
        for (const [bit, byte, mask] of casesBySize(set, 3)) {
          const damaged = Buffer.from(file);
          damaged[byte]! &= ~mask;
          writeFileSync(path, damaged);
          let chunks = 0;
          const between = () => {
            chunks += 1;
            if (chunks > piecesMax) throw new Circle(`bit ${bit} of the key at ${at}`);
          };
          expect(() => checkDatabaseInChunks(path, between)).to.not.throw();
        }
      }
      expect(places, "places of the key").to.be.above(0);
    });
  }
});
