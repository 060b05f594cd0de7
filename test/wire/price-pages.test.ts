import { expect } from "chai";
import fc from "fast-check";
import type { Schema } from "../../src/contract/types.ts";
import { dayMs, dayOf } from "../../src/values/time/calendar.ts";
import { TimestampTexts } from "../../src/values/time/timestamp-texts.ts";
import { DailyPriceEncoder, type DailyPriceFacts } from "../../src/wire/daily-price.ts";
import {
  encodeFrameTimes,
  type HourlyFacts,
  HourlyPriceEncoder,
  type RowHour,
  type RowPlace,
} from "../../src/wire/hourly-price.ts";
import { bySize } from "../support/size.ts";

const today = dayOf(Date.UTC(2026, 0, 15));
const timestamps = new TimestampTexts();
const money = { currency: "USD", minor_units: 2 } as const;

const side = fc.constantFrom("ask" as const, "bid" as const);
const instant = fc.integer({ min: 0, max: Date.UTC(2100, 0) });
const nullable = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { freq: 2 });
/**
 * Pages with numbers of one or two lengths. Rows are then often alike in all lengths, or in all but one. `times` repeats the rows, up to
 * the longest page.
 */
const pageOf = <Row>(rowOf: (number: fc.Arbitrary<number>) => fc.Arbitrary<Row>) =>
  fc.array(fc.integer({ min: 1, max: 16 }), { minLength: 1, maxLength: 2 }).chain((digits) =>
    fc.record({
      side,
      rows: fc.array(rowOf(fc.oneof(...digits.map(wholeNumber))), { maxLength: 40 }),
      times: fc.constantFrom(1, 1, 1, 7, 40),
    }),
  );

describe("history pages", () => {
  it("equal the JSON of their daily rows in any mix", () => {
    const row = (number: fc.Arbitrary<number>) =>
      fc.record({
        day: fc.oneof(fc.integer({ min: 0, max: today }), fc.integer({ min: today - 1, max: today + 1 })),
        provider: fc.constantFrom("a1", "b1", "hall"),
        amount: number,
        lowAmount: number,
        highAmount: number,
        observations: number,
        quantity: nullable(number),
        sourceObservedAt: nullable(instant),
        recordedAt: instant,
      });
    const encoder = new DailyPriceEncoder();
    const property = fc.property(pageOf(row), ({ side, rows, times }) => {
      const page = encoder.encode(Array<typeof rows>(times).fill(rows).flat(), { side, today });
      expectList(
        page,
        Array<string[]>(times)
          .fill(rows.map((row) => JSON.stringify(dailyPrice(row, side))))
          .flat(),
      );
    });
    fc.assert(property, { numRuns: bySize({ short: 150, long: 400 }), seed: 33 });
  });

  it("equal the JSON of their hourly rows while other pages are built", () => {
    const hours = fc.array(hour, { minLength: 1, maxLength: 4 });
    const row = (number: fc.Arbitrary<number>) =>
      fc.record({ facts: hourlyFacts(number), day: fc.integer({ min: 0, max: today }), hours, like: fc.nat() });
    const pages = fc.array(fc.record({ page: pageOf(row), isGivenBack: fc.boolean() }), { minLength: 1, maxLength: 4 });
    const encoder = new HourlyPriceEncoder();
    const property = fc.property(pages, (pages) => {
      const kept = pages.flatMap(({ page: { side, rows, times }, isGivenBack }) => {
        const places = new Map<string | null, RowPlace[]>();
        encoder.clear();
        const texts = Array.from({ length: times }, () => rows)
          .flat()
          .flatMap(({ facts, day, hours, like }) => {
            const known = places.get(facts.provider) ?? [];
            const [first, ...others] = hours.map((hour) => ({ ...hour, day }));
            const place = encoder.add({ ...facts, side }, rowHour(first!), known[like % known.length]);
            places.set(facts.provider, [...known.slice(-20), place]);
            for (const other of others) encoder.repeat(place, rowHour(other));
            return [first!, ...others].map((hour) => JSON.stringify(hourlyPrice({ ...facts, side }, hour)));
          });
        const { list, returnBuffer } = encoder.take();
        expectList(list, texts);
        if (isGivenBack) returnBuffer?.();
        return isGivenBack ? [] : [{ list, texts, returnBuffer }];
      });
      for (const { list, texts, returnBuffer } of kept) {
        expectList(list, texts);
        returnBuffer?.();
      }
    });
    fc.assert(property, { numRuns: bySize({ short: 60, long: 200 }), seed: 34 });
  });
});

