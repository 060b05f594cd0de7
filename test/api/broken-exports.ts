import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

const start = { type: "start", request_id: "req_1", generation: "g1", catalog_max_item_id: 9 };
const end = { type: "end", request_id: "req_1", generation: "g1", items: 2 };
const item = (itemId: unknown) => ({ type: "item", data: { item_id: itemId } });

/** A valid export. */
export const completeBody = linesOf(start, item(1), item(4), end);

/** Invalid exports with the fault of each, and the message for a reader. */
export const brokenBodies: readonly { name: string; body: string; description?: string }[] = [
  {
    name: "changed",
    body: linesOf(start, item(1), { type: "error", request_id: "req_1", code: "snapshot_changed" }),
    description: "snapshot_changed",
  },
  {
    name: "interrupted",
    body: linesOf(start, { type: "error", request_id: "req_1", code: "snapshot_interrupted" }),
    description: "snapshot_interrupted",
  },
  { name: "closed without end", body: linesOf(start, item(1), item(4)), description: "end record" },
  { name: "empty", body: "", description: "end record" },
  { name: "cut in a record", body: `${linesOf(start, item(1), item(4))}{"type":"end","request` },
  { name: "cut before the last line feed", body: completeBody.slice(0, -1) },
  { name: "too few items", body: linesOf(start, item(1), end) },
  { name: "an item twice", body: linesOf(start, item(4), item(4), end), description: "order" },
  { name: "descending items", body: linesOf(start, item(4), item(1), end), description: "order" },
  { name: "an item beyond the catalog", body: linesOf(start, item(1), item(10), end), description: "order" },
  { name: "an item with a non-numeric id", body: linesOf(start, item("x"), item(4), end) },
  { name: "no start", body: linesOf(item(1), item(4), end) },
  { name: "two starts", body: linesOf(start, start, item(1), item(4), end) },
  { name: "two ends", body: completeBody + linesOf(end), description: "after end" },
  { name: "an item after the end", body: completeBody + linesOf(item(5)), description: "after end" },
  { name: "a record of an unknown kind", body: linesOf(start, item(1), { type: "note" }, item(4), end) },
  { name: "an empty line", body: completeBody.replace("\n", "\n\n") },
  { name: "another request's end", body: linesOf(start, item(1), item(4), { ...end, request_id: "req_2" }) },
  { name: "another generation's end", body: linesOf(start, item(1), item(4), { ...end, generation: "g2" }) },
  {
    name: "a record of more than 256 KiB",
    body: linesOf(start, item(1), { ...item(4), pad: "x".repeat(262_144) }, end),
  },
];

/** Answers each request with the next of the bodies, as 200. */
export class BrokenExports {
  readonly #server: Server;

  static async start(bodies: readonly string[]): Promise<BrokenExports> {
    const rest = [...bodies];
    const server = createServer((_req, res) => {
      res.writeHead(200, { "content-type": "application/x-ndjson" });
      res.end(rest.shift());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return new BrokenExports(server);
  }

  private constructor(server: Server) {
    this.#server = server;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

function linesOf(...records: object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join("");
}
