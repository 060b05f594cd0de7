import { expect } from "chai";
import { importRatesAtOnce } from "../../src/import/rates/rate-import.ts";
import { dayMs, dayOf, dayText } from "../../src/values/time/calendar.ts";
import { readPages } from "../support/paging.ts";
import { type Account, demoAt, useWorld } from "../support/world.ts";

type Rate = { currency: string; rate_per_usd: string; as_of: string | null };
type Point = { date: string; source: string };

const source = { source: "ecb", methodologyVersion: "ecb-eur-cross-1" };
const today = dayOf(demoAt);

describe("exchange rates over HTTP", () => {
  const world = useWorld({ fewItems: true });
  let account: Account;
  let key: string;
  before(() => {
    account = world.account("trader");
    key = account.secret;
    const rate = (currency: string, minorUnits: number, daysAgo: number, ratePerUsd: string) => ({
      currency,
      minorUnits,
      day: today - daysAgo,
      ratePerUsd,
    });
    world.change((database) =>
      importRatesAtOnce(
        database,
        source,
        [
          ...[9, 8, 5, 4, 3].map((daysAgo) => rate("SEK", 2, daysAgo, `9.${daysAgo}0`)),
          rate("KWD", 3, 1, "0.306512345678"),
          rate("VND", 0, 1, "26254.1234567890123456789"),
        ],
        demoAt,
      ),
    );
  });

  const list = (query = {}) => world.client.call("listExchangeRates", { key, query });
  const history = (currency: string, query = {}) =>
    world.client.call("getExchangeRateHistory", { key, path: { currency }, query });

  it("are listed with exact digits and observation times; the dollar is 1", async () => {
    const { json } = await list();
    const found = new Map<string, Rate>(json.data.map((rate: Rate) => [rate.currency, rate]));
    expect(found.get("VND")).to.include({ rate_per_usd: "26254.1234567890123456789", currency_minor_units: 0 });
    expect(found.get("KWD")).to.include({ as_of: `${dayText(today - 1)}T00:00:00.000Z`, currency_minor_units: 3 });
    expect(found.get("USD")).to.include({ rate_per_usd: "1", as_of: null, source: "definition" });
    const codes = [...found.keys()];
    expect(codes).to.deep.equal(codes.toSorted());
  });

  it("page like the whole list, for one unit a page", async () => {
    const whole = (await list()).json.data;
    const before = world.used(account.accountId);
    const { rows, pages } = await readPages<Rate>(list, { limit: 2 });
    expect(rows).to.deep.equal(whole);
    expect(world.used(account.accountId)).to.equal(before + pages);
  });

  it("have a history row only for each day with a rate", async () => {
    const window = { from: dayText(today - 9), to: dayText(today - 3) };
    const { json } = await history("SEK", window);
    expect(json.data.map(({ date }: Point) => date)).to.deep.equal([9, 8, 5, 4, 3].map((ago) => dayText(today - ago)));
    expect(json.meta).to.include({
      ...window,
      missing_points: `2 of 7 days absent: ${dayText(today - 7)}/${dayText(today - 6)}`,
      as_of: `${dayText(today - 9)}T00:00:00.000Z`,
      freshness: "stale",
    });
    const first = (await history("SEK", { ...window, limit: 2 })).json;
    const rest = (await history("SEK", { after: first.meta.next_page })).json;
    expect([...first.data, ...rest.data]).to.deep.equal(json.data);
    expect(rest.meta).to.include({ ...window, missing_points: json.meta.missing_points });
  });

  it("return 404 for an unknown currency, for one unit", async () => {
    for (const ask of [() => history("QQQ"), () => list({ currency: "QQQ" })]) {
      const before = world.used(account.accountId);
      const { status, json } = await ask();
      expect([status, json.code]).to.deep.equal([404, "currency_not_found"]);
      expect(world.used(account.accountId)).to.equal(before + 1);
    }
  });

  it("refuse invalid windows, cursors and rates beyond the plan without charge", async () => {
    const { next_page: after } = (await history("SEK", { limit: 1, from: dayText(today - 9), to: dayText(today) })).json
      .meta;
    const refused: [() => Promise<{ status: number; json: { code: string } }>, number, string][] = [
      [() => history("SEK", { to: dayText(today + 1) }), 400, "invalid_range"],
      [() => history("SEK", { from: dayText(today), to: dayText(today - 1) }), 400, "invalid_range"],
      [() => history("SEK", { from: dayText(today - 366), to: dayText(today) }), 400, "window_too_large"],
      [() => history("SEK", { after, from: dayText(today - 8) }), 400, "cursor_mismatch"],
      [() => history("VND", { after }), 400, "cursor_mismatch"],
      [() => list({ after }), 400, "cursor_mismatch"],
    ];
    const before = world.charged();
    for (const [ask, status, code] of refused) {
      const answer = await ask();
      expect([answer.status, answer.json.code]).to.deep.equal([status, code]);
    }
    expect(world.charged()).to.deep.equal(before);
  });

  it("charge a window without a rate and return no row", async () => {
    const before = world.used(account.accountId);
    const window = { from: dayText(today - 7), to: dayText(today - 6) };
    const { status, json } = await history("SEK", window);
    expect([status, json.data, json.meta.as_of, json.meta.freshness]).to.deep.equal([200, [], null, "unknown"]);
    expect(world.used(account.accountId)).to.equal(before + 1);
  });

  it("keep the first page's window in a cursor, even the next day", async () => {
    const first = (await history("SEK", { limit: 1 })).json;
    world.clock.advance(dayMs);
    const second = (await history("SEK", { after: first.meta.next_page })).json;
    expect(second.meta).to.include({ from: first.meta.from, to: first.meta.to });
  });
});
