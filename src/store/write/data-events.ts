import { and, desc, eq, gt, gte, inArray, lt, notExists, type SQL, sql } from "drizzle-orm";
import { dataEvents } from "../../../db/schema/events.ts";
import { dailyImports, type dailyPrices, dailyPricesPast } from "../../../db/schema/history.ts";
import { marketState } from "../../../db/schema/reference.ts";
import { dayMs, dayOf, hourMs, hoursOfDay } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { Database } from "../database.ts";
import { type BatchStats, inShortTransactions } from "./batches.ts";

type DataEventKind =
  | "body_refused"
  | "exception_accepted"
  | "gap"
  | "late_frame"
  | "frame_retracted"
  | "feed_dropped"
  | "days_imported"
  | "days_replaced"
  | "day_revised"
  | "rates_corrected"
  | "items_moved"
  | "index_revised"
  | "pool_published";

type DataEventCause =
  | DataEventKind
  | "guard"
  | "operator"
  | "import"
  | "saved_body"
  | "delay"
  | "catalog"
  | "prices"
  | "several"
  | "not_known";

/** A changed value. `field` is its name; the values are texts, null without one. */
export type ValueChange = {
  field: string;
  itemId?: number;
  currency?: string;
  before: string | null;
  after: string | null;
};

/** A revision of a sealed day, an index level or a pool. */
export type EventRevision = { revision: number; digest?: Buffer | null; hourlyDigest?: Buffer | null };

/** An event. Without `day` (since 1970) it concerns the day of `at` (UTC ms). `hours` has a bit for each hour concerned. */
type DataEvent = {
  kind: DataEventKind;
  cause: DataEventCause;
  at: number;
  feed?: string | null;
  provider?: string | null | undefined;
  indexId?: string;
  openable?: string;
  day?: number;
  hours?: number;
  itemIds?: Iterable<number>;
  count: number;
  guard?: string;
  figure?: string;
  bodyDigest?: Buffer | null;
  before?: EventRevision;
  after?: EventRevision;
  changes?: readonly ValueChange[];
};

/**
 * Returns the amount in cents that an interrupted import replaced by a row, null if it added the row. Returns undefined for a row of
 * another origin.
 */
export type InterruptedWrites = (
  row: Pick<typeof dailyPrices.$inferSelect, "itemId" | "side" | "day" | "provider" | "recordedAt" | "importId">,
) => number | null | undefined;

type Row = typeof dataEvents.$inferSelect;
type StoredChange = [string, number | null, string | null, string | null, string | null];

export const eventItemsMax = 100;
export const eventChangesMax = 20;
const figureCharactersMax = 600;
const valueCharactersMax = 300;

/**
 * Writes the log of the data for one command. Each transaction adds its own share: later events of the same kind, feed and day are added to
 * the first. Ignores events before `known_since`. Callers hold the transactions.
 */
export class DataEvents {
  readonly #database: Database;
  readonly #own = new Map<string, number>();
  #since: number | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Instant at which the log begins, UTC ms. */
  get since(): number {
    this.#since ??= this.#database.select({ since: marketState.knownSince }).from(marketState).get()?.since ?? 0;
    return this.#since;
  }

  /** Adds an event, or adds it to this command's event of the same kind, feed and day. */
  add(event: DataEvent): void {
    if (event.at < this.since) return;
    const row = rowOf(event);
    const { kind, feed, provider, indexId, openable, day, guard } = row;
    const key = JSON.stringify([kind, feed, provider, indexId, openable, day, guard]);
    const eventId = this.#own.get(key);
    const before = eventId === undefined ? undefined : this.#one(eq(dataEvents.eventId, eventId));
    if (before === undefined) this.#own.set(key, this.#insert(row));
    else this.#update(before.eventId, merged(before, row));
  }

