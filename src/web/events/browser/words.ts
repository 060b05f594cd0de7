import { plural } from "../../../values/text/counted.ts";
import { dateText, instantText, rangeText } from "../../../values/time/time-text.ts";
import type { DataEvent } from "./types.ts";

const hourSeconds = 3_600;
const daySeconds = 24 * hourSeconds;

/** Texts of a kind: its name in lists, its title, and the counted thing. */
type Kind = { name: string; title: string; counted: readonly [one: string, many: string] | null };

/** Texts by kind. A later server may send further kinds. */
export const kinds: Readonly<Record<string, Kind>> = {
  body_refused: { name: "Refused bodies", title: "Body refused", counted: ["time", "times"] },
  exception_accepted: { name: "Accepted exceptions", title: "Exception accepted by the operator", counted: null },
  gap: { name: "Gaps", title: "Gap", counted: ["missing hour", "missing hours"] },
  late_frame: { name: "Late frames", title: "Recorded late", counted: ["hour", "hours"] },
  frame_retracted: { name: "Retracted frames", title: "Frame retracted", counted: null },
  feed_dropped: { name: "Dropped feeds", title: "Feed dropped", counted: ["quote", "quotes"] },
  days_imported: { name: "Imported days", title: "Day imported", counted: ["row", "rows"] },
  days_replaced: { name: "Replaced days", title: "Day replaced", counted: ["row", "rows"] },
  day_revised: { name: "Revised days", title: "Sealed day revised", counted: null },
  rates_corrected: { name: "Corrected rates", title: "Exchange rates corrected", counted: ["rate", "rates"] },
  items_moved: { name: "Changed items", title: "Items changed", counted: ["item", "items"] },
  index_revised: { name: "Corrected indexes", title: "Index level corrected", counted: null },
  pool_published: { name: "Published pools", title: "Pool published", counted: ["pool", "pools"] },
};

const causes: Readonly<Record<string, string>> = {
  guard: "a guard",
  operator: "the operator",
  import: "an import",
  saved_body: "a saved body",
  delay: "a delay of this server",
  catalog: "a new catalog",
  prices: "corrected prices",
  several: "several events",
  not_known: "not known",
};

const fields: Readonly<Record<string, string>> = {
  ask_cents: "Ask",
  bid_cents: "Bid",
  rate_per_usd: "Rate",
  market_hash_name: "Name",
  phase: "Phase",
  identity: "Identity",
  in_catalog: "In the catalog",
  value: "Level",
};

/** Returns the title of an event. An unknown kind is its own text. */
export function titleOf({ kind }: DataEvent): string {
  return kinds[kind]?.title ?? spaced(kind);
}

/** Returns the number of rows, hours or other things of an event, "" for kinds without a number. */
export function countText({ kind, count }: DataEvent): string {
  const words = kinds[kind]?.counted;
  return words == null ? "" : plural(count, ...words);
}

/** Returns the cause in words. A cause that is a kind names the events of that kind. */
export function causeText({ cause }: DataEvent): string {
  const kind = kinds[cause];
  return causes[cause] ?? (kind === undefined ? spaced(cause) : kind.title.toLowerCase());
}

/** Returns the name of a changed value in words. */
export function fieldText(field: string): string {
  return fields[field] ?? spaced(field);
}

/** Returns the days or hours that an event concerns, "" for the day on which it happened. */
export function windowText({ at, spans, window_from }: DataEvent): string {
  const date = window_from.slice(0, 10);
  if (spans.length === 0) return date === at.slice(0, 10) ? "" : dateText(date);
  const seconds = (text: string) => Date.parse(text) / 1000;
  return spans
    .map(({ from, to }) => {
      const [first, end] = [seconds(from), seconds(to)];
      const isDay = end - first === daySeconds;
      return isDay ? dateText(from.slice(0, 10)) : rangeText(first, end - hourSeconds, hourSeconds);
    })
    .join("; ");
}

/** Returns when an event happened: its instant, or the first and last of several refusals. */
export function timeText({ at, last_at }: DataEvent): string {
  return last_at === null ? instantText(at) : `${instantText(at)} – ${instantText(last_at)}`;
}

function spaced(word: string): string {
  return word.replaceAll("_", " ");
}
