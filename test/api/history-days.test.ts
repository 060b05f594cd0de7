import { createHash } from "node:crypto";
import { expect } from "chai";
import type { Schema } from "../../src/contract/types.ts";
import { exporting } from "../contract/replay-states.ts";
import { hourlyRowsOf } from "../domain/day-fold.ts";
import { until } from "../support/until.ts";
import { type Account, useWorld } from "../support/world.ts";
import { liveExports } from "./exports.ts";

const operation = "streamHistoryDay";
const date = "2026-01-14";
const day = Date.parse(date) / 86_400_000;

describe("sealed days over HTTP", () => {
  const world = useWorld({ fewItems: true });
  let paid: Account;
  let free: Account;

  before(() => {
    paid = world.account("quant");
    free = world.account("free");
  });

  const ask = ({ secret: key }: Account, body: object, on = date) =>
    world.client.call(operation, { key, path: { date: on }, body });
  const noExport = () => until("no export holds a place", () => liveExports(world) === 0);
  const digestOf = (records: readonly object[]) => {
    const lines = records.slice(1, -1).map((record) => `${JSON.stringify(record)}\n`);
    return createHash("sha256").update(lines.join("")).digest("hex");
  };

  it("lists the contents of each day's exports in both resolutions", async () => {
    const { json } = await world.client.call("listHistoryDays", { key: paid.secret });
    const entry = json.data.find((one: { date: string }) => one.date === date);
    expect(entry).to.include({ revision: 1, condition: "partial", hourly: "available", superseded_at: null });
    for (const [resolution, prefix] of [
      ["daily", ""],
      ["hourly", "hourly_"],
    ] as const) {
      const { records } = await ask(paid, { resolution });
      expect(records.at(-1)).to.include({ type: "end", rows: records.length - 2, digest: digestOf(records), date });
      expect(entry[`${prefix}rows`]).to.equal(records.length - 2);
      expect(entry[`${prefix}digest`]).to.equal(digestOf(records));
      await noExport();
    }
  });

  it("exports the rows of the hourly and daily histories", async () => {
    const { records } = await ask(paid, { resolution: "hourly" });
    const lines = records.slice(1, -1).map((record) => JSON.stringify(record));
    const folded = hourlyRowsOf(date, records[0].frames as Schema<"DayFrames">[], lines);
    await noExport();
    const daily = await ask(paid, { resolution: "daily" });
    const query = { from: date, to: date, limit: 1000 };
    const [row] = world.sql("SELECT max(item_id) AS last FROM items");
    for (let item_id = 1; item_id <= Number(row?.last); item_id += 19) {
      for (const side of ["ask", "bid"] as const) {
        const call = { key: paid.secret, path: { item_id }, query: { ...query, side } };
        const hourly = await world.client.call("getHourlyPriceHistory", call);
        expect(folded.get(`${item_id} ${side}`) ?? [], `item ${item_id} ${side}`).to.deep.equal(hourly.json.data);
        const days = await world.client.call("getDailyPriceHistory", call);
        const rows = daily.records.slice(1, -1).flatMap(({ data }) => (isOf(data, item_id, side) ? [data] : []));
        expect(rows.map(({ provider, amount }) => [provider, amount])).to.deep.equal(
          days.json.data.map(({ provider, amount }: { provider: string; amount: number }) => [provider, amount]),
        );
      }
    }
  });

  it("gives the Free plan only the main platform's asks of a day", async () => {
    const { records } = await ask(free, { resolution: "daily" });
    expect(records[0].selection).to.deep.equal({ provider: "steam", side: "ask" });
    expect(records.length).to.be.above(100);
    for (const { data } of records.slice(1, -1)) expect(data).to.include({ provider: "steam", side: "ask" });
    expect(records.at(-1)!.digest).to.equal(digestOf(records));
    for (const [body, on] of [
      [{ resolution: "hourly" }, date],
      [{ resolution: "daily" }, "2025-12-15"],
    ] as const) {
      const before = world.used(free.accountId);
      const refused = await ask(free, body, on);
      expect([refused.status, refused.json.code]).to.deep.equal([403, "plan_upgrade_required"]);
      expect(world.used(free.accountId)).to.equal(before);
    }
  });

  it("charges a day's export one unit and no start", async () => {
    const account = world.account("builder");
    const undo = await exporting(world, account);
    const refused = await ask(account, { resolution: "daily" });
    await undo();
    expect([refused.status, refused.json.code, world.used(account.accountId)]).to.deep.equal([429, "snapshot_busy", 0]);
    world.clock.advance(121_000);
    const { records } = await ask(account, { resolution: "daily" });
    expect(records.at(-1)!.type).to.equal("end");
    await noExport();
    const states = () =>
      world.sql("SELECT state FROM snapshot_leases WHERE account_id = ? AND slot = 1", account.accountId);
    expect(states().at(-1)).to.deep.equal({ state: "released" });
    const starts = async () =>
      (await world.client.call("getUsage", { key: account.secret })).json.data.snapshot_starts_used;
    const before = await starts();
    // As during an export, and as a killed process leaves it.
    const own =
      "lease_id = (SELECT request_id FROM usage_events WHERE account_id = ? AND operation = 'streamHistoryDay')";
    world.sql(`UPDATE snapshot_leases SET state = 'reserved', ended_at = NULL WHERE ${own}`, account.accountId);
    expect(await starts()).to.equal(before);
    world.sql(`UPDATE snapshot_leases SET state = 'released', ended_at = expires_at WHERE ${own}`, account.accountId);
    const usage = (await world.client.call("getUsage", { key: account.secret })).json.data;
    expect(usage.monthly_used).to.equal(1);
  });

  it("refuses an unfinished day before any charge, on every plan", async () => {
    for (const plan of ["free", "builder"] as const) {
      const account = world.account(plan);
      for (const on of ["2026-01-15", "2026-01-16", "9999-12-31"]) {
        for (const resolution of ["daily", "hourly"]) {
          const { status, json } = await ask(account, { resolution }, on);
          expect([status, json.code], `${plan} ${on} ${resolution}`).to.deep.equal([400, "invalid_range"]);
        }
      }
      expect([world.used(account.accountId), liveExports(world)]).to.deep.equal([0, 0]);
    }
  });

  it("charges a unit and no permit for an unsealed or missing day", async () => {
    const account = world.account("builder");
    const code = async (body: object) => (await ask(account, body)).json.code;
    world.sql("INSERT INTO unsealed_days VALUES (?)", day);
    expect(await code({ resolution: "daily" })).to.equal("day_not_found");
    world.sql("DELETE FROM unsealed_days WHERE day = ?", day);
    world.sql("UPDATE sealed_days SET hourly = 'pruned' WHERE day = ?", day);
    expect(await code({ resolution: "hourly" })).to.equal("day_not_found");
    world.sql("UPDATE sealed_days SET hourly = 'available' WHERE day = ?", day);
    expect([world.used(account.accountId), liveExports(world)]).to.deep.equal([2, 0]);
  });

  it("ends an export with an error record if rows contradict the seal", async () => {
    const [row] = world.sql("SELECT digest FROM sealed_days WHERE day = ?", day);
    world.sql("UPDATE sealed_days SET digest = zeroblob(32) WHERE day = ?", day);
    const { records } = await ask(paid, { resolution: "daily" });
    world.sql("UPDATE sealed_days SET digest = ? WHERE day = ?", row!.digest, day);
    expect(records.at(-1)).to.include({ type: "error", code: "snapshot_interrupted" });
  });
});

describe("list of sealed days over HTTP", () => {
  const world = useWorld();

  it("has pages that together equal the whole list", async () => {
    const { secret: key } = world.account("quant");
    const all: object[] = [];
    let after: string | null = null;
    do {
      const query = { limit: 23, ...(after !== null && { after }) };
      const { json } = await world.client.call("listHistoryDays", { key, query });
      all.push(...json.data);
      after = json.meta.next_page;
    } while (after !== null);
    expect(all.length).to.equal(61);
    const { json } = await world.client.call("listHistoryDays", { key });
    expect(all.slice(0, 31)).to.deep.equal(json.data);
  });
});

function isOf(data: { item_id: number; side: string }, itemId: number, side: string): boolean {
  return data.item_id === itemId && data.side === side;
}
