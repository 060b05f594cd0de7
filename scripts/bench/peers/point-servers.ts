import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { Request, Response } from "express";
import type { Document } from "openapi-backend";
import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { utcMonth } from "../../../src/values/calendar.ts";
import { systemClock, toTimestamp, toTimestampOrNull } from "../../../src/values/clock.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { fullStack, listening, type Running, type Setup, type StartServer, uncharged } from "./listening.ts";

const documentUrl = new URL("../../../generated/openapi.json", import.meta.url);
// Each server loads only what it is made of, which takes longer than all else of a short measurement.
const require = createRequire(import.meta.url);
const loadExpress = async () => (await import("express")).default;
const path = "/v1/items/:item_id";
const prefixLength = "/v1/items/".length;
const ids = systemIds();

/** Servers that answer `GET /v1/items/{item_id}`. */
export const pointServers = {
  "raw-constant": rawConstant,
  "raw-read": rawRead,
  "express-constant": expressConstant,
  "express-openapi-backend": expressOpenapiBackend,
  "express-openapi-validator": expressOpenapiValidator,
  "fastify-read": (setup) => fastify(setup, null),
  "fastify-fsync": (setup) => fastify(setup, openSyncLedger(setup.database)),
  "full-stack": fullStack,
  uncharged,
} satisfies Record<string, StartServer>;
export type PointServer = keyof typeof pointServers;

/** Starts node:http with nothing on it: the most that any server of this runtime can answer. */
function rawConstant({ database }: Setup): Promise<Running> {
  const body = constantBody(database);
  return listening((_req, res) => send(res, body));
}

/** Starts node:http with one prepared SELECT and JSON.stringify. */
function rawRead({ database }: Setup): Promise<Running> {
  const { answer, close } = openItems(database);
  return listening((req, res) => send(res, JSON.stringify(answer(Number(req.url?.slice(prefixLength))))), close);
}

/** Starts express with a constant answer: the cost of the framework itself. */
async function expressConstant({ database }: Setup): Promise<Running> {
  const body = constantBody(database);
  const app = (await loadExpress())();
  app.get(path, (_req, res) => void res.type("json").send(body));
  return listening(app);
}

/** Starts express with openapi-backend's own router and validators on our document, and the read. */
async function expressOpenapiBackend({ database }: Setup): Promise<Running> {
  const { answer, close } = openItems(database);
  const { OpenAPIBackend } = await import("openapi-backend");
  const api = new OpenAPIBackend({
    definition: readDocument(),
    // Its validators do not know formats and log each one.
    ajvOpts: { logger: false },
    securityHandlers: { bearerAuth: ({ request }) => request.headers.authorization !== undefined },
    handlers: {
      getItem: ({ request }, _req: Request, res: Response) => void res.json(answer(Number(request.params.item_id))),
      validationFail: ({ validation }, _req: Request, res: Response) => void res.status(400).json(validation.errors),
    },
  });
  // It checks 3.1 documents against the schema of 3.0 and would serve nothing.
  api.validateDefinition = () => api.document;
  await api.init();
  const app = (await loadExpress())();
  app.use((req, res) => {
    const { method, path, body } = req;
    const query = req.query as Record<string, string>;
    const headers = req.headers as Record<string, string>;
    void api.handleRequest({ method, path, body, query, headers }, req, res);
  });
  return listening(app, close);
}

/** Starts express with express-openapi-validator on our document, and the read. */
async function expressOpenapiValidator({ database }: Setup): Promise<Running> {
  const { answer, close } = openItems(database);
  const { middleware } = require("express-openapi-validator");
  const app = (await loadExpress())();
  app.use(middleware({ apiSpec: readDocument(), validateRequests: true, validateResponses: false }));
  app.get(path, (req, res) => void res.json(answer(Number(req.params.item_id))));
  return listening(app, close);
}