type Hour = { ofDay: number; ingestedAt: number; checkedAt: number; recordedAt: number };

const hour: fc.Arbitrary<Hour> = fc.record({
  ofDay: fc.integer({ min: 0, max: 23 }),
  ingestedAt: instant,
  checkedAt: instant,
  recordedAt: instant,
});

function hourlyFacts(number: fc.Arbitrary<number>): fc.Arbitrary<Omit<HourlyFacts, "side">> {
  const provider = fc.constantFrom("a1", "hall");
  const quoted = fc.record({
    provider,
    amount: number,
    quantity: nullable(number),
    availability: fc.constant("quoted" as const),
    observedAt: nullable(instant),
  });
  const unquoted = fc.record({
    provider: fc.oneof(provider, fc.constant(null)),
    amount: fc.constant(null),
    quantity: fc.constant(null),
    availability: fc.constantFrom("no_quote" as const, "item_missing" as const),
    observedAt: fc.constant(null),
  });
  return fc.oneof({ weight: 4, arbitrary: quoted }, { weight: 1, arbitrary: unquoted });
}

function wholeNumber(digits: number): fc.Arbitrary<number> {
  const min = digits === 1 ? 0 : 10 ** (digits - 1);
  return fc.integer({ min, max: Math.min(10 ** digits - 1, Number.MAX_SAFE_INTEGER) });
}

function rowHour({ day, ofDay, ingestedAt, checkedAt, recordedAt }: Hour & { day: number }): RowHour {
  return { day, ofDay, times: Buffer.from(encodeFrameTimes([ingestedAt, checkedAt, recordedAt], timestamps)) };
}

function dailyPrice(row: DailyPriceFacts, side: Schema<"QuoteSide">): Schema<"DailyPrice"> {
  return {
    date: timeOf(row.day * dayMs).slice(0, 10),
    provider: row.provider,
    side,
    amount: row.amount,
    low_amount: row.lowAmount,
    high_amount: row.highAmount,
    observations: row.observations,
    quantity: row.quantity,
    ...money,
    kind: "daily_cached_quote",
    complete: row.day < today,
    source_observed_at: row.sourceObservedAt === null ? null : timeOf(row.sourceObservedAt),
    recorded_at: timeOf(row.recordedAt),
  };
}

function hourlyPrice(
  { provider, side, amount, quantity, availability, observedAt }: HourlyFacts,
  { day, ofDay, ingestedAt, checkedAt, recordedAt }: Hour & { day: number },
): Schema<"HourlyPrice"> {
  return {
    ts: `${timeOf(day * dayMs).slice(0, 10)}T${String(ofDay).padStart(2, "0")}:00:00.000Z`,
    provider,
    side,
    amount,
    quantity,
    ...money,
    kind: "hourly_cached_quote",
    availability,
    ingested_at: timeOf(ingestedAt),
    checked_at: timeOf(checkedAt),
    recorded_at: timeOf(recordedAt),
    source_observed_at: observedAt === null ? null : timeOf(observedAt),
  };
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}

/** Compares a page with the texts of its rows, and shows the first row that differs: the whole would be shown for minutes. */
function expectList(list: Buffer, texts: readonly string[]): void {
  const wanted = `[${texts.join()}]`;
  const text = list.toString();
  if (text === wanted) return;
  const rows = text.slice(1, -1).split(/(?<=\}),(?=\{)/);
  const at = texts.findIndex((row, index) => row !== rows[index]);
  expect(rows[at], `row ${at} of ${texts.length}`).to.equal(texts[at]);
  expect(text.length).to.equal(wanted.length);
  expect([text[0], text.at(-1)]).to.deep.equal(["[", "]"]);
}
