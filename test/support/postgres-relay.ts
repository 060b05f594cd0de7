import { connect as connectTo, createServer, type Server, type Socket } from "node:net";

/** One complete request of a client. `name` is the name of its prepared statement, else its text. */
export type RelayRequest = { readonly name: string; readonly bytes: Buffer };
/**
 * The response to one request. `tag` is the tag of its last command, such as `COMMIT`. `error` is an SQLSTATE, or null without an error.
 */
export type RelayAnswer = { readonly tag: string; readonly error: string | null; readonly bytes: Buffer };

/** Events of a relay. Without a handler, requests are forwarded and answers delivered at once. */
export type RelayEvents = {
  requested(link: RelayLink): void;
  answered(link: RelayLink, request: RelayRequest): void;
  /** Something else changed: a connection began or ended. */
  changed(): void;
  /** A new connection was refused. */
  refused?(): void;
};

const passOn: RelayEvents = {
  requested: (link) => link.forward(),
  answered: (link) => link.deliver(),
  changed() {},
};

const headBytes = 5;

/** One connection of a client through the relay. It splits the stream at PostgreSQL's message boundaries. */
export class RelayLink {
  readonly number: number;
  /** Process id of the server's side; 0 before it is known. */
  pid = 0;
  isReady = false;
  isOver = false;
  /** A request that waits to be forwarded. */
  held: RelayRequest | null = null;
  /** A request that the server has and has not answered. */
  sent: RelayRequest | null = null;
  /** An answer that waits to be delivered. */
  answer: RelayAnswer | null = null;
  inTransaction = false;
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #events: RelayEvents;
  #fromClient: Buffer = Buffer.alloc(0);
  #fromServer: Buffer = Buffer.alloc(0);
  #requestBytes = 0;
  #answerBytes = 0;
  #requestName: string | null = null;
  #tag = "";
  #error: string | null = null;
  #isStarted = false;
  #keepsServer = false;

