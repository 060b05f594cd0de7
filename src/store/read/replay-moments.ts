import type { Database } from "../database.ts";
import type { ReplayedFrame } from "./replay-frames.ts";

/** How a replay dates a frame: when its source was checked, or when the frame was recorded. */
export type ReplayBy = "checked" | "known";

/** A span of UTC ms, both ends included. */
export type ReplaySpan = { from: number; until: number };

/** A recorded change of the market at its instant, UTC ms. `recordedAt` and `checkedAt` are the recorded times of a frame. */
export type RecordedMoment = { at: number } & (
  | { kind: "frame"; feed: string; hour: number; checkedAt: number; recordedAt: number }
  | { kind: "replacement"; feed: string; hour: number; checkedAt: number; recordedAt: number }
  | { kind: "retraction"; feed: string; hour: number; reason: string }
  | { kind: "drop"; feed: string }
  | { kind: "import"; importId: number }
  | { kind: "rates" | "catalog" | "pools" | "index" | "members" | "returns" }
);

/** Order of kinds with one instant. A frame follows the items that it names. */
const kindOrder = [
  "catalog",
  "rates",
  "retraction",
  "frame",
  "replacement",
  "drop",
  "import",
  "index",
  "members",
  "pools",
  "returns",
] as const;

/** A day of a feed, in days since 1970. */
export type FeedDay = { day: number; feed: string };

/** Reads the recorded changes of an earlier span, for a replay. Not built by Drizzle: one union over many tables. */
export class ReplayMoments {
  readonly #client: Database["$client"];
  readonly #counted: string;

  constructor({ $client: client }: Database, by: ReplayBy) {
    this.#client = client;
    this.#counted = by === "checked" ? "checked_at" : "recorded_at";
  }

  /** Returns the instants of the first and the last frame, or null without frames. */
  recorded(): { first: number; last: number } | null {
    const query = `SELECT min(${this.#counted}) AS first, max(${this.#counted}) AS last FROM frames`;
    const found = this.#client.prepare<[], { first: number | null; last: number | null }>(query).get();
    return found?.first == null || found.last === null ? null : { first: found.first, last: found.last };
  }

  /** Returns the instant of the last recorded change. */
  last(): number {
    const corrections = "SELECT max(retracted_at, coalesce(replaced_at, 0)) AS at FROM frame_retractions";
    const last = [`SELECT ${this.#counted} AS at FROM frames`, corrections, ...otherMoments].map(
      (moments) => this.#client.prepare<[], number>(`SELECT coalesce(max(at), 0) FROM (${moments})`).pluck().get()!,
    );
    return Math.max(...last);
  }

  /** Returns the first instant with all replaced rows, UTC ms. */
  knownSince(): number {
    return this.#client.prepare<[], number>("SELECT known_since FROM market_state").pluck().get()!;
  }

  /** Returns whether a frame is recorded in the span, without its begin. */
  hasFrames(span: ReplaySpan): boolean {
    const query = `SELECT 1 FROM frames WHERE ${this.#counted} > @from AND ${this.#counted} <= @until LIMIT 1`;
    return this.#client.prepare<unknown[], number>(query).get(span) !== undefined;
  }

  /** Returns whether rows that frames do not give were written in the span, without its begin. They may have replaced others. */
  hasOverwritten(span: ReplaySpan): boolean {
    const written = [
      ["daily_prices WHERE import_id IS NOT NULL AND", "recorded_at"],
      ["exchange_rates WHERE", "recorded_at"],
      ["items WHERE", "updated_at"],
      ["roi_history WHERE", "recorded_at"],
    ];
    return written.some(([rows, at]) => {
      const query = `SELECT 1 FROM ${rows} ${at} > @from AND ${at} <= @until LIMIT 1`;
      return this.#client.prepare<unknown[], unknown>(query).get(span) !== undefined;
    });
  }

  /** Returns a pruned feed day that changed in or after the span, or null. Its frames are no longer known. */
  prunedDay({ from, until }: ReplaySpan): FeedDay | null {
    const query = `SELECT t.day, t.feed FROM (${touchedDays(this.#counted)}) t JOIN feed_days d ON d.day = t.day AND d.feed = t.feed
      WHERE d.pruned_at IS NOT NULL AND t.day <= @lastDay ORDER BY t.day LIMIT 1`;
    return (
      this.#client.prepare<unknown[], FeedDay>(query).get({ from, lastDay: Math.floor(until / 86_400_000) }) ?? null
    );
  }

