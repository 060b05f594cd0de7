import type { Database } from "../../store/database.ts";
import { CatalogStore } from "../../store/read/catalog.ts";
import { FramesStore } from "../../store/read/frames.ts";
import { GenerationsStore } from "../../store/read/generations.ts";
import { type BatchStats, pauseAfter, runBatches } from "../../store/write/batches.ts";
import { DataEvents } from "../../store/write/data-events.ts";
import { type FeedTimes, FeedWriter } from "../../store/write/feeds.ts";
import { finishDaysInBatches } from "../../store/write/seal-days.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { silent } from "../../values/progress.ts";
import { dayOf, hourOf, minuteMs, secondMs } from "../../values/time/calendar.ts";
import { toTimestamp } from "../../values/time/clock.ts";
import { readFeedFile, refusedFile } from "../feed-file.ts";
import { believableSaveTime } from "../guards/body.ts";
import { findingTexts, type GuardName, guardDefaults, movesMax } from "../guards/findings.ts";
import { importing } from "../run-import.ts";
import { type AcceptedFeed, acceptFeedInBatches, type BodyMoves } from "./accept-feed.ts";
import { type AdapterName, readFeed } from "./adapters.ts";
import type { FeedBefore } from "./compared-books.ts";
import { ItemNames } from "./name-index.ts";
import { type RefusalCount, Refusals } from "./observation.ts";
import { isPublished, publishInBatches } from "./publish.ts";
import type { ImportParts } from "./quote-import.ts";
import { recordFrameInBatches } from "./record-frame.ts";

export type ReplayOptions = {
  adapter: AdapterName;
  /** Guards that the operator allows any of the files to break. */
  accepted?: readonly GuardName[];
};

/** Result of a replay. */
export type ReplayReport = {
  feed: string;
  files: number;
  /** Number of recorded frames, and of files for an hour that already had a frame. The first frame of an hour stays. */
  recorded: number;
  hoursTaken: number;
  /**
   * Number of published generations, of bodies with already published quotes, and of bodies that a newer one replaced before publication.
   */
  published: number;
  unchanged: number;
  overtaken: number;
  /** Number of bodies that are not newer than the feed's content. They are recorded, but never published. */
  late: number;
  feedDerivedItems: number;
  refused: readonly RefusalCount[];
  /** Number of files that a guard did not judge for lack of data, by guard. */
  notJudged: Readonly<Partial<Record<GuardName, number>>>;
  /** Findings of guards in accepted files, such as `prices.json: guard price_jumps (threshold 10): …`. */
  named: readonly string[];
  /** The changes of all files together, and the largest moves between consecutive files. */
  moves: BodyMoves;
  finalizedDays: number;
  seconds: number;
  /** Longest time that the write lock was held, in ms. */
  lockHeldMsMax: number;
};

/** Minimum time between two publications of one feed. */
export const publishEveryMs = 5 * minuteMs;

const pauseDueMs = 5;

type SavedFile = { path: string; savedAt: number };
type SavedFiles = { feed: string; files: readonly SavedFile[] };

/**
 * Replays saved bodies of one source as a mirror would have seen them, in order of the source's save times. These times determine hours and
 * publications. Publications and frames are stamped with the real time. All files are read before the first write. A rejected body is
 * neither published nor recorded, and ends the replay.
 * @throws {OperatorError} when a file is rejected. The message gives the number of older files that were replayed.
 * @throws {StoreRefusal} when the database file cannot be used.
 */
export async function replayFrames(
  databasePath: string,
  paths: readonly string[],
  options: ReplayOptions,
  parts: ImportParts,
): Promise<ReplayReport> {
  const { clock, progress = silent } = parts;
  const startedMs = clock.monotonicMs();
  try {
    return await importing(databasePath, async (database) => {
      progress.phase("reading", paths.length);
      const { feed, files } = await inSavedOrder(paths, options.adapter, parts);
      const replay = new Replay(database, feed, options, parts);
      progress.phase("replaying", files.length);
      for (const file of files) {
        await replay.accept(file);
        progress.advance(1);
      }
      const report = await replay.finish();
      return { ...report, seconds: (clock.monotonicMs() - startedMs) / 1000 };
    });
  } finally {
    progress.end();
  }
}

async function inSavedOrder(
  paths: readonly string[],
  adapter: AdapterName,
  { clock, progress = silent }: ImportParts,
): Promise<SavedFiles> {
  const now = clock.now();
  const files: SavedFile[] = [];
  let feed = "";
  for (const path of paths) {
    const { facts, savedAt } = readFeed(adapter, await readFeedFile(path), now);
    if (savedAt === null) throw refusedFile(path, `the ${adapter} shape has no save time`);
    refuseFuture(path, savedAt, now);
    files.push({ path, savedAt });
    feed = facts.feed;
    progress.advance(1);
  }
  return { feed, files: files.sort((a, b) => a.savedAt - b.savedAt) };
}