  constructor(number: number, client: Socket, server: Socket, events: RelayEvents) {
    this.number = number;
    this.#client = client;
    this.#server = server;
    this.#events = events;
    for (const socket of [client, server]) socket.setNoDelay(true).on("error", () => {});
    client.on("data", (bytes) => this.#take(bytes));
    server.on("data", (bytes) => this.#takeAnswer(bytes));
    client.on("close", () => this.#keepsServer || this.cut());
    server.on("close", () => this.cut());
  }

  /** Sends the request that is held, or `instead`, to the server. */
  forward(instead: Buffer | null = null): void {
    if (this.held === null) throw new Error("no request is held");
    this.sent = this.held;
    this.held = null;
    this.#server.write(instead ?? this.sent.bytes);
  }

  /** Sends the held response to the client. `before` is sent first, and is not from the server. */
  deliver(before: Buffer | null = null): void {
    const { answer } = this;
    if (answer === null) throw new Error("no answer is held");
    this.answer = null;
    this.#client.write(before === null ? answer.bytes : Buffer.concat([before, answer.bytes]));
    this.#holdNext();
  }

  /** Discards the held response. The client's next request continues. */
  swallow(): void {
    this.answer = null;
    this.#holdNext();
  }

  /** Whether the client has sent more than the held request. */
  get hasMore(): boolean {
    return this.#fromClient.length > 0;
  }

  /** Ends the connection on both sides, with any request in progress. */
  cut(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.held = null;
    this.answer = null;
    this.#client.destroy();
    this.#server.destroy();
    this.#events.changed();
  }

  /** Ends the client's side. Its sent requests still go to the server. */
  cutClient(): void {
    this.#keepsServer = true;
    this.#client.destroy();
  }

  #take(bytes: Buffer): void {
    this.#fromClient = this.#fromClient.length === 0 ? bytes : Buffer.concat([this.#fromClient, bytes]);
    if (!this.#isStarted) {
      if (this.#fromClient.length < 4 || this.#fromClient.length < this.#fromClient.readInt32BE(0)) return;
      const length = this.#fromClient.readInt32BE(0);
      this.#isStarted = true;
      this.#server.write(this.#fromClient.subarray(0, length));
      this.#fromClient = this.#fromClient.subarray(length);
    }
    this.#holdNext();
  }

  /**
   * Holds the next request. Requests that the client sent together go on one after another, in the order in which the server handles them.
   */
  #holdNext(): void {
    while (this.held === null && this.sent === null && this.answer === null && !this.isOver) {
      const rest = this.#fromClient.subarray(this.#requestBytes);
      if (rest.length < headBytes || rest.length < 1 + rest.readInt32BE(1)) return;
      const length = 1 + rest.readInt32BE(1);
      const kind = String.fromCharCode(rest[0]!);
      this.#requestBytes += length;
      const text = () => rest.toString("utf8", headBytes, length);
      if (kind === "Q") this.#requestName = text().slice(0, -1);
      if (kind === "P")
        this.#requestName =
          text()
            .split("\0")
            .slice(0, 2)
            .find((part) => part !== "") ?? "";
      if (kind === "B") this.#requestName ??= text().split("\0")[1] ?? "";
      if (kind === "X") {
        this.cut();
        return;
      }
      if (kind !== "Q" && kind !== "S") continue;
      this.held = { name: this.#requestName ?? "", bytes: this.#fromClient.subarray(0, this.#requestBytes) };
      this.#fromClient = this.#fromClient.subarray(this.#requestBytes);
      this.#requestBytes = 0;
      this.#requestName = null;
      this.#events.requested(this);
    }
  }

  #takeAnswer(bytes: Buffer): void {
    if (!this.isReady || this.sent === null) this.#client.write(bytes);
    this.#fromServer = this.#fromServer.length === 0 ? bytes : Buffer.concat([this.#fromServer, bytes]);
    for (;;) {
      const rest = this.#fromServer.subarray(this.#answerBytes);
      if (rest.length < headBytes || rest.length < 1 + rest.readInt32BE(1)) return;
      const length = 1 + rest.readInt32BE(1);
      const kind = String.fromCharCode(rest[0]!);
      this.#answerBytes += length;
      if (kind === "K") this.pid = rest.readInt32BE(headBytes);
      if (kind === "C") this.#tag = rest.toString("utf8", headBytes, length - 1);
      if (kind === "E")
        this.#error = /\0C([0-9A-Z]{5})\0/.exec(`\0${rest.toString("utf8", headBytes, length)}`)?.[1] ?? "";
      if (kind === "Z") this.#answered(String.fromCharCode(rest[headBytes]!) !== "I");
    }
  }

  #answered(inTransaction: boolean): void {
    const bytes = this.#fromServer.subarray(0, this.#answerBytes);
    const [tag, error] = [this.#tag, this.#error];
    this.#fromServer = this.#fromServer.subarray(this.#answerBytes);
    this.#answerBytes = 0;
    this.#tag = "";
    this.#error = null;
    this.inTransaction = inTransaction;
    if (!this.isReady || this.sent === null) {
      this.isReady = true;
      this.#events.changed();
      return;
    }
    const request = this.sent;
    this.sent = null;
    this.answer = { tag, error, bytes };
    this.#events.answered(this, request);
  }
}

/** A relay between one client program and a PostgreSQL server of this machine: it can hold, cut, swallow and delay by message. */
export class PostgresRelay {
  readonly links: RelayLink[] = [];
  /** If true, new connections are refused. */
  refuses = false;
  readonly #server: Server;
  #made = 0;

  /** Listens on a free port and relays to `port`. */
  static async open(port: number, events: Partial<RelayEvents> = {}): Promise<PostgresRelay> {
    const relay = new PostgresRelay(port, { ...passOn, ...events });
    await new Promise<void>((resolve) => relay.#server.listen(0, "127.0.0.1", resolve));
    return relay;
  }

  private constructor(port: number, events: RelayEvents) {
    this.#server = createServer((client) => {
      if (this.refuses) {
        client.on("error", () => {}).destroy();
        return events.refused?.();
      }
      this.#made += 1;
      const link = new RelayLink(this.#made, client, connectTo(port, "127.0.0.1"), {
        ...events,
        changed: () => {
          if (link.isOver && this.links.includes(link)) this.links.splice(this.links.indexOf(link), 1);
          events.changed();
        },
      });
      this.links.push(link);
    });
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port;
  }

  cutAll(): void {
    for (const link of [...this.links]) link.cut();
  }

  async close(): Promise<void> {
    this.cutAll();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Returns the bytes of one message of the server. */
function message(kind: string, body: string): Buffer {
  const bytes = Buffer.alloc(headBytes + Buffer.byteLength(body));
  bytes.write(kind, 0);
  bytes.writeInt32BE(bytes.length - 1, 1);
  bytes.write(body, headBytes);
  return bytes;
}

/** The warning of a commit that is on the local disk and perhaps not on the synchronous standby. */
export const notReplicatedWarning = message(
  "N",
  "SWARNING\0VWARNING\0C01000\0Mcanceling wait for synchronous replication due to user request\0DThe transaction has already committed locally, but might not have been replicated to the standby.\0\0",
);
/** A request that fails like a cancelled one. */
export const failingRequest = message("Q", "DO $$ BEGIN RAISE query_canceled; END $$\0");
/** The request that undoes a transaction. */
export const rollbackRequest = message("Q", "ROLLBACK\0");
