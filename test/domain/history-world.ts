import type { Schema } from "../../src/contract/types.ts";
import { DailyHistory } from "../../src/domain/daily-history.ts";
import { HourlyHistory } from "../../src/domain/hourly-history.ts";
import type { Reference } from "../../src/domain/reference.ts";
import { recordFrameInBatches } from "../../src/import/quotes/record-frame.ts";
import type { Database } from "../../src/store/database.ts";
import { CatalogStore } from "../../src/store/read/catalog.ts";
import { DailyPricesStore } from "../../src/store/read/daily-prices.ts";
import { FramesStore } from "../../src/store/read/frames.ts";
import { KnownFramesStore } from "../../src/store/read/known-frames.ts";
import { ProvidersStore } from "../../src/store/read/providers.ts";
import type { Encoded } from "../../src/values/encoded.ts";
import { dayText, hourMs } from "../../src/values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../../src/values/time/clock.ts";
import { MarketFile } from "../support/market-file.ts";
import { referenceOf } from "../support/reference.ts";

export type Side = "ask" | "bid";

/** A quote of a frame, times in UTC ms. */
export type FrameQuote = {
  provider: string;
  side: Side;
  amount: number;
  quantity: number | null;
  observedAt: number | null;
};

/** A feed's entry for an item. Null if it has none. `[]` for its name without a price. */
export type State = readonly FrameQuote[] | null;

/** A name that a feed has and that joined no item, with its phase or null. */
export type Name = { name: string; phase: string | null };

/**
 * `providers` lists the feed's providers, `refusedNames` the names without an item. Null if the frame does not record them, as in a frame
 * of an earlier version.
 */
export type Frame = {
  feed: string;
  providers: readonly string[] | null;
  refusedNames: readonly Name[] | null;
  hour: number;
  ingestedAt: number;
  checkedAt: number;
  recordedAt: number;
  states: ReadonlyMap<number, State>;
};

export type Daily = {
  itemId: number;
  side: Side;
  day: number;
  provider: string;
  amount: number;
  lowAmount: number;
  highAmount: number;
  observations: number;
  quantity: number | null;
  sourceObservedAt: number | null;
  recordedAt: number;
};

const idleClock = { now: () => 0, monotonicMs: () => 0 };

/** A file with histories, the two reads on it, and everything that was recorded in the order in which it was. */
export class HistoryWorld {
  readonly file = new MarketFile();
  readonly frames: Frame[] = [];
  readonly daily: DailyHistory;
  readonly hourly: HourlyHistory;
  readonly reference: Reference;
  readonly #pages = new Map<string, string>();

  constructor() {
    const { reader } = this.file;
    // No test here pulls the plug.
    this.file.writer.$client.pragma("synchronous = 0");
    const providers = new ProvidersStore(reader);
    this.reference = referenceOf(reader);
    const parts = {
      catalog: new CatalogStore(reader),
      frames: new FramesStore(reader),
      past: new KnownFramesStore(reader),
      reference: this.reference,
    };
    this.daily = new DailyHistory({ ...parts, prices: new DailyPricesStore(reader) });
    this.hourly = new HourlyHistory({ ...parts, providers });
  }

  /**
   * Returns a page of hours.
   * @throws {Error} when a page before had the same tag for the same request and another content.
   */
  hourlyPage(params: Parameters<HourlyHistory["prepare"]>[0], at: number): ReturnType<HourlyHistory["read"]> {
    return this.#checked(
      ["hours", params],
      this.hourly.read(this.hourly.prepare(params, { caller: { plan: "builder" }, at, reference: this.reference }), at),
    );
  }

  /**
   * Returns a page of days. Reads it three times, so that the cached page is compared too.
   *
   * @throws {Error} if the same request had the same tag with other content, or if the cached page differs
   */
  dailyPage(query: Parameters<DailyHistory["read"]>[0], at: number): ReturnType<DailyHistory["read"]> {
    const pages = [1, 2, 3].map(() => this.#checked(["days", query], this.daily.read(query, at)));
    const texts = new Set(pages.map(({ data, meta }) => `${data.json} ${JSON.stringify(meta)}`));
    if (texts.size !== 1) throw new Error("a page of days that is asked for again is another one");
    return pages[0]!;
  }

  #checked<Page extends { readonly data: Encoded; readonly meta: object }>(asked: unknown, page: Page): Page {
    const tag = page.data.tagWith(
      JSON.stringify([asked, page.meta]),
      (basis, beside) => `${Buffer.from(basis).toString("latin1")} ${beside}`,
    );
    const before = this.#pages.get(tag);
    if (before !== undefined && before !== page.data.json) throw new Error("two pages have one tag");
    this.#pages.set(tag, page.data.json);
    return page;
  }

  /** Steam with the main platform, and two feeds of other markets. */
  feeds(): void {
    this.file.feed("steam", ["steam"], null);
    this.file.feed("alpha", ["a1", "a2", "z9"], null);
    this.file.feed("beta", ["b1"], null);
    this.file.writer.$client.exec("UPDATE providers SET kind = 'main_platform' WHERE provider = 'steam'");
  }

  record(frame: Frame): void {
    recordFrame(this.file.writer, frame);
    this.frames.push(frame);
  }

  /** Without an import the row is a derived one. */
  price(row: Daily, importId: number | null = null): void {
    insertDaily(this.file.writer, row, importId);
  }

  /** Starts an import of a provider's rows. */
  startImport(provider: string, replaces: boolean, importedAt = 5): number {
    const { lastInsertRowid } = this.file.writer.$client
      .prepare("INSERT INTO daily_imports VALUES (NULL, 'canonical', ?, zeroblob(32), ?, ?)")
      .run(provider, importedAt, Number(replaces));
    return Number(lastInsertRowid);
  }
}

