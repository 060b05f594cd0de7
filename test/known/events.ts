import { hourMs } from "../../src/values/time/calendar.ts";
import type { Asker } from "./ask.ts";
import { eventLine } from "./market.ts";

/** Fields of an event of the log that the tests compare. */
export type LoggedEvent = {
  kind: string;
  feed: string | null;
  provider: string | null;
  index_id: string | null;
  window_from: string;
  spans: readonly { from: string; to: string }[];
  count: number;
};

/** Counts of these kinds are figures of the command's own report. */
const uncounted = ["frame_retracted", "feed_dropped"];

/** Returns all events of the log. */
export function loggedEvents(asker: Asker): LoggedEvent[] {
  const events: LoggedEvent[] = [];
  let after: unknown = null;
  do {
    const params = after === null ? { limit: 100 } : { limit: 100, after };
    const { data, meta } = asker.read({ operation: "listDataEvents", params });
    events.push(...(data as LoggedEvent[]));
    after = meta.next_page;
  } while (after !== null);
  return events;
}

export function lineOf(event: LoggedEvent): string {
  const { kind, window_from, count } = event;
  const subject = event.feed ?? event.provider ?? event.index_id ?? "";
  return eventLine({ kind, subject, date: window_from.slice(0, 10), count: uncounted.includes(kind) ? null : count });
}

/** Returns the hours of a gap, as `feed 2026-01-01T05`. */
export function hoursOf({ feed, spans }: LoggedEvent): string[] {
  return spans.flatMap(({ from, to }) => {
    const hours: string[] = [];
    for (let at = Date.parse(from); at < Date.parse(to); at += hourMs)
      hours.push(`${feed} ${new Date(at).toISOString().slice(0, 13)}`);
    return hours;
  });
}
