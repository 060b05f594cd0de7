import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { randomOf } from "../support/numbers.ts";

// This generator does the minimum per request. A general one (autocannon) needs twice the processor time, which the measured server would
// lack.

/** Requests of some connections, one open request each. The connections alternate between the keys of `accounts`. */
export type Requests = {
  method?: "GET" | "POST";
  /** `{item}` is replaced by another item id in each request. */
  target: string;
  body?: string;
  connections: number;
  /** Number of accounts, default 1. */
  accounts?: number;
  /** Largest requested item id. Default: all items. */
  itemsTo?: number;
};

/**
 * Opens the connections. `run` sends requests until `work` ends and resolves to their number. It rejects after a response other than 200.
 */
export async function openLoad(order: Requests, port: number, keys: readonly string[], items: number) {
  const connections = Array.from({ length: order.connections }, (_, index) =>
    openConnection(requestText(order, keys[index % (order.accounts ?? 1)]!), port, items, index),
  );
  await Promise.all(connections.map(({ socket }) => once(socket, "connect")));
  return {
    async run(work: Promise<unknown>): Promise<number> {
      let isOver = false;
      const end = () => {
        isOver = true;
      };
      work.then(end, end);
      const counts = await Promise.all(connections.map((one) => one.run(() => isOver)));
      return counts.reduce((sum, count) => sum + count, 0);
    },
    close: () => connections.forEach(({ socket }) => void socket.destroy()),
  };
}

function requestText({ method = "GET", target, body }: Requests, key: string): string {
  const content = body === undefined ? "" : `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  const head = `Host: 127.0.0.1\r\nAuthorization: Bearer ${key}\r\nAccept: application/json\r\n${content}`;
  return `${method} ${target} HTTP/1.1\r\n${head}\r\n${body ?? ""}`;
}

function openConnection(text: string, port: number, items: number, index: number) {
  const [beforeItem = "", afterItem] = text.split("{item}");
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  const random = randomOf(index * 2_654_435_761 + 1);
  let received: Buffer | null = null;
  let take: () => void = () => {};
  let fail: (error: Error) => void = () => {};
  const send = () =>
    socket.write(afterItem === undefined ? beforeItem : `${beforeItem}${1 + (random() % items)}${afterItem}`, "latin1");
  socket.on("data", (chunk) => {
    const answer = received === null ? chunk : Buffer.concat([received, chunk]);
    received = answer.length < lengthOf(answer) ? answer : null;
    if (received !== null) return;
    // "HTTP/1.1 200": the three digits begin at 9.
    if (answer[9] === 50 && answer[10] === 48 && answer[11] === 48) take();
    else fail(new Error(`a request was answered with ${answer.toString("latin1", 0, 600)}`));
  });
  socket.on("error", (error) => fail(error));
  socket.on("close", () => fail(new Error("the server closed a connection")));
  return {
    socket,
    run: (isOver: () => boolean) =>
      new Promise<number>((resolve, reject) => {
        let count = 0;
        fail = reject;
        take = () => {
          count += 1;
          if (isOver()) resolve(count);
          else send();
        };
        send();
      }),
  };
}

/** Returns the length of a response with its head, Infinity if its head is not complete. */
function lengthOf(answer: Buffer): number {
  const headEnd = answer.indexOf("\r\n\r\n");
  if (headEnd === -1) return Number.POSITIVE_INFINITY;
  const found = /\r\ncontent-length: *([0-9]+)\r\n/i.exec(answer.toString("latin1", 0, headEnd + 2));
  if (found === null) throw new Error("an answer has no Content-Length");
  return headEnd + 4 + Number(found[1]);
}

/**
 * Downloads an export and returns its chunks.
 * @throws {Error} unless its status is 200 and, if plain, it has its last record.
 */
export async function takeExport(port: number, key: string, coding: "gzip" | "identity"): Promise<Buffer[]> {
  const headers = { Authorization: `Bearer ${key}`, "Accept-Encoding": coding };
  const options = { port, host: "127.0.0.1", method: "POST", path: "/v1/markets/snapshot", headers, agent: false };
  const [answer] = (await once(request(options).end(), "response")) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`an export was answered with ${await text(answer)}`);
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  if (coding === "identity" && !Buffer.concat(chunks.slice(-2)).includes('"type":"end"'))
    throw new Error("an export has no end");
  return chunks;
}
