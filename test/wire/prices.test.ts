import { expect } from "chai";
import { dayOf, hourMs } from "../../src/values/calendar.ts";
import { TimestampTexts } from "../../src/values/timestamp-texts.ts";
import { DailyPriceEncoder, type DailyPriceFacts } from "../../src/wire/daily-price.ts";
import { encodeExportHead } from "../../src/wire/export-record.ts";
import { encodeFrameTimes, type HourlyFacts, HourlyPriceEncoder, type RowPlace } from "../../src/wire/hourly-price.ts";
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
import { Random } from "../sim/random.ts";

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

  it("a daily row behind others of its provider is the one that is sent alone, whatever differs", () => {
    const random = new Random(7);
    const amountOf = () => random.between(1, 10 ** random.between(1, 15));
    const instantOf = () => at - random.between(0, 10 ** random.between(1, 12));
    const rows = Array.from({ length: 3_000 }, (_, index): DailyPriceFacts => {
      const nullable = <Value>(value: Value) => (random.chance(0.2) ? null : value);
      const figures = random.chance(0.5) ? { amount: 55, lowAmount: 10, highAmount: 99, observations: 24 } : null;
      return {
        day: day - 2_990 + index,
        provider: random.pick(["a1", "b1", "hall"]),
        ...(figures ?? {
          amount: amountOf(),
          lowAmount: amountOf(),
          highAmount: amountOf(),
          observations: random.between(1, 24),
        }),
        quantity: nullable(figures === null ? amountOf() : random.between(10, 99)),
        sourceObservedAt: nullable(instantOf()),
        recordedAt: instantOf(),
      };
    });
    const encoder = new DailyPriceEncoder();
    const encode = (given: DailyPriceFacts[]) => encoder.encode(given, { side: "bid", today: day }).toString();
    const alone = rows.map((row) => encode([row]).slice(1, -1));
    expect(encode(rows)).to.equal(`[${alone.join()}]`);
    expect(encode(rows.slice(0, 2))).to.equal(`[${alone.slice(0, 2).join()}]`);
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

  it("an hourly row behind others of its provider is the one that is sent alone, whatever differs, on a page of any length", () => {
    const random = new Random(9);
    const encoder = new HourlyPriceEncoder();
    const facts = (provider: string): HourlyFacts => {
      const nullable = <Value>(value: Value) => (random.chance(0.2) ? null : value);
      const amount = random.between(1, 10 ** random.between(1, 15));
      const quoted = {
        provider,
        side: "ask",
        amount: random.chance(0.7) ? random.between(10, 99) : amount,
        quantity: nullable(random.between(0, 120)),
        availability: "quoted",
        observedAt: nullable(at - random.between(0, 10 ** random.between(1, 12))),
      } as const;
      const availability = random.pick(["no_quote", "item_missing"] as const);
      return random.chance(0.9) ? quoted : { ...quoted, amount: null, quantity: null, availability, observedAt: null };
    };
    const places = new Map<string, RowPlace>();
    const expected: string[] = [];
    encoder.clear();
    for (let row = 0; row < 2_000; row += 1) {
      const provider = random.pick(["a1", "b1", "hall"]);
      const hour = { day: day + (row >> 6), ofDay: (row >> 2) & 15, times: timesOf(at + row * 987) };
      const one = facts(provider);
      const place = encoder.add(one, hour, places.get(provider));
      places.set(provider, place);
      expected.push(alone(one, hour));
      if (random.chance(0.5)) continue;
      const next = { ...hour, ofDay: 16 + (row & 7), times: timesOf(at + row * 9_876) };
      encoder.repeat(place, next);
      expected.push(alone(one, next));
    }
    const first = encoder.take();
    expect(first.list.toString()).to.equal(`[${expected.join()}]`);
    expect(first.list.length).to.be.above(4 * 64 * 1024);
    // What was taken stays as it is while other pages are made, until it is given back.
    encoder.clear();
    expect(encoder.take().list.toString()).to.equal("[]");
    const one = facts("hall");
    const other = pageOf(one);
    expect(first.list.toString()).to.equal(`[${expected.join()}]`);
    first.giveBack?.();
    pageOf(one);
    expect(pageOf(one).list.buffer).to.equal(first.list.buffer);
    expect(other.list.equals(pageOf(one).list)).to.equal(true);

    function pageOf(row: HourlyFacts) {
      encoder.clear();
      for (let ofDay = 0; ofDay < 200; ofDay += 1)
        encoder.add(row, { day, ofDay: ofDay % 24, times: timesOf(at) }, undefined);
      return encoder.take();
    }
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
