import { join } from "node:path";
import { expect } from "chai";
import { createDataSet, type DataSet } from "../../scripts/bench/data-set.ts";
import { checkGoals } from "../../scripts/bench/goals.ts";
import { addMarketFeed, firstDay, recordHistory, storeDays, writeFrame } from "../../scripts/bench/history/market.ts";
import { openPageReads } from "../../scripts/bench/history/page-reads.ts";
import { parseOptions } from "../../scripts/bench/options.ts";
import { exportServers } from "../../scripts/bench/peers/export-servers.ts";
import { pointServers } from "../../scripts/bench/peers/point-servers.ts";
import { reportText } from "../../scripts/bench/report.ts";
import type { Table } from "../../scripts/bench/rounds.ts";
import { UsageError } from "../../scripts/support/flags.ts";
import { openWriter } from "../../src/store/database.ts";
import { createDatabase } from "../../src/store/file.ts";
import { temporaryFolder } from "../support/files.ts";
import { bySize } from "../support/size.ts";

describe("The bench", function () {
  this.timeout(120_000);
  let folder: string;
  let data: DataSet;
  before(() => {
    folder = temporaryFolder();
    data = createDataSet(folder, 100, 1);
  });

  it("the bench compares servers that answer a point read with the same item", async () => {
    const answers: Record<string, unknown> = {};
    const compared = bySize({ short: ["raw-read", "full-stack"], long: Object.keys(pointServers) });
    for (const [name, start] of Object.entries(pointServers)) {
      if (!compared.includes(name)) continue;
      const server = await start(data.setup(true));
      const headers = { authorization: `Bearer ${data.keys[0]}` };
      const answer = await fetch(`http://127.0.0.1:${server.port}/v1/items/1`, { headers });
      answers[name] = { status: answer.status, data: ((await answer.json()) as { data: unknown }).data };
      await server.close();
    }
    const expected = answers["full-stack"];
    expect(expected).to.have.property("status", 200);
    for (const [name, answer] of Object.entries(answers)) expect(answer, name).to.deep.equal(expected);
  });

  it("the bench compares servers that send an export with the same items", async () => {
    const items: Record<string, unknown> = {};
    for (const [name, start] of Object.entries(exportServers)) {
      const server = await start(data.setup(true));
      const headers = { authorization: `Bearer ${data.keys[0]}` };
      const answer = await fetch(`http://127.0.0.1:${server.port}/v1/markets/snapshot`, { method: "POST", headers });
      const records = (await answer.text()).trimEnd().split("\n");
      items[name] = records.slice(1, -1).map((record) => JSON.parse(record));
      await server.close();
    }
    expect(items["full-stack"]).to.have.length(100);
    for (const [name, list] of Object.entries(items)) expect(list, name).to.deep.equal(items["full-stack"]);
  });

  it("the bench stores a day at once as the service records it frame by frame", () => {
    const [atOnce, byFrame] = ["at-once.db", "by-frame.db"].map((name) => {
      const path = join(folder, name);
      createDatabase(path, addMarketFeed);
      const database = openWriter(path, 0);
      if (name === "at-once.db") storeDays(database, 12, [firstDay], 7);
      else for (let hour = 0; hour < 7; hour += 1) for (const _ of writeFrame(database, 12, hour));
      const tables = ["frame_segments", "frames", "feed_days", "frame_names", "refused_names"];
      const rows = tables.map((table) => database.$client.prepare(`SELECT * FROM ${table}`).all());
      database.$client.close();
      return rows;
    });
    expect(atOnce![0]).to.have.length(12);
    expect(atOnce).to.deep.equal(byFrame);
  });

  it("the bench compares the service with peers that read the same full pages", () => {
    const { database } = data.setup(true);
    recordHistory(database, 60);
    const file = { ...data, database, items: 60 };
    const reads = openPageReads({ all: file, tenth: file });
    const rows = (name: string) => JSON.parse(reads[name]!(7)) as unknown[];
    expect(rows("hourly page")).to.have.length(1000);
    expect(rows("daily window")).to.have.length(366);
    expect(rows("hourly page, objects of the same segments")).to.deep.equal(rows("hourly page"));
    expect(rows("daily window, objects")).to.deep.equal(rows("daily window"));
  });

  it("the bench checks goals by medians and by ratios within a round, and only what was measured", () => {
    // Three rounds, of which the machine was slow in the second.
    const rates = { "full-stack": { "req/s": [50, 5, 40] }, "raw-constant": { "req/s": [100, 10, 100] } };
    const frames = { "late on a day": { "longest lock ms": [50, 21] }, "first of a day": { "longest lock ms": [9] } };
    const table = (cases: Table["cases"]): Table => ({ title: "", cases });
    const goals = checkGoals({ point: table(rates), "history frames": table(frames) });
    expect(goals.filter(({ value }) => value !== null)).to.deep.equal([
      { name: "full stack ÷ raw constant, requests per second", bound: ">= 0.4", value: 0.5, met: true },
      { name: "longest lock of a frame", bound: "<= 20 ms", value: 21, met: false },
    ]);
    expect(checkGoals({}).every(({ met }) => met === null)).to.equal(true);
  });

  it("the bench prints a case beside the one that it is compared with", () => {
    const cases = { page: { "CPU µs": [100, 800, 100] }, "page, objects": { "CPU µs": [300, 2400, 310] } };
    const tables = { pages: { title: "Pages", cases, compared: [{ figure: "CPU µs" }] } };
    const machine = { node: "v20.20.2", processor: "test", coreCount: 2, fdatasyncUs: 100 };
    const cores = { server: "0", load: "1", note: null };
    const text = reportText({ machine, cores, options: parseOptions([]), tables, goals: checkGoals({}) });
    expect(text).to.match(/^page, objects +310 +3\.00 +677 %$/m);
  });

  it("the bench refuses an unknown flag, server or part by name", () => {
    for (const [args, message] of [
      [["--turbo"], "--turbo"],
      [["--servers", "nginx"], "--servers: takes raw-constant"],
      [["--only", "write"], "--only: takes point, answers, export, history"],
      [["--rounds", "0"], "--rounds: takes a whole number from 1"],
      [["--seconds", "11"], "--seconds: takes a number from 0.05 to 10"],
    ] as const) {
      expect(() => parseOptions(args)).to.throw(UsageError, message);
    }
  });
});
