import { expect } from "chai";
import { schemaFaults } from "../../scripts/contract/answers.ts";
import { BrokenLine } from "../../src/client/lines.ts";
import { readRecord } from "../../src/client/records.ts";
import { type AnyRecord, records } from "./streams.ts";

const requestId = `req_${"0".repeat(26)}`;
const { start, items, end } = records();
const kinds: Record<string, AnyRecord> = {
  start,
  item: items[0],
  "an item with a phase": items[1],
  end,
  error: { type: "error", request_id: requestId, code: "snapshot_changed" },
};

const at = "2026-01-15T12:00:00.000Z";
const row = { item_id: 1, side: "ask", provider: "steam" };
const dayKinds: Record<string, AnyRecord> = {
  start: {
    type: "start",
    request_id: requestId,
    date: "2026-01-14",
    revision: 1,
    resolution: "hourly",
    generated_at: at,
    sealed_at: at,
    currency: "USD",
    minor_units: 2,
    selection: { provider: "steam", side: "ask" },
    frames: [{ feed: "steam", hours: [0, 2], ingested_at: [at, at], checked_at: [at, at], recorded_at: [at, at] }],
  },
  daily: {
    type: "daily",
    data: {
      ...row,
      amount: 3,
      low_amount: 2,
      high_amount: 4,
      observations: 2,
      quantity: null,
      source_observed_at: null,
      recorded_at: at,
    },
  },
  quotes: {
    type: "quotes",
    data: { ...row, feed: "steam", hours: [[0, 1]], amounts: [3], quantities: [null], source_observed_at: [at] },
  },
  markers: {
    type: "markers",
    data: { item_id: 1, side: "bid", hours: [[3, 3]], availability: ["no_quote"], feeds: [["steam"]] },
  },
  end: { type: "end", request_id: requestId, date: "2026-01-14", revision: 1, rows: 3, digest: "0".repeat(64) },
  error: kinds.error,
};

/** Replacements for each value in turn. */
const values: readonly unknown[] = [
  null,
  true,
  false,
  0,
  1,
  2,
  -1,
  1.5,
  3000,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  "",
  "x",
  "start",
  "item",
  "end",
  "error",
  "available",
  "missing",
  "USD",
  "EUR",
  "g0",
  "g123456789012345",
  "G5",
  "g",
  "Ruby",
  "ü".repeat(60),
  "ü".repeat(61),
  "🔪".repeat(300),
  "🔪".repeat(301),
  "a".repeat(60),
  "a".repeat(61),
  "a-b",
  "-a",
  "https://example.com/1?a=b#c",
  "http://example.com",
  "https://",
  `https://e.com/${"x".repeat(2040)}`,
  "ftp://x",
  "2026-01-15T12:00:00.000Z",
  "2026-01-15T12:00:00Z",
  "2026-02-30T12:00:00.000Z",
  "2026-13-01T00:00:00.000Z",
  "2026-01-15T24:00:00.000Z",
  "2026-02-30",
  "ask",
  "snapshot_changed",
  "snapshot_interrupted",
  "single_price_generation",
  requestId,
  `${requestId}0`,
  "req_",
  [],
  {},
  [null],
  [{}],
];

describe("client export records", () => {
  for (const stream of ["export", "day"] as const)
    for (const [kind, record] of Object.entries({ export: kinds, day: dayKinds }[stream])) {
      it(`of kind ${kind} in the stream ${stream} are accepted exactly when the schema accepts them`, () => {
        const differing: string[] = [];
        let tried = 0;
        for (const variant of variants(record)) {
          const changed = JSON.parse(JSON.stringify(variant));
          tried += 1;
          if (isTaken(changed, stream) !== isWanted(changed, stream))
            differing.push(JSON.stringify(changed).slice(0, 600));
        }
        expect(differing.slice(0, 5)).to.deep.equal([]);
        expect(tried).to.be.greaterThan(100);
      });
    }
});

function isTaken(record: unknown, stream: "export" | "day"): boolean {
  try {
    readRecord(JSON.stringify(record), stream);
    return true;
  } catch (error) {
    if (error instanceof BrokenLine) return false;
    throw error;
  }
}

/**
 * The schema, and rules beyond it. `missing` means no quotes, and an export has no times. The times of a day have milliseconds, and a range
 * of hours does not end before it begins.
 */
function isWanted(record: AnyRecord, stream: "export" | "day"): boolean {
  if (schemaFaults(stream === "day" ? "DayExportRecord" : "SnapshotRecord", record).length > 0) return false;
  if (/"source_observed_at":\[?"[^"]*:00Z"/.test(JSON.stringify(record))) return false;
  if (record.type === "quotes" || record.type === "markers")
    return record.data.hours.every(([first, last]: [number, number]) => first <= last);
  if (record.type !== "item") return true;
  const { availability, asks, bids } = record.data;
  const quotes = [...asks, ...bids];
  return (availability === "missing") === (quotes.length === 0) && quotes.every(({ as_of }) => as_of === null);
}

/** Variants of the record: each value replaced, each key removed, and an additional key in each object. */
function* variants(record: AnyRecord): Generator<AnyRecord> {
  yield record;
  for (const path of pathsOf(record)) {
    for (const value of values) yield spoiled(record, path, (parent, key) => Object.assign(parent, { [key]: value }));
    yield spoiled(record, path, (parent, key) => delete parent[key]);
    yield spoiled(record, path, (parent) => Object.assign(parent, { extra: null }));
  }
}

function pathsOf(node: AnyRecord, path: readonly string[] = []): string[][] {
  if (node === null || typeof node !== "object") return [];
  return Object.entries(node).flatMap(([key, inner]) => [[...path, key], ...pathsOf(inner, [...path, key])]);
}

function spoiled(record: AnyRecord, path: readonly string[], change: (parent: AnyRecord, key: string) => void) {
  const copy = structuredClone(record);
  const parent = path.slice(0, -1).reduce((node, key) => node[key], copy);
  change(parent, path.at(-1)!);
  return copy;
}
