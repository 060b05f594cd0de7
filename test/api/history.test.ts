import { expect } from "chai";
import { acceptClock } from "../../src/access/ledger/clock.ts";
import { dayText, hourMs } from "../../src/values/time/calendar.ts";
import { type Daily, frameAt, quote } from "../domain/history-world.ts";
import { type Account, demoAt, useWorld } from "../support/world.ts";
import { addMarket, pageOf, price, record, type TestMarket, unknownItem, walk } from "./histories.ts";
import { sendRaw } from "./raw.ts";

const today = Math.floor(demoAt / 86_400_000);
const day = (offset: number) => dayText(today + offset);
const hour = (offset: number, ofDay: number) => (today + offset) * 24 + ofDay;
const daily = "getDailyPriceHistory";
const hourly = "getHourlyPriceHistory";

describe("price history over HTTP", () => {
  const world = useWorld();
  let paid: Account;
  let free: Account;
  let market: TestMarket;
  beforeEach(() => {
    world.clock.at = demoAt;
    world.change((database) => acceptClock(database, demoAt));
    market = addMarket(world);
    paid = world.account("quant");
    free = world.account("free");
  });

  const page = (operationId: string, account: Account, query: Record<string, string | number> = {}) =>
    pageOf(world, operationId, account, { item_id: market.own, ...query });
  const all = (operationId: string, account: Account, query: Record<string, string | number>) =>
    walk(world, operationId, account, { item_id: market.own, ...query });

  const hours = async (query = {}) =>
    (await page(hourly, paid, { from: day(0), ...query })).data.map(
      ({ ts, provider, amount, availability }) =>
        `${String(ts).slice(11, 13)} ${String(provider).replace(/-.*/, "")} ${amount} ${availability}`,
    );

  it("has null prices, not zero, for hours without a listed item", async () => {
    for (const ofDay of [0, 1, 2, 3]) {
      const own = ofDay === 1 || ofDay === 2 ? {} : { [market.own]: [quote(market.a1, 50 + ofDay)] };
      record(world, frameAt(market.feed, hour(0, ofDay), own));
    }
    expect(await hours({ provider: market.a1 })).to.deep.equal([
      "00 a1 50 quoted",
      "01 a1 null item_missing",
      "02 a1 null item_missing",
      "03 a1 53 quoted",
    ]);
  });

  it("keeps the first verified frame of an hour as its price", async () => {
    record(world, frameAt(market.feed, hour(0, 3), { [market.own]: [quote(market.a1, 1)] }, 0));
    record(world, frameAt(market.feed, hour(0, 3), { [market.own]: [quote(market.a1, 2)] }, hourMs - 1));
    record(world, frameAt(market.feed, hour(0, 4), { [market.own]: [quote(market.a1, 3)] }, 0));
    expect(await hours({ provider: market.a1 })).to.deep.equal(["03 a1 1 quoted", "04 a1 3 quoted"]);
  });

  it("serves a new frame to the next request, even for late hours", async () => {
    record(world, frameAt(market.feed, hour(0, 3), { [market.own]: [quote(market.a1, 1)] }));
    expect(await hours({ provider: market.a1 })).to.deep.equal(["03 a1 1 quoted"]);
    record(
      world,
      frameAt(market.feed, hour(0, 5), {}),
      frameAt(market.feed, hour(0, 1), { [market.own]: [quote(market.a2, 4)] }),
    );
    expect(await hours({ provider: market.a1 })).to.deep.equal([
      "01 a1 null no_quote",
      "03 a1 1 quoted",
      "05 a1 null item_missing",
    ]);
    const { data } = await page(daily, paid, { provider: market.a2, from: day(0), to: day(0) });
    expect(data).to.have.length(1);
    expect(data[0]).to.include({ amount: 4, observations: 1, complete: false });
  });

  it("returns long pipelined hourly pages equal to single requests", async () => {
    const providers = [market.a1, market.a2, market.z9];
    const frames = Array.from({ length: 4 * 24 }, (_, index) => {
      const quotes = providers.map((provider, place) => quote(provider, 1 + index * 3 + place));
      return frameAt(market.feed, hour(-4, index), { [market.own]: quotes });
    });
    record(world, ...frames);
    const windows = [0, 1].map((first) => ({ from: day(2 * first - 4), to: day(2 * first - 3) }));
    const alone = await Promise.all(windows.map((window) => page(hourly, paid, window)));
    const requests = windows.map(
      ({ from, to }) =>
        `GET /v1/items/${market.own}/history/hourly?from=${from}&to=${to} HTTP/1.1\r\n` +
        `Host: localhost\r\nAuthorization: Bearer ${paid.secret}\r\n\r\n`,
    );
    const order = [0, 1, 1, 0, 0, 1, 0, 1];
    const bytes = order.map((index) => requests[index]).join("");
    const { answers } = await sendRaw(world.app.port, bytes, { answers: order.length });
    expect(Number(answers[0]?.headers.get("content-length"))).to.be.above(32 * 1024);
    const rows = answers.map(({ body }) => JSON.parse(body).data as unknown);
    expect(rows).to.deep.equal(order.map((index) => alone[index]!.data));
  });

  it("counts an hour as begun from its first millisecond", async () => {
    record(world, frameAt(market.feed, hour(0, 0), {}));
    const missing = async () => (await page(hourly, paid, { provider: market.a1, from: day(0) })).meta.missing_points;
    world.clock.at = demoAt - 1;
    expect(await missing()).to.equal("11 of 12 hours absent: 2026-01-15T01:00Z/2026-01-15T11:00Z");
    world.clock.at = demoAt;
    expect(await missing()).to.equal("12 of 13 hours absent: 2026-01-15T01:00Z/2026-01-15T12:00Z");
  });

  it("includes a day in the default window as soon as it ends", async () => {
    record(world, frameAt(market.feed, hour(0, 0), { [market.own]: [quote(market.a1, 7)] }));
    const read = (query = {}) => page(daily, paid, { provider: market.a1, ...query });
    world.clock.at = (today + 1) * 86_400_000 - 1;
    expect((await read({ to: day(0) })).data[0]).to.include({ complete: false });
    expect((await read()).data).to.deep.equal([]);
    world.clock.advance(1);
    expect((await read()).data[0]).to.include({ date: day(0), complete: true });
  });

  it("keeps the first page's default window across midnight", async () => {
    for (const offset of [-30, -3, -1]) price(world, row(market, { day: today + offset, provider: "steam" }));
    for (const offset of [-30, 0]) record(world, frameAt(market.feed, hour(offset, 0), {}));
    for (const [operation, account, whole] of [
      [daily, free, [day(-30), day(-3), day(-1)]],
      [daily, paid, [day(-30), day(-3), day(-1)]],
    ] as const) {
      world.clock.at = (today + 1) * 86_400_000 - 1;
      const first = await page(operation, account, { limit: 1 });
      world.clock.advance(1);
      const rest = await all(operation, account, { after: first.meta.next_page!, limit: 1 });
      expect([...first.data, ...rest].map(({ date }) => date)).to.deep.equal(whole);
      const second = await page(operation, account, { after: first.meta.next_page!, limit: 1 });
      expect([second.meta.from, second.meta.to, second.meta.missing_points]).to.deep.equal([
        first.meta.from,
        first.meta.to,
        first.meta.missing_points,
      ]);
    }
    world.clock.at = (today + 1) * 86_400_000 - 1;
    const first = await page(hourly, paid, { provider: market.a1, limit: 1 });
    world.clock.advance(1);
    const second = await page(hourly, paid, { after: first.meta.next_page! });
    expect([second.meta.from, second.meta.to]).to.deep.equal([day(-30), day(0)]);
    expect([...first.data, ...second.data].map(({ ts }) => ts)).to.deep.equal([
      `${day(-30)}T00:00:00.000Z`,
      `${day(0)}T00:00:00.000Z`,
    ]);
  });

  it("keeps a cursor valid after a restart", async () => {
    for (const offset of [-3, -1]) price(world, row(market, { day: today + offset, provider: "steam" }));
    const { meta } = await page(daily, paid, { limit: 1 });
    await world.restart();
    expect((await page(daily, paid, { after: meta.next_page! })).data[0]).to.include({ date: day(-1) });
  });

  it("has pages that together equal one read of the window", async () => {
    for (let ofDay = 0; ofDay < 12; ofDay += 1) {
      const state =
        ofDay % 3 === 0 ? [] : [quote(market.a1, 1 + ofDay), quote(market.z9, 2), quote(market.a2, 3, { side: "bid" })];
      record(world, frameAt(market.feed, hour(-1, ofDay), { [market.own]: state }));
    }
    for (let offset = -29; offset < 0; offset += 2)
      price(
        world,
        row(market, { day: today + offset, provider: "steam" }),
        row(market, { day: today + offset, provider: "northgate" }),
      );
    for (const [operation, query] of [
      [hourly, { from: day(-1), to: day(-1) }],
      [daily, { from: day(-30), to: day(0) }],
    ] as const) {
      const whole = await page(operation, paid, { ...query, limit: 1000 });
      expect(whole.data.length).to.be.greaterThan(20);
      expect(whole.meta.next_page).to.equal(null);
      for (const limit of [1, 3, whole.data.length - 1, whole.data.length]) {
        expect(await all(operation, paid, { ...query, limit }), `${operation} ${limit}`).to.deep.equal(whole.data);
      }
    }
  });

  it("charges one unit for an empty window, missing history or delisted item", async () => {
    price(world, row(market, { itemId: market.gone, day: today - 2, provider: "steam" }));
    const reads: [string, Account, number, number][] = [
      [daily, free, market.empty, 0],
      [hourly, paid, market.empty, 0],
      [daily, free, market.gone, 1],
    ];
    for (const [operation, account, item_id, rows] of reads) {
      const before = world.used(account.accountId);
      const { data } = await page(operation, account, { item_id, to: day(-1), from: day(-4) });
      if (rows > 0) expect(data).to.have.length(rows);
      else expect(data.every(({ availability }) => availability === "item_missing")).to.equal(true);
      expect(world.used(account.accountId)).to.equal(before + 1);
    }
    for (const operation of [daily, hourly]) {
      const before = world.used(paid.accountId);
      const { status, json } = await world.client.call(operation, { key: paid.secret, path: { item_id: unknownItem } });
      expect([status, json.code]).to.deep.equal([404, "item_not_found"]);
      expect(world.used(paid.accountId)).to.equal(before + 1);
    }
  });

  it("refuses invalid requests without cost, by documented code and parameter", async () => {
    for (const offset of [-31, -30, -2, 0]) price(world, row(market, { day: today + offset, provider: "steam" }));
    const wide = await page(daily, paid, { from: day(-31), to: day(0), provider: "steam", limit: 1 });
    const every = await page(daily, paid, { limit: 1 });
    record(world, frameAt(market.feed, hour(-1, 1), {}), frameAt(market.feed, hour(-1, 2), {}));
    const frames = await page(hourly, paid, { provider: market.a1, limit: 1 });
    const before = world.charged();
    for (const [operation, account, query, code, detail] of refusals(market, {
      wide: wide.meta.next_page!,
      all: every.meta.next_page!,
      frames: frames.meta.next_page!,
    })) {
      const { secret } = account === "free" ? free : paid;
      const { item_id = market.own, ...rest } = query;
      const answer = await world.client.call(operation, { key: secret, path: { item_id }, query: rest });
      const what = `${operation} ${account} ${JSON.stringify(query)}`;
      expect(answer.json.code, what).to.equal(code);
      expect(answer.json.detail ?? "", what).to.match(detail);
      expect(world.charged(), what).to.deep.equal(before);
    }
    expect(world.internalErrors).to.equal(0);
  });
});

