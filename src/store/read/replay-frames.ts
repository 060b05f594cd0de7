import { hoursOfDay } from "../../values/time/calendar.ts";
import type { Book, BookQuote } from "../../wire/quotes.ts";
import { inOrder } from "../../wire/quotes.ts";
import { decodeFrameNames } from "../codec/frame-names.ts";
import { decodeSegment, type ItemState } from "../codec/frame-segment.ts";
import type { Database } from "../database.ts";
import type { ProviderFacts } from "../write/feeds.ts";
import { FramesStore } from "./frames.ts";
import { KnownFramesStore } from "./known-frames.ts";

/** A frame of a feed in an hour (since 1970). `isReplacement` selects the frame that took the place of a retracted one. */
export type ReplayedFrame = { feed: string; hour: number; isReplacement: boolean };

/** The content of a frame and its recorded times, UTC ms. `refusedNames` is null if the names are unknown. */
export type FrameOfHour = {
  facts: { feed: string; adapter: string; providers: ProviderFacts[] };
  items: Map<number, Book>;
  itemsWithoutQuote: Set<number>;
  refusedNames: { name: string; phase: string }[] | null;
  verifiedBy: "body" | "not_modified";
  ingestedAt: number;
  checkedAt: number;
};

type FrameFacts = Pick<FrameOfHour, "verifiedBy" | "ingestedAt" | "checkedAt"> & {
  providers: string | null;
  refusedNames: number | null;
  isReplaced: number;
  hours: number;
};

/** Reads whole frames of a file, one at a time, for a replay. Not built by Drizzle: the two tables of segments have the same columns. */
export class ReplayFrames {
  readonly #frames: FramesStore;
  readonly #known: KnownFramesStore;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#frames = new FramesStore(database);
    this.#known = new KnownFramesStore(database);
    this.#statements = prepare(database);
  }

  /** Reads a frame. The feed and hour must have one. */
  read({ feed, hour, isReplacement }: ReplayedFrame): FrameOfHour {
    const { first, replacement, kept, current } = this.#statements;
    const facts = (isReplacement ? replacement : first).get({ feed, hour });
    if (facts === undefined) throw new Error(`feed ${feed} has no frame in hour ${hour}`);
    const { verifiedBy, ingestedAt, checkedAt, hours } = facts;
    const isBefore = !isReplacement && facts.isReplaced === 1;
    const day = Math.floor(hour / hoursOfDay);
    const segments = isBefore ? kept.iterate({ feed, hour }) : current.iterate({ feed, day });
    const slugs = new Map(this.#frames.providers().map(({ number, provider }) => [number, provider]));
    const items = new Map<number, Book>();
    const itemsWithoutQuote = new Set<number>();
    for (const { itemId, changes } of segments) {
      const state = stateAt(changes, hour % hoursOfDay, hours);
      if (state?.length === 0) itemsWithoutQuote.add(itemId);
      else if (state !== null) items.set(itemId, bookOf(state, slugs));
    }
    const named = isBefore ? this.#known.namesBefore(hour, feed) : this.#frames.names(day, feed);
    const refusedNames = facts.refusedNames === null ? null : this.#namesIn(named, hour % hoursOfDay);
    return {
      facts: this.#facts(feed, facts.providers),
      items,
      itemsWithoutQuote,
      refusedNames,
      verifiedBy,
      ingestedAt,
      checkedAt,
    };
  }

  #facts(feed: string, covered: string | null): FrameOfHour["facts"] {
    const known = this.#statements.providers.all(feed);
    const slugs = covered === null ? null : new Set(JSON.parse(covered) as string[]);
    const providers = known.filter(({ provider }) => slugs === null || slugs.has(provider));
    return { feed, adapter: this.#statements.adapter.get(feed) ?? "", providers };
  }

  #namesIn(encoded: Buffer | null, hour: number): { name: string; phase: string }[] {
    const found = encoded === null ? undefined : decodeFrameNames(encoded).find((one) => one.hour === hour);
    return (found?.nameIds ?? []).map((id) => this.#statements.name.get(id)!);
  }
}

/** Returns the state of an item at an hour of the day. Entries of hours without a frame are ignored. */
function stateAt(changes: Buffer, hour: number, hours: number): ItemState {
  return decodeSegment(changes).findLast((one) => one.hour <= hour && ((hours >> one.hour) & 1) === 1)?.state ?? null;
}

function bookOf(state: NonNullable<ItemState>, slugs: ReadonlyMap<number, string>): Book {
  const book: Book = { asks: [], bids: [] };
  for (const { provider, side, amount, quantity, observedAt } of state) {
    const quote: BookQuote = { provider: slugs.get(provider)!, amountCents: amount, quantity, url: null, observedAt };
    book[side === "ask" ? "asks" : "bids"].push(quote);
  }
  return inOrder(book);
}

type Key = { feed: string; hour: number };
type Segment = { itemId: number; changes: Buffer };

function prepare({ $client: client }: Database) {
  const frame = (facts: string, where: string) =>
    client.prepare<Key, FrameFacts>(
      `SELECT f.verified_by AS verifiedBy, ${facts}, d.hours FROM frames f JOIN feed_days d ON d.day = f.hour / 24 AND d.feed = f.feed
       LEFT JOIN frame_retractions r ON r.hour = f.hour AND r.feed = f.feed WHERE f.hour = @hour AND f.feed = @feed ${where}`,
    );
  const facts = (table: string) =>
    `coalesce(${table}.ingested_at, f.ingested_at) AS ingestedAt, ${table}.checked_at AS checkedAt, ${table}.providers,
     ${table}.refused_names AS refusedNames, r.replaced_at IS NOT NULL AS isReplaced`;
  return {
    first: frame(facts("f"), ""),
    replacement: frame(facts("r"), "AND r.replaced_at IS NOT NULL"),
    kept: client.prepare<Key, Segment>(
      "SELECT item_id AS itemId, changes FROM retracted_segments WHERE hour = @hour AND feed = @feed AND item_id > 0 ORDER BY item_id",
    ),
    current: client.prepare<{ feed: string; day: number }, Segment>(
      "SELECT item_id AS itemId, changes FROM frame_segments WHERE day = @day AND feed = @feed ORDER BY item_id",
    ),
    name: client.prepare<[number], { name: string; phase: string }>(
      "SELECT name, phase FROM refused_names WHERE name_id = ?",
    ),
    adapter: client.prepare<[string], string>("SELECT adapter FROM feeds WHERE feed = ?").pluck(),
    providers: client.prepare<[string], ProviderFacts>(
      "SELECT provider, name, kind, price_ceiling_cents FROM providers WHERE feed = ? ORDER BY provider",
    ),
  };
}
