import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";

/** Handles a request with its head in lower case. */
export type Behaviour = (socket: Socket, head: string, server: FeedServer) => void;

/** A local source that sends exactly the bytes of a test. */
export class FeedServer {
  /** Heads of the received requests, oldest first. */
  readonly heads: string[] = [];
  behave: Behaviour = (socket) => socket.destroy();
  #server: Server | null = null;
  #port = 0;
  readonly #sockets = new Set<Socket>();

  get url(): string {
    return `http://127.0.0.1:${this.#port}/feed.json`;
  }

  get port(): number {
    return this.#port;
  }

  /** Listens. After a stop it uses the same port. */
  async start(): Promise<void> {
    const server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => this.#sockets.delete(socket));
      let head = "";
      const read = (chunk: Buffer) => {
        head += chunk.toString("latin1");
        if (!head.includes("\r\n\r\n")) return;
        socket.off("data", read);
        this.heads.push(head.toLowerCase());
        this.behave(socket, head.toLowerCase(), this);
      };
      socket.on("data", read);
    });
    server.listen(this.#port, "127.0.0.1");
    await once(server, "listening");
    this.#port = (server.address() as { port: number }).port;
    this.#server = server;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    for (const socket of this.#sockets) socket.destroy();
    if (server !== null) await new Promise((resolve) => server.close(resolve));
  }
}

/** A complete response. Pass null to omit a header. */
export function answer(
  status: number,
  body: string | Buffer = "",
  headers: Readonly<Record<string, string | number | null>> = {},
): Behaviour {
  const all = { "Content-Length": Buffer.byteLength(body), ...headers };
  return (socket) => {
    socket.write(headOf(status, all));
    socket.end(body);
  };
}

/** A body with an ETag, and a 304 for a client that has it. */
export function conditional(body: string, etag: string): Behaviour {
  return (socket, head, server) => {
    const isKnown = head.includes(`if-none-match: ${etag.toLowerCase()}\r\n`);
    (isKnown ? answer(304, "", { ETag: etag, "Content-Length": null }) : answer(200, body, { ETag: etag }))(
      socket,
      head,
      server,
    );
  };
}

/** Begins an answer and leaves the rest to `rest`. */
export function begin(
  headers: Readonly<Record<string, string | number | null>>,
  start: string | Buffer,
  rest: (socket: Socket) => void,
): Behaviour {
  return (socket) => {
    socket.write(headOf(200, headers));
    socket.write(start, () => rest(socket));
  };
}

function headOf(status: number, headers: Readonly<Record<string, string | number | null>>): string {
  const lines = Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}\r\n`]));
  return `HTTP/1.1 ${status} Said\r\n${lines.join("")}\r\n`;
}