  /** Dates the added events by the last transaction of the command, `at` (UTC ms). */
  finish(at: number): void {
    for (const eventId of this.#own.values()) this.#update(eventId, { at });
  }

  /** Adds a refusal. A repeated refusal of the same body by the same guard only counts. */
  refuse(event: Omit<DataEvent, "kind" | "cause" | "count"> & { guard: string }): void {
    if (event.at < this.since) return;
    const row = rowOf({ ...event, kind: "body_refused", cause: "guard", count: 1 });
    const before = this.#ofBody(row);
    if (before === undefined) this.#insert(row);
    else this.#update(before.eventId, { count: before.count + 1, lastAt: Math.max(before.at, row.at) });
  }

  /** Adds an accepted exception, unless the same body was accepted at or after `since` (UTC ms), as before an interruption. */
  accept(event: Omit<DataEvent, "kind" | "cause" | "count"> & { guard: string }, since: number): void {
    if (event.at < this.since) return;
    const row = rowOf({ ...event, kind: "exception_accepted", cause: "operator", count: 1 });
    const before = this.#ofBody(row);
    if (before === undefined || before.at < since) this.#insert(row);
  }

  /**
   * Returns the cause of a gap in these hours of a feed: the kind of the events that explain it, `several` if they have several kinds, and
   * `not_known` without any.
   */
  causeOfGap(feed: string, day: number, hours: number): DataEventCause {
    const { kind, at, lastAt } = dataEvents;
    const { from, to } = spanOf(day, hours);
    const explains = sql`(${kind} = 'frame_retracted' AND ${dataEvents.day} = ${day} AND (${dataEvents.hours} & ${hours}) <> 0)
      OR (${kind} = 'body_refused' AND ${at} < ${to} AND coalesce(${lastAt}, ${at}) >= ${from})`;
    return causeOf(this.#kinds(and(eq(dataEvents.feed, feed), sql`(${explains})`)!));
  }

  /** Returns the cause of a new revision of a day that was sealed before at `sealedAt` (UTC ms), in the same way. */
  causeOfRevision(day: number, sealedAt: number): DataEventCause {
    const causes = sql`${dataEvents.kind} IN ('late_frame', 'frame_retracted', 'days_imported', 'days_replaced')`;
    return causeOf(this.#kinds(and(eq(dataEvents.day, day), gt(dataEvents.at, sealedAt), causes)!));
  }

  /** Returns a finder of the rows that interrupted imports of a file wrote. These imports have no event yet. */
  interruptedWrites(bodyDigest: Buffer): InterruptedWrites {
    const value = sql.placeholder;
    const { itemId, side, day, provider, supersededAt, amount } = dailyPricesPast;
    const past = this.#database
      .select({ amount })
      .from(dailyPricesPast)
      .where(
        and(
          eq(itemId, value("itemId")),
          eq(side, value("side")),
          eq(day, value("day")),
          eq(provider, value("provider")),
          eq(supersededAt, value("recordedAt")),
        ),
      )
      .prepare();
    const imports = new Set<number | null>(this.#unloggedImports(bodyDigest));
    return (row) => (imports.has(row.importId) ? (past.get(row)?.amount ?? null) : undefined);
  }

  /** Removes the events before `at` (UTC ms). */
  *removeBeforeInBatches(at: number, clock: Clock): Generator<BatchStats> {
    const old = this.#database.select({ id: dataEvents.eventId }).from(dataEvents).where(lt(dataEvents.at, at)).all();
    const remove = this.#database
      .delete(dataEvents)
      .where(eq(dataEvents.eventId, sql.placeholder("id")))
      .prepare();
    yield* inShortTransactions(this.#database, clock, old, (event) => void remove.run(event));
  }

  #unloggedImports(bodyDigest: Buffer): number[] {
    const isLogged = this.#database
      .select({ id: dataEvents.eventId })
      .from(dataEvents)
      .where(and(inArray(dataEvents.kind, ["days_imported", "days_replaced"]), eq(dataEvents.bodyDigest, bodyDigest)));
    const isOfFile = and(eq(dailyImports.bodyDigest, bodyDigest), gte(dailyImports.importedAt, this.since));
    return this.#database
      .select({ importId: dailyImports.importId })
      .from(dailyImports)
      .where(and(isOfFile, notExists(isLogged)))
      .all()
      .map(({ importId }) => importId);
  }

  #kinds(where: SQL): string[] {
    return this.#database
      .selectDistinct({ kind: dataEvents.kind })
      .from(dataEvents)
      .where(where)
      .all()
      .map(({ kind }) => kind);
  }

  #ofBody({ kind, feed, guard, bodyDigest }: Omit<Row, "eventId">): Row | undefined {
    const same = sql`${dataEvents.feed} IS ${feed} AND ${dataEvents.guard} = ${guard} AND ${dataEvents.bodyDigest} IS ${bodyDigest}`;
    return this.#one(and(eq(dataEvents.kind, kind), same)!);
  }

  #one(where: SQL): Row | undefined {
    return this.#database.select().from(dataEvents).where(where).orderBy(desc(dataEvents.eventId)).limit(1).get();
  }

  #insert(row: Omit<Row, "eventId">): number {
    return this.#database.insert(dataEvents).values(row).returning({ id: dataEvents.eventId }).get().id;
  }

