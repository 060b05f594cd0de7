import Fastify from "fastify";
import { openReader } from "../../../src/store/database.ts";
import { FramesStore } from "../../../src/store/frames.ts";
import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { dayMs, hourMs, parseDay } from "../../../src/values/calendar.ts";
import { systemClock, toTimestamp, toTimestampOrNull } from "../../../src/values/clock.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { today } from "../history/market.ts";
import { dailyOfRows, hourlyOfSegments } from "../history/page-reads.ts";
import { listening, type Running, type Setup, type StartServer } from "./listening.ts";

/** Servers that read the rows of an answer, make objects of them and leave the rest to their framework: no key, no charge. */
export const rowServers = { "fastify-rows": fastifyRows } satisfies Record<string, StartServer>;
export type RowServer = keyof typeof rowServers;

const ids = systemIds();
type Window = { from: string; to: string; limit: number };
type ItemParams = { Params: { item_id: number } };

async function fastifyRows({ database: path, quoteRows }: Setup): Promise<Running> {
  const database = openReader(path);
  const rows = new SqliteDatabase(quoteRows, { readonly: true, fileMustExist: true });
  const pricesOf = readsOfQuotes(rows);
  const containers = readsOfOpenables(path);
  const hourly = hourlyOfSegments(new FramesStore(database));
  const daily = dailyOfRows(database);
  const app = Fastify();
  const answer = (data: unknown, meta: object = {}) => {
    const at = systemClock.now();
    return { data, meta: { request_id: ids.requestId(at), generated_at: toTimestamp(at), ...meta } };
  };
  const rowsQuery = (itemId: number, { from, to, limit }: Window) => ({
    itemId,
    side: "ask" as const,
    window: { from: parseDay(from)!, to: parseDay(to)! },
    limit,
  });
  const itemId = { type: "integer", minimum: 1, maximum: 2_147_483_647 };
  const window = { from: { type: "string" }, to: { type: "string" }, limit: { type: "integer" } };
  const params = { type: "object", properties: { item_id: itemId }, required: ["item_id"] };
  const schema = { params, querystring: { type: "object", properties: window } };
  app.get<ItemParams>("/v1/items/:item_id/markets", { schema }, async ({ params }) => answer(pricesOf(params.item_id)));
  const body = { type: "object", properties: { item_ids: { type: "array", items: itemId, maxItems: 100 } } };
  app.post<{ Body: { item_ids: number[] } }>("/v1/markets/batch", { schema: { body } }, async ({ body }) =>
    answer(body.item_ids.map((id) => ({ ...pricesOf(id), status: "found" }))),
  );
  app.get("/v1/openables", async () => answer(containers(100)));
  app.get<ItemParams & { Querystring: Window }>("/v1/items/:item_id/history/hourly", { schema }, async (request) =>
    answer(hourly(rowsQuery(request.params.item_id, request.query))),
  );
  app.get<ItemParams & { Querystring: Window & { provider: string } }>(
    "/v1/items/:item_id/history",
    { schema },
    async ({ params, query }) =>
      answer(daily({ ...rowsQuery(params.item_id, query), provider: query.provider }, today * dayMs + 12 * hourMs)),
  );
  await app.ready();
  return listening(app.routing, () => {
    database.$client.close();
    rows.close();
  });
}

type QuoteRow = { side: "ask" | "bid"; provider: string; amount: number; quantity: number | null; url: string | null };

/** Returns the quotes of an item, a row each. */
function readsOfQuotes(client: SqliteDatabase.Database) {
  const item = client.prepare<[number], { market_hash_name: string; phase: string | null }>(
    "SELECT market_hash_name, phase FROM items WHERE item_id = ?",
  );
  const quotes = client.prepare<[number], QuoteRow>(
    "SELECT side, provider, amount, quantity, url FROM quotes WHERE item_id = ? ORDER BY side, place",
  );
  return (itemId: number) => {
    const rows = quotes.all(itemId);
    const ofSide = (wanted: QuoteRow["side"]) =>
      rows
        .filter(({ side }) => side === wanted)
        .map(({ side: _, ...row }) => ({ ...row, currency: "USD", minor_units: 2, as_of: null }));
    const state = { availability: rows.length === 0 ? "missing" : "available", generation: "g1" };
    return { item_id: itemId, ...item.get(itemId), ...state, asks: ofSide("ask"), bids: ofSide("bid") };
  };
}

type ContainerRow = { released_day: number | null; numbers: string; calculated_at: number; price_as_of: number | null };

/** Returns containers with what was calculated for them. */
function readsOfOpenables(path: string) {
  const client = new SqliteDatabase(path, { readonly: true, fileMustExist: true });
  const page = client.prepare<[number], ContainerRow>(`
    SELECT o.slug, o.item_id, i.market_hash_name AS name, i.image_url, o.type, o.released_day, o.requires_key, p.outcome_count,
      c.revision_id, c.calculated_at, c.price_as_of, c.numbers
    FROM openables o JOIN items i USING (item_id) JOIN pool_revisions p ON p.revision_id = o.revision_id
    JOIN roi_calculations c ON c.slug = o.slug AND c.valuation_mode = 'steam_gross' ORDER BY o.slug LIMIT ?`);
  return (limit: number) =>
    page.all(limit).map(({ numbers, calculated_at, price_as_of, ...row }) => ({
      ...row,
      current: {
        ...JSON.parse(numbers),
        calculated_at: toTimestamp(calculated_at),
        price_as_of: toTimestampOrNull(price_as_of),
      },
    }));
}
