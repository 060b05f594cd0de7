import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { parquetReadObjects } from "hyparquet";
import { noProviders, type Reply, ScriptedServer } from "../client/scripted-server.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { type Account, useWorld } from "../support/world.ts";
import { demoTerms, termsIn } from "./export-files.ts";

const date = "2026-01-14";

describe("itemtape export day", () => {
  const world = useWorld({ fewItems: true });
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
    it(`exports the same ${resolution} rows of a day in each format`, async () => {
      // A day of a market with few items, to be fast.
      const date = "2026-01-13";
      for (const format of ["ndjson", "csv", "parquet", "sqlite"]) {
        const { code, lines, notes } = await run(
          date,
          "--format",
          format,
          "--resolution",
          resolution,
          "--revision",
          "1",
        );
        expect([code, notes], format).to.deep.equal([0, []]);
        // A record of hours becomes many table rows. The count is of received records.
        expect(lines.join(), format).to.include(`: complete, ${linesOf(resolution).length - 2} records, revision 1,`);
      }
      const end = JSON.parse(linesOf(resolution).at(-1)!);
      expect(end).to.include({ type: "end", date, rows: linesOf(resolution).length - 2 });
      const database = new SqliteDatabase(fileOf("sqlite", resolution), { readonly: true });
      const rows = database.prepare(`SELECT * FROM ${resolution}`).all() as Record<string, unknown>[];
      expect(database.prepare("SELECT digest FROM export").pluck().get()).to.equal(end.digest);
      database.close();
      expect(rows.filter(({ recorded_at: at }) => at === undefined || at === "")).to.deep.equal([]);
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
      for (const format of ["csv", "parquet", "sqlite"])
        expect(termsIn(format, fileOf(format, resolution)), format).to.deep.include(demoTerms);
      for (let index = 0; index < rows.length; index += 7) {
        const row = Object.fromEntries(Object.entries(packed[index]!).map(([name, value]) => [name, plain(value)]));
        expect(row).to.deep.equal(rows[index]);
      }
    });
  }

  it("continues a range without cost for existing files; names an unfinished day", async () => {
    const before = world.used(account.accountId);
    await run("2026-01-13", "--format", "csv");
    writeFileSync(join(folder, "note.txt"), "mine");
    const { code, lines, notes } = await run("2026-01-13..2026-01-15", "--format", "csv");
    expect(code).to.equal(66);
    expect(notes).to.deep.equal(["2026-01-15: no such sealed day"]);
    expect(lines.at(-1)).to.equal("1 day written, 1 there already, 1 not found");
    expect(world.used(account.accountId) - before, "two days, and the terms of each run").to.equal(4);
    expect(readdirSync(folder).sort()).to.include.members(["date=2026-01-13", "date=2026-01-14", "note.txt"]);
    expect(existsSync(fileOf("csv", "daily", "2026-01-15"))).to.equal(false);
  });

  it("leaves no file if the service gives up an export", async () => {
    const [row] = world.sql("SELECT digest FROM sealed_days WHERE day = 20467");
    world.sql("UPDATE sealed_days SET digest = zeroblob(32) WHERE day = 20467");
    const failed = await run(date, "--format", "ndjson");
    world.sql("UPDATE sealed_days SET digest = ? WHERE day = 20467", row!.digest);
    expect(failed.code).to.equal(91);
    expect(failed.notes.join()).to.include("interrupted");
    expect(readdirSync(join(folder, `date=${date}`))).to.deep.equal([]);
  });

  describe("itemtape export day from a misbehaving server", () => {
    let server: ScriptedServer;
    before(async () => {
      server = await ScriptedServer.start();
      server.providers = noProviders;
    });
    after(() => server.stop());

    const request_id = "req_00000000000000000000000000";
    const opening = {
      type: "start",
      request_id,
      date,
      revision: 1,
      resolution: "hourly",
      generated_at: `${date}T12:00:00.000Z`,
      sealed_at: `${date}T12:00:00.000Z`,
      currency: "USD",
      minor_units: 2,
      selection: null,
      frames: [],
    };
    const quote = { item_id: 1, side: "ask", provider: "p", feed: "f", hours: [[0, 23]], amounts: [5] };
    const data = { ...quote, quantities: [null], source_observed_at: [null] };
    const linesOf = (records: readonly unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`);
    const whole = (lines: readonly unknown[], more: object = {}) => {
      const digest = createHash("sha256").update(linesOf(lines).join("")).digest("hex");
      return linesOf([
        opening,
        ...lines,
        { type: "end", request_id, date, revision: 1, rows: lines.length, digest, ...more },
      ]);
    };
    const exported = async (...replies: Reply[]) => {
      server.play(...replies);
      const env = { ITEMTAPE_URL: server.base, ITEMTAPE_API_KEY: account.secret };
      return await runHere(["export", "day", date, folder, "--format", "csv", "--resolution", "hourly"], { env });
    };
    const begin: (response: Parameters<Reply>[0]) => void = (response) =>
      void response.writeHead(200, { "content-type": "application/x-ndjson" });

    it("retries when a proxy answers for the service", async () => {
      const away: Reply = (response) => void response.writeHead(502, { "content-type": "text/html" }).end("<html>");
      const { code, notes } = await exported(away, away, (response) => {
        begin(response);
        response.end(whole([{ type: "quotes", data }]).join(""));
      });
      expect([code, notes]).to.deep.equal([0, Array(2).fill(`${date}: HTTP 502; asking again`)]);
      rmSync(join(folder, `date=${date}`), { recursive: true });
    });

    it("reads an export to its end beyond a single response's time limit", async () => {
      const pieces = whole(Array.from({ length: 10 }, () => ({ type: "quotes", data })));
      const { setTimeout: real } = globalThis;
      let code: number | null = null;
      // The limit is shortened. On a slow machine it is raised step by step.
      for (let limitMs = 80; code !== 0 && limitMs < 6000; limitMs *= 4) {
        const shortened = (work: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
          real(work, ms === 30_000 ? limitMs : ms, ...given);
        globalThis.setTimeout = shortened as typeof real;
        const slowly = async (response: Parameters<Reply>[0]) => {
          begin(response);
          for (const piece of pieces) {
            response.write(piece);
            await sleep(limitMs / 4);
          }
          response.end();
        };
        ({ code } = await exported((response) => void slowly(response)).finally(() => {
          globalThis.setTimeout = real;
        }));
      }
      expect(code).to.equal(0);
    });

    for (const [what, lines] of [
      ["hours that no day has", whole([{ type: "quotes", data: { ...data, hours: [[0, 999_999_999]] } }])],
      [
        "hours that come twice",
        whole([
          {
            type: "quotes",
            data: {
              ...data,
              hours: [
                [0, 3],
                [3, 4],
              ],
            },
          },
        ]),
      ],
      ["a line that is null", whole([null])],
      ["a line of an unknown type", whole([{ type: "trades", data }])],
      ["a line of the other resolution", whole([{ type: "daily", data }])],
      ["an end of another request", whole([], { request_id: "req_11111111111111111111111111" })],
      ["an end of another revision", whole([], { revision: 2 })],
      ["bytes behind the end", [...whole([]), "{"]],
      ["a record that is too large", [...linesOf([opening]), " ".repeat(300_000)]],
    ] as const) {
      it(`refuses ${what} as malformed, and leaves no file`, async () => {
        const { code, notes } = await exported((response) => {
          begin(response);
          response.end(lines.join(""));
        });
        expect(notes.join()).to.include("export malformed");
        expect(code).to.equal(93);
        expect(readdirSync(join(folder, `date=${date}`))).to.deep.equal([]);
      });
    }
  });

  for (const [words, reason] of [
    [["yesterday", "--format", "csv"], "DATE: must be a date"],
    [["2026-01-14..2026-01-13", "--format", "csv"], "DATE: must be a date"],
    [["2024-01-01..2026-01-13", "--format", "csv"], "DATE: must cover at most 366 days"],
    [[date, "--format", "xml"], "--format: must be one of"],
    [[date, "--format", "csv", "--resolution", "minutes"], "--resolution: must be daily or hourly"],
  ] as const) {
    it(`refuses before any request: ${words.join(" ")}`, async () => {
      const [days, ...flags] = words;
      const { code, notes } = await run(days, ...flags);
      expect(code).to.equal(64);
      expect(notes.join()).to.include(reason);
    });
  }
});