/**
 * Applies the guard `future_time` with its default threshold. It cannot be overridden, because a replay relies on the files' save times.
 */
function refuseFuture(path: string, savedAt: number, now: number): void {
  if (believableSaveTime(savedAt, now) !== null) return;
  const ahead = Math.round((savedAt - now) / secondMs);
  throw refusedFile(
    path,
    `guard future_time (threshold ${guardDefaults.future_time}): its save time is ${toTimestamp(savedAt)}, ${ahead} s in the future; a replay orders files by save time, so it cannot be accepted`,
  );
}

/** One run over a feed. A body that is not due for publication waits until it is due or a newer body replaces it. */
class Replay {
  readonly #database: Database;
  readonly #feed: string;
  readonly #options: ReplayOptions;
  readonly #parts: ImportParts;
  readonly #log: DataEvents;
  readonly #refusals = new Refusals();
  readonly #notJudged: Partial<Record<GuardName, number>> = {};
  readonly #named: string[] = [];
  #moves: BodyMoves = { came: 0, changed: 0, went: 0, largest: [] };
  readonly #counts = { files: 0, recorded: 0, hoursTaken: 0, published: 0, unchanged: 0, overtaken: 0, late: 0 };
  #feedDerivedItems = 0;
  #lockHeldMsMax = 0;
  #last: AcceptedFeed | null = null;
  #waiting: AcceptedFeed | null = null;
  /** Time of the last publication by the files' save times, UTC ms. */
  #publishedAt: number | null;

  constructor(database: Database, feed: string, options: ReplayOptions, parts: ImportParts) {
    this.#database = database;
    this.#feed = feed;
    this.#log = new DataEvents(database);
    this.#options = options;
    this.#publishedAt = new GenerationsStore(database).current()?.ingestedAt ?? null;
    const pause = pauseWhenDue(parts.pause);
    this.#parts = { ...parts, names: new ItemNames(), progress: silent, pause };
  }