  #update(eventId: number, values: Partial<Row>): void {
    this.#database.update(dataEvents).set(values).where(eq(dataEvents.eventId, eventId)).run();
  }
}

function causeOf(kinds: readonly string[]): DataEventCause {
  if (kinds.length > 1) return "several";
  return (kinds[0] as DataEventKind | undefined) ?? "not_known";
}

function rowOf({ itemIds = [], changes = [], ...event }: DataEvent): Omit<Row, "eventId"> {
  const { day = dayOf(event.at), hours = null, before, after } = event;
  const { from, to } = hours === null ? { from: day * dayMs, to: (day + 1) * dayMs } : spanOf(day, hours);
  return {
    at: event.at,
    lastAt: null,
    kind: event.kind,
    cause: event.cause,
    feed: event.feed ?? null,
    provider: event.provider ?? null,
    indexId: event.indexId ?? null,
    openable: event.openable ?? null,
    itemIds: JSON.stringify(firstIds(itemIds)),
    day,
    fromAt: from,
    toAt: to,
    hours,
    count: event.count,
    guard: event.guard ?? null,
    figure: event.figure?.slice(0, figureCharactersMax) ?? null,
    bodyDigest: event.bodyDigest ?? null,
    before: before === undefined ? null : revisionText(before),
    after: after === undefined ? null : revisionText(after),
    changes: JSON.stringify(changes.slice(0, eventChangesMax).map(storedChange)),
  };
}

/** Returns the columns of an event to which another of the same command is added. */
function merged(before: Row, row: Omit<Row, "eventId">): Partial<Row> {
  const hours = before.hours === null || row.hours === null ? null : before.hours | row.hours;
  const changes = [...JSON.parse(before.changes), ...JSON.parse(row.changes)] as StoredChange[];
  return {
    at: Math.max(before.at, row.at),
    itemIds: JSON.stringify(firstIds([...JSON.parse(before.itemIds), ...JSON.parse(row.itemIds)])),
    hours,
    ...(hours === null ? {} : { fromAt: Math.min(before.fromAt, row.fromAt), toAt: Math.max(before.toAt, row.toAt) }),
    count: before.count + row.count,
    after: row.after,
    changes: JSON.stringify(changes.slice(0, eventChangesMax)),
  };
}

/** Returns the time in UTC ms from the first to the last of these hours of a day. */
function spanOf(day: number, hours: number): { from: number; to: number } {
  const first = 31 - Math.clz32(hours & -hours);
  const last = 31 - Math.clz32(hours);
  const start = day * hoursOfDay * hourMs;
  return { from: start + first * hourMs, to: start + (last + 1) * hourMs };
}

function firstIds(itemIds: Iterable<number>): number[] {
  return [...new Set(itemIds)].sort((one, other) => one - other).slice(0, eventItemsMax);
}

function revisionText({ revision, digest = null, hourlyDigest = null }: EventRevision): string {
  return JSON.stringify([revision, digest?.toString("hex") ?? null, hourlyDigest?.toString("hex") ?? null]);
}

function storedChange({ field, itemId, currency, before, after }: ValueChange): StoredChange {
  const cut = (text: string | null) => text?.slice(0, valueCharactersMax) ?? null;
  return [field, itemId ?? null, currency ?? null, cut(before), cut(after)];
}
