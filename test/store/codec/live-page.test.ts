import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import {
  emptyRoot,
  fileHeaderBytes,
  trunkLeavesMax,
  trunkPage,
  zeroAfterOverflow,
  zeroDeadBytes,
} from "../../../src/store/codec/live-page.ts";

const pageBytes = 512;
const poison = 0xdd;

/** Payloads around the bounds up to which SQLite keeps them on a page of 512 bytes, by the documentation of its file format. */
const tablePayloads = [3, 477, 478, 546, 547, 985, 986];
const indexPayloads = [12, 102, 103, 546, 547, 610, 611];

describe("live bytes of a page", () => {
  const tables = fileOf((client) => {
    client.exec("CREATE TABLE gone_before (a); CREATE TABLE t (id INTEGER PRIMARY KEY, v); CREATE TABLE gone (a)");
    const insert = client.prepare("INSERT INTO t VALUES (?, zeroblob(?) || ?)");
    const ids = [-(2n ** 60n), -7n, 1n, 127n, 2n ** 21n, 2n ** 48n, 2n ** 55n, 2n ** 56n, 2n ** 62n];
    for (const id of ids) for (let of = 0n; of < 4n; of += 1n) insert.run(id + of, 0, "x".repeat(Number(of) * 40));
    for (const [at, payload] of tablePayloads.entries()) insert.run(1000 + at, 0, "y".repeat(textBytes(payload)));
    client.exec("DELETE FROM t WHERE id IN (3, 129, -5); DROP TABLE gone_before; DROP TABLE gone");
  });
  const indexes = fileOf((client) => {
    client.exec("CREATE TABLE k (name PRIMARY KEY) WITHOUT ROWID");
    const insert = client.prepare("INSERT INTO k VALUES (?)");
    for (let at = 0; at < 60; at += 1) insert.run(`${at % 10}${"z".repeat(3 + (at % 7) * 4)}${at}`);
    for (const [at, payload] of indexPayloads.entries()) insert.run(`${at}${"w".repeat(textBytes(payload) - 1)}`);
    client.exec("DELETE FROM k WHERE length(name) % 5 = 1");
  });

  for (const [of, file, kinds] of [
    ["a table", tables, [5, 13]],
    ["an index", indexes, [2, 10]],
  ] as const) {
    it(`include all bytes that SQLite reads of ${of}, with others zeroed`, () => {
      const met = new Set<number>();
      let dead = 0;
      for (const number of pagesOfRows(file)) {
        const page = pageOf(file, number);
        const start = number === 1 ? fileHeaderBytes : 0;
        met.add(page[start]!);
        const expected = Buffer.from(page);
        for (const at of deadBytes(file, number, start)) {
          page[at] = poison;
          expected[at] = 0;
          dead += 1;
        }
        zeroDeadBytes(page, start);
        expect(page.toString("hex"), `page ${number}`).to.equal(expected.toString("hex"));
      }
      expect([...met]).to.include.members([...kinds]);
      expect(dead).to.be.greaterThan(500);
    });
  }

  it("include four bytes of a shorter cell, as SQLite does", () => {
    const file = fileOf((client) => {
      client.exec("CREATE TABLE k (flag PRIMARY KEY) WITHOUT ROWID; INSERT INTO k VALUES (0), (1)");
    });
    const page = pageOf(file, 2);
    zeroDeadBytes(page, 0);
    const cleaned = Buffer.concat([file.subarray(0, pageBytes), page]);
    expect(contentOf(cleaned)).to.equal(contentOf(file));
  });

  it("are rejected with a reason for a page unlike SQLite's", () => {
    const page = (change: (bytes: Buffer) => unknown) => {
      const bytes = Buffer.alloc(pageBytes);
      bytes[0] = 13;
      change(bytes);
      return () => zeroDeadBytes(bytes, 0);
    };
    expect(page(() => undefined)).not.to.throw();
    for (const kind of [0, 1, 3, 6, 9, 11, 12, 14]) {
      expect(page((bytes) => bytes.fill(kind, 0, 1))).to.throw(
        RangeError,
        "a page differs from SQLite's form: unknown kind",
      );
    }
    const freeblocks = (...places: number[]) =>
      page((bytes) => {
        bytes.writeUInt16BE(places[0]!, 1);
        for (const [index, at] of places.entries()) if (at <= 510) bytes.writeUInt16BE(places[index + 1] ?? 0, at);
      });
    for (const fine of [[8], [508], [100, 104], [8, 508]]) expect(freeblocks(...fine), `${fine}`).not.to.throw();
    for (const odd of [[7], [509], [600], [104, 100], [100, 103]]) {
      expect(freeblocks(...odd), `${odd}`).to.throw(RangeError, "free blocks are out of order");
    }
    const cells = (...places: number[]) =>
      page((bytes) => {
        bytes.writeUInt16BE(places.length, 3);
        // A payload of two bytes and a row id of one make a cell of four.
        for (const [index, at] of places.entries()) {
          bytes.writeUInt16BE(at, 8 + 2 * index);
          if (at < pageBytes) bytes[at] = 2;
        }
      });
    for (const fine of [[10], [508], [200, 100], [204, 200], [12, 508]])
      expect(cells(...fine), `${fine}`).not.to.throw();
    for (const odd of [[9], [509], [200, 203], [200, 200], [11, 300]]) {
      expect(cells(...odd), `${odd}`).to.throw(RangeError, "cells overlap");
    }
  });

  it("include content and next page number of an overflow page", () => {
    const full = Buffer.alloc(pageBytes, poison);
    for (const payloadBytes of [0, 1, 300, 507, 508]) {
      const page = Buffer.from(full);
      zeroAfterOverflow(page, payloadBytes);
      const kept = 4 + payloadBytes;
      expect(
        page.equals(Buffer.concat([full.subarray(0, kept), Buffer.alloc(pageBytes - kept)])),
        `${payloadBytes}`,
      ).to.equal(true);
    }
    for (const payloadBytes of [-1, 509]) {
      expect(() => zeroAfterOverflow(Buffer.from(full), payloadBytes)).to.throw(RangeError, "more content than a page");
    }
  });

  it("leave emptied tables and indexes that accept new rows", () => {
    const file = Buffer.from(tables);
    emptyRoot(pageOf(tables, rootOf(tables, "t"))).copy(file, (rootOf(tables, "t") - 1) * pageBytes);
    const client = new SqliteDatabase(file);
    expect(client.prepare("SELECT count(*) FROM t").pluck().get()).to.equal(0);
    client.exec("INSERT INTO t VALUES (1, 'new')");
    expect(client.prepare("SELECT v FROM t").pluck().all()).to.deep.equal(["new"]);
    client.close();
  });

  it("include trunks of the free list, as SQLite writes them", () => {
    const file = fileOf((client) => {
      client.exec("CREATE TABLE t (v)");
      const insert = client.prepare("INSERT INTO t VALUES (zeroblob(480))");
      for (let at = 0; at < 300; at += 1) insert.run();
      client.exec("DELETE FROM t");
    });
    const trunks: number[][] = [];
    for (let number = file.readUInt32BE(32); number !== 0; number = trunks.at(-1)![0]!) {
      const page = pageOf(file, number);
      const words = Array.from({ length: pageBytes / 4 }, (_, index) => page.readUInt32BE(4 * index));
      const [next, count] = [words[0]!, words[1]!];
      trunks.push([next, count, ...words.slice(2, 2 + count)]);
      const made = trunkPage(pageBytes, next, words.slice(2, 2 + count));
      expect(made.subarray(8 + 4 * count).equals(Buffer.alloc(pageBytes - 8 - 4 * count))).to.equal(true);
      expect(made.subarray(0, 8 + 4 * count).equals(page.subarray(0, 8 + 4 * count))).to.equal(true);
    }
    expect(Math.max(...trunks.map(([, count]) => count!)))
      .to.equal(trunkLeavesMax(pageBytes))
      .and.equal(120);
    expect(trunkLeavesMax(4096)).to.equal(1016);
  });
});