  /** Accepts the next file. Publishes it if it is due, and records the frame of its hour if that hour has none. */
  async accept(file: SavedFile): Promise<void> {
    const { savedAt } = file;
    if (this.#waiting !== null && this.#dueAt(this.#waiting.takenAt) < savedAt) await this.#publishWaiting();
    const acceptedFeed = await this.#acceptFeed(file);
    this.#counts.files += 1;
    this.#feedDerivedItems += acceptedFeed.summary.feedDerivedItems;
    this.#refusals.addAll(acceptedFeed.refusals);
    for (const { guard, verdict } of acceptedFeed.summary.guards) {
      if (verdict === "not_judged") this.#notJudged[guard] = 1 + (this.#notJudged[guard] ?? 0);
    }
    for (const text of findingTexts(acceptedFeed.summary.guards, "named")) this.#named.push(`${file.path}: ${text}`);
    this.#moves = addMoves(this.#moves, acceptedFeed.summary.moves);
    const isLate = this.#isLate(savedAt);
    if (isLate) this.#counts.late += 1;
    await this.#record(acceptedFeed, isLate ? null : await this.#publishInTurn(acceptedFeed));
    this.#last = acceptedFeed;
  }

  async finish(): Promise<Omit<ReplayReport, "seconds">> {
    const { clock } = this.#parts;
    if (this.#waiting !== null) await this.#publishWaiting();
    const today = dayOf(clock.now());
    const finalized = await this.#run(finishDaysInBatches(this.#database, today, clock, this.#parts));
    return {
      feed: this.#feed,
      ...this.#counts,
      feedDerivedItems: this.#feedDerivedItems,
      refused: this.#refusals.list(),
      notJudged: this.#notJudged,
      named: this.#named,
      moves: this.#moves,
      finalizedDays: finalized.days,
      lockHeldMsMax: this.#lockHeldMsMax,
    };
  }

  async #acceptFeed({ path, savedAt }: SavedFile): Promise<AcceptedFeed> {
    const body = await readFeedFile(path);
    const options = { ...this.#options, isDated: true, before: this.#before(savedAt), acceptCommand };
    try {
      const acceptedFeed = await this.#run(acceptFeedInBatches(this.#database, body, options, this.#parts));
      if (acceptedFeed.savedAt === savedAt) return acceptedFeed;
      throw refusedFile(path, "it changed while it was read");
    } catch (error) {
      if (error instanceof OperatorError)
        error.message += `; the replay stopped here, after ${this.#counts.files} older files`;
      throw error;
    }
  }

  /**
   * Returns the reference for the guards: the previous file. The first file is compared with the published quotes, or, if it is late, with
   * the item count of the preceding frame.
   */
  #before(savedAt: number): FeedBefore | undefined {
    if (this.#last !== null) return { items: this.#last.items, itemCount: this.#last.summary.items };
    if (!this.#isLate(savedAt)) return undefined;
    return { items: null, itemCount: new FramesStore(this.#database).itemsBefore(this.#feed, hourOf(savedAt)) };
  }

  #isLate(at: number): boolean {
    const { checkedAt, savedAt: stored } = this.#times();
    const savedAt = believableSaveTime(stored, this.#parts.clock.now());
    return (checkedAt !== null && at <= checkedAt) || (savedAt !== null && at < savedAt);
  }

  #times(): FeedTimes {
    return new FeedWriter(this.#database).times(this.#feed);
  }

  /** Publishes the body if it is due. Returns the publication time of its quotes, or null if they are not published yet. */
  async #publishInTurn(acceptedFeed: AcceptedFeed): Promise<number | null> {
    if (this.#waiting !== null) this.#counts.overtaken += 1;
    this.#waiting = acceptedFeed;
    if (this.#dueAt(acceptedFeed.takenAt) <= acceptedFeed.takenAt) await this.#publishWaiting();
    else if (this.#isOfLastHour(acceptedFeed) || !isPublished(this.#database, acceptedFeed)) return null;
    return this.#times().ingestedAt;
  }

  /** Returns whether the hour certainly has a frame, so that the publication time is not needed. */
  #isOfLastHour({ takenAt }: AcceptedFeed): boolean {
    return this.#last !== null && hourOf(this.#last.takenAt) === hourOf(takenAt);
  }

  async #publishWaiting(): Promise<void> {
    const { facts, items, takenAt, savedAt } = this.#waiting!;
    this.#waiting = null;
    const dueAt = this.#dueAt(takenAt);
    const { outcome, tooLarge } = await this.#run(
      publishInBatches(this.#database, [{ facts, items, checkedAt: takenAt, savedAt }], this.#parts),
    );
    if (outcome === "published") this.#publishedAt = dueAt;
    this.#counts[outcome === "published" ? "published" : "unchanged"] += 1;
    const catalog = new CatalogStore(this.#database);
    for (const itemId of tooLarge) this.#refusals.add("record_too_large", catalog.marketName(itemId) ?? `${itemId}`);
  }

  async #record(acceptedFeed: AcceptedFeed, publishedAt: number | null): Promise<void> {
    const { takenAt } = acceptedFeed;
    const recordedAt = this.#parts.clock.now();
    const ingestedAt = publishedAt ?? recordedAt;
    const times = { verifiedBy: "body" as const, ingestedAt, checkedAt: takenAt, recordedAt };
    const { outcome } = await this.#run(
      recordFrameInBatches(this.#database, acceptedFeed, times, { ...this.#parts, isSavedBody: true, log: this.#log }),
    );
    this.#counts[outcome === "recorded" ? "recorded" : "hoursTaken"] += 1;
  }

  /**
   * Returns the earliest publication time of a body taken at `takenAt`, UTC ms: at once, or one interval after the previous publication.
   */
  #dueAt(takenAt: number): number {
    const before = this.#publishedAt;
    return before === null || before > takenAt ? takenAt : Math.max(takenAt, before + publishEveryMs);
  }

  async #run<T>(batches: Generator<BatchStats, T>): Promise<T> {
    const { value, lockHeldMsMax } = await runBatches(batches, this.#parts.pause);
    this.#lockHeldMsMax = Math.max(this.#lockHeldMsMax, lockHeldMsMax);
    return value;
  }
}

/** Adds the changes of another file. */
function addMoves(sum: BodyMoves, moves: BodyMoves | null): BodyMoves {
  if (moves === null) return sum;
  const difference = ({ from, to }: BodyMoves["largest"][number]) => Math.abs(to - from);
  const largest = [...sum.largest, ...moves.largest].sort((one, other) => difference(other) - difference(one));
  return {
    came: sum.came + moves.came,
    changed: sum.changed + moves.changed,
    went: sum.went + moves.went,
    largest: largest.slice(0, movesMax),
  };
}

/** Returns the command that replays files despite these guards. */
function acceptCommand(guards: readonly GuardName[]): string {
  return `npx itemtape import frames FILE... --adapter steam --accept ${guards.join(",")}`;
}

/** Most transactions need less than a millisecond, so other writers run only after several of them. */
function pauseWhenDue(pause: NonNullable<ImportParts["pause"]> = pauseAfter): NonNullable<ImportParts["pause"]> {
  let due: BatchStats = { rows: 0, lockHeldMs: 0 };
  return async ({ rows, lockHeldMs }) => {
    due = { rows: due.rows + rows, lockHeldMs: due.lockHeldMs + lockHeldMs };
    if (due.lockHeldMs < pauseDueMs) return;
    await pause(due);
    due = { rows: 0, lockHeldMs: 0 };
  };
}
