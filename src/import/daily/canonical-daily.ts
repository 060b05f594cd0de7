import type { ValidateFunction } from "ajv/dist/2020.js";
import type { ProviderFacts } from "../../store/write/feeds.ts";
import { centsFrom } from "../../values/money/money.ts";
import { fileOfProgram } from "../../values/root.ts";
import { type JsonObject, NumberText, toPlain } from "../../values/text/strict-json.ts";
import { dayMs, parseDay } from "../../values/time/calendar.ts";
import type { FeedFile } from "../feed-file.ts";
import { type Framing, lineLabel, readFramed, shapesIn } from "../quotes/canonical-lines.ts";
import { Refusals, type Side } from "../quotes/observation.ts";
import type { DailyAdapter, DailyContext, DailyPoint, DailyReading, DailyRefusal, DailySeries } from "./reading.ts";

/** Adapter for the documented history: a header line, a line per row, and an end line with the count (`canonical-daily.schema.json`). */
export const canonicalDailyAdapter: DailyAdapter = { name: "canonical", read: readCanonicalDaily };

const amountKeys = ["amount", "low_amount", "high_amount"] as const;
const reasonOf: Readonly<Record<string, DailyRefusal>> = {
  quantity: "bad_quantity",
  date: "bad_time",
  source_observed_at: "bad_time",
};

type Header = { feed: string; provider: ProviderFacts };
type Row = {
  item_id?: number;
  market_hash_name?: string;
  phase?: string | null;
  date: string;
  side: Side;
  amount: number;
  low_amount?: number;
  high_amount?: number;
  observations?: number;
  quantity?: number | null;
  source_observed_at?: string | null;
};

function readCanonicalDaily(body: FeedFile, { today }: DailyContext): DailyReading {
  const shape = shapes();
  const refusals = new Refusals<DailyRefusal>();
  const series = new Map<string, DailySeries>();
  const { header, lines } = readFramed(body, shape.framing);
  for (const line of lines) {
    const refusal = readRow(line.value, today, shape.row, series);
    if (refusal !== null) refusals.add(refusal, lineLabel(line));
  }
  const facts = { feed: header.feed, feedAdapter: "canonical", ...header.provider };
  return { facts, series: [...series.values()], refusals, absent: 0, rates: null };
}

function readRow(
  value: JsonObject,
  today: number,
  validate: ValidateFunction<Row>,
  series: Map<string, DailySeries>,
): DailyRefusal | null {
  for (const key of amountKeys) {
    const written = value.get(key);
    if (written === undefined) continue;
    const cents = written instanceof NumberText ? centsFrom(written.text, "cents") : "unparsable";
    if (typeof cents === "string") return cents;
  }
  const row = toPlain(value);
  if (!validate(row)) return reasonOf[validate.errors?.[0]?.instancePath.slice(1) ?? ""] ?? "malformed";
  const point = pointOf(row, today);
  if (typeof point === "string") return point;
  const named = { itemId: row.item_id ?? null, name: row.market_hash_name ?? "", phase: row.phase ?? null };
  const key = JSON.stringify([named.itemId, named.name, named.phase, row.side]);
  const known = series.get(key);
  if (known !== undefined) known.points.push(point);
  else series.set(key, { ...named, side: row.side, points: [point] });
  return null;
}

function pointOf(row: Row, today: number): DailyPoint | DailyRefusal {
  const { amount, low_amount: lowAmount = amount, high_amount: highAmount = amount, observations = 1 } = row;
  const day = parseDay(row.date);
  if (day === null || day < 0) return "bad_time";
  if (day >= today) return "day_not_over";
  const different = new Set([lowAmount, amount, highAmount]).size;
  if (lowAmount > amount || amount > highAmount || different > observations) return "bad_spread";
  const written = row.source_observed_at ?? null;
  const sourceObservedAt = written === null ? null : Date.parse(written);
  const isOfDay = sourceObservedAt === null || (sourceObservedAt >= 0 && sourceObservedAt < (day + 1) * dayMs);
  if (!isOfDay) return "bad_time";
  return { day, amount, lowAmount, highAmount, observations, quantity: row.quantity ?? null, sourceObservedAt };
}

type Shapes = { framing: Framing<Header, "rows">; row: ValidateFunction<Row> };

let compiled: Shapes | undefined;

function shapes(): Shapes {
  if (compiled === undefined) {
    const shape = shapesIn(fileOfProgram("src/import/daily/canonical-daily.schema.json"));
    const framing = { title: "an Itemtape daily history", counts: "rows", header: shape<Header>("header") } as const;
    compiled = { framing: { ...framing, end: shape("end") }, row: shape("row") };
  }
  return compiled;
}
