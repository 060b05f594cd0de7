import type { Schema } from "../../contract/types.ts";

export type DayStart = Schema<"DayExportStart">;
type DayRecord = Schema<"DayDaily"> | Schema<"DayQuotes"> | Schema<"DayMarkers">;
export type DayResolution = DayStart["resolution"];

/** A value of a column: a time is an RFC 3339 text, null is unknown. */
export type DayValue = string | number | null;
/** A column of the rows of a day. */
export type DayColumn = { name: string; kind: "text" | "integer" | "time"; isNullable: boolean };

const column = (name: string, kind: DayColumn["kind"], isNullable = false): DayColumn => ({ name, kind, isNullable });

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
    column("ingested_at", "time"),
    column("checked_at", "time"),
  ],
};

/** Turns the records of one export into rows of `dayColumns`: a record of the hourly export has one for each of its hours. */
export class DayRows {
  readonly #date: string;
  readonly #frames: DayStart["frames"];

  constructor({ date, frames }: DayStart) {
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

  /** Returns when the hour was ingested and checked: the latest times of these feeds, null for all of the hour. */
  #timesOf(hour: number, feeds: readonly string[] | null): [ingestedAt: string, checkedAt: string] {
    let ingestedAt = "";
    let checkedAt = "";
    for (const frames of this.#frames) {
      const index = frames.hours.indexOf(hour);
      if (index === -1 || feeds?.includes(frames.feed) === false) continue;
      if (frames.ingested_at[index]! > ingestedAt) ingestedAt = frames.ingested_at[index]!;
      if (frames.checked_at[index]! > checkedAt) checkedAt = frames.checked_at[index]!;
    }
    return [ingestedAt, checkedAt];
  }
}

function quoteOf({ provider, amounts, quantities, source_observed_at }: Schema<"DayQuotesData">, index: number) {
  return [provider, "quoted", amounts[index]!, quantities[index] ?? null, source_observed_at[index] ?? null];
}

function markerOf({ availability }: Schema<"DayMarkersData">, index: number): DayValue[] {
  return [null, availability[index]!, null, null, null];
}