/** Records a frame as the mirror does, or gives up after `batchesMax` transactions. */
export function recordFrame(
  database: Database,
  frame: Frame,
  batchesMax = Number.POSITIVE_INFINITY,
  isSavedBody = false,
): void {
  const { feed, states, ingestedAt, checkedAt, recordedAt, providers, refusedNames } = frame;
  const items = new Map();
  const itemsWithoutQuote = new Set<number>();
  for (const [itemId, state] of states) {
    if (state?.length === 0) itemsWithoutQuote.add(itemId);
    if (!state?.length) continue;
    const of = (wanted: Side) =>
      state
        .filter(({ side }) => side === wanted)
        .map(({ provider, amount, quantity, observedAt }) => ({
          provider,
          amountCents: amount,
          quantity,
          observedAt,
          url: null,
        }));
    items.set(itemId, { asks: of("ask"), bids: of("bid") });
  }
  const times = { verifiedBy: "body" as const, ingestedAt, checkedAt, recordedAt };
  const names = refusedNames?.map(({ name, phase }) => ({ name, phase: phase ?? "" })) ?? null;
  const content = {
    facts: { feed, providers: (providers ?? providersOf(feed)).map((provider) => ({ provider })) },
    items,
    itemsWithoutQuote,
    refusedNames: names,
  };
  const batches = recordFrameInBatches(database, content, times, { clock: idleClock, isSavedBody });
  for (let taken = 0; taken < batchesMax && !batches.next().done; ) taken += 1;
  if (providers === null) forgetMemory(database, frame);
}

/** Makes a frame one of an earlier version of the program. */
function forgetMemory({ $client }: Database, { hour, feed }: Frame): void {
  const trigger = "SELECT sql FROM sqlite_schema WHERE name = 'frames_never_change'";
  const sql = $client.prepare(trigger).pluck().get() as string;
  $client.exec("DROP TRIGGER frames_never_change");
  $client
    .prepare("UPDATE frames SET providers = NULL, refused_names = NULL WHERE hour = ? AND feed = ?")
    .run(hour, feed);
  $client.exec(sql);
}

export function insertDaily(database: Database, row: Daily, importId: number | null = null): void {
  const { itemId, side, day, provider, amount, lowAmount, highAmount, observations } = row;
  database.$client
    .prepare("INSERT INTO daily_by_item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)")
    .run(
      itemId,
      side,
      day,
      provider,
      amount,
      lowAmount,
      highAmount,
      observations,
      row.quantity,
      row.sourceObservedAt,
      row.recordedAt,
      importId,
    );
}

/** A frame of an hour since 1970, verified `intoMs` into it. */
export function frameAt(feed: string, hour: number, states: Record<number, State>, intoMs = 60_000): Frame {
  const checkedAt = hour * hourMs + intoMs;
  return {
    feed,
    providers: providersOf(feed),
    refusedNames: [],
    hour,
    ingestedAt: checkedAt - 90_001,
    checkedAt,
    recordedAt: checkedAt + 7,
    states: new Map(Object.entries(states).map(([itemId, state]) => [Number(itemId), state])),
  };
}

export function quote(provider: string, amount: number, facts: Partial<FrameQuote> = {}): FrameQuote {
  return { provider, side: "ask", amount, quantity: null, observedAt: null, ...facts };
}

type Wanted = { itemId: number; side: Side; provider: string | null; fromHour: number; toHour: number; item?: Item };

/** Name and phase of an item, and when the catalog first had it, UTC ms. */
export type Item = Name & { firstSeenAt: number };

const feedOf: Record<string, string> = { steam: "steam", a1: "alpha", a2: "alpha", z9: "alpha", b1: "beta" };

