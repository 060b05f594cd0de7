import { and, between, gt, inArray, isNotNull, min, type SQL, sql } from "drizzle-orm";
import { dailyImports, feedDays, frames } from "../../../db/schema/history.ts";
import { changeSpans, marketState } from "../../../db/schema/reference.ts";
import { dayMs } from "../../values/time/calendar.ts";
import type { Database } from "../database.ts";
import { bound } from "../statement.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** Longer than any command with changes in several transactions. */
const spanMsMax = dayMs;

/** Reads the instants at which the state of the market can be read back. Instants are UTC ms, days count from 1970. */
export class KnownMoments {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;
  /** Cached, because it does not change and reading it costs a scan. */
  #firstFrame: number | null = null;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
  }

  /** Returns the first instant that can be read back. */
  since(): number {
    this.#shared?.join();
    return this.#statements.since.get()!.knownSince;
  }

  /** Returns when the first frame was recorded, or null without frames. */
  firstFrame(): number | null {
    this.#shared?.join();
    this.#firstFrame ??= this.#statements.firstFrame.get()?.at ?? null;
    return this.#firstFrame;
  }

  /** Returns the days and feeds from `from` to `to` (inclusive) whose hours were removed, in ascending day. */
  prunedDays(from: number, to: number): { day: number; feed: string }[] {
    this.#shared?.join();
    return this.#statements.pruned.all({ from, to });
  }

  /**
   * Returns the instant whose rows answer for `at`. It differs from `at` only during a command with several transactions, which counts as
   * one change: it is then just before the first of them. Pass "imports" to heed only imports of daily rows.
   */
  effective(at: number, of: "all" | "imports" = "all"): number {
    this.#shared?.join();
    for (let instant = at; ; ) {
      const started = this.#statements.spans[of].get({ instant, earliest: instant - spanMsMax })?.startedAt ?? null;
      if (started === null) return instant;
      instant = started - 1;
    }
  }
}

function prepare(database: Database) {
  const { day, feed, prunedAt } = feedDays;
  const imports = database.select({ at: dailyImports.importedAt }).from(dailyImports);
  const spans = (ofCommands?: SQL) =>
    database
      .select({ startedAt: min(changeSpans.startedAt) })
      .from(changeSpans)
      .where(
        and(
          between(changeSpans.startedAt, bound("earliest"), bound("instant")),
          gt(changeSpans.finishedAt, sql`${sql.placeholder("instant")}`),
          ofCommands,
        ),
      )
      .prepare();
  return {
    since: database.select({ knownSince: marketState.knownSince }).from(marketState).prepare(),
    firstFrame: database
      .select({ at: min(frames.recordedAt) })
      .from(frames)
      .prepare(),
    pruned: database
      .select({ day, feed })
      .from(feedDays)
      .where(and(between(day, bound("from"), bound("to")), isNotNull(prunedAt)))
      .orderBy(day, feed)
      .prepare(),
    spans: { all: spans(), imports: spans(inArray(changeSpans.startedAt, imports)) },
  };
}