  /** Returns the changes of a span without `from`, in order. */
  within(span: ReplaySpan): RecordedMoment[] {
    return inOrder([...this.#ofFrames("@at > @from AND @at <= @until", span), ...this.#ofOthers(span)]);
  }

  /** Returns the changes of feed days up to `from`, in order. */
  beforeOf(days: readonly FeedDay[], from: number): RecordedMoment[] {
    const keys = new Set(days.map(({ day, feed }) => `${day} ${feed}`));
    const found = this.#ofFrames("@at <= @until AND hour / 24 IN (SELECT value FROM json_each(@days))", {
      until: from,
      days: JSON.stringify([...new Set(days.map(({ day }) => day))]),
    });
    return inOrder(found.filter((one) => "hour" in one && keys.has(`${Math.floor(one.hour / 24)} ${one.feed}`)));
  }

  /** Returns the last frame of each feed at `from` with its instant, in order, unless the feed was dropped after it. */
  lastOfFeeds(from: number): (ReplayedFrame & { at: number })[] {
    const query = `SELECT feed, hour, at, max(checked_at) AS checkedAt, isReplacement FROM (
        SELECT feed, hour, ${this.#counted} AS at, checked_at, 0 AS isReplacement FROM frames WHERE at <= @from
        UNION ALL SELECT feed, hour, replaced_at, checked_at, 1 FROM frame_retractions WHERE replaced_at <= @from) k
      GROUP BY feed
      HAVING at > coalesce((SELECT max(dropped_at) FROM feed_drops d WHERE d.feed = k.feed AND dropped_at <= @from), -1)
      ORDER BY at, feed`;
    type Row = { at: number; feed: string; hour: number; isReplacement: number };
    const rows = this.#client.prepare<unknown[], Row>(query).all({ from });
    return rows.map(({ at, feed, hour, isReplacement }) => ({ at, feed, hour, isReplacement: isReplacement === 1 }));
  }

  #ofFrames(where: string, values: object): RecordedMoment[] {
    const at = (column: string) => where.replaceAll("@at", column);
    const frames = `SELECT 'frame' AS kind, ${this.#counted} AS at, feed, hour, checked_at AS checkedAt, recorded_at AS recordedAt
      FROM frames WHERE ${at(this.#counted)}`;
    const replacements = `SELECT 'replacement' AS kind, replaced_at AS at, feed, hour, checked_at AS checkedAt, replaced_at AS recordedAt
      FROM frame_retractions WHERE ${at("replaced_at")}`;
    const retractions = `SELECT 'retraction' AS kind, retracted_at AS at, feed, hour, reason FROM frame_retractions WHERE ${at("retracted_at")}`;
    return [frames, replacements, retractions].flatMap((query) =>
      this.#client.prepare<unknown[], RecordedMoment>(query).all(values),
    );
  }

  #ofOthers(span: ReplaySpan): RecordedMoment[] {
    return otherMoments.flatMap((query) =>
      this.#client
        .prepare<unknown[], RecordedMoment>(`SELECT DISTINCT * FROM (${query}) WHERE at > @from AND at <= @until`)
        .all(span),
    );
  }
}

/** Query of the feed days with a frame, retraction or replacement after `@from`. */
export function touchedDays(counted: string): string {
  return `SELECT hour / 24 AS day, feed FROM frames WHERE max(${counted}, recorded_at) > @from
    UNION SELECT hour / 24, feed FROM frame_retractions WHERE max(retracted_at, coalesce(replaced_at, 0)) > @from`;
}

const otherMoments = [
  "SELECT 'drop' AS kind, dropped_at AS at, feed FROM feed_drops",
  "SELECT 'import' AS kind, imported_at AS at, import_id AS importId FROM daily_imports",
  "SELECT 'rates' AS kind, recorded_at AS at FROM exchange_rates UNION SELECT 'rates', recorded_at FROM exchange_rates_past",
  `SELECT 'catalog' AS kind, first_seen_at AS at FROM items UNION SELECT 'catalog', updated_at FROM items WHERE updated_at IS NOT NULL
     UNION SELECT 'catalog', superseded_at FROM items_past`,
  "SELECT 'pools' AS kind, published_at AS at FROM pool_revisions UNION SELECT 'pools', changed_at FROM openables",
  "SELECT 'index' AS kind, defined_at AS at FROM indexes",
  "SELECT 'members' AS kind, recorded_at AS at FROM index_memberships",
  "SELECT 'returns' AS kind, calculated_at AS at FROM roi_runs",
];

function inOrder(moments: RecordedMoment[]): RecordedMoment[] {
  const place = (one: RecordedMoment) => kindOrder.indexOf(one.kind);
  const name = (one: RecordedMoment) => ("feed" in one ? one.feed : "");
  return moments.sort(
    (one, other) =>
      one.at - other.at ||
      place(one) - place(other) ||
      (name(one) < name(other) ? -1 : name(one) > name(other) ? 1 : 0),
  );
}
