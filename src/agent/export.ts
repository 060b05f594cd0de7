import { PriceDigest } from "../client/digest.ts";
import type { Itemtape, SnapshotItem, SnapshotQuote, SnapshotStart, StreamOptions } from "../client/index.ts";
import type { ToolAnswer } from "./answer.ts";
import { exportHeadRows } from "./limits.ts";

const notes = [
  "The whole export was received and checked: one start, ascending items, one matching end, one generation. It used one export start of the plan.",
  "Only its first rows are shown. `npx itemtape export FILE --format ndjson|csv|parquet|sqlite` writes all of it to a file, for a unit and a start of its own.",
];

/** Reads a whole export and summarizes it. It stores only the first rows. */
export async function exportFacts(client: Itemtape, options: StreamOptions): Promise<ToolAnswer> {
  const tally = new Tally();
  let start: SnapshotStart | null = null;
  for await (const record of client.streamMarketUnverified(options)) {
    if (record.type === "start") start = record;
    else if (record.type === "item") tally.add(record.data);
  }
  if (start === null) throw new Error("the client received no start of the export");
  const { generation, ingested_at, price_as_of, catalog_max_item_id, request_id, generated_at } = start;
  return {
    data: { generation, ingested_at, price_as_of, catalog_max_item_id, ...tally.facts() },
    meta: { request_id, generated_at },
    requestId: request_id,
    allowance: null,
    units: 1,
    notes,
  };
}

class Tally {
  readonly #digest = new PriceDigest();
  readonly #head: object[] = [];
  readonly #counts = { items: 0, available: 0, missing: 0, asks: 0, bids: 0 };

  add(item: SnapshotItem): void {
    const { asks, bids, availability } = item;
    this.#counts.items += 1;
    this.#counts[availability] += 1;
    this.#counts.asks += asks.length;
    this.#counts.bids += bids.length;
    if (this.#head.length < exportHeadRows) this.#head.push(headRow(item));
    this.#digest.add(item);
  }

  facts() {
    const { digest, bytes } = this.#digest.result();
    return { ...this.#counts, digest, digest_bytes: bytes, head: this.#head };
  }
}

function headRow({ item_id, market_hash_name, phase, availability, asks, bids }: SnapshotItem) {
  return {
    item_id,
    market_hash_name,
    phase,
    availability,
    lowest_ask_cents: extreme(asks, Math.min),
    highest_bid_cents: extreme(bids, Math.max),
  };
}

function extreme(quotes: readonly SnapshotQuote[], of: (...amounts: number[]) => number): number | null {
  return quotes.length === 0 ? null : quotes.map(({ amount }) => amount).reduce((a, b) => of(a, b));
}
