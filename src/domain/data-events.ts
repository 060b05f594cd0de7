import type { Caller } from "../access/credentials.ts";
import type { Params, Schema } from "../contract/types.ts";
import type { DataEventRow, DataEventsStore, EventFilter, EventPosition } from "../store/read/data-events.ts";
import { Failure } from "../values/failure/failure.ts";
import { dayText, hourMs, hoursOfDay, parseDay } from "../values/time/calendar.ts";
import { toTimestamp, toTimestampOrNull } from "../values/time/clock.ts";
import { pageOf, type Read } from "./paging.ts";
import type { Reference } from "./reference.ts";

type Event = Schema<"DataEvent">;
type Change = [
  field: Schema<"DataEventChange">["field"],
  itemId: number | null,
  currency: string | null,
  before: string | null,
  after: string | null,
];
type Revision = [revision: number, digest: string | null, hourlyDigest: string | null];

/** A page of events before a position, exclusive. */
type EventsQuery = { filter: EventFilter; before: EventPosition; limit: number };

const operation = "listDataEvents";
const limitDefault = 50;
const newest: EventPosition = { at: Number.MAX_SAFE_INTEGER, eventId: 0 };
/** The first and last day that can be written as a date. */
const allDays = { from: -719_162, to: 2_932_896 };

/** Lists the log of the data. */
export class DataEventLog {
  readonly #store: DataEventsStore;

  constructor(store: DataEventsStore) {
    this.#store = store;
  }

  /** @throws {Failure} `invalid_parameter`, `invalid_range`, `unknown_provider`, `invalid_cursor` or `cursor_mismatch`. */
  prepareList(params: Params<"listDataEvents">, reference: Reference): EventsQuery {
    const { limit = limitDefault, after, kind, feed, from, to } = params;
    const provider = reference.askedProvider(params.provider, "query parameter") ?? undefined;
    const given = { kind, feed, provider, from, to };
    if (after === undefined) return { filter: filterOf(given), before: newest, limit };
    const { key, filters } = reference.cursors.read(after, operation, given);
    const [at, eventId] = key as [number, number];
    return { filter: filterOf(filters), before: { at, eventId }, limit };
  }

  /** Reads a page. The Free plan sees neither figures nor values. */
  list(
    { filter, before, limit }: EventsQuery,
    { cursors }: Reference,
    { plan }: Pick<Caller, "plan">,
  ): Read<"listDataEvents"> {
    const { page, last } = pageOf(this.#store.page(filter, before, limit + 1), limit);
    const filters = filtersOf(filter);
    const next = last && cursors.write({ operation, key: [last.at, last.eventId], filters });
    return { data: page.map((row) => eventOf(row, plan !== "free")), meta: { next_page: next } };
  }
}

type Given = { readonly [name in "kind" | "feed" | "provider" | "from" | "to"]?: string | number | undefined };

function filterOf({ kind, feed, provider, from, to }: Given): EventFilter {
  const text = (value: string | number | undefined) => (value === undefined ? null : String(value));
  const days = from === undefined && to === undefined ? null : { from: dayIn("from", from), to: dayIn("to", to) };
  if (days !== null && days.from > days.to)
    throw new Failure("invalid_range", { detail: "query parameter `from`: must not be after `to`" });
  return { kind: text(kind), feed: text(feed), provider: text(provider), days };
}

function dayIn(name: "from" | "to", given: string | number | undefined): number {
  if (given === undefined) return allDays[name];
  const day = parseDay(String(given));
  if (day !== null) return day;
  throw new Failure("invalid_parameter", { detail: `query parameter \`${name}\`: must be a date, YYYY-MM-DD` });
}

function filtersOf({ kind, feed, provider, days }: EventFilter): Record<string, string> {
  const { from = allDays.from, to = allDays.to } = days ?? {};
  return {
    ...(kind !== null && { kind }),
    ...(feed !== null && { feed }),
    ...(provider !== null && { provider }),
    ...(from !== allDays.from && { from: dayText(from) }),
    ...(to !== allDays.to && { to: dayText(to) }),
  };
}

function eventOf(row: DataEventRow, showsValues: boolean): Event {
  return {
    event_id: row.eventId,
    at: toTimestamp(row.at),
    last_at: toTimestampOrNull(row.lastAt),
    kind: row.kind as Event["kind"],
    cause: row.cause as Event["cause"],
    feed: row.feed,
    provider: row.provider,
    index_id: row.indexId,
    openable: row.openable,
    item_ids: JSON.parse(row.itemIds) as number[],
    window_from: toTimestamp(row.fromAt),
    window_to: toTimestamp(row.toAt),
    spans: row.hours === null ? [] : spansOf(row.day, row.hours),
    count: row.count,
    guard: row.guard,
    figure: showsValues ? row.figure : null,
    body_digest: row.bodyDigest?.toString("hex") ?? null,
    before: revisionOf(row.before),
    after: revisionOf(row.after),
    changes: showsValues ? (JSON.parse(row.changes) as Change[]).map(changeOf) : [],
  };
}

/** Returns the runs of consecutive hours of a day. */
function spansOf(day: number, hours: number): Event["spans"] {
  const spans: Event["spans"] = [];
  const timeOf = (hour: number) => toTimestamp((day * hoursOfDay + hour) * hourMs);
  for (let hour = 0; hour < hoursOfDay; hour += 1) {
    if ((hours & (1 << hour)) === 0) continue;
    const begin = hour;
    while (hour < hoursOfDay && (hours & (1 << hour)) !== 0) hour += 1;
    spans.push({ from: timeOf(begin), to: timeOf(hour) });
  }
  return spans;
}

function revisionOf(stored: string | null): Schema<"DataEventState"> | null {
  if (stored === null) return null;
  const [revision, digest, hourlyDigest] = JSON.parse(stored) as Revision;
  return { revision, digest, hourly_digest: hourlyDigest };
}

function changeOf([field, itemId, currency, before, after]: Change): Schema<"DataEventChange"> {
  return { field, item_id: itemId, currency, before, after };
}