/** Starts fastify with its validation and the read; with a ledger, a key and a synced transaction for each request as well. */
async function fastify({ database }: Setup, ledger: SyncLedger | null): Promise<Running> {
  const { answer, close } = openItems(database);
  const itemId = { type: "integer", minimum: 1, maximum: 2_147_483_647 };
  const schema = { params: { type: "object", properties: { item_id: itemId }, required: ["item_id"] } };
  const { default: Fastify } = await import("fastify");
  const app = Fastify();
  app.get<{ Params: { item_id: number } }>(path, { schema }, async (request, reply) => {
    if (ledger?.charge(request.headers.authorization) === false) return reply.code(401).send();
    return answer(request.params.item_id);
  });
  await app.ready();
  return listening(app.routing, () => {
    close();
    ledger?.close();
  });
}

/** Returns a real answer. */
function constantBody(database: string): string {
  const { answer, close } = openItems(database);
  const body = JSON.stringify(answer(1));
  close();
  return body;
}

function send(res: ServerResponse, body: string): void {
  res.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  res.end(body);
}

function readDocument(): Document {
  return JSON.parse(readFileSync(documentUrl, "utf8")) as Document;
}

// `getItem` and its charge the way one writes them first.

type ItemRow = {
  stat_counter: number | null;
  souvenir: number | null;
  in_catalog: number;
  first_seen_at: number;
  updated_at: number | null;
};

/** Opens a read with a prepared SELECT and an object made of the row, which the framework turns into JSON. */
function openItems(path: string) {
  const client = new SqliteDatabase(path, { readonly: true, fileMustExist: true });
  const item = client.prepare<[number], ItemRow>(`
    SELECT item_id, market_hash_name, slug, type, rarity, collection, phase, name_ru, image_url, wear, stat_counter,
      souvenir, wear_min, wear_max, identity, in_catalog, first_seen_at, updated_at FROM items WHERE item_id = ?`);
  const flag = (stored: number | null) => (stored === null ? null : stored === 1);
  return {
    close: () => void client.close(),
    /** Returns the answer; undefined: there is no such item. */
    answer(itemId: number) {
      const row = item.get(itemId);
      if (row === undefined) return undefined;
      const at = systemClock.now();
      return {
        data: {
          ...row,
          stat_counter: flag(row.stat_counter),
          souvenir: flag(row.souvenir),
          shares_name_with: [],
          openable_slug: null,
          in_catalog: row.in_catalog === 1,
          first_seen_at: toTimestamp(row.first_seen_at),
          updated_at: toTimestampOrNull(row.updated_at),
        },
        meta: { request_id: ids.requestId(at), generated_at: toTimestamp(at) },
      };
    },
  };
}

type SyncLedger = ReturnType<typeof openSyncLedger>;

/** Opens a ledger on the main thread, with one synced transaction for each request. */
function openSyncLedger(path: string) {
  const client = new SqliteDatabase(path, { fileMustExist: true });
  client.pragma("journal_mode = WAL");
  client.pragma("synchronous = FULL");
  const find = client.prepare<[Buffer, number], { keyId: string; accountId: string }>(`
    SELECT k.key_id AS keyId, k.account_id AS accountId FROM api_keys k JOIN accounts a USING (account_id)
    WHERE k.secret_hash = ? AND k.expires_at > ? AND k.revoked_at IS NULL AND a.disabled_at IS NULL`);
  const addUnit = client.prepare(`
    INSERT INTO usage_months(account_id, month, used) VALUES (?, ?, 1)
    ON CONFLICT (account_id, month) DO UPDATE SET used = used + 1`);
  const addEvent = client.prepare("INSERT INTO usage_events VALUES (?, ?, ?, ?, ?, ?)");
  const write = client.transaction((accountId: string, keyId: string, at: number) => {
    addUnit.run(accountId, utcMonth(at));
    addEvent.run(ids.requestId(at), accountId, keyId, "getItem", utcMonth(at), at);
  }).immediate;
  return {
    close: () => void client.close(),
    /** Writes one unit to the disk; false: the credential is not valid. */
    charge(authorization: string | undefined): boolean {
      const at = systemClock.now();
      const secret = authorization?.slice("Bearer ".length) ?? "";
      const key = find.get(createHash("sha256").update(secret).digest(), at);
      if (key !== undefined) write(key.accountId, key.keyId, at);
      return key !== undefined;
    },
  };
}
