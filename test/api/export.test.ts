import { expect } from "chai";
import { allSlotsTaken, exporting, monthUsed, nothingPublished, startsUsed } from "../contract/replay-states.ts";
import { itLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { type Account, useWorld } from "../support/world.ts";
import { lengthenExport, liveExports, startExport } from "./exports.ts";

const operation = "streamMarketSnapshot";
const hourMs = 3_600_000;

describe("export over HTTP", () => {
  const world = useWorld({ fewItems: true });

  const starts = async ({ secret }: Account) => (await world.client.call("getUsage", { key: secret })).json.data;

  it("holds the whole catalog, a line count and the single reads' quotes", async () => {
    const { secret: key, accountId } = world.account("builder");
    const { records, headers } = await world.client.call(operation, { key });
    const ids = records.slice(1, -1).map((record) => record.data.item_id);
    const catalog = world.sql("SELECT item_id FROM items WHERE in_catalog = 1 ORDER BY item_id");
    expect(ids).to.deep.equal(catalog.map((row) => row.item_id));
    expect(records.at(-1)).to.include({ type: "end", items: ids.length, generation: records[0].generation });
    expect(headers.get("x-request-id")).to.equal(records[0].request_id);
    expect(world.used(accountId)).to.equal(1);
    for (const { data } of records.slice(1, -1).filter((_, index) => index % 9 === 0)) {
      const point = await world.client.call("getMarketPrices", { key, path: { item_id: data.item_id } });
      const { availability, asks, bids } = point.json.data;
      const untimed = (quotes: object[]) => quotes.map((quote) => ({ ...quote, as_of: null }));
      expect({ availability, asks: untimed(asks), bids: untimed(bids) }).to.deep.equal({
        availability: data.availability,
        asks: data.asks,
        bids: data.bids,
      });
    }
  });

  for (const [code, state] of [
    ["snapshot_busy", exporting],
    ["snapshot_capacity", allSlotsTaken],
    ["snapshot_daily_limit", startsUsed],
  ] as const) {
    it(`costs an attempt and no unit when refused as ${code}, until Retry-After`, async () => {
      const account = world.account("builder");
      const undo = await state(world, account);
      const refused = await world.client.call(operation, { key: account.secret });
      expect([refused.status, refused.json.code]).to.deep.equal([429, code]);
      expect(world.used(account.accountId)).to.equal(0);
      expect(refused.headers.get("x-ratelimit-remaining")).to.equal("59");
      expect(refused.headers.get("x-quota-remaining")).to.equal("10000");
      world.clock.advance(1_000 * Number(refused.headers.get("retry-after")));
      const { status } = await world.client.call(operation, { key: account.secret });
      await undo();
      expect(status).to.equal(200);
    });
  }

  it("uses no start and no permit when the month is used up", async () => {
    const account = world.account("builder");
    await monthUsed(world, account);
    const refused = await world.client.call(operation, { key: account.secret });
    expect(refused.json.code).to.equal("monthly_quota_exceeded");
    expect(liveExports(world)).to.equal(0);
    expect(await starts(account)).to.include({ snapshot_starts_used: 0, monthly_used: 1_000_000 });
    const waitMs = 1_000 * Number(refused.headers.get("retry-after"));
    expect(world.clock.at + waitMs).to.equal(Date.UTC(2026, 1, 1));
  });

  it("gives its start back and keeps its unit when it cannot begin", async () => {
    const account = world.account("builder");
    const undo = await nothingPublished(world, account);
    const refused = await world.client.call(operation, { key: account.secret });
    await undo();
    expect([refused.status, refused.json.code]).to.deep.equal([503, "snapshot_unavailable"]);
    expect(await starts(account)).to.include({ snapshot_starts_used: 0, monthly_used: 1 });
    expect((await world.client.call(operation, { key: account.secret })).status).to.equal(200);
  });

  it("starts 48 times in 24 hours on Builder; usage shows the next", async () => {
    const account = world.account("builder");
    const startedAt = world.clock.at;
    await startsUsed(world, account);
    const { snapshot_next_start_at: nextAt, snapshot_starts_used: used } = await starts(account);
    expect(used).to.equal(48);
    world.clock.at = Date.parse(nextAt) - 1;
    expect((await world.client.call(operation, { key: account.secret })).json.code).to.equal("snapshot_daily_limit");
    world.clock.at = Date.parse(nextAt);
    expect((await world.client.call(operation, { key: account.secret })).status).to.equal(200);
    expect(world.clock.at).to.be.lessThan(startedAt + 24 * hourMs);
  });
});

describe("unread exports", () => {
  const world = useWorld({ fewItems: true });
  before(() => {
    lengthenExport(world, 1000);
  });

  it("hold the eight permits, one per account, and block no other requests", async () => {
    const accounts = Array.from({ length: 9 }, () => world.account("builder"));
    const [first, ...others] = accounts as [Account, ...Account[]];
    const ninth = others.at(-1) as Account;
    const running = await Promise.all(accounts.slice(0, 8).map(({ secret }) => startExport(world, secret)));
    expect(running.map(({ status }) => status)).to.deep.equal(Array(8).fill(200));
    const secondKey = world.key(first.accountId, "project", "market:read");
    expect((await world.client.call(operation, { key: secondKey })).json.code).to.equal("snapshot_busy");
    expect((await world.client.call(operation, { key: ninth.secret })).json.code).to.equal("snapshot_capacity");
    expect((await world.client.call("getMarketPrices", { key: first.secret, path: { item_id: 1 } })).status).to.equal(
      200,
    );
    running[0]?.cut();
    await until("seven exports hold a place", () => liveExports(world) === 7);
    const admitted = await startExport(world, ninth.secret);
    expect(admitted.status).to.equal(200);
    for (const one of [...running, admitted]) one.cut();
    await until("no export holds a place", () => liveExports(world) === 0);
    const { data } = (await world.client.call("getUsage", { key: first.secret })).json;
    expect(data).to.include({ snapshot_starts_used: 1, monthly_used: 2 });
  });

  it("end with snapshot_interrupted at shutdown and stay charged after a restart", async () => {
    const account = world.account("builder");
    const running = await startExport(world, account.secret);
    const restarted = world.restart(0);
    const { records } = await running.read();
    await restarted;
    expect(records[0]).to.include({ type: "start" });
    expect(records.at(-1)).to.include({
      type: "error",
      code: "snapshot_interrupted",
      request_id: records[0]?.request_id,
    });
    expect(liveExports(world)).to.equal(0);
    const { data } = (await world.client.call("getUsage", { key: account.secret })).json;
    expect(data).to.include({ monthly_used: 1, snapshot_starts_used: 1 });
    expect(world.internalErrors).to.equal(0);
  });

  itLong("allow charges and log checkpoints while they are stalled", async () => {
    lengthenExport(world);
    const accounts = Array.from({ length: 3 }, () => world.account("trader"));
    const stalled = await Promise.all(accounts.map(({ secret }) => startExport(world, secret)));
    for (const { secret } of accounts) {
      for (let count = 0; count < 20; count += 1) {
        const { status } = await world.client.call("getItem", { key: secret, path: { item_id: 1 } });
        expect(status).to.equal(200);
      }
    }
    const [checkpoint] = world.change(({ $client }) => $client.pragma("wal_checkpoint(TRUNCATE)")) as {
      busy: number;
      log: number;
    }[];
    expect(checkpoint).to.include({ busy: 0, log: 0 });
    for (const one of stalled) one.cut();
    expect(accounts.map(({ accountId }) => world.used(accountId))).to.deep.equal([21, 21, 21]);
  });
});
