import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import express, { type Request, type Response } from "express";
import Fastify, { type FastifyInstance } from "fastify";
import { type Document, OpenAPIBackend } from "openapi-backend";
import { ItemReader } from "./item-reader.ts";
import { listening, type Running, type Setup } from "./listening.ts";
import { constantBody } from "./raw.ts";
import { SyncLedger } from "./sync-ledger.ts";

const documentUrl = new URL("../../../generated/openapi.json", import.meta.url);
const { middleware } = createRequire(import.meta.url)("express-openapi-validator");

/** express with a constant answer: what the framework itself costs. */
export function expressConstant({ database }: Setup): Promise<Running> {
  const body = constantBody(database);
  const app = express();
  app.get("/v1/items/:item_id", (_req, res) => void res.type("json").send(body));
  return listening(app);
}

/** express, openapi-backend's own router and validators on our document, and the read. */
export async function expressOpenapiBackend({ database }: Setup): Promise<Running> {
  const items = new ItemReader(database);
  const api = new OpenAPIBackend({
    definition: readDocument(),
    // Its validators do not know formats and say so for each one.
    ajvOpts: { logger: false },
    securityHandlers: { bearerAuth: (context) => context.request.headers.authorization !== undefined },
    handlers: {
      getItem: (context, _req: Request, res: Response) =>
        void res.json(items.answer(Number(context.request.params.item_id))),
      validationFail: (context, _req: Request, res: Response) =>
        void res.status(400).json({ errors: context.validation.errors }),
    },
  });
  // It checks 3.1 documents against the schema of 3.0 and would serve nothing.
  api.validateDefinition = () => api.document;
  await api.init();
  const app = express();
  app.use((req, res) => void api.handleRequest(requestOf(req), req, res));
  return listening(app, () => items.close());
}

/** express, express-openapi-validator on our document, and the read. */
export function expressOpenapiValidator({ database }: Setup): Promise<Running> {
  const items = new ItemReader(database);
  const app = express();
  app.use(middleware({ apiSpec: readDocument(), validateRequests: true, validateResponses: false }));
  app.get("/v1/items/:item_id", (req, res) => void res.json(items.answer(Number(req.params.item_id))));
  return listening(app, () => items.close());
}

/** fastify with its validation of the parameter, and the read: no credential, no charge. */
export function fastifyRead({ database }: Setup): Promise<Running> {
  const items = new ItemReader(database);
  const app = Fastify();
  app.get<ById>("/v1/items/:item_id", { schema }, async (request) => items.answer(request.params.item_id));
  return started(app, () => items.close());
}

/** The same with a credential and one synced transaction for each request before it is read. */
export function fastifyCharged({ database }: Setup): Promise<Running> {
  const items = new ItemReader(database);
  const ledger = new SyncLedger(database);
  const app = Fastify();
  app.get<ById>("/v1/items/:item_id", { schema }, async (request, reply) => {
    if (!ledger.charge(request.headers.authorization, "getItem")) return reply.code(401).send();
    return items.answer(request.params.item_id);
  });
  return started(app, () => {
    items.close();
    ledger.close();
  });
}

type ById = { Params: { item_id: number } };
const itemId = { type: "integer", minimum: 1, maximum: 2_147_483_647 };
const schema = { params: { type: "object", properties: { item_id: itemId }, required: ["item_id"] } };

async function started(app: FastifyInstance, release: () => void): Promise<Running> {
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  return {
    port: Number(new URL(address).port),
    async close() {
      app.server.closeAllConnections();
      await app.close();
      release();
    },
  };
}

function requestOf(req: Request) {
  return {
    method: req.method,
    path: req.path,
    body: req.body,
    query: req.query as Record<string, string>,
    headers: req.headers as Record<string, string>,
  };
}

function readDocument(): Document {
  return JSON.parse(readFileSync(documentUrl, "utf8")) as Document;
}
