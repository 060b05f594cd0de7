import { EventEmitter } from "node:events";
import type { Outcome } from "./engine.ts";
import type { MemoryLink, MemoryRelay } from "./relay.ts";

type Config = { name?: string; text: string; values?: readonly unknown[] };
type Result = { rows: readonly unknown[]; command: string };
type Answered = (error: Error | null, result?: Result) => void;
type Asked = { config: Config; isSent: boolean; answered: Answered };

/** Relays by port, shared with modules that are loaded a second time. */
const shared = globalThis as { memoryRelays?: Map<number, MemoryRelay> };
shared.memoryRelays ??= new Map();
const relays = shared.memoryRelays;

export function addRelay(relay: MemoryRelay): void {
  relays.set(relay.port, relay);
}

export function removeRelay(relay: MemoryRelay): void {
  relays.delete(relay.port);
}

/** The driver's client as far as the project uses it, whose server is in this process. */
class Client extends EventEmitter {
  readonly connectionParameters = { query_timeout: 0 };
  readonly #port: number;
  #link: MemoryLink | null = null;
  /** What is not answered yet, in the order in which it was asked. */
  #asked: Asked[] = [];
  /** What is asked goes on before the one before it is answered. */
  readonly #isPipeline: boolean;
  #isEnding = false;
  #isEnded = false;

  constructor(options: { connectionString: string; pipeline?: boolean } | string) {
    super();
    this.#isPipeline = typeof options !== "string" && options.pipeline === true;
    this.#port = Number(new URL(typeof options === "string" ? options : options.connectionString).port);
  }

  async connect(): Promise<void> {
    await null;
    if (this.#isEnding) throw new Error("Connection terminated");
    const link = relays.get(this.#port)?.connect({
      answered: (outcome, isWarned) => this.#answered(outcome, isWarned),
      ended: () => this.#end(),
    });
    if (link == null) {
      this.#isEnded = true;
      throw new Error("Connection terminated unexpectedly");
    }
    this.#link = link;
    link.ready();
  }

  query(text: string | Config, values?: readonly unknown[], answered?: Answered): Promise<Result> | undefined {
    if (answered === undefined)
      return new Promise((resolve, reject) =>
        this.query(text, values, (error, result) => (error === null ? resolve(result!) : reject(error))),
      );
    const config = typeof text === "string" ? { text, values: values ?? [] } : text;
    if (this.#isEnded || this.#isEnding) answered(new Error("Client was closed and is not queryable"));
    else {
      this.#asked.push({ config, isSent: false, answered });
      this.#send();
    }
    return undefined;
  }

  async end(): Promise<void> {
    // A client that is cut off has nothing left to end: what it has sent is still on its way.
    if (this.#isEnding || this.#isEnded) return;
    this.#isEnding = true;
    this.#link?.cut();
  }

  get isEnded(): boolean {
    return this.#isEnded;
  }

  #send(): void {
    for (const [index, asked] of this.#asked.entries()) {
      if (asked.isSent || (index > 0 && !this.#isPipeline)) continue;
      asked.isSent = true;
      const { name = "", text, values = [] } = asked.config;
      this.#link?.request({ name, text, values });
    }
  }

  #answered({ rows, tag, error }: Outcome, isWarned: boolean): void {
    const asked = this.#asked.shift()!;
    if (isWarned) this.emit("notice", { message: "warned", detail: "might not have been replicated to the standby" });
    if (error === null) asked.answered(null, { rows, command: tag });
    else asked.answered(Object.assign(new Error(`the statement failed: ${error}`), { code: error }));
    this.#send();
  }

  #end(): void {
    this.#isEnded = true;
    const error = new Error(this.#isEnding ? "Connection terminated" : "Connection terminated unexpectedly");
    for (const { answered } of this.#asked.splice(0)) answered(error);
    if (!this.#isEnding) this.emit("error", error);
    process.nextTick(() => this.emit("end"));
  }
}

type ClientClass = new (options: { connectionString: string }) => Client;

/** The driver's pool. */
class Pool extends EventEmitter {
  readonly #options: { connectionString: string; max: number; Client: ClientClass };
  readonly #idle: Client[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #all = new Set<Client>();
  #isEnded = false;

  constructor(options: { connectionString: string; max: number; Client: ClientClass }) {
    super();
    this.#options = options;
  }

  async query(text: string | Config, values?: readonly unknown[]): Promise<Result> {
    const client = await this.#take();
    try {
      return (await client.query(text, values))!;
    } finally {
      if (client.isEnded) this.#all.delete(client);
      else this.#idle.push(client);
      this.#waiting.shift()?.();
    }
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    for (const client of this.#all) await client.end();
  }

  async #take(): Promise<Client> {
    for (;;) {
      if (this.#isEnded) throw new Error("Cannot use a pool after calling end on the pool");
      const idle = this.#idle.pop();
      if (idle !== undefined) return idle;
      if (this.#all.size < this.#options.max) return this.#connect();
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async #connect(): Promise<Client> {
    const client = new this.#options.Client(this.#options);
    this.#all.add(client);
    client.on("error", () => {
      this.#all.delete(client);
      const index = this.#idle.indexOf(client);
      if (index !== -1) this.#idle.splice(index, 1);
    });
    try {
      await client.connect();
      return client;
    } catch (error) {
      this.#all.delete(client);
      throw error;
    }
  }
}

export default { Client, Pool, types: { getTypeParser: () => String } };
