import { importCatalogFile } from "../../src/import/catalog/catalog-import.ts";
import type { CatalogVariant } from "../../src/import/catalog/variants.ts";
import { importDaily } from "../../src/import/daily/daily-import.ts";
import { acceptFeedInBatches } from "../../src/import/quotes/accept-feed.ts";
import type { FeedAdapter } from "../../src/import/quotes/adapters.ts";
import { dropFeeds } from "../../src/import/quotes/drop-feeds.ts";
import { ItemNames } from "../../src/import/quotes/name-index.ts";
import { publishInBatches } from "../../src/import/quotes/publish.ts";
import { importQuotes } from "../../src/import/quotes/quote-import.ts";
import { recordFrameInBatches } from "../../src/import/quotes/record-frame.ts";
import { importRates } from "../../src/import/rates/rate-import.ts";
import { pruneHours } from "../../src/jobs/days/prune.ts";
import { retractFrame } from "../../src/jobs/days/retract-frame.ts";
import { calculateIndexInBatches } from "../../src/jobs/indexes/calculate.ts";
import { defineIndexInBatches } from "../../src/jobs/indexes/define.ts";
import { definitionLookup, readDefinition } from "../../src/jobs/indexes/definition.ts";
import { calculateRoi } from "../../src/jobs/roi/calculate.ts";
import { closeDatabase, type Database, openWriter } from "../../src/store/database.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { prunePastInBatches } from "../../src/store/write/prune-past.ts";
import { finishDaysInBatches } from "../../src/store/write/seal-days.ts";
import { dayOf, dayText, hourMs, hourOf, hoursOfDay } from "../../src/values/time/calendar.ts";
import { canonicalText } from "../import/daily/daily-world.ts";
import { QuoteWorld, variantOf } from "../import/quotes/quote-world.ts";
import { feedText, steamBody } from "../support/bodies.ts";
import { insertPool } from "../support/pools.ts";

export type Quote = {
  provider: string;
  side: "ask" | "bid";
  amount: number;
  quantity: number | null;
  observedAt: number | null;
};

/** A frame as it was given to the recorder, times in UTC ms. `retractedAt` is null while it counts. */
export type GivenFrame = {
  feed: string;
  hour: number;
  checkedAt: number;
  recordedAt: number;
  quotes: ReadonlyMap<number, readonly Quote[]>;
  retractedAt: number | null;
};

/** One line of a feed's body: a name and its prices. An item without a price is named only. */
export type Line = { name: string; itemId: number | null; asks: readonly Quote[]; bids: readonly Quote[] };

export const feedNames = ["steam", "alpha", "beta"] as const;
export type FeedName = (typeof feedNames)[number];
export const providersOf = { steam: ["steam"], alpha: ["alpha"], beta: ["b1", "b2"] } as const;

/** The shape of the feed `alpha`: asks, bids, quantities, times of the source, and a save time. */
const alphaMapping = {
  feed: "alpha",
  provider: { provider: "alpha", name: "Alpha", kind: "cash" },
  entry: "item",
  list: "$.items",
  name: "@.name",
  currency: { documented: "USD" },
  ask: { path: "@.ask", unit: "cents", quantity: "@.units", optional: true },
  bid: { path: "@.bid", unit: "cents", optional: true },
  observed_at: { path: "@.seen", unit: "milliseconds" },
  saved_at: { path: "$.at", unit: "milliseconds" },
} as const satisfies FeedAdapter;

const adapterOf = { steam: "steam", alpha: alphaMapping, beta: "canonical" } as const;

