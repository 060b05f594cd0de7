import { csvRecord } from "../../../values/text/csv.ts";
import type { Chart, Series } from "./types.ts";

const columns = [
  "time",
  "item",
  "provider",
  "side",
  "availability",
  "amount_cents",
  "low_cents",
  "high_cents",
  "observations",
  "quantity",
  "complete",
  "checked_at",
  "recorded_at",
  "source_observed_at",
];

/**
 * Writes the visible points of a chart as CSV (RFC 4180): one line per point and series. Gaps have a cause instead of an amount.
 * @param series Shown series.
 * @param seen `item` is the name of the page's item, `range` the visible time in seconds.
 */
export function csvOf(
  { step, knownAt }: Chart,
  series: readonly Series[],
  { item, range }: { item: string; range: { min: number; max: number } },
) {
  const lines = series.flatMap(({ key, name, side, points, knownRows }) =>
    points
      .map((point, index) => ({ ...point, past: knownRows?.[index] ?? null }))
      .filter(({ at }) => at + step > range.min && at < range.max)
      .map(({ at, state, row, past }) => {
        const isItem = /^\d+$/.test(key);
        return [
          row?.ts ?? row?.date ?? timeOf(at, step),
          isItem ? name : item,
          row?.provider ?? (isItem ? "" : key),
          side,
          state,
          row?.amount,
          row?.low_amount,
          row?.high_amount,
          row?.observations,
          row?.quantity,
          row?.complete,
          row?.checked_at,
          row?.recorded_at,
          row?.source_observed_at,
          ...(knownAt === null ? [] : [knownAt, past?.amount]),
        ];
      }),
  );
  const heads = knownAt === null ? columns : [...columns, "known_at", "known_amount_cents"];
  return [heads, ...lines].map((cells) => `${csvRecord(cells)}\r\n`).join("");
}

/** Returns a file name with the item and the visible days. */
export function fileName(item: string, { min, max }: { min: number; max: number }) {
  const words = item
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return `${words}_${timeOf(min, 86_400)}_${timeOf(max - 1, 86_400)}.csv`;
}

/** @param step Seconds. */
function timeOf(at: number, step: number) {
  const text = new Date(at * 1000).toISOString();
  return step >= 86_400 ? text.slice(0, 10) : text;
}
