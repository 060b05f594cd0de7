import { createReadStream } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { openRows } from "./peer-rows.ts";
import type { Running, ServerOrder } from "./servers.ts";

/** The used part of fastify, because types are checked without the packages of the bench. */
type Fastify = {
  get(path: string, options: object, handler: Handler): void;
  post(path: string, options: object, handler: Handler): void;
  ready(): Promise<void>;
  routing: RequestListener;
};
type Asked = { params: { item_id: number }; query: { limit: number }; body: { item_ids: number[] } };
type Handler = (request: Asked) => Promise<unknown>;

/** Servers that the service is compared with, by name. */
export const peers: Record<string, (order: ServerOrder) => Promise<Running>> = { fastify, "file-pipe-64k": filePipe };

let requests = 0;

/** Starts fastify with validation, and with all reads of the bench. It checks no key and charges nothing. */
async function fastify({ rows: path }: ServerOrder): Promise<Running> {
  const { item, market, rows } = openRows(path);
  const itemId = { type: "integer", minimum: 1, maximum: 2_147_483_647 };
  const window = { from: { type: "string" }, to: { type: "string" }, limit: { type: "integer" } };
  const params = { type: "object", properties: { item_id: itemId }, required: ["item_id"] };
  const schema = { params, querystring: { type: "object", properties: window } };
  const body = { type: "object", properties: { item_ids: { type: "array", items: itemId, maxItems: 100 } } };
  const packageName: string = "fastify";
  const app: Fastify = (await import(packageName)).default();
  const ofItem = "/v1/items/:item_id";
  app.get(ofItem, { schema }, async ({ params }) => answer(item(params.item_id)));
  app.get(`${ofItem}/markets`, { schema }, async ({ params }) => answer(market(params.item_id)));
  app.post("/v1/markets/batch", { schema: { body } }, async ({ body }) =>
    answer(body.item_ids.map((id) => Object.assign(market(id), { status: "found" }))),
  );
  app.get("/v1/openables", {}, async () => answer(rows("openables", 0, 100)));
  for (const [name, table] of Object.entries({ history: "days", "history/hourly": "hours" }))
    app.get(`${ofItem}/${name}`, { schema }, async ({ params, query }) =>
      answer(rows(table, params.item_id, query.limit)),
    );
  await app.ready();
  return listening(app.routing);
}

/** Wraps data as the service does. */
function answer(data: unknown) {
  requests += 1;
  return { data, meta: { request_id: `req_${requests}`, generated_at: new Date().toISOString() } };
}

/** Pipes a finished file for any request, to measure only the cost of an export's bytes. */
function filePipe({ exportFile }: ServerOrder): Promise<Running> {
  return listening((_req, res) => {
    res.writeHead(200, { "Content-Type": "application/x-ndjson" });
    createReadStream(exportFile, { highWaterMark: 64 * 1024 }).pipe(res);
  });
}

function listening(listener: RequestListener): Promise<Running> {
  const server = createServer(listener);
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve({ port: (server.address() as AddressInfo).port, close }));
  });
}
