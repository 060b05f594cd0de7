import { expect } from "chai";
import fc from "fast-check";
import { ExchangeRates } from "../../src/domain/exchange-rates.ts";
import { importRatesAtOnce } from "../../src/import/rates/rate-import.ts";
import { writeTransaction } from "../../src/store/database.ts";
import { ExchangeRatesStore } from "../../src/store/read/exchange-rates.ts";
import { Failure } from "../../src/values/failure/failure.ts";
import { dayMs, dayOf, dayText, hourMs, parseDay } from "../../src/values/time/calendar.ts";
import { MarketFile } from "../support/market-file.ts";
import { referenceOf } from "../support/reference.ts";
import { edit } from "../support/unguarded.ts";

const at = Date.UTC(2026, 0, 15, 12);
const today = dayOf(at);
const caller = { plan: "trader" } as const;
const ecb = { source: "ecb", methodologyVersion: "ecb-eur-cross-1" };
const api = { source: "currency-api", methodologyVersion: "per-usd-1" };
const other = { source: "another", methodologyVersion: "1" };
const usd = {
  currency: "USD",
  rate_per_usd: "1",
  currency_minor_units: 2,
  as_of: null,
  ingested_at: null,
  source: "definition",
  methodology_version: "definition-1",
};

/** Rates of a file: one per currency, source and day before today. */
type Reported = { currency: string; source: typeof ecb; daysAgo: number; rate: string };

