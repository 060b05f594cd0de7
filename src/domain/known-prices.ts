import type { Caller } from "../access/credentials.ts";
import type { Params, Schema } from "../contract/types.ts";
import { decodeSegment } from "../store/codec/frame-segment.ts";
import type { CatalogStore } from "../store/read/catalog.ts";
import type { FrameRow, FramesStore } from "../store/read/frames.ts";
import type { KnownFramesStore } from "../store/read/known-frames.ts";
import type { ProvidersStore } from "../store/read/providers.ts";
import { dayMs, dayOf, hourMs, hourOf, hoursOfDay } from "../values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import { type BookQuote, inOrder } from "../wire/quotes.ts";
import type { FrameProviderNames } from "./frame-provider-names.ts";
import { notKnownBefore, resolveKnownAt } from "./known-at.ts";
import { ObservationTimes } from "./observation-times.ts";
import type { Read } from "./paging.ts";
import { quotesFreshMs } from "./quotes.ts";
import type { Reference } from "./reference.ts";

type Asked = { readonly caller: Pick<Caller, "plan">; readonly at: number; readonly reference: Reference };
type KnownQuery = {
  readonly knownAt: number;
  readonly itemIds: readonly number[];
  readonly provider: string | null;
  readonly side: Schema<"QuoteSide"> | null;
};
type Parts = {
  catalog: CatalogStore;
  frames: FramesStore;
  past: KnownFramesStore;
  providers: ProvidersStore;
  names: FrameProviderNames;
};

/** A frame that counts at the instant. `storedHours`: hours of its day with a frame, as bits. `isPruned`: its quotes were removed. */
type LatestFrame = FrameRow & { day: number; storedHours: number; readonly isPruned: boolean };
type SidedQuote = BookQuote & { side: "ask" | "bid" };

const place = "request body";
/** Age of the last frame at which a feed no longer gives prices. */
const frameMsMax = 30 * dayMs;

/** Reads the quotes of items as they were known at an instant, from recorded frames. */
export class KnownPrices {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Resolves the parameters of a request. The contract has already limited the ids.
   *
   * @throws {Failure} `unknown_provider`, `invalid_parameter` or `invalid_range`.
   */
  prepare({ body }: Params<"getMarketPricesKnownAt">, { caller, at, reference }: Asked): KnownQuery {
    const provider = reference.askedProvider(body.provider, place);
    const asked = { itemIds: body.item_ids, provider, side: body.side ?? null };
    // The Free plan is refused afterwards.
    if (caller.plan === "free") return { ...asked, knownAt: at };
    const { moments } = reference;
    const knownAt = resolveKnownAt(body.known_at, { caller, at, moments, needsFrame: true, where: place })!;
    this.#framesOf({ knownAt, provider });
    return { ...asked, knownAt };
  }

  /**
   * Returns the frames that counted at the instant, and one entry per id, in the order of the ids.
   *
   * @throws {Failure} `invalid_range` if the hours of a frame were removed since `prepare`.
   */
  read(query: KnownQuery): Read<"getMarketPricesKnownAt"> {
    const { knownAt, itemIds } = query;
    const frames = this.#framesOf(query);
    const replacedAt = this.#replacementsAfter(knownAt);
    const times = new ObservationTimes();
    const items = itemIds.map((itemId) => {
      const quotes = this.#quotesOf(frames, replacedAt, itemId, query);
      for (const { observedAt } of quotes) times.add(observedAt);
      return this.#entryOf(itemId, quotes, knownAt);
    });
    return {
      data: { currency: "USD", minor_units: 2, frames: frames.map(frameOf), items },
      meta: { known_at: toTimestamp(knownAt), ...times.meta(quotesFreshMs, knownAt) },
    };
  }

