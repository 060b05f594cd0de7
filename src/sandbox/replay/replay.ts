import { dropInBatches } from "../../import/quotes/drop-feeds.ts";
import { publishInBatches } from "../../import/quotes/publish.ts";
import { recordFrameInBatches } from "../../import/quotes/record-frame.ts";
import { calculateIndexInBatches } from "../../jobs/indexes/calculate.ts";
import { calculateRoiInBatches } from "../../jobs/roi/calculate.ts";
import type { Database } from "../../store/database.ts";
import { GenerationsStore } from "../../store/read/generations.ts";
import { type FrameOfHour, ReplayFrames } from "../../store/read/replay-frames.ts";
import { type RecordedMoment, type ReplayBy, ReplayMoments, type ReplaySpan } from "../../store/read/replay-moments.ts";
import { missingItems, ReplayRows } from "../../store/read/replay-rows.ts";
import { type BatchStats, inOneTransaction, pauseAfter, runBatches, turnOfLoop } from "../../store/write/batches.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { FrameWriter } from "../../store/write/frames.ts";
import { rewindMarket } from "../../store/write/rewind.ts";
import { finishDaysInBatches } from "../../store/write/seal-days.ts";
import { dayOf, hourMs, hoursOfDay } from "../../values/time/calendar.ts";
import type { WorldClocks } from "../clocks.ts";
import {
  describePoolsInBatches,
  type ReplayFiles,
  writeImportInBatches,
  writeIndexesInBatches,
  writeItemsInBatches,
  writePoolsInBatches,
  writeRatesInBatches,
} from "./writers.ts";

/** Changes after which their commands finish the days. */
const finishing: ReadonlySet<RecordedMoment["kind"]> = new Set(["import", "retraction", "replacement"]);
/** A frame that was recorded so long after its check is late. */
const lateMs = hourMs;

/** The result of a move. `now` is the clock after it, UTC ms. `publication` is the last generation, null without one. Its frame is null if a dropped feed or item caused it. */
export type Played = {
  now: number;
  frames: number;
  publications: number;
  late: number;
  publication: {
    generation: string;
    frame: { feed: string; hour: number; recordedAt: number; isLate: boolean } | null;
  } | null;
};

type FrameMoment = Extract<RecordedMoment, { kind: "frame" | "replacement" }>;
type Setup = { database: Database; source: Database; clocks: WorldClocks; span: ReplaySpan; by: ReplayBy };

/** Plays the recorded changes of a market again, each at its instant on the market's clock. */
export class Replay {
  readonly span: ReplaySpan;
  readonly #files: ReplayFiles;
  readonly #clocks: WorldClocks;
  readonly #moments: ReplayMoments;
  readonly #frames: ReplayFrames;
  readonly #generations: GenerationsStore;
  readonly #by: ReplayBy;
  #left: RecordedMoment[] = [];
  /** The last day with finished jobs. */
  #finishedDay: number;
  #turn: Promise<unknown> = Promise.resolve();
  #isEnded = false;
  /** Nothing else uses the file until the replay has begun. */
  #pause = turnOfLoop as typeof pauseAfter;

  constructor({ database, source, clocks, span, by }: Setup) {
    this.span = span;
    this.#files = { database, source, rows: new ReplayRows(source), clock: clocks.market };
    this.#clocks = clocks;
    this.#moments = new ReplayMoments(source, by);
    this.#frames = new ReplayFrames(source);
    this.#generations = new GenerationsStore(database);
    this.#by = by;
    this.#finishedDay = dayOf(span.from);
  }

