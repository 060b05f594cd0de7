import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import {
  type FrameContent,
  type FrameOutcome,
  type FrameTimes,
  recordFrameInBatches,
} from "../../../src/import/quotes/record-frame.ts";
import { decodeFrameNames } from "../../../src/store/codec/frame-names.ts";
import { decodeSegment, type FrameQuote } from "../../../src/store/codec/frame-segment.ts";
import { type Database, openReader, openWriter } from "../../../src/store/database.ts";
import { FramesStore } from "../../../src/store/read/frames.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import type { Clock } from "../../../src/values/time/clock.ts";
import type { Book } from "../../../src/wire/quotes.ts";
import { newDatabase, temporaryFolder } from "../../support/files.ts";

/** Time that passes so fast that every transaction of a recording holds a single row. */
export const hastyClock: Clock = {
  now: () => 0,
  monotonicMs: (() => {
    let ms = 0;
    return () => (ms += 100);
  })(),
};

/** A quote by the name of its provider. */
export type NamedQuote = Omit<FrameQuote, "provider"> & { provider: string };
export type NamedState = readonly NamedQuote[] | null;

/** Providers that a frame covers, and the names without an item, both ascending. Null for too many names. */
export type Memory = { providers: readonly string[]; refused: readonly string[] | null };

/** A file with the feeds `alpha` (providers a1 to a5) and `beta` (b1 to b5), and items 1 to `itemCount`. */
export class FrameWorld {
  readonly #folder = temporaryFolder();
  readonly path = join(this.#folder, "market.db");
  readonly writer: Database;
  readonly reader: Database;
  readonly store: FramesStore;

  constructor(itemCount: number) {
    newDatabase(this.path);
    this.writer = openWriter(this.path, 1000);
    this.reader = openReader(this.path);
    this.store = new FramesStore(this.reader);
    // No test here pulls the plug: a crash is a recording that is given up.
    this.writer.$client.pragma("synchronous = 0");
    this.writer.$client.transaction(() => this.#fill(itemCount))();
  }

  /** Records a frame, or gives up after `stepsMax` transactions and returns null. */
  record(content: FrameContent, times: FrameTimes, stepsMax = Number.POSITIVE_INFINITY): FrameOutcome | null {
    const steps = recordFrameInBatches(this.writer, content, times, { clock: hastyClock });
    for (let taken = 0; taken < stepsMax; taken += 1) {
      const { done, value } = steps.next();
      if (done) return value;
    }
    return null;
  }

  /** The state of an item in the stored frame of this hour. Undefined if the hour has no frame of this feed. */
  stateAt(hour: number, feed: string, itemId: number): NamedState | undefined {
    const day = Math.floor(hour / 24);
    const stored = this.store.feedDays(day, day).find((row) => row.feed === feed)?.hours ?? 0;
    if (((stored >> (hour % 24)) & 1) === 0) return undefined;
    const segment = this.store.segments(day, itemId).find((row) => row.feed === feed);
    const counting = (segment === undefined ? [] : decodeSegment(segment.changes)).filter(
      (change) => ((stored >> change.hour) & 1) === 1 && change.hour <= hour % 24,
    );
    return this.#named(counting.at(-1)?.state ?? null);
  }

  /** Returns the metadata of the stored frame of this hour. Undefined if the hour has no frame of this feed. */
  memoryAt(hour: number, feed: string): Memory | undefined {
    const frame = this.store.frames(hour, hour).find((row) => row.feed === feed);
    if (frame === undefined) return undefined;
    const providers = JSON.parse(frame.providers!) as string[];
    if (frame.refusedNames === null) return { providers, refused: null };
    const stored = this.store.names(Math.floor(hour / 24), feed);
    const nameIds = decodeFrameNames(stored!).find((names) => names.hour === hour % 24)!.nameIds;
    expect(nameIds).to.have.length(frame.refusedNames);
    const names = this.reader.$client.prepare("SELECT name FROM refused_names WHERE name_id = ? AND feed = ?").pluck();
    return { providers, refused: nameIds.map((nameId) => names.get(nameId, feed) as string).sort() };
  }

  remove(): void {
    this.reader.$client.close();
    this.writer.$client.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #named(state: readonly FrameQuote[] | null): NamedState {
    const names = new Map(this.store.providers().map(({ number, provider }) => [number, provider]));
    return state?.map((quote) => ({ ...quote, provider: names.get(quote.provider)! })) ?? null;
  }

  #fill(itemCount: number): void {
    const { $client } = this.writer;
    for (const feed of ["alpha", "beta"]) {
      $client.prepare("INSERT INTO feeds(feed, adapter) VALUES (?, 'canonical')").run(feed);
      for (let n = 1; n <= 5; n += 1) {
        $client
          .prepare(
            "INSERT INTO providers (provider, name, kind, feed, has_asks, has_bids, active) VALUES (?, 'P', 'cash', ?, 1, 1, 1)",
          )
          .run(`${feed[0]}${n}`, feed);
      }
    }
    $client.exec(
      "INSERT INTO frame_providers SELECT provider, row_number() OVER (ORDER BY provider) - 1 FROM providers",
    );
    const item = $client.prepare(
      `INSERT INTO items(item_id, identity_key, market_hash_name, slug, identity, origin, in_catalog, first_seen_at, search_text)
       VALUES (?, ?, ?, ?, 'exact', 'catalog', 1, 1, '')`,
    );
    for (let id = 1; id <= itemCount; id += 1) item.run(id, `key ${id}`, `Item ${id}`, `item-${id}`);
  }
}

/** A frame of `feed` from states by item id: null leaves the item out, `[]` names it without a price. */
export function contentOf(
  feed: string,
  states: ReadonlyMap<number, NamedState>,
  memory: Partial<Memory> = {},
): FrameContent {
  const items = new Map<number, Book>();
  const itemsWithoutQuote = new Set<number>();
  for (const [itemId, state] of states) {
    if (state?.length === 0) itemsWithoutQuote.add(itemId);
    if (!state?.length) continue;
    const of = (wanted: NamedQuote["side"]) =>
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
  const slugs = memory.providers ?? [1, 2, 3, 4, 5].map((n) => `${feed[0]}${n}`);
  const refusedNames =
    memory.refused === undefined ? [] : (memory.refused?.map((name) => ({ name, phase: "" })) ?? null);
  return {
    facts: { feed, providers: slugs.map((provider) => ({ provider })) },
    items,
    itemsWithoutQuote,
    refusedNames,
  };
}

/** Times of a frame that is verified `intoMs` into the hour. */
export function timesOf(hour: number, intoMs = 0, verifiedBy: FrameTimes["verifiedBy"] = "body"): FrameTimes {
  const checkedAt = hour * hourMs + intoMs;
  return { verifiedBy, ingestedAt: checkedAt - 1000, checkedAt, recordedAt: checkedAt + 5 };
}
