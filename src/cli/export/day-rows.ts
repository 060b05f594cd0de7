import type { Schema } from "../../contract/types.ts";

type DayStart = Schema<"DayExportStart">;
type DayRecord = Schema<"DayDaily"> | Schema<"DayQuotes"> | Schema<"DayMarkers">;
export type DayResolution = DayStart["resolution"];

/** A value of a column. A time is an RFC 3339 text; null is unknown. */
export type DayValue = string | number | null;
/** A column of the rows of a day. */
export type DayColumn = { name: string; kind: "text" | "integer" | "time"; isNullable: boolean };

const column = (name: string, kind: DayColumn["kind"], isNullable = false): DayColumn => ({ name, kind, isNullable });

/** Times of an hourly row: the times of its frames. */
const frameTimes = ["ingested_at", "checked_at", "recorded_at"] as const;

/** The columns of a row in each resolution, in order. Amounts are USD cents. */
export const dayColumns: Readonly<Record<DayResolution, readonly DayColumn[]>> = {
  daily: [
    column("item_id", "integer"),
    column("side", "text"),
    column("provider", "text"),
    column("amount", "integer"),
    column("low_amount", "integer"),
    column("high_amount", "integer"),
    column("observations", "integer"),
    column("quantity", "integer", true),
    column("source_observed_at", "time", true),
    column("recorded_at", "time"),
  ],
  hourly: [
    column("item_id", "integer"),
    column("side", "text"),
    column("ts", "time"),
    column("provider", "text", true),
    column("availability", "text"),
    column("amount", "integer", true),
    column("quantity", "integer", true),
    column("source_observed_at", "time", true),
    ...frameTimes.map((name) => column(name, "time")),
  ],
};

/** Turns the records of one export into rows of `dayColumns`. An hourly record has one row per hour. */
export class DayRows {
  readonly #date: string;
  readonly #frames: DayStart["frames"];
  readonly #times = new Map<string, string[]>();

  constructor({ date, frames }: Pick<DayStart, "date" | "frames">) {
    this.#date = date;
    this.#frames = frames;
  }

  *of(record: DayRecord): Generator<readonly DayValue[]> {
    if (record.type === "daily") {
      yield dayColumns.daily.map(({ name }) => record.data[name as keyof typeof record.data]);
      return;
    }
    const { item_id, side, hours } = record.data;
    for (const [index, range] of hours.entries()) {
      const [first, last] = range as [number, number];
      for (let hour = first; hour <= last; hour += 1) {
        const ts = `${this.#date}T${String(hour).padStart(2, "0")}:00:00.000Z`;
        const quote = record.type === "quotes" ? quoteOf(record.data, index) : markerOf(record.data, index);
        const feeds = record.type === "quotes" ? [record.data.feed] : (record.data.feeds[index] ?? null);
        yield [item_id, side, ts, ...quote, ...this.#timesOf(hour, feeds)];
      }
    }
  }

  /** Returns the latest of each of `frameTimes` among these feeds in the hour. Pass null for all feeds. */
  #timesOf(hour: number, feeds: readonly string[] | null): string[] {
    const key = `${hour} ${feeds?.join()}`;
    const known = this.#times.get(key) ?? this.#latest(hour, feeds);
    this.#times.set(key, known);
    return known;
  }

  #latest(hour: number, feeds: readonly string[] | null): string[] {
    const frames = this.#frames.filter(({ feed }) => feeds?.includes(feed) ?? true);
    const timesOf = (name: (typeof frameTimes)[number]) =>
      frames.flatMap((one) => one[name][one.hours.indexOf(hour)] ?? []).sort();
    return frameTimes.map((name) => timesOf(name).at(-1) ?? "");
  }
}

function quoteOf({ provider, amounts, quantities, source_observed_at }: Schema<"DayQuotesData">, index: number) {
  return [provider, "quoted", amounts[index]!, quantities[index] ?? null, source_observed_at[index] ?? null];
}

function markerOf({ availability }: Schema<"DayMarkersData">, index: number): DayValue[] {
  return [null, availability[index]!, null, null, null];
}
