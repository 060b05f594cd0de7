import type { ServerResponse } from "node:http";
import { ItemReader } from "./item-reader.ts";
import { listening, type Running, type Setup } from "./listening.ts";

const pathLength = "/v1/items/".length;

/** node:http with nothing on it: the most that any server of this runtime can answer. */
export function rawConstant({ database }: Setup): Promise<Running> {
  const body = constantBody(database);
  return listening((_req, res) => send(res, body));
}

/** node:http, one prepared SELECT, JSON.stringify. */
export function rawRead({ database }: Setup): Promise<Running> {
  const items = new ItemReader(database);
  return listening(
    (req, res) => send(res, JSON.stringify(items.answer(Number(req.url?.slice(pathLength))))),
    () => items.close(),
  );
}

/** A real answer, the same each time. */
export function constantBody(database: string): string {
  const items = new ItemReader(database);
  const body = JSON.stringify(items.answer(1));
  items.close();
  return body;
}

function send(res: ServerResponse, body: string): void {
  res.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  res.end(body);
}
