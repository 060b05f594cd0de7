import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { loadContract } from "../contract/document.ts";
import type { OperationId } from "../contract/types.ts";
import type { Ids } from "../values/ids.ts";
import { answerControl, isControl } from "./control.ts";
import type { FaultedRequest } from "./faulted-request.ts";
import { faults } from "./faults.ts";
import { fetchWhole, forward } from "./forward.ts";
import { type Entry, noteBody, noteCut, secretsIn } from "./journal.ts";
import type { Step } from "./scripts.ts";

/** Maximum request body that is read before a fault, in bytes. */
const bodyBytesMax = 1024 * 1024;

type Parts = Parameters<typeof answerControl>[0] & {
  /** Loopback port of the server behind the front. */
  port: number;
  ids: Ids;
  onError(error: unknown): void;
};

/** The server that clients connect to. It answers `/sandbox/`, plays faults, and forwards all other requests. */
export class Front {
  readonly #parts: Parts;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#server = createServer({ requestTimeout: 0, keepAliveTimeout: 5000, requireHostHeader: false });
    this.#server.timeout = 0;
    this.#server.on("connection", (socket) => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
    });
    const take = (req: IncomingMessage, res: ServerResponse) => {
      this.#take(req, res).catch((error: unknown) => {
        parts.onError(error);
        noteCut(req.socket);
        req.socket.destroy();
      });
    };
    this.#server.on("request", take).on("checkExpectation", take);
    // Forwards invalid HTTP, so that the server behind the front reports the error.
    this.#server.on("clientError", (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket) => {
      if (error.rawPacket === undefined || !socket.writable) {
        socket.destroy();
        return;
      }
      const behind = connect(parts.port, "127.0.0.1");
      behind.on("error", () => socket.destroy());
      behind.write(error.rawPacket);
      behind.pipe(socket);
    });
  }

  /** Starts listening and resolves to the port. */
  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => resolve((this.#server.address() as AddressInfo).port));
    });
  }

  /** Closes all connections and stops listening. */
  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #take(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const { keys, others, port } = this.#parts;
    const target = req.url ?? "/";
    if (isControl(req)) return answerControl(this.#parts, req, res);
    const key = keys.bySecrets(secretsIn(req));
    const operationId = operationOf(req.method ?? "", target);
    const entry = (key?.journal ?? others).add(req, res, operationId);
    const step = key?.script.take(operationId) ?? null;
    if (step === null) {
      followBody(req, entry);
      forward(port, { req, res, entry });
      return;
    }
    const body = await readBody(req);
    noteBody(entry, body);
    await this.#play(step, { req, res, entry, body, operationId, plan: key!.plan });
  }

  async #play(
    { fault, figures }: Step,
    facts: Pick<FaultedRequest, "req" | "res" | "entry" | "body" | "operationId" | "plan">,
  ): Promise<void> {
    const { port, clocks, replay, ids } = this.#parts;
    const { req, res, entry, body } = facts;
    entry.fault = fault === "pass" ? null : fault;
    const at = clocks.account.now();
    const turn: FaultedRequest = {
      ...facts,
      at,
      requestId: ids.requestId(at),
      fetch: (without = []) => fetchWhole(port, req, body, without),
      async pass() {
        forward(port, { req, res, entry, sent: body });
      },
      publishNext: async () => replay !== null && (await replay.next()).publication !== null,
    };
    await faults[fault]!.act(turn, figures);
  }
}

function followBody(req: IncomingMessage, entry: Entry): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  req.on("data", (part: Buffer) => {
    if (bytes < bodyBytesMax) parts.push(part);
    bytes += part.length;
  });
  req.on("end", () => noteBody(entry, Buffer.concat(parts)));
}

async function readBody(req: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of req) {
    bytes += (part as Buffer).length;
    if (bytes <= bodyBytesMax) parts.push(part as Buffer);
  }
  return Buffer.concat(parts);
}

type Template = { operationId: OperationId; method: string; pattern: RegExp; parameters: number };

const templates: readonly Template[] = [...loadContract().operations.values()]
  .map(({ operationId, method, path }) => ({
    operationId,
    method,
    pattern: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
    parameters: path.split("{").length,
  }))
  // Literal path segments have precedence over parameters.
  .toSorted((one, other) => one.parameters - other.parameters);

function operationOf(method: string, target: string): OperationId | null {
  const [path = ""] = target.split("?");
  const wanted = method === "HEAD" ? "GET" : method;
  return templates.find((one) => one.method === wanted && one.pattern.test(path))?.operationId ?? null;
}
