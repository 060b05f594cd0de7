import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { DataSet } from "../../scripts/bench/data-set.ts";
import { historyGoals } from "../../scripts/bench/history/goals.ts";
import { Market } from "../../scripts/bench/history/market.ts";
import { type ReadName, readNames } from "../../scripts/bench/history/names.ts";
import { openReads } from "../../scripts/bench/history/page-reads.ts";
import { addMarketFeed, firstDay, recordHistory, storeDay, writeFrame } from "../../scripts/bench/history/recorded.ts";
import type { FrameWithCharges, HistoryResults, ReadSeries } from "../../scripts/bench/history/rounds.ts";
import { openWriter } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file.ts";
import { silent } from "../../src/values/progress.ts";
import { temporaryFolder } from "../support/files.ts";

const script = fileURLToPath(new URL("../../scripts/bench/main.ts", import.meta.url));

describe("bench of histories", () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("a day that is stored at once is the day that the service records frame by frame", () => {
    const market = new Market({ items: 12, days: 1 });
    const [atOnce, byFrame] = ["at-once.db", "by-frame.db"].map((name) => {
      const path = join(folder, name);
      createDatabase(path, addMarketFeed);
      const database = openWriter(path, 0);
      if (name === "at-once.db") storeDay(database, market, { day: firstDay, hours: 7 });
      else for (let hour = 0; hour < 7; hour += 1) for (const _ of writeFrame(database, market, hour));
      const tables = ["frame_segments", "frames", "feed_days"];
      const rows = tables.map((table) => database.$client.prepare(`SELECT * FROM ${table}`).all());
      database.$client.close();
      return rows;
    });
    expect(atOnce![0]).to.have.length(12);
    expect(atOnce).to.deep.equal(byFrame);
  });

  it("the service and its peers read the same full pages", () => {
    const data = DataSet.create(folder, 60, 0, silent);
    const { database } = data.setup(true);
    recordHistory(database, 60, silent);
    const file = { database, items: 60 };
    const opened = openReads({ all: file, tenth: file, rowTable: join(folder, "rows.db") });
    opened.refuseOtherPages();
    const rows = (name: ReadName) => JSON.parse(opened.reads[name](7)) as unknown[];
    expect(rows("hourly page")).to.have.length(1000);
    expect(rows("daily window")).to.have.length(366);
    expect(rows("hourly page, objects of the same segments")).to.deep.equal(rows("hourly page"));
    expect(rows("daily window, objects")).to.deep.equal(rows("daily window"));
    opened.close();
  }).timeout(20_000);

  it("measures, judges every goal of histories, and leaves no file behind", () => {
    const json = join(folder, "figures.json");
    const args = ["--only", "history", "--rounds", "1", "--seconds", "0.05", "--items", "100"];
    const words = ["--import", "tsx", script, ...args, "--dir", folder, "--json", json];
    const run = spawnSync(process.execPath, words, { encoding: "utf8" });
    expect(run.status, run.stderr).to.equal(0);
    expect(run.stdout).to.match(/^hourly page, objects of a row table +[0-9.]+ /m);
    const { goals, history } = JSON.parse(readFileSync(json, "utf8"));
    expect(history.frames.quotes).to.equal(900);
    const judged = goals.filter(({ value }: { value: number | null }) => value !== null);
    expect(judged.map(({ says }: { says: string }) => says)).to.deep.equal(historyGoals(null).map(({ says }) => says));
    expect(readdirSync(folder)).to.deep.equal(["figures.json"]);
  }).timeout(60_000);

  it("judges by ratios within a round and by the middle of the frames", () => {
    const judged = historyGoals(figures()).map(({ says, value, met }) => ({ says, value, met }));
    expect(judged).to.deep.equal([
      { says: "hourly page ÷ object map + stringify", value: 3, met: true },
      { says: "daily window ÷ object map + stringify", value: 1.5, met: false },
      { says: "hourly page, ten times the items", value: 1, met: true },
      { says: "daily window, ten times the items", value: 1.25, met: false },
      { says: "point read, ten times the items", value: 1.1, met: true },
      { says: "list page, ten times the items", value: 1, met: true },
      { says: "charge while a frame is written, p99", value: 40, met: true },
      { says: "longest lock of a frame", value: 21, met: false },
      { says: "a stored hourly quote", value: 12, met: true },
    ]);
    expect(historyGoals(null).every(({ value, met }) => value === null && met === null)).to.equal(true);
  });
});

/** Three rounds, of which the machine was slow in the second. */
function figures(): HistoryResults {
  const series = (cpuUs: number): ReadSeries => ({ cpuUs: [cpuUs, cpuUs * 8, cpuUs], wallUs: [], bytes: [] });
  const reads = Object.fromEntries(readNames.map((name) => [name, series(100)])) as Record<ReadName, ReadSeries>;
  reads["hourly page, objects of the same segments"] = series(300);
  reads["daily window, objects"] = series(150);
  reads["daily window, a tenth of the items"] = series(80);
  const requests = (cpuUs: number) => ({ requestsPerS: [], cpuUs: [cpuUs, 2 * cpuUs] });
  const frame = (p99Ms: number, lockHeldMsMax: number): FrameWithCharges => ({
    seconds: 5,
    lockSeconds: 1,
    transactions: 100,
    holdMsMost: 6,
    lockHeldMsMax,
    walBytes: null,
    charges: { charges: 5000, refused: 0, p50Ms: 1, p99Ms, maxMs: 90 },
  });
  const [slow, middle, quick] = [frame(80, 50), frame(40, 21), frame(20, 9)];
  return {
    reads,
    http: {
      "hourly page": requests(1),
      "point read": requests(55),
      "point read, a tenth of the items": requests(50),
    },
    frames: { quotes: 9, idle: [quick.charges], later: [slow, middle], first: quick, walBytes: 1 },
    storage: { items: 1, days: 1, changePercent: 15, bytesPerQuote: 12 },
  };
}