/** A market that is written by the program's own commands, each at an instant of the test's clock. */
export class KnownMarket extends QuoteWorld {
  readonly frames: GivenFrame[] = [];
  /** Drops of feeds: name and instant. */
  readonly drops: { feed: string; at: number }[] = [];
  /** When the catalog first had an item, by item id. */
  readonly seenAt = new Map<number, number>();
  /** Events that the log of the data must have exactly once, as `kind subject date count`. */
  readonly injected: string[] = [];
  readonly writer: Database;
  /** The catalog in force, in ascending item id. */
  variants: CatalogVariant[];
  /** Milliseconds that pass between two transactions of a command. */
  tickMs = 0;
  readonly #names = new ItemNames();
  readonly #running = {
    clock: this.clock,
    pause: async () => {
      this.now += this.tickMs;
    },
  };

  constructor(items: number, startAt: number) {
    super([]);
    this.now = startAt;
    this.writer = openWriter(this.path, 1000);
    this.writer.$client.pragma("synchronous = OFF");
    this.writer.$client.prepare("UPDATE market_state SET known_since = ?").run(startAt);
    this.variants = Array.from({ length: items }, (_, index) => variantOf({}, index));
  }

  nameOf(itemId: number): string {
    return this.variants[itemId - 1]!.marketHashName;
  }

  /** Imports the catalog with the variants in force. */
  async importCatalog(): Promise<void> {
    const { created, changed, left, returned } = await importCatalogFile(this.path, this.variants, {
      clock: this.clock,
      acceptShrink: true,
    });
    for (let id = this.seenAt.size + 1; this.seenAt.size < this.variants.length && created > 0; id += 1)
      this.seenAt.set(id, this.now);
    if (changed + left + returned > 0) this.#inject("items_moved", "", dayOf(this.now), changed + left + returned);
  }

  /** Publishes a body now and records the frame of its hour, as a mirror does. Days are finished later. */
  poll(feed: FeedName, lines: readonly Line[]): void {
    const body = { name: feed, bytes: Buffer.from(this.#bodyOf(feed, lines, this.now)) };
    const parts = { clock: this.clock, names: this.#names };
    const options = { adapter: adapterOf[feed], isDated: true };
    const accepted = runAtOnce(acceptFeedInBatches(this.writer, body, options, parts));
    const { facts, items, takenAt, savedAt } = accepted;
    runAtOnce(publishInBatches(this.writer, [{ facts, items, checkedAt: takenAt, savedAt }], parts));
    const times = { verifiedBy: "body", ingestedAt: this.now, checkedAt: takenAt, recordedAt: this.now } as const;
    runAtOnce(recordFrameInBatches(this.writer, accepted, times, { clock: this.clock }));
    this.#give(feed, lines, takenAt);
  }

  /** Imports a body that was saved at `savedAt`, UTC ms: a late frame, or the replacement of a retracted one. */
  async importSaved(feed: "steam" | "alpha", lines: readonly Line[], savedAt: number): Promise<void> {
    const path = this.body(this.#bodyOf(feed, lines, savedAt));
    await importQuotes(this.path, path, { adapter: adapterOf[feed] }, { ...this.#running, names: this.#names });
    this.#give(feed, lines, savedAt);
    this.#inject("late_frame", feed, dayOf(savedAt), 1);
  }

  /** Imports the same body, saved in the future, three times: it is refused twice and then accepted. */
  async importRefused(lines: readonly Line[]): Promise<void> {
    const path = this.body(this.#bodyOf("alpha", lines, this.now + hourMs));
    const take = (accepted: readonly "future_time"[]) =>
      importQuotes(this.path, path, { adapter: alphaMapping, accepted, recordFrame: false }, this.#running);
    for (const _ of [1, 2]) await take([]).catch(() => null);
    await take(["future_time"]);
    this.#inject("body_refused", "alpha", dayOf(this.now), 2);
    this.#inject("exception_accepted", "alpha", dayOf(this.now), 1);
  }

  async retract(frame: GivenFrame): Promise<void> {
    const { feed, hour } = frame;
    frame.retractedAt = this.now;
    await retractFrame(this.path, { feed, hour, reason: "wrong" }, this.#running);
    this.#inject("frame_retracted", feed, Math.floor(hour / hoursOfDay), null);
  }

  /** Finalizes and seals ended days and calculates the indexes, as a mirror does after midnight. */
  finishDays(): void {
    const today = dayOf(this.now);
    runAtOnce(finishDaysInBatches(this.writer, today, this.clock));
    this.calculateIndexes();
  }

  calculateIndexes(): void {
    runAtOnce(calculateIndexInBatches(this.writer, dayOf(this.now), { clock: this.clock }));
  }

  defineIndex(indexId: string, provider: string, members: readonly number[], baseDay: number): void {
    const facts = { index_id: indexId, name: indexId, description: "", provider, weighting: "equal" };
    const declared = { ...facts, base_date: dayText(baseDay), base_value: "100" };
    const text = JSON.stringify({ ...declared, members: members.map((item_id) => ({ item_id })) });
    const read = readDefinition({ name: "index.json", bytes: Buffer.from(text) }, definitionLookup(this.writer));
    runAtOnce(defineIndexInBatches(this.writer, read, { clock: this.clock }));
  }

  definePool(slug: string, itemId: number, items: readonly number[]): void {
    const outcomes = items.map((id) => ({ itemId: id, tier: "all", numerator: 1 }));
    insertPool(this.writer, { slug, itemId, outcomes, keyCostCents: 249, at: this.now });
  }

  calculateRoi(): void {
    calculateRoi(this.writer, { clock: this.clock });
  }

  /** Imports daily asks of a provider: `[item id, day, amount]`. */
  async importDaily(feed: string, provider: string, rows: readonly [number, number, number][], replace: boolean) {
    const kind = provider === "steam" ? "main_platform" : "cash";
    const head = { format: "itemtape-daily", version: 1, feed, provider: { provider, name: provider, kind } };
    const lines = rows.map(([item_id, day, amount]) => ({ item_id, date: dayText(day), side: "ask", amount }));
    const path = this.body(canonicalText(lines, head), ".ndjson");
    const { importId } = await importDaily(this.path, path, { adapter: "canonical", replace }, this.#running);
    const isReplaced =
      "EXISTS (SELECT 1 FROM daily_prices_past p WHERE p.item_id = d.item_id AND p.side = d.side AND p.day = d.day AND p.provider = d.provider AND p.superseded_at = d.recorded_at)";
    for (const { day, isPast, count } of this.all<{ day: number; isPast: number; count: number }>(
      `SELECT day, ${isReplaced} AS isPast, count(*) AS count FROM daily_prices d WHERE import_id = ${importId} GROUP BY 1, 2`,
    ))
      this.#inject(isPast === 1 ? "days_replaced" : "days_imported", provider, day, count);
  }

  /** Imports the rates of one day by currency. */
  async importRates(day: number, rates: Readonly<Record<string, number>>, replace = false): Promise<void> {
    const path = this.body({ date: dayText(day), usd: { usd: 1, ...rates } });
    const { replaced } = await importRates(this.path, [path], { adapter: "per-usd", replace }, this.#running);
    if (replaced > 0) this.#inject("rates_corrected", "", day, replaced);
  }

  async drop(feed: FeedName): Promise<void> {
    await dropFeeds(this.path, { feeds: [feed] }, { dryRun: false }, this.#running);
    this.drops.push({ feed, at: this.now });
    this.#inject("feed_dropped", feed, dayOf(this.now), null);
  }

  /** Removes the hours of the days before `day`. */
  async prune(day: number): Promise<void> {
    await pruneHours(this.path, day, { dryRun: false }, this.#running);
  }

  /** Makes `at` (UTC ms) the first instant that can be read back. */
  prunePast(at: number): void {
    runAtOnce(prunePastInBatches(this.writer, at, this.clock));
  }

  override destroy(): void {
    closeDatabase(this.writer);
    super.destroy();
  }

  /** Pass null for a count that is not checked. */
  #inject(kind: string, subject: string, day: number, count: number | null): void {
    this.injected.push(eventLine({ kind, subject, date: dayText(day), count }));
  }

  #give(feed: FeedName, lines: readonly Line[], checkedAt: number): void {
    const quotes = new Map(
      lines.flatMap(({ itemId, asks, bids }) => (itemId === null ? [] : [[itemId, [...asks, ...bids]] as const])),
    );
    const hour = hourOf(checkedAt);
    // The command goes on after its frame is recorded.
    const [{ recordedAt }] = this.all<{ recordedAt: number }>(
      `SELECT recorded_at AS recordedAt FROM frames_now WHERE hour = ${hour} AND feed = '${feed}'`,
    ) as [{ recordedAt: number }];
    this.frames.push({ feed, hour, checkedAt, recordedAt, quotes, retractedAt: null });
  }

  #bodyOf(feed: FeedName, lines: readonly Line[], savedAt: number): string {
    if (feed === "steam") {
      const priced = lines.flatMap(({ name, asks }) => asks.map(({ amount }) => [name, amount] as const));
      return steamBody(Object.fromEntries(priced), savedAt);
    }
    if (feed === "alpha") {
      const items = lines.map(({ name, asks: [ask], bids: [bid] }) => {
        const one = ask ?? bid;
        const seen = one?.observedAt ?? null;
        return { name, ask: ask?.amount ?? null, units: ask?.quantity ?? null, bid: bid?.amount ?? null, seen };
      });
      return JSON.stringify({ at: savedAt, items });
    }
    const quotes = lines.flatMap(({ name, asks, bids }) =>
      [...asks, ...bids].map(({ provider, side, amount, quantity }) => ({
        market_hash_name: name,
        provider,
        side,
        amount,
        quantity,
      })),
    );
    return feedText(feed, providersOf.beta, quotes);
  }
}

/** Returns an event of the log as text. `subject` is a feed, provider or index. */
export function eventLine(event: { kind: string; subject: string; date: string; count: number | null }): string {
  return [event.kind, event.subject, event.date, event.count ?? "any"].join(" ");
}
