import type { Schema } from "../../src/contract/types.ts";

type Row = Schema<"HourlyPrice">;
type Frames = readonly {
  feed: string;
  hours: readonly number[];
  ingested_at: readonly string[];
  checked_at: readonly string[];
  recorded_at: readonly string[];
}[];
type Line =
  | {
      type: "quotes";
      data: {
        item_id: number;
        side: Row["side"];
        provider: string;
        feed: string;
        hours: [number, number][];
        amounts: number[];
        quantities: (number | null)[];
        source_observed_at: (string | null)[];
      };
    }
  | {
      type: "markers";
      data: {
        item_id: number;
        side: Row["side"];
        hours: [number, number][];
        availability: Row["availability"][];
        feeds: (string[] | null)[];
      };
    };

/** Folds the lines of a day's hourly export back into the hourly rows of each item and side: `rows.get("4 ask")`. */
export function hourlyRowsOf(date: string, frames: Frames, lines: readonly string[]): Map<string, Row[]> {
  const rows = new Map<string, Row[]>();
  for (const text of lines) {
    const line = JSON.parse(text) as Line;
    const key = `${line.data.item_id} ${line.data.side}`;
    const known = rows.get(key) ?? [];
    rows.set(key, known);
    known.push(...rowsOf(date, frames, line));
  }
  const order = (a: Row, b: Row) => compare(a.ts, b.ts) || compare(a.provider ?? "", b.provider ?? "");
  for (const known of rows.values()) known.sort(order);
  return rows;
}

function rowsOf(date: string, frames: Frames, { type, data }: Line): Row[] {
  return data.hours.flatMap(([first, last], index) =>
    Array.from({ length: last - first + 1 }, (_, step): Row => {
      const hour = first + step;
      const isQuoted = type === "quotes";
      const feeds = isQuoted ? [data.feed] : data.feeds[index]!;
      const present = frames.filter(({ feed, hours }) => hours.includes(hour) && (feeds?.includes(feed) ?? true));
      const latest = (name: "ingested_at" | "checked_at" | "recorded_at") =>
        present
          .map((frame) => frame[name][frame.hours.indexOf(hour)]!)
          .sort()
          .at(-1)!;
      return {
        ts: `${date}T${String(hour).padStart(2, "0")}:00:00.000Z`,
        provider: isQuoted ? data.provider : null,
        side: data.side,
        amount: isQuoted ? data.amounts[index]! : null,
        quantity: isQuoted ? data.quantities[index]! : null,
        currency: "USD",
        minor_units: 2,
        kind: "hourly_cached_quote",
        availability: isQuoted ? "quoted" : data.availability[index]!,
        ingested_at: latest("ingested_at"),
        checked_at: latest("checked_at"),
        recorded_at: latest("recorded_at"),
        source_observed_at: isQuoted ? data.source_observed_at[index]! : null,
      };
    }),
  );
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