  /**
   * Rewinds the file to the beginning of the span, and publishes its market. `signal` ends it.
   * @throws the reason of the signal.
   */
  async begin(signal: AbortSignal): Promise<void> {
    const { database } = this.#files;
    const { from } = this.span;
    const days = rewindMarket(database, { from, by: this.#by });
    for (const moment of this.#moments.beforeOf(days, from)) {
      signal.throwIfAborted();
      await this.#run(this.#record(moment));
    }
    await this.#run(describePoolsInBatches(this.#files, from));
    for (const { at, ...last } of this.#moments.lastOfFeeds(from)) {
      this.#clocks.moveMarket(at);
      await this.#run(this.#publish(this.#frames.read(last)));
    }
    this.#clocks.moveMarket(from);
    await this.#run(this.#finish());
    await this.#run(this.#calculateIndexes());
    this.#left = this.#moments.within(this.span);
    // Charges of the server wait for the lock.
    this.#pause = (batch) => (batch.lockHeldMs > 0 ? pauseAfter(batch) : turnOfLoop());
  }

  /** Plays all changes until `to` (UTC ms), and leaves the clock at that instant. */
  to(to: number): Promise<Played> {
    return this.#inTurn(() => this.#play(({ at }) => at <= to, to));
  }

  /** Plays until a generation is published. `publication` is null if the span has no other. */
  next(): Promise<Played> {
    return this.#inTurn(() => this.#play((_moment, { publication }) => publication === null, null));
  }

  /** Ends the replay after the moment that it plays. */
  async end(): Promise<void> {
    this.#isEnded = true;
    await this.#turn.catch(() => undefined);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.catch(() => undefined).then(work);
    this.#turn = done;
    return done;
  }

  async #play(isWanted: (moment: RecordedMoment, played: Played) => boolean, to: number | null): Promise<Played> {
    const { market } = this.#clocks;
    const played: Played = { now: market.now(), frames: 0, publications: 0, late: 0, publication: null };
    for (let next = this.#left[0]; next !== undefined && isWanted(next, played); next = this.#left[0]) {
      if (this.#isEnded) break;
      this.#left.shift();
      this.#clocks.moveMarket(next.at);
      await this.#moment(next, played);
    }
    const isAtEnd = to !== null || played.publication === null;
    // An earlier move may have passed the instant.
    if (isAtEnd && !this.#isEnded) this.#clocks.moveMarket(Math.max(market.now(), to ?? this.span.until));
    return { ...played, now: market.now() };
  }

  async #moment(moment: RecordedMoment, played: Played): Promise<void> {
    const { kind, at } = moment;
    const before = this.#generations.currentId();
    const isFrame = kind === "frame" || kind === "replacement";
    if (isFrame) await this.#frame(moment, played);
    else await this.#run(this.#change(moment));
    const generationId = this.#generations.currentId();
    if (generationId !== before) {
      played.publications += 1;
      const frame = isFrame ? { ...moment, isLate: isLate(moment) } : null;
      played.publication = { generation: `g${generationId}`, frame };
    }
    const isFirst = kind === "frame" && dayOf(at) > this.#finishedDay;
    if (isFirst) this.#finishedDay = dayOf(at);
    if (isFirst || finishing.has(kind)) await this.#run(this.#finish());
    // As the mirror and the command of a retraction do.
    if (isFirst || kind === "retraction") await this.#run(this.#calculateIndexes());
  }

  async #frame(moment: FrameMoment, played: Played): Promise<void> {
    const { feed, checkedAt } = moment;
    const frame = this.#read(moment);
    played.frames += 1;
    if (isLate(moment)) played.late += 1;
    // A frame that is older than the published quotes of its feed is only recorded.
    const before = new FeedWriter(this.#files.database).times(feed).checkedAt;
    if (before === null || checkedAt > before) await this.#run(this.#publish(frame));
    await this.#run(this.#record(moment, frame));
  }

  #read({ kind, feed, hour }: FrameMoment): FrameOfHour {
    return this.#frames.read({ feed, hour, isReplacement: kind === "replacement" });
  }

  /** Writes items that the frame names before their own instant: the check of a body precedes the items found in it. */
  *#addItems({ items, itemsWithoutQuote }: FrameOfHour): Generator<BatchStats, void> {
    const { rows, clock, database } = this.#files;
    const missing = missingItems(database, [...items.keys(), ...itemsWithoutQuote]);
    if (missing.length === 0) return;
    yield* writeItemsInBatches(
      this.#files,
      missing.map((itemId) => rows.itemAt(itemId, clock.now())),
    );
  }

  *#publish(frame: FrameOfHour) {
    const { facts, items, checkedAt } = frame;
    yield* this.#addItems(frame);
    return yield* publishInBatches(this.#files.database, [{ facts, items, checkedAt }], { clock: this.#files.clock });
  }

  /** Records a frame or its retraction at the moment's instant, or ignores another moment. */
  *#record(moment: RecordedMoment, read?: FrameOfHour): Generator<BatchStats, void> {
    const { database, clock } = this.#files;
    const { at, kind } = moment;
    if (kind === "retraction") {
      const { feed, hour, reason } = moment;
      const key = { feed, hour, day: Math.floor(hour / hoursOfDay) };
      yield inOneTransaction(database, clock, () => new FrameWriter(database).retract(key, reason, at));
    }
    if (kind !== "frame" && kind !== "replacement") return;
    const frame = read ?? this.#read(moment);
    const { facts, verifiedBy, ingestedAt, checkedAt } = frame;
    yield* this.#addItems(frame);
    yield inOneTransaction(database, clock, () => new FeedWriter(database).introduce(facts));
    const times = { verifiedBy, ingestedAt, checkedAt, recordedAt: at };
    // A frame of before the replay keeps its instant.
    const own = { clock: { ...clock, now: () => at }, isSavedBody: kind === "replacement" };
    yield* recordFrameInBatches(database, frame, times, own);
  }

  #change(moment: Exclude<RecordedMoment, FrameMoment>): Generator<BatchStats, void> {
    const { at, kind } = moment;
    if (kind === "retraction") return this.#record(moment);
    if (kind === "drop") return this.#drop(moment.feed);
    if (kind === "import") return writeImportInBatches(this.#files, moment.importId);
    if (kind === "rates") return writeRatesInBatches(this.#files, at);
    if (kind === "catalog") return writeItemsInBatches(this.#files, this.#files.rows.itemsOf(at));
    if (kind === "pools") return writePoolsInBatches(this.#files, at);
    if (kind === "returns") return calculateReturns(this.#files);
    return writeIndexesInBatches(this.#files, at);
  }

  *#drop(feed: string): Generator<BatchStats, void> {
    const { database, clock } = this.#files;
    const hasQuotes = (new FeedWriter(database).itemCount(feed) ?? 0) > 0;
    if (hasQuotes) yield* dropInBatches(database, { feeds: [feed] }, false, { clock });
  }

  /** Finalizes the days before today and seals them. */
  #finish() {
    const { database, clock } = this.#files;
    return finishDaysInBatches(database, dayOf(clock.now()), clock);
  }

  #calculateIndexes() {
    const { database, clock } = this.#files;
    return calculateIndexInBatches(database, dayOf(clock.now()), { clock });
  }

  async #run<T>(batches: Generator<BatchStats, T>): Promise<T> {
    return (await runBatches(batches, this.#pause)).value;
  }
}

function isLate({ checkedAt, recordedAt }: FrameMoment): boolean {
  return recordedAt - checkedAt > lateMs;
}

function* calculateReturns({ database, clock }: ReplayFiles): Generator<BatchStats, void> {
  for (const _ of calculateRoiInBatches(database, { clock })) yield { rows: 0, lockHeldMs: 0 };
}
