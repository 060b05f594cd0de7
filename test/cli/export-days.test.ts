import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { parquetReadObjects } from "hyparquet";
import SqliteDatabase from "../../src/store/sqlite.mjs";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { type Account, useWorld } from "../support/world.ts";

const date = "2026-01-14";

describe("itemtape export day", () => {
  const world = useWorld();
  let account: Account;
  let folder: string;

  before(() => {
    account = world.account("quant");
  });
  beforeEach(() => {
    folder = temporaryFolder();
  });

  const run = (days: string, ...flags: string[]) =>
    runHere(["export", "day", days, folder, ...flags], {
      env: { ITEMTAPE_URL: world.base, ITEMTAPE_API_KEY: account.secret },
    });
  const fileOf = (format: string, resolution = "daily", on = "2026-01-13") =>
    join(folder, `date=${on}`, `${resolution}.${format}`);
  const linesOf = (resolution: string) => readFileSync(fileOf("ndjson", resolution), "utf8").trimEnd().split("\n");

  for (const resolution of ["daily", "hourly"]) {
    it(`the ${resolution} rows of a day are the same in each format`, async () => {
      // Of few items, so that it does not take long.
      const date = "2026-01-13";
      for (const format of ["ndjson", "csv", "parquet", "sqlite"]) {
        const { code, notes } = await run(date, "--format", format, "--resolution", resolution);
        expect([code, notes], format).to.deep.equal([0, []]);
      }
      const end = JSON.parse(linesOf(resolution).at(-1)!);
      expect(end).to.include({ type: "end", date, rows: linesOf(resolution).length - 2 });
      const database = new SqliteDatabase(fileOf("sqlite", resolution), { readonly: true });
      const rows = database.prepare(`SELECT * FROM ${resolution}`).all() as Record<string, unknown>[];
      expect(database.prepare("SELECT digest FROM export").pluck().get()).to.equal(end.digest);
      database.close();
      const [head, ...csv] = readFileSync(fileOf("csv", resolution), "utf8").trimEnd().split("\r\n");
      expect(csv).to.deep.equal(
        rows.map((row) =>
          Object.values(row)
            .map((value) => value ?? "")
            .join(","),
        ),
      );
      expect(head).to.equal(Object.keys(rows[0]!).join(","));
      const bytes = readFileSync(fileOf("parquet", resolution));
      const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
      const packed = await parquetReadObjects({ file });
      const plain = (value: unknown) =>
        typeof value === "bigint" ? Number(value) : value instanceof Date ? value.toISOString() : (value ?? null);
      expect(packed.length).to.equal(rows.length);
      for (let index = 0; index < rows.length; index += 97) {
        const row = Object.fromEntries(Object.entries(packed[index]!).map(([name, value]) => [name, plain(value)]));
        expect(row).to.deep.equal(rows[index]);
      }
    });
  }

  it("a range goes on where it ended: a day that has its file costs nothing, and one that is not found is named", async () => {
    const before = world.used(account.accountId);
    await run("2026-01-13", "--format", "csv");
    writeFileSync(join(folder, "note.txt"), "mine");
    const { code, lines, notes } = await run("2026-01-13..2026-01-15", "--format", "csv");
    expect(code).to.equal(66);
    expect(notes).to.deep.equal(["2026-01-15: no such sealed day"]);
    expect(lines.at(-1)).to.equal("1 days written, 1 there already, 1 not found");
    expect(world.used(account.accountId) - before).to.equal(3);
    expect(readdirSync(folder).sort()).to.include.members(["date=2026-01-13", "date=2026-01-14", "note.txt"]);
    expect(existsSync(fileOf("csv", "daily", "2026-01-15"))).to.equal(false);
  });

  it("an export that the service gives up leaves no file", async () => {
    const [row] = world.sql("SELECT digest FROM sealed_days WHERE day = 20467");
    world.sql("UPDATE sealed_days SET digest = zeroblob(32) WHERE day = 20467");
    const failed = await run(date, "--format", "ndjson");
    world.sql("UPDATE sealed_days SET digest = ? WHERE day = 20467", row!.digest);
    expect(failed.code).to.equal(91);
    expect(failed.notes.join()).to.include("interrupted");
    expect(readdirSync(join(folder, `date=${date}`))).to.deep.equal([]);
  });

  for (const [words, reason] of [
    [["yesterday", "--format", "csv"], "DATE: takes a date"],
    [["2026-01-14..2026-01-13", "--format", "csv"], "DATE: takes a date"],
    [["2024-01-01..2026-01-13", "--format", "csv"], "DATE: takes at most 366 days"],
    [[date, "--format", "xml"], "--format: takes one of"],
    [[date, "--format", "csv", "--resolution", "minutes"], "--resolution: takes daily or hourly"],
  ] as const) {
    it(`an export of days is refused before it asks: ${words.join(" ")}`, async () => {
      const [days, ...flags] = words;
      const { code, notes } = await run(days, ...flags);
      expect(code).to.equal(64);
      expect(notes.join()).to.include(reason);
    });
  }
});
