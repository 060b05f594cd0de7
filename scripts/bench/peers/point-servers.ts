import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createRequire } from "node:module";
import express, { type Request, type Response } from "express";
import Fastify from "fastify";
import { type Document, OpenAPIBackend } from "openapi-backend";
import { fullStack, listening, type Running, type Setup, type StartServer, uncharged } from "./listening.ts";
import type { PointServer } from "./names.ts";
import { openItems, openSyncLedger, type SyncLedger } from "./plain-reads.ts";

const documentUrl = new URL("../../../generated/openapi.json", import.meta.url);
const { middleware } = createRequire(import.meta.url)("express-openapi-validator");
const path = "/v1/items/:item_id";
const prefixLength = "/v1/items/".length;

export const pointServers: Readonly<Record<PointServer, StartServer>> = {
  "raw-constant": rawConstant,
  "raw-read": rawRead,
  "express-constant": expressConstant,
  "express-openapi-backend": expressOpenapiBackend,
  "express-openapi-validator": expressOpenapiValidator,
  "fastify-read": (setup) => fastify(setup, null),
  "fastify-fsync": (setup) => fastify(setup, openSyncLedger(setup.database)),
  "full-stack": fullStack,
  uncharged,
};

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
function expressConstant({ database }: Setup): Promise<Running> {
  const body = constantBody(database);
  const app = express();
  app.get(path, (_req, res) => void res.type("json").send(body));
  return listening(app);
}

/** Starts express with openapi-backend's own router and validators on our document, and the read. */
async function expressOpenapiBackend({ database }: Setup): Promise<Running> {
  const { answer, close } = openItems(database);
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
  const app = express();
  app.use((req, res) => {
    const { method, path, body } = req;
    const query = req.query as Record<string, string>;
    const headers = req.headers as Record<string, string>;
    void api.handleRequest({ method, path, body, query, headers }, req, res);
  });
  return listening(app, close);
}

/** Starts express with express-openapi-validator on our document, and the read. */
function expressOpenapiValidator({ database }: Setup): Promise<Running> {
  const { answer, close } = openItems(database);
  const app = express();
  app.use(middleware({ apiSpec: readDocument(), validateRequests: true, validateResponses: false }));
  app.get(path, (req, res) => void res.json(answer(Number(req.params.item_id))));
  return listening(app, close);
}

/** Starts fastify with its validation and the read; with a ledger, a key and a synced transaction for each request as well. */
async function fastify({ database }: Setup, ledger: SyncLedger | null): Promise<Running> {
  const { answer, close } = openItems(database);
  const itemId = { type: "integer", minimum: 1, maximum: 2_147_483_647 };
  const schema = { params: { type: "object", properties: { item_id: itemId }, required: ["item_id"] } };
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
