import { once } from "node:events";
import { createReadStream } from "node:fs";
import type { ServerResponse } from "node:http";
import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { fullStack, listening, type Running, type Setup, type StartServer } from "./listening.ts";

/** Servers that answer any request with a whole export. */
export const exportServers = {
  "file-pipe-64k": filePipe,
  "join-stringify": joinStringify,
  "full-stack": fullStack,
} satisfies Record<string, StartServer>;
export type ExportServer = keyof typeof exportServers;

const contentType = { "Content-Type": "application/x-ndjson" };
const chunkCharacters = 64 * 1024;

/** Pipes a finished file: the cost of the bytes alone. */
function filePipe({ exportFile }: Setup): Promise<Running> {
  return listening((_req, res) => {
    res.writeHead(200, contentType);
    createReadStream(exportFile, { highWaterMark: 64 * 1024 }).pipe(res);
  });
}

type QuoteRow = {
  item_id: number;
  market_hash_name: string;
  phase: string | null;
  side: "ask" | "bid";
  provider: string;
  amount: number;
  quantity: number | null;
  url: string | null;
};

/** Joins items with their quotes, makes objects of the rows and calls JSON.stringify for each item. */
function joinStringify({ quoteRows }: Setup): Promise<Running> {
  const client = new SqliteDatabase(quoteRows, { readonly: true });
  const rows = client.prepare<[], QuoteRow>(`
    SELECT i.item_id, i.market_hash_name, i.phase, q.side, q.provider, q.amount, q.quantity, q.url
    FROM items i JOIN quotes q USING (item_id) ORDER BY i.item_id, q.side, q.place`);
  return listening(
    (_req, res) => void sendLines(res, linesOf(rows.iterate())),
    () => client.close(),
  );
}

function* linesOf(rows: Iterable<QuoteRow>): Generator<string> {
  let item: ReturnType<typeof itemOf> | null = null;
  for (const { item_id, market_hash_name, phase, side, provider, amount, quantity, url } of rows) {
    if (item?.item_id !== item_id) {
      if (item !== null) yield JSON.stringify({ type: "item", data: item });
      item = itemOf(item_id, market_hash_name, phase);
    }
    const quote = { provider, amount, currency: "USD", minor_units: 2, quantity, url, as_of: null };
    (side === "ask" ? item.asks : item.bids).push(quote);
  }
  if (item !== null) yield JSON.stringify({ type: "item", data: item });
}

function itemOf(item_id: number, market_hash_name: string, phase: string | null) {
  return { item_id, market_hash_name, phase, availability: "available", asks: [] as object[], bids: [] as object[] };
}

/** Sends some lines at a time: one by one, each would be a chunk and a system call. */
async function sendLines(res: ServerResponse, lines: Iterable<string>): Promise<void> {
  res.writeHead(200, contentType);
  let text = `${JSON.stringify({ type: "start" })}\n`;
  let items = 0;
  for (const line of lines) {
    text += `${line}\n`;
    items += 1;
    if (text.length < chunkCharacters) continue;
    if (!res.write(text)) await once(res, "drain");
    text = "";
  }
  res.end(`${text}${JSON.stringify({ type: "end", items })}\n`);
}
