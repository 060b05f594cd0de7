import { expect } from "chai";
import { dayOf, hourMs } from "../../src/values/time/calendar.ts";
import { TimestampTexts } from "../../src/values/time/timestamp-texts.ts";
import { DailyPriceEncoder, type DailyPriceFacts } from "../../src/wire/daily-price.ts";
import { encodeExportHead } from "../../src/wire/export-record.ts";
import { encodeFrameTimes, type HourlyFacts, HourlyPriceEncoder } from "../../src/wire/hourly-price.ts";
import {
  decodeAsks,
  decodeQuotes,
  encodeFoundEntry,
  encodeMarketPrices,
  encodePublication,
  encodeQuotes,
  encodeUnknownEntry,
  makeQuote,
  noQuotes,
  observedAtOf,
  withoutTimes,
} from "../../src/wire/quotes.ts";

const at = Date.UTC(2026, 0, 15, 9);
const money = { currency: "USD", minor_units: 2 };

describe("Quotes as they are stored and sent", () => {
  const tricky = makeQuote({
    provider: "hall",
    amountCents: 120,
    quantity: 3,
    url: 'https://a.example/?q=,"bids":[]',
    observedAt: at,
  });
  const plain = makeQuote({ provider: "row", amountCents: 90, quantity: null, url: null, observedAt: null });

  it("a quote is in US cents and has the source's own time, or none", () => {
    const rest = { ...money, quantity: null, url: null, as_of: null };
    expect(plain).to.deep.equal({ provider: "row", amount: 90, ...rest });
    expect(tricky).to.include({ ...money, quantity: 3, as_of: "2026-01-15T09:00:00.000Z" });
    expect([observedAtOf(tricky), observedAtOf(plain)]).to.deep.equal([at, null]);
  });

  it("encoded quotes decode to what they were, and so do the asks alone, whatever their texts hold", () => {
    const sides = { asks: [tricky, plain], bids: [plain] };
    expect(decodeQuotes(encodeQuotes(sides))).to.deep.equal(sides);
    expect(decodeAsks(encodeQuotes(sides))).to.deep.equal(sides.asks);
    expect(decodeQuotes(noQuotes)).to.deep.equal({ asks: [], bids: [] });
    expect(encodeQuotes({ asks: [], bids: [] })).to.equal(noQuotes);
  });

  it("quotes without times differ in nothing else", () => {
    const stripped = withoutTimes({ asks: [tricky], bids: [plain] });
    expect(stripped).to.deep.equal({ asks: [{ ...tricky, as_of: null }], bids: [plain] });
  });

  it("an item's quotes are sent with its identity, generation and time, and an unknown id with nulls", () => {
    const exportHead = encodeExportHead({ itemId: 7, marketHashName: '★ "K"', phase: "Ruby" });
    const publication = encodePublication(5, at);
    const sent = {
      market_hash_name: '★ "K"',
      phase: "Ruby",
      generation: "g5",
      ingested_at: "2026-01-15T09:00:00.000Z",
      asks: [],
      bids: [],
    };
    const quoted = encodeMarketPrices(exportHead, publication, Buffer.from(noQuotes));
    expect(JSON.parse(quoted.toString())).to.deep.equal({ item_id: 7, ...sent, availability: "available" });
    const unquoted = encodeMarketPrices(exportHead, publication, null);
    expect(JSON.parse(unquoted.toString())).to.deep.equal({ item_id: 7, ...sent, availability: "missing" });
    const entry = { item_id: 7, status: "found", ...sent, availability: "missing" };
    expect(JSON.parse(encodeFoundEntry(7, exportHead, publication, null))).to.deep.equal(entry);
    expect(JSON.parse(encodeUnknownEntry(9))).to.deep.equal({
      item_id: 9,
      status: "not_found",
      market_hash_name: null,
      phase: null,
      availability: null,
      generation: null,
      ingested_at: null,
      asks: [],
      bids: [],
    });
  });
});

describe("Rows of histories", () => {
  const timestamps = new TimestampTexts();
  const day = dayOf(at);

  it("a daily row has its day, its figures and its times; only days before today are complete", () => {
    const row: DailyPriceFacts = {
      day: day - 1,
      provider: "hall",
      amount: 5,
      lowAmount: 4,
      highAmount: 6,
      observations: 3,
      quantity: null,
      sourceObservedAt: null,
      recordedAt: at,
    };
    const rows = [row, { ...row, day, quantity: 8, sourceObservedAt: at - hourMs }];
    const figures = { provider: "hall", side: "ask", amount: 5, low_amount: 4, high_amount: 6, observations: 3 };
    const rest = { ...figures, ...money, kind: "daily_cached_quote", recorded_at: "2026-01-15T09:00:00.000Z" };
    const encoder = new DailyPriceEncoder();
    const encode = (given: DailyPriceFacts[]) =>
      JSON.parse(encoder.encode(given, { side: "ask", today: day }).toString()) as unknown;
    const first = { ...rest, date: "2026-01-14", quantity: null, complete: true, source_observed_at: null };
    const source_observed_at = "2026-01-15T08:00:00.000Z";
    const second = { ...rest, date: "2026-01-15", quantity: 8, complete: false, source_observed_at };
    expect(encode(rows)).to.deep.equal([first, second]);
    expect(encode([row])).to.deep.equal([first]);
    expect(encode([])).to.deep.equal([]);
  });

  it("an hourly row is its hour, its quote, the times of its frame and the source's own", () => {
    const row = (hour: number, provider: string | null, observedAt: number | null) => {
      const quote = { provider, side: "bid", amount: 12, quantity: 3, availability: "quoted", observedAt } as const;
      return JSON.parse(alone(quote, { day, ofDay: hour, times: timesOf(at) })) as unknown;
    };
    const rest = { side: "bid", amount: 12, quantity: 3, ...money, kind: "hourly_cached_quote" };
    const times = { ingested_at: "2026-01-15T09:00:00.000Z", checked_at: "2026-01-15T10:00:00.000Z" };
    const sent = { ...rest, ...times, availability: "quoted" };
    expect(row(9, "hall", null)).to.deep.equal({
      ...sent,
      ts: "2026-01-15T09:00:00.000Z",
      provider: "hall",
      source_observed_at: null,
    });
    expect(row(10, null, at)).to.deep.equal({
      ...sent,
      ts: "2026-01-15T10:00:00.000Z",
      provider: null,
      source_observed_at: "2026-01-15T09:00:00.000Z",
    });
  });

  function timesOf(ingestedAt: number): Buffer {
    return Buffer.from(encodeFrameTimes(ingestedAt, ingestedAt + hourMs, timestamps));
  }

  function alone(facts: HourlyFacts, hour: Parameters<HourlyPriceEncoder["add"]>[1]): string {
    const encoder = new HourlyPriceEncoder();
    encoder.add(facts, hour, undefined);
    return encoder.take().list.toString().slice(1, -1);
  }
});