type Refusal = [string, "free" | "paid", Record<string, string | number>, string, RegExp];

function refusals(market: TestMarket, cursors: { wide: string; all: string; frames: string }): Refusal[] {
  const both = [daily, hourly].flatMap((operation): Refusal[] => [
    [operation, "paid", { from: day(-2), to: day(-3) }, "invalid_range", /`from`/],
    [operation, "paid", { to: day(1) }, "invalid_range", /`to`/],
    [operation, "paid", { from: day(1) }, "invalid_range", /`from`/],
    [operation, "paid", { known_at: `${day(1)}T00:00:00Z` }, "invalid_range", /`known_at`: must not be after now/],
    [operation, "paid", { known_at: `${day(-999)}T00:00:00Z` }, "invalid_range", /`known_at`: must not be before 20/],
    [operation, "paid", { known_at: "2026-02-30T00:00:00Z" }, "invalid_parameter", /`known_at`/],
    [operation, "paid", { known_at: `${day(0)}T00:00:00Z`, to: day(1) }, "invalid_range", /the day of `known_at`/],
    [operation, "free", { known_at: `${day(0)}T00:00:00Z` }, "plan_upgrade_required", /`known_at`/],
  ]);
  return [
    ...both,
    [daily, "paid", { from: day(-366), to: day(0) }, "window_too_large", /367 days/],
    [hourly, "paid", { from: day(-31), to: day(0) }, "window_too_large", /32 days/],
    [daily, "paid", { after: cursors.wide, item_id: market.empty }, "cursor_mismatch", /`item_id`/],
    [daily, "paid", { after: cursors.wide, side: "bid" }, "cursor_mismatch", /`side`/],
    [daily, "paid", { after: cursors.wide, provider: market.a1 }, "cursor_mismatch", /`provider`/],
    [daily, "paid", { after: cursors.all, provider: "steam" }, "cursor_mismatch", /`provider`/],
    [daily, "paid", { after: cursors.wide, from: day(-30) }, "cursor_mismatch", /`from`/],
    [daily, "paid", { after: cursors.wide, to: day(-1) }, "cursor_mismatch", /`to`/],
    [hourly, "paid", { after: cursors.wide }, "cursor_mismatch", /another operation/],
    [hourly, "paid", { after: cursors.frames, provider: market.a2 }, "cursor_mismatch", /`provider`/],
    [hourly, "paid", { after: cursors.frames, side: "bid" }, "cursor_mismatch", /`side`/],
    [hourly, "paid", { after: cursors.frames, from: day(-1) }, "cursor_mismatch", /`from`/],
    [hourly, "free", {}, "plan_upgrade_required", /./],
    [hourly, "free", { provider: "steam" }, "plan_upgrade_required", /./],
    [daily, "free", { provider: market.a1 }, "plan_upgrade_required", /main platform/],
    [daily, "free", { side: "bid" }, "plan_upgrade_required", /asks/],
    [daily, "free", { to: day(0) }, "plan_upgrade_required", /2025-12-16 to 2026-01-14/],
    [daily, "free", { from: day(-31) }, "plan_upgrade_required", /2025-12-16 to 2026-01-14/],
    [daily, "free", { after: cursors.all }, "plan_upgrade_required", /main platform/],
    [daily, "free", { after: cursors.wide }, "plan_upgrade_required", /30 completed days/],
    [daily, "free", { after: cursors.frames }, "cursor_mismatch", /another operation/],
  ];
}

function row(market: TestMarket, facts: Partial<Daily> & { day: number; provider: string }): Daily {
  return {
    itemId: market.own,
    side: "ask",
    amount: 100,
    lowAmount: 90,
    highAmount: 110,
    observations: 3,
    quantity: null,
    sourceObservedAt: null,
    recordedAt: demoAt,
    ...facts,
  };
}
