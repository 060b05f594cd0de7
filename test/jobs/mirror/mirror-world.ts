import { guardDefaults } from "../../../src/import/guards/findings.ts";
import type { BodyReader } from "../../../src/jobs/mirror/body/body-reader.ts";
import { Mirror } from "../../../src/jobs/mirror/mirror.ts";
import type { FeedConfig } from "../../../src/jobs/mirror/mirror-config.ts";
import { type MirrorEventName, sendingEvents } from "../../../src/jobs/mirror/mirror-events.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import type { Clock } from "../../../src/values/time/clock.ts";
import { QuoteWorld, worldAt } from "../../import/quotes/quote-world.ts";
import { FeedServer } from "./feed-server.ts";

export { canonicalBody, steamBody } from "../../support/bodies.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
export type Reported = { event: MirrorEventName; facts: any };

export const limits = { timeoutMs: 20_000, stallMs: 10_000, bytesMax: 1024 * 1024 };

/** A file with eight items, or the requested number. With a source beside it and a mirror with a stopped clock. */
export class MirrorWorld {
  readonly file: QuoteWorld;
  readonly server = new FeedServer();
  readonly reported: Reported[] = [];
  at = worldAt;
  elapsedMs = 0;
  publishEveryMs = hourMs / 12;
  /** Limit of the bodies of all feeds, or null for the program's default. */
  bodiesBytesMax: number | null = null;
  /** Limit of the cached data of all feeds, or null for the program's default. */
  cachedBytesMax: number | null = null;
  /** Reads bodies in another process, or null to read them in this one. */
  reader: BodyReader | null = null;
  readonly clock: Clock = { now: () => this.at, monotonicMs: () => this.elapsedMs };
  readonly ending = new AbortController();
  /** Called between two transactions. */
  onPause: () => void = () => undefined;
  /** Called in the mirror's thread with each event. */
  onReport: (event: MirrorEventName) => void = () => undefined;
  #mirror: Mirror | null = null;

  constructor(items = 8) {
    this.file = new QuoteWorld(Array.from({ length: items }, () => ({})));
  }

  /** The mirror, made at the first call. */
  get mirror(): Mirror {
    if (this.#mirror === null) throw new Error("the world mirrors nothing yet");
    return this.#mirror;
  }

  get path(): string {
    return this.file.path;
  }

  /** A mirror of these feeds, as a start of the program makes it. */
  restart(...feeds: FeedConfig[]): Mirror {
    this.#mirror = new Mirror(feeds, {
      databasePath: this.path,
      clock: this.clock,
      events: sendingEvents((message) => {
        this.reported.push(message as Reported);
        this.onReport(message.event);
      }),
      signal: this.ending.signal,
      publishEveryMs: this.publishEveryMs,
      ...(this.bodiesBytesMax === null ? {} : { bodiesBytesMax: this.bodiesBytesMax }),
      ...(this.cachedBytesMax === null ? {} : { cachedBytesMax: this.cachedBytesMax }),
      ...(this.reader === null ? {} : { reader: this.reader }),
      chance: () => 0,
      pause: async () => this.onPause(),
    });
    return this.#mirror;
  }

  /** A feed that polls the server every hour. */
  feed(more: Partial<FeedConfig> = {}): FeedConfig {
    return {
      feed: "steam",
      adapter: "steam",
      source: { kind: "http", url: this.server.url },
      intervalMs: hourMs,
      providers: null,
      limits,
      guards: guardDefaults,
      ...more,
    };
  }

  advance(ms: number): void {
    this.at += ms;
    this.elapsedMs += ms;
  }

  /** Moves time and polls the feeds that are due by then. */
  async turnAfter(ms: number): Promise<void> {
    this.advance(ms);
    await this.mirror.turn();
  }

  /** Returns the events since the last call, of the kinds given. */
  take(...kinds: MirrorEventName[]): Reported[] {
    return this.reported.splice(0).filter(({ event }) => kinds.length === 0 || kinds.includes(event));
  }

  digest(): string {
    return this.file.logicalDigest();
  }

  frames(): { feed: string; hour: number; by: string; ingested: number; checked: number; items: number }[] {
    return this.file.all(
      "SELECT feed, hour, verified_by AS by, ingested_at AS ingested, checked_at AS checked, items FROM frames ORDER BY hour, feed",
    );
  }

  /** The published generation and the best asks in it, by item. */
  published(): { generation: number | null; asks: Record<number, number> } {
    const generation = this.file.all<{ id: number | null }>("SELECT current_generation_id AS id FROM market_state")[0]!
      .id;
    const rows = this.file.all<{ item: number; cents: number }>(
      "SELECT item_id AS item, ask_cents AS cents FROM best_asks ORDER BY 1",
    );
    return { generation, asks: Object.fromEntries(rows.map(({ item, cents }) => [item, cents])) };
  }

  /** Returns the published bids in cents by item. */
  bids(): Record<number, number> {
    const sql = "SELECT item_id AS item, bid_cents AS cents FROM quotes WHERE bid_cents IS NOT NULL ORDER BY 1";
    return Object.fromEntries(
      this.file.all<{ item: number; cents: number }>(sql).map(({ item, cents }) => [item, cents]),
    );
  }

  checkedAt(feed = "steam"): number | null {
    return (
      this.file.all<{ at: number | null }>(`SELECT checked_at AS at FROM feeds WHERE feed = '${feed}'`)[0]?.at ?? null
    );
  }

  async stop(): Promise<void> {
    this.ending.abort();
    await this.server.stop();
    this.file.destroy();
  }
}
