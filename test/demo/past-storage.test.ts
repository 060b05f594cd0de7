import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { documentedAt } from "../../src/demo/documented-world.ts";
import { type DemoFeed, DemoMarket, demoFeeds, factsOf } from "../../src/demo/market.ts";
import { recordFrameInBatches } from "../../src/import/quotes/record-frame.ts";
import { calculateRoi } from "../../src/jobs/roi/calculate.ts";
import { checkPastRows } from "../../src/store/check/past-rows.ts";
import { closeDatabase, type Database, openWriter, writeTransaction } from "../../src/store/database.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { CatalogWriter, readItems } from "../../src/store/write/catalog.ts";
import { DailyPriceWriter } from "../../src/store/write/daily-prices.ts";
import { ExchangeRateWriter } from "../../src/store/write/exchange-rates.ts";
import { finishDaysInBatches } from "../../src/store/write/seal-days.ts";
import { dayOf, hourMs, hourOf, minuteMs } from "../../src/values/time/calendar.ts";
import { clockAt } from "../../src/values/time/clock.ts";
import type { Book, BookQuote } from "../../src/wire/quotes.ts";
import { Random } from "../sim/random.ts";
import { temporaryFolder } from "../support/files.ts";
import { demoFile } from "../support/kept-files.ts";
import { itLong } from "../support/size.ts";

const days = 7;
/** A year has 2,000 corrections: 1,900 of 20 rows, and 100 late frames. */
const correctionsOfHour = 1900 / 365 / 24;
const correctedItems = 20;
const daysPerLateFrame = 4;
const lateHours = 26;
const changedItemsOfWeek = 0.03;
const movesOfHour = 0.15;

/** Operates a demo file, hour by hour after its instant. */
class Operation {
  readonly #database: Database;
  readonly #random = new Random(7);
  readonly #books: ReadonlyMap<DemoFeed, Map<number, Book>>;
  /** Late frames by the hour in which they are recorded. */
  readonly #late = new Map<number, (recordedAt: number) => void>();
  #corrections = 0;

  constructor(database: Database) {
    this.#database = database;
    const market = new DemoMarket([...readItems(database).values()], documentedAt);
    this.#books = new Map(demoFeeds.map((feed) => [feed, new Map(market.quotes(feed))]));
  }

  /** Records the frames of an hour, and runs the jobs of the hour. */
  run(hour: number): void {
    const ofDay = hour % 24;
    const now = hour * hourMs + 50 * minuteMs;
    const clock = clockAt(now);
    this.#late.get(hour)?.(now);
    for (const feed of demoFeeds) {
      const record = this.#frame(feed, hour);
      const isLate = feed.feed === "steam" && ofDay === 3 && Math.floor(hour / 24) % daysPerLateFrame === 0;
      if (isLate) this.#late.set(hour + lateHours, record);
      else record(now);
    }
    if (ofDay === 0 || ofDay === 5) runAtOnce(finishDaysInBatches(this.#database, dayOf(now), clock));
    if (hour % 6 === 0) calculateRoi(this.#database, { clock });
    writeTransaction(this.#database, () => {
      if (hour % (24 * 7) === 100) this.#changeItems(now);
      for (this.#corrections += correctionsOfHour; this.#corrections >= 1; this.#corrections -= 1) this.#correct(now);
    });
  }

  /** Moves some prices. Returns a function that records the frame. */
  #frame(feed: DemoFeed, hour: number): (recordedAt: number) => void {
    const books = this.#books.get(feed)!;
    for (const [itemId, { asks, bids }] of books) {
      if (!this.#random.chance(movesOfHour)) continue;
      const factor = 0.97 + this.#random.next() * 0.06;
      const moved = (quote: BookQuote) => ({
        ...quote,
        amountCents: Math.max(1, Math.round(quote.amountCents * factor)),
      });
      books.set(itemId, { asks: asks.map(moved), bids: bids.map(moved) });
    }
    const content = {
      facts: factsOf(feed, false),
      items: new Map(books),
      itemsWithoutQuote: new Set<number>(),
      refusedNames: [],
    };
    const checkedAt = hour * hourMs + feed.intoMs;
    return (recordedAt) => {
      const times = { verifiedBy: "body" as const, ingestedAt: checkedAt, checkedAt, recordedAt };
      runAtOnce(recordFrameInBatches(this.#database, content, times, { clock: clockAt(recordedAt) }));
    };
  }

  #changeItems(now: number): void {
    const writer = new CatalogWriter(this.#database);
    for (const item of readItems(this.#database).values())
      if (this.#random.chance(changedItemsOfWeek))
        writer.write({ ...item, imageUrl: `https://i.example/${now}`, updatedAt: now });
  }

  /** Corrects the prices of some items on a day, and a rate. */
  #correct(now: number): void {
    const rows = new DailyPriceWriter(this.#database, dayOf(now));
    const day = dayOf(now) - this.#random.between(2, 20);
    for (let left = correctedItems; left > 0; left -= 1) {
      const span = {
        itemId: this.#random.between(1, 3000),
        side: "ask" as const,
        provider: "steam",
        from: day,
        to: day,
      };
      for (const { checksum: _, ...row } of rows.within(span))
        rows.put({ ...row, highAmount: row.highAmount + 1, recordedAt: Math.max(now, row.recordedAt + 1) });
    }
    const rate = { currency: "EUR", minorUnits: 2, day, ratePerUsd: `0.9${now}` };
    new ExchangeRateWriter(this.#database, { source: "demo", methodologyVersion: "demo-1" }).write(rate, now);
  }
}

describe("storage of past rows", () => {
  itLong("is at most 30 % of what a week of operation adds", () => {
    const path = join(temporaryFolder(), "week.db");
    copyFileSync(demoFile().path, path);
    const database = openWriter(path, 0);
    database.$client.pragma("synchronous = OFF");
    const bytes = (tables: string) =>
      database.$client
        .prepare<[string], number>("SELECT sum(pgsize) FROM dbstat WHERE name LIKE ?")
        .pluck()
        .get(tables)!;
    const before = { all: bytes("%"), past: bytes("%_past") };
    const operation = new Operation(database);
    const first = hourOf(documentedAt) + 1;
    for (let hour = first; hour < first + days * 24; hour += 1) operation.run(hour);
    const added = { all: bytes("%") - before.all, past: bytes("%_past") - before.past };
    expect(checkPastRows(database)[0]).to.deep.include({ isFault: false });
    expect(added.past).to.be.above(added.all / 50);
    expect(added.all / (added.all - added.past)).to.be.at.most(1.3);
    closeDatabase(database);
  });
});
