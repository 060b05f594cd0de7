import type { Reply } from "./scripted-server.ts";
import { requestId } from "./scripted-server.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests spoil records in every way.
export type AnyRecord = any;

/** Records of a small complete export. */
export type Records = { start: AnyRecord; items: AnyRecord[]; end: AnyRecord };

export function quote(change: object = {}): AnyRecord {
  return {
    provider: "steam",
    amount: 120,
    currency: "USD",
    minor_units: 2,
    quantity: null,
    url: "https://example.com/1",
    as_of: null,
    ...change,
  };
}

export function item(itemId: number, change: object = {}): AnyRecord {
  const data = { item_id: itemId, market_hash_name: `★ Item ${itemId} ☃ 🔪`, phase: null };
  const quotes = { availability: "available", asks: [quote()], bids: [quote({ provider: "buff", quantity: 3 })] };
  return { type: "item", data: { ...data, ...quotes, ...change } };
}

/** Three items, the second of which has no quotes. */
export function records(): Records {
  return {
    start: {
      type: "start",
      request_id: requestId,
      generation: "g5",
      generated_at: "2026-01-15T12:00:00.000Z",
      ingested_at: "2026-01-15T11:50:00.000Z",
      price_as_of: null,
      consistency: "single_price_generation",
      catalog_max_item_id: 9,
    },
    items: [item(1), item(4, { phase: "Phase 2", availability: "missing", asks: [], bids: [] }), item(9)],
    end: { type: "end", request_id: requestId, generation: "g5", items: 3 },
  };
}

export function linesOf({ start, items, end }: Records): string[] {
  return [start, ...items, end].map((record) => JSON.stringify(record));
}

export function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** An export of these bytes; `pieces` are sent one by one. */
export function streamed(
  pieces: string | Buffer | readonly (string | Buffer)[],
  headers: Record<string, string> = {},
): Reply {
  return (response) => {
    response.writeHead(200, { "content-type": "application/x-ndjson", "x-request-id": requestId, ...headers });
    const [first, ...rest] = Array.isArray(pieces) ? pieces : [pieces];
    if (first !== undefined) response.write(first);
    const more = () => {
      const piece = rest.shift();
      if (piece === undefined) response.end();
      else response.write(piece, () => setImmediate(more));
    };
    more();
  };
}