function providersOf(feed: string): string[] {
  return Object.keys(feedOf).filter((provider) => feedOf[provider] === feed);
}

/** Returns whether the feed named the item: with a state, or by a name that had no item at that time. */
function isNamed(frame: Frame, itemId: number, { name, phase }: Item): boolean {
  if ((frame.states.get(itemId) ?? null) !== null) return true;
  return (frame.refusedNames ?? []).some((refused) => refused.name === name && refused.phase === phase);
}

/** Returns whether a frame has information about an item and provider. */
function isLook(frame: Frame, itemId: number, item: Item, provider: string | null): boolean {
  if (provider !== null && frame.providers !== null && !frame.providers.includes(provider)) return false;
  return frame.refusedNames !== null || item.firstSeenAt <= frame.recordedAt || isNamed(frame, itemId, item);
}

/** Hourly rows straight from the frames, by the words of the contract: slow and plain. */
export function hourlyRows(frames: readonly Frame[], wanted: Wanted): Schema<"HourlyPrice">[] {
  const { itemId, side, provider, item = { name: `Item ${wanted.itemId}`, phase: null, firstSeenAt: 1 } } = wanted;
  const rows: Schema<"HourlyPrice">[] = [];
  for (let hour = wanted.fromHour; hour <= wanted.toHour; hour += 1) {
    const all = frames.filter((frame) => frame.hour === hour);
    const ofFeed = provider === null ? all : all.filter(({ feed }) => feed === feedOf[provider]);
    const ofHour = ofFeed.filter((frame) => isLook(frame, itemId, item, provider));
    if (ofHour.length === 0) continue;
    const row = {
      ts: toTimestamp(hour * hourMs),
      side,
      currency: "USD" as const,
      minor_units: 2 as const,
      kind: "hourly_cached_quote" as const,
    };
    const found = ofHour.flatMap((frame) =>
      (frame.states.get(itemId) ?? [])
        .filter((one) => one.side === side && (provider === null || one.provider === provider))
        .map((one) => ({
          ...row,
          provider: one.provider,
          amount: one.amount,
          quantity: one.quantity,
          availability: "quoted" as const,
          ingested_at: toTimestamp(frame.ingestedAt),
          checked_at: toTimestamp(frame.checkedAt),
          recorded_at: toTimestamp(frame.recordedAt),
          source_observed_at: toTimestampOrNull(one.observedAt),
        })),
    );
    if (found.length > 0) rows.push(...found.sort((a, b) => (a.provider < b.provider ? -1 : 1)));
    else {
      rows.push({
        ...row,
        provider,
        amount: null,
        quantity: null,
        source_observed_at: null,
        availability: ofHour.some((frame) => isNamed(frame, itemId, item)) ? "no_quote" : "item_missing",
        ingested_at: toTimestamp(Math.max(...ofHour.map(({ ingestedAt }) => ingestedAt))),
        checked_at: toTimestamp(Math.max(...ofHour.map(({ checkedAt }) => checkedAt))),
        recorded_at: toTimestamp(Math.max(...ofHour.map(({ recordedAt }) => recordedAt))),
      });
    }
  }
  return rows;
}

/** Daily figures straight from the frames. */
export function dailyOf(frames: readonly Frame[], itemId: number): Daily[] {
  const found = new Map<string, Daily>();
  for (const frame of frames.toSorted((a, b) => a.hour - b.hour)) {
    for (const one of frame.states.get(itemId) ?? []) {
      const { provider, side, amount, quantity, observedAt: sourceObservedAt } = one;
      const day = Math.floor(frame.hour / 24);
      const key = `${day} ${provider} ${side}`;
      const known = found.get(key) ?? { lowAmount: amount, highAmount: amount, observations: 0, recordedAt: 0 };
      found.set(key, {
        itemId,
        side,
        day,
        provider,
        amount,
        quantity,
        sourceObservedAt,
        recordedAt: Math.max(known.recordedAt, frame.recordedAt),
        lowAmount: Math.min(known.lowAmount, amount),
        highAmount: Math.max(known.highAmount, amount),
        observations: known.observations + 1,
      });
    }
  }
  return Array.from(found.values());
}

/** A daily row as the API shows it. */
export function dailyText(row: Daily, today: number): Schema<"DailyPrice"> {
  return {
    date: dayText(row.day),
    provider: row.provider,
    side: row.side,
    amount: row.amount,
    low_amount: row.lowAmount,
    high_amount: row.highAmount,
    observations: row.observations,
    quantity: row.quantity,
    currency: "USD",
    minor_units: 2,
    kind: "daily_cached_quote",
    complete: row.day < today,
    source_observed_at: toTimestampOrNull(row.sourceObservedAt),
    recorded_at: toTimestamp(row.recordedAt),
  };
}