describe("exchange rates", () => {
  let file: MarketFile;
  let rates: ExchangeRates;
  beforeEach(() => {
    file = new MarketFile();
    rates = new ExchangeRates({ store: new ExchangeRatesStore(file.reader), reference: referenceOf(file.reader) });
  });
  afterEach(() => file.remove());

  const record = (...reported: Reported[]) =>
    writeTransaction(file.writer, () => {
      for (const { currency, source, daysAgo, rate } of reported) {
        const fact = { currency, minorUnits: 2, day: today - daysAgo, ratePerUsd: rate };
        importRatesAtOnce(file.writer, source, [fact], at);
      }
    });
  const list = (params: Parameters<ExchangeRates["prepareList"]>[0] = {}) => rates.list(rates.prepareList(params));
  const history = (params: Parameters<ExchangeRates["prepareHistory"]>[0]) =>
    rates.history(rates.prepareHistory(params, { at, caller }), at);
  const refuses = (work: () => unknown, code: string) => expect(work).to.throw(Failure).with.property("code", code);
  const pagesOf = <Page extends { meta: { next_page: string | null } }>(read: (after: string | undefined) => Page) => {
    const pages = [read(undefined)];
    for (let next = pages[0]!.meta.next_page; next !== null; next = pages.at(-1)!.meta.next_page)
      pages.push(read(next));
    return pages;
  };

  describe("list", () => {
    it("uses the rate of the latest day, then of the preferred source", () => {
      record(
        { currency: "AUD", source: other, daysAgo: 3, rate: "1" },
        { currency: "AUD", source: api, daysAgo: 3, rate: "2" },
        { currency: "AUD", source: ecb, daysAgo: 3, rate: "3" },
        { currency: "CAD", source: ecb, daysAgo: 3, rate: "3" },
        { currency: "CAD", source: other, daysAgo: 2, rate: "1" },
        { currency: "CHF", source: other, daysAgo: 2, rate: "1" },
        { currency: "CHF", source: api, daysAgo: 2, rate: "2" },
      );
      expect(list().data.map((rate) => rate.rate_per_usd)).to.deep.equal(["3", "1", "2", "1"]);
    });

    it("omits a discontinued currency that still has a history", () => {
      record(
        { currency: "EUR", source: ecb, daysAgo: 0, rate: "0.9" },
        { currency: "HRK", source: ecb, daysAgo: 31, rate: "7" },
        { currency: "SEK", source: ecb, daysAgo: 30, rate: "10" },
        // The whole list is as old as its source.
        { currency: "AAA", source: api, daysAgo: 400, rate: "2" },
        { currency: "HRK", source: api, daysAgo: 900, rate: "6" },
      );
      const codes = list().data.map(({ currency }) => currency);
      expect(codes).to.deep.equal(["AAA", "EUR", "SEK", "USD"]);
      expect(list({ currency: "HRK" }).data).to.deep.equal([]);
      const [day] = history({ currency: "HRK", from: dayText(today - 31) }).data;
      expect(day!.rate_per_usd).to.equal("7");
      expect(
        pagesOf((after) => list({ limit: 1, ...(after && { after }) })).map(({ data }) => data[0]!.currency),
      ).to.deep.equal(codes);
    });

    it("has the dollar alone if no rates are stored", () =>
      expect(list()).to.deep.equal({ data: [usd], meta: { next_page: null } }));

    it("has the requested currency, or not found without a source", () => {
      record({ currency: "EUR", source: ecb, daysAgo: 1, rate: "0.86" });
      expect(list({ currency: "EUR" }).data.map((rate) => rate.currency)).to.deep.equal(["EUR"]);
      expect(list({ currency: "USD" }).data).to.deep.equal([usd]);
      refuses(() => list({ currency: "GBP" }), "currency_not_found");
    });

    it("has pages equal to one page, wherever the dollar is", () => {
      const codes = ["AUD", "CHF", "EUR", "USN", "UYU", "ZAR"];
      record(...codes.flatMap((currency) => [ecb, api].map((source) => ({ currency, source, daysAgo: 1, rate: "2" }))));
      const whole = list().data;
      expect(whole.map((rate) => rate.currency)).to.deep.equal([...codes.slice(0, 3), "USD", ...codes.slice(3)]);
      for (let limit = 1; limit <= 8; limit += 1) {
        const pages = pagesOf((after) => list({ limit, ...(after !== undefined && { after }) }));
        expect(pages.flatMap((page) => page.data)).to.deep.equal(whole);
        expect(pages.map((page) => page.data.length).every((length) => length > 0 && length <= limit)).to.equal(true);
      }
    });

    it("refuses a list cursor beside a currency, and a history's cursor", () => {
      record(...["AUD", "EUR"].map((currency) => ({ currency, source: ecb, daysAgo: 1, rate: "2" })));
      record({ currency: "EUR", source: ecb, daysAgo: 2, rate: "2" });
      refuses(() => list({ after: list({ limit: 1 }).meta.next_page!, currency: "EUR" }), "cursor_mismatch");
      refuses(() => list({ after: history({ currency: "EUR", limit: 1 }).meta.next_page! }), "cursor_mismatch");
      refuses(() => list({ after: "nonsense" }), "invalid_cursor");
    });
  });

  describe("history", () => {
    const days = (data: readonly { date: string }[]) => data.map(({ date }) => today - parseDay(date)!);

    it("covers 31 days to today by default, and 366 at most", () => {
      record(...[31, 30, 0].map((daysAgo) => ({ currency: "EUR", source: ecb, daysAgo, rate: "1" })));
      const { data, meta } = history({ currency: "EUR" });
      expect(days(data)).to.deep.equal([30, 0]);
      expect(meta).to.include({ from: "2025-12-16", to: "2026-01-15" });
      expect(history({ currency: "EUR", from: "2025-12-01" }).meta).to.include({
        from: "2025-12-01",
        to: "2025-12-31",
      });
      expect(history({ currency: "EUR", from: "2025-01-15", to: "2026-01-15" }).meta.missing_points).to.match(
        /^363 of 366 /,
      );
      refuses(() => history({ currency: "EUR", from: "2025-01-14", to: "2026-01-15" }), "window_too_large");
      refuses(() => history({ currency: "EUR", to: "2026-01-16" }), "invalid_range");
    });

    it("is fresh for 36 hours after the source's observation", () => {
      record({ currency: "EUR", source: ecb, daysAgo: 1, rate: "1" });
      const freshness = (atMs: number) =>
        rates.history(rates.prepareHistory({ currency: "EUR" }, { at: atMs, caller }), atMs).meta.freshness;
      expect((today - 1) * dayMs + 36 * hourMs).to.equal(at);
      expect([freshness(at), freshness(at + 1)]).to.deep.equal(["fresh", "stale"]);
    });

    it("uses one source: the most preferred with a rate in the window", () => {
      record(
        { currency: "EUR", source: ecb, daysAgo: 20, rate: "3" },
        { currency: "EUR", source: api, daysAgo: 20, rate: "2" },
        { currency: "EUR", source: api, daysAgo: 5, rate: "2" },
        { currency: "EUR", source: other, daysAgo: 4, rate: "1" },
      );
      const sources = (from: number, to: number) => {
        const { data } = history({ currency: "EUR", from: dayText(today - from), to: dayText(today - to) });
        return data.map((row) => `${row.source} ${row.rate_per_usd}`);
      };
      expect(sources(20, 0)).to.deep.equal(["ecb 3"]);
      expect(sources(19, 0)).to.deep.equal(["currency-api 2"]);
      expect(sources(4, 0)).to.deep.equal(["another 1"]);
      expect(sources(3, 0)).to.deep.equal([]);
    });

    it("uses one methodology: the source's latest in the window", () => {
      const newer = { ...ecb, methodologyVersion: "ecb-eur-cross-2" };
      record({ currency: "EUR", source: ecb, daysAgo: 6, rate: "1" });
      for (const daysAgo of [5, 4]) record({ currency: "EUR", source: newer, daysAgo, rate: "2" });
      const { data, meta } = history({ currency: "EUR", from: dayText(today - 6), to: dayText(today - 4) });
      expect(days(data)).to.deep.equal([5, 4]);
      expect(meta.missing_points).to.equal(`1 of 3 days absent: ${dayText(today - 6)}`);
    });

    it("keeps the first page's series despite later imports", () => {
      for (const daysAgo of [9, 8, 7]) record({ currency: "EUR", source: api, daysAgo, rate: "2" });
      const first = history({ currency: "EUR", limit: 2 });
      for (const daysAgo of [9, 8, 7]) record({ currency: "EUR", source: ecb, daysAgo, rate: "3" });
      const second = history({ currency: "EUR", after: first.meta.next_page! });
      expect([...first.data, ...second.data].map((row) => row.source)).to.deep.equal(Array(3).fill("currency-api"));
      expect(second.meta.missing_points).to.equal(first.meta.missing_points);
    });

    it("keeps the first page's window over midnight", () => {
      for (const daysAgo of [2, 1]) record({ currency: "EUR", source: ecb, daysAgo, rate: "2" });
      const { meta } = history({ currency: "EUR", limit: 1 });
      const query = rates.prepareHistory({ currency: "EUR", after: meta.next_page! }, { at: at + dayMs, caller });
      expect(rates.history(query, at + dayMs).meta).to.include({ from: meta.from, to: meta.to });
    });

    it("is empty for the dollar, a definition without observations", () => {
      const { data, meta } = history({ currency: "USD", from: "2026-01-14", to: "2026-01-15" });
      expect(data).to.deep.equal([]);
      expect(meta).to.include({ as_of: null, freshness: "unknown", timestamp_quality: "unknown" });
    });

    it("is not found for a currency without a source", () => {
      refuses(() => history({ currency: "GBP" }), "currency_not_found");
    });

    it("refuses a cursor beside another currency or date", () => {
      for (const daysAgo of [2, 1]) record({ currency: "EUR", source: ecb, daysAgo, rate: "2" });
      const after = history({ currency: "EUR", limit: 1 }).meta.next_page!;
      refuses(() => history({ currency: "CHF", after }), "cursor_mismatch");
      refuses(() => history({ currency: "EUR", from: "2026-01-01", after }), "cursor_mismatch");
      refuses(() => history({ currency: "EUR", to: "2026-01-14", after }), "cursor_mismatch");
      refuses(() => history({ currency: "EUR", after: `${after.slice(0, -1)}_` }), "invalid_cursor");
    });

    it("has pages equal to one page, with equal gaps", () => {
      const reported = fc.uniqueArray(fc.tuple(fc.nat(40), fc.constantFrom(ecb, api)), {
        maxLength: 40,
        selector: ([daysAgo, { source }]) => `${daysAgo} ${source}`,
      });
      const { $client } = file.writer;
      fc.assert(
        fc.property(reported, fc.integer({ min: 1, max: 12 }), (rows, limit) => {
          edit($client, "DELETE FROM exchange_rates; DELETE FROM currencies");
          record({ currency: "CHF", source: ecb, daysAgo: 3, rate: "9" });
          record(...rows.map(([daysAgo, source]) => ({ currency: "EUR", source, daysAgo, rate: `1.${daysAgo}` })));
          if (rows.length === 0) return;
          const whole = history({ currency: "EUR", limit: 1000 });
          const expected = rows.filter(([daysAgo]) => daysAgo <= 30);
          const best = [ecb, api].find((source) => expected.some(([, one]) => one === source));
          const daysAgo = expected.flatMap(([ago, source]) => (source === best ? [ago] : []));
          expect(days(whole.data)).to.deep.equal(daysAgo.sort((a, b) => b - a));
          const pages = pagesOf((after) => history({ currency: "EUR", limit, ...(after !== undefined && { after }) }));
          expect(pages.flatMap((page) => page.data)).to.deep.equal(whole.data);
          expect(new Set(pages.map((page) => page.meta.missing_points))).to.deep.equal(
            new Set([whole.meta.missing_points]),
          );
        }),
        { numRuns: 40 },
      );
    });
  });
});
