import { createReadStream } from "node:fs";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { type Ledger, leaseMs } from "../../../src/access/ledger/ledger.ts";
import { plans } from "../../../src/access/plans.ts";
import { createEvents } from "../../../src/log/events.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { systemClock, toTimestamp } from "../../../src/values/time/clock.ts";
import type { Setup } from "../data-set.ts";
import { openRows, openStoredItems } from "./rows.ts";

/** The part of fastify that is used here. The checks of types run without the packages of the bench. */
type Fastify = {
  get(path: string, handler: Handler): void;
  get(path: string, options: object, handler: Handler): void;
  post(path: string, options: object, handler: Handler): void;
  ready(): Promise<void>;
  routing: RequestListener;
};
type Handler = (request: {
  params: { item_id: number };
  query: { limit: number };
  body: { item_ids: number[] };
}) => Promise<unknown>;

type Running = { port: number; close(): Promise<void> | void };

const ids = systemIds();
const path = "/v1/items/:item_id";
const prefixLength = "/v1/items/".length;

/** What the service is compared with. All but `raw-constant` and the file pipe answer `GET /v1/items/{item_id}` as it does. */
export const peers = {
  "raw-constant": rawConstant,
  "raw-read": ({ database }: Setup) => rawRead(openStoredItems(database)),
  "raw-literal": ({ rows }: Setup) => rawRead(openRows(rows)),
  express,
  fastify,
  "file-pipe-64k": filePipe,
};

export const servers = { ...peers, uncharged, "full-stack": (setup: Setup) => fullStack(setup) };
export type ServerName = keyof typeof servers;

/** Starts a plain HTTP server on a free port. `release` closes what the listener reads from. */
function listening(listener: RequestListener, release: () => void = () => {}): Promise<Running> {
  const server = createServer(listener);
  const close = () => {
    server.close();
    server.closeAllConnections();
    release();
  };
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve({ port: (server.address() as AddressInfo).port, close }));
  });
}

/** Starts node:http with nothing on it: the most that any server of this runtime can answer. */
function rawConstant(setup: Setup): Promise<Running> {
  const { item, close } = openRows(setup.rows);
  const body = JSON.stringify(answer(item(1)));
  close();
  return listening((_req, res) => send(res, body));
}

/** Starts node:http with one prepared SELECT and JSON.stringify: `raw-read` as one writes it first, `raw-literal` with nothing left to do. */
function rawRead({ item, close }: Pick<ReturnType<typeof openRows>, "item" | "close">): Promise<Running> {
  return listening((req, res) => send(res, JSON.stringify(answer(item(Number(req.url?.slice(prefixLength)))))), close);
}

/** Wraps data as the service does. */
function answer(data: unknown) {
  const at = systemClock.now();
  return { data, meta: { request_id: ids.requestId(at), generated_at: toTimestamp(at) } };
}

function send(res: ServerResponse, body: string): void {
  res.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  res.end(body);
}

/** Pipes a finished file for any request: the cost of the bytes of an export alone. */
function filePipe({ exportFile }: Setup): Promise<Running> {
  return listening((_req, res) => {
    res.writeHead(200, { "Content-Type": "application/x-ndjson" });
    createReadStream(exportFile, { highWaterMark: 64 * 1024 }).pipe(res);
  });
}

/** Starts express with the read and nothing else. */
async function express(setup: Setup): Promise<Running> {
  const { item, close } = openRows(setup.rows);
  const app = (await import("express")).default();
  app.get(path, (req, res) => void res.json(answer(item(Number(req.params.item_id)))));
  return listening(app, close);
}

/** Starts fastify with its validation and all reads. */
async function fastify(setup: Setup): Promise<Running> {
  const { item, market, rows, close } = openRows(setup.rows);
  const itemId = { type: "integer", minimum: 1, maximum: 2_147_483_647 };
  const window = { from: { type: "string" }, to: { type: "string" }, limit: { type: "integer" } };
  const params = { type: "object", properties: { item_id: itemId }, required: ["item_id"] };
  const schema = { params, querystring: { type: "object", properties: window } };
  const item_ids = { type: "array", items: itemId, maxItems: 100 };
  const body = { type: "object", properties: { item_ids } };
  const packageName: string = "fastify";
  const app: Fastify = (await import(packageName)).default();
  app.get(path, { schema }, async ({ params }) => answer(item(params.item_id)));
  app.get(`${path}/markets`, { schema }, async ({ params }) => answer(market(params.item_id)));
  app.post("/v1/markets/batch", { schema: { body } }, async ({ body }) =>
    answer(body.item_ids.map((id) => Object.assign(market(id), { status: "found" }))),
  );
  app.get("/v1/openables", async () => answer(rows("openables", 0, 100)));
  for (const [name, table] of Object.entries({ history: "days", "history/hourly": "hours" }))
    app.get(`${path}/${name}`, { schema }, async ({ params, query }) =>
      answer(rows(table, params.item_id, query.limit)),
    );
  await app.ready();
  return listening(app.routing, close);
}

/** Loads the service: the file that `startServer` built; in a test, its sources. */
async function loadApp(): Promise<typeof import("../../../src/app.ts")> {
  const path = process.env.ITEMTAPE_BENCH_APP;
  return await (path === undefined ? import("../../../src/app.ts") : import(pathToFileURL(path).href));
}

/** Starts the service as `serve` composes it, with its own ledger and worker. */
async function fullStack({ database, ...setup }: Setup, ledger?: Ledger): Promise<Running> {
  // Only here: the plain servers need none of the service.
  const { startApp } = await loadApp();
  // The generator sends in a second what the Quant plan allows in a minute.
  const widePlans = { ...plans, quant: { ...plans.quant, requestsPerMinute: 100_000_000 } };
  const app = await startApp({
    config: { host: "127.0.0.1", port: 0, connectionsMax: 1024, inFlightMax: 256 },
    databasePath: database,
    ...setup,
    clock: systemClock,
    ids,
    // Records are made as on the default level, but not written.
    events: createEvents("info", { write() {} }),
    instead: { plans: widePlans, release: "bench", ...(ledger === undefined ? {} : { ledger }) },
  });
  return { port: app.port, close: async () => void (await app.close(0)) };
}

/** Starts the same with a ledger that grants everything and stores nothing: the difference is the cost of durability. */
function uncharged(setup: Setup): Promise<Running> {
  const limit = Number.MAX_SAFE_INTEGER;
  let used = 0;
  return fullStack(setup, {
    fatal: new Promise(() => {}),
    charge: async ({ kind, at }) => ({ used: ++used, limit, expiresAt: kind === "reserve" ? at + leaseMs : null }),
    endLease: async () => {},
    probe: async () => {},
    close: async () => {},
  });
}