/** Makes a file of small pages in which deleted rows leave their bytes. */
function fileOf(fill: (client: SqliteDatabase.Database) => void): Buffer {
  const client = new SqliteDatabase(":memory:");
  client.pragma(`page_size = ${pageBytes}`);
  client.pragma("secure_delete = OFF");
  fill(client);
  const file = client.serialize();
  client.close();
  return file;
}

/**
 * Returns the length of a text for a one-column record of `payload` bytes. One byte is for the header's size, one to three are for the
 * text's type.
 */
function textBytes(payload: number): number {
  for (let length = payload; length >= 0; length -= 1) {
    const kind = 13 + 2 * length;
    if (1 + (kind < 128 ? 1 : kind < 16_384 ? 2 : 3) + length === payload) return length;
  }
  throw new Error(`no text makes a record of ${payload} bytes`);
}

function pagesOfRows(file: Buffer): number[] {
  const client = new SqliteDatabase(file);
  const pages = client.prepare("SELECT pageno FROM dbstat WHERE pagetype <> 'overflow' ORDER BY 1").pluck().all();
  client.close();
  return pages as number[];
}

function rootOf(file: Buffer, table: string): number {
  const client = new SqliteDatabase(file);
  const root = client.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(table);
  client.close();
  return root as number;
}

function pageOf(file: Buffer, number: number): Buffer {
  return Buffer.from(file.subarray((number - 1) * pageBytes, number * pageBytes));
}

/** Returns the positions of a page's unused bytes: a change there does not affect rows or SQLite's own check. */
function deadBytes(file: Buffer, number: number, start: number): number[] {
  const whole = contentOf(file);
  const changed = Buffer.from(file);
  const isMissed = (from: number, to: number) =>
    [0x55, 0x80].some((bits) => {
      for (let at = from; at < to; at += 1) changed[at] = file[at]! ^ bits;
      const said = contentOf(changed);
      file.copy(changed, from, from, to);
      return said !== whole;
    });
  const first = (number - 1) * pageBytes;
  const places = Array.from({ length: pageBytes - start }, (_, index) => start + index);
  return chunksOf(places, 16).flatMap((some) => {
    const [from, to] = [first + some[0]!, first + some.at(-1)! + 1];
    return isMissed(from, to) ? some.filter((at) => !isMissed(first + at, first + at + 1)) : some;
  });
}

function chunksOf<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  );
}

/** Returns SQLite's rows of a file, and the findings of its integrity check. */
function contentOf(file: Buffer): string {
  const client = new SqliteDatabase(file);
  try {
    const tables = client.prepare("SELECT rowid, * FROM sqlite_schema").all() as { name: string }[];
    client.defaultSafeIntegers();
    const rows = tables.map(({ name }) => client.prepare(`SELECT * FROM "${name}"`).raw(true).all());
    const said = JSON.stringify([tables, rows, client.pragma("integrity_check")], (_, value) =>
      typeof value === "bigint" ? `${value}` : value,
    );
    return said;
  } catch (error) {
    return (error as Error).message;
  } finally {
    client.close();
  }
}