  /** Returns the frames of the requested feeds, and refuses an instant for which one has lost its quotes. */
  #framesOf({ knownAt, provider }: Pick<KnownQuery, "knownAt" | "provider">): LatestFrame[] {
    const feed = provider === null ? null : this.#parts.providers.feedOf(provider);
    const frames = this.#latest(knownAt).filter((frame) => feed === null || frame.feed === feed);
    const removed = frames.filter(({ isPruned }) => isPruned);
    if (removed.length > 0) throw notKnownBefore(Math.max(...removed.map((frame) => this.#firstAfter(frame))), place);
    return frames;
  }

  /** Returns the frame of the latest hour of each feed, among the frames recorded by `at`, by feed. */
  #latest(at: number): LatestFrame[] {
    const { frames, past, providers } = this.#parts;
    const found = new Map<string, LatestFrame>();
    const feedDays = frames.feedDays(dayOf(at - frameMsMax), dayOf(at)).reverse();
    for (const [day, ofDay] of Map.groupBy(feedDays, ({ day }) => day)) {
      const open = new Map(ofDay.filter(({ feed }) => !found.has(feed)).map((row) => [row.feed, row]));
      if (open.size === 0) continue;
      const first = day * hoursOfDay;
      for (const frame of past.frames(first, Math.min(first + hoursOfDay - 1, hourOf(at)), at)) {
        const row = open.get(frame.feed);
        // A later hour replaces an earlier one.
        if (row !== undefined && frame.retractedAt === null)
          found.set(frame.feed, { ...frame, day, storedHours: row.hours, isPruned: row.isPruned });
      }
    }
    return [...found.values()]
      .filter(({ feed, ingestedAt, checkedAt }) => {
        const droppedAt = providers.droppedAt(feed, at);
        return checkedAt >= at - frameMsMax && (droppedAt === null || droppedAt < ingestedAt);
      })
      .sort((one, other) => (one.feed < other.feed ? -1 : 1));
  }

  /** Returns the first instant (UTC ms) at which this frame no longer counts: a later one has quotes, or it is too old. */
  #firstAfter({ feed, hour, day, checkedAt }: LatestFrame): number {
    const { frames } = this.#parts;
    const tooOld = checkedAt + frameMsMax + 1;
    const days = frames.feedDays(day, dayOf(tooOld)).filter((row) => row.feed === feed && !row.isPruned);
    const unpruned = new Set(days.map((row) => row.day));
    const later = frames
      .frames(hour + 1, hourOf(tooOld))
      .filter((frame) => frame.feed === feed && unpruned.has(Math.floor(frame.hour / hoursOfDay)));
    return Math.min(tooOld, ...later.map(({ recordedAt }) => recordedAt));
  }

  /** Returns the frames that were replaced after `at`, as `feed hour`. Their earlier segments were kept. */
  #replacementsAfter(at: number): ReadonlySet<string> {
    const replaced = this.#parts.past.correctionsAfter(at).filter(({ replacedAt }) => (replacedAt ?? 0) > at);
    return new Set(replaced.map(({ feed, hour }) => `${feed} ${hour}`));
  }

  #quotesOf(
    frames: readonly LatestFrame[],
    replaced: ReadonlySet<string>,
    itemId: number,
    { provider: asked, side: only }: KnownQuery,
  ): SidedQuote[] {
    const segments = new Map<number, Map<string, Buffer>>();
    const { names } = this.#parts;
    return frames.flatMap((frame) => {
      const { feed, hour, day, storedHours } = frame;
      if (!segments.has(day)) segments.set(day, this.#segmentsOf(day, itemId));
      const segment = replaced.has(`${feed} ${hour}`)
        ? this.#parts.past.segmentBefore(hour, feed, itemId)
        : segments.get(day)!.get(feed);
      if (segment == null) return [];
      const isCounted = (ofDay: number) => ofDay <= hour % hoursOfDay && ((storedHours >> ofDay) & 1) === 1;
      const state = decodeSegment(segment).findLast((change) => isCounted(change.hour))?.state ?? [];
      return state
        .map(({ amount, ...quote }) => ({
          ...quote,
          provider: names.of(quote.provider),
          amountCents: amount,
          url: null,
        }))
        .filter(({ provider, side }) => (asked ?? provider) === provider && (only ?? side) === side);
    });
  }

  #segmentsOf(day: number, itemId: number): Map<string, Buffer> {
    return new Map(this.#parts.frames.segments(day, itemId).map(({ feed, changes }) => [feed, changes]));
  }

  #entryOf(itemId: number, quotes: readonly SidedQuote[], knownAt: number): Schema<"KnownPricesEntry"> {
    const naming = this.#parts.catalog.naming(itemId);
    const isKnown = quotes.length > 0 || (naming !== null && naming.firstSeenAt <= knownAt);
    const of = (side: SidedQuote["side"]) => quotes.filter((quote) => quote.side === side);
    const { asks, bids } = inOrder({ asks: of("ask"), bids: of("bid") });
    return {
      item_id: itemId,
      status: isKnown ? "found" : "not_found",
      asks: asks.map(quoteOf),
      bids: bids.map(quoteOf),
    };
  }
}

function frameOf({ feed, providers, hour, checkedAt, recordedAt }: LatestFrame): Schema<"KnownFrame"> {
  return {
    feed,
    providers: providers === null ? null : (JSON.parse(providers) as string[]),
    ts: toTimestamp(hour * hourMs),
    checked_at: toTimestamp(checkedAt),
    recorded_at: toTimestamp(recordedAt),
  };
}

function quoteOf({ provider, amountCents, quantity, observedAt }: BookQuote): Schema<"KnownQuote"> {
  return { provider, amount: amountCents, quantity, as_of: toTimestampOrNull(observedAt) };
}
