import {
  failingRequest,
  type Link,
  notReplicatedWarning,
  type Relay,
  type RelayAnswer,
  type RelayEvents,
  type RelayRequest,
  rollbackRequest,
} from "../../../support/postgres-relay.ts";
import { type Engine, failingText, type Outcome, type Session, type Statement } from "./engine.ts";

const noBytes = Buffer.alloc(0);
const failing: Statement = { name: "", text: failingText, values: [] };
const rollback: Statement = { name: "", text: "ROLLBACK", values: [] };
/** What the driver's connection is told. */
export type Client = {
  answered(outcome: Outcome, isWarned: boolean): void;
  ended(): void;
};

/** One connection of the driver to the engine, of which a run decides what goes on when, as of one through a relay of sockets. */
export class MemoryLink implements Link {
  readonly number: number;
  readonly pid: number;
  isReady = false;
  isOver = false;
  held: RelayRequest | null = null;
  sent: RelayRequest | null = null;
  answer: RelayAnswer | null = null;
  readonly #client: Client;
  readonly #session: Session;
  readonly #events: RelayEvents;
  #statement: Statement | null = null;
  readonly #sentBehind: Statement[] = [];
  #outcome: Outcome | null = null;
  #isClientGone = false;

  constructor(number: number, client: Client, session: Session, events: RelayEvents) {
    this.number = number;
    this.pid = number;
    this.#client = client;
    this.#session = session;
    this.#events = events;
  }

  get inTransaction(): boolean {
    return this.#session.inTransaction;
  }

  get isBlocked(): boolean {
    return this.#session.isBlocked;
  }

  ready(): void {
    this.isReady = true;
    this.#events.changed();
  }

  request(statement: Statement): void {
    this.#sentBehind.push(statement);
    this.#holdNext();
  }

  /** Whether more has come from the client than the request that is held. */
  get hasMore(): boolean {
    return this.#sentBehind.length > 0;
  }

  /** Lets the engine have the request, or one that undoes or fails in its place. */
  forward(instead: Buffer | null = null): void {
    if (this.held === null) throw new Error("no request is held");
    const request = this.held;
    this.sent = request;
    this.held = null;
    const statement = instead === rollbackRequest ? rollback : instead === failingRequest ? failing : this.#statement!;
    this.#session.execute(statement, (outcome) => {
      this.sent = null;
      this.#outcome = outcome;
      this.answer = { tag: outcome.tag, error: outcome.error, bytes: noBytes };
      this.#events.answered(this, request);
    });
  }

  deliver(before: Buffer | null = null): void {
    if (this.answer === null) throw new Error("no answer is held");
    this.answer = null;
    if (!this.#isClientGone) this.#client.answered(this.#outcome!, before === notReplicatedWarning);
    this.#holdNext();
  }

  /** Keeps the answer that is held from the client, whose next request goes on. */
  swallow(): void {
    this.answer = null;
    this.#holdNext();
  }

  cut(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.held = null;
    this.sent = null;
    this.answer = null;
    this.#session.close();
    this.cutClient();
    this.#events.changed();
  }

  cutClient(): void {
    if (this.#isClientGone) return;
    this.#isClientGone = true;
    this.#client.ended();
  }

  #holdNext(): void {
    if (this.held !== null || this.sent !== null || this.answer !== null || this.isOver) return;
    const statement = this.#sentBehind.shift();
    if (statement === undefined) return;
    this.#statement = statement;
    const name = statement.name || statement.text;
    // By the hashes of keys a run knows whose they are.
    const hashes = name === "keys" ? (statement.values[0] as Buffer[]).map((hash) => hash.toString("hex")) : [];
    this.held = { name, bytes: hashes.length === 0 ? noBytes : Buffer.from(hashes.join()) };
    this.#events.requested(this);
  }
}

/** What stands between one program and the engine. */
export class MemoryRelay implements Relay {
  readonly links: MemoryLink[] = [];
  readonly port: number;
  refuses = false;
  readonly #engine: Engine;
  readonly #events: RelayEvents;
  readonly #numbers: () => number;

  constructor(port: number, engine: Engine, events: RelayEvents, numbers: () => number) {
    this.port = port;
    this.#engine = engine;
    this.#events = events;
    this.#numbers = numbers;
  }

  /** Returns a connection; null: nobody gets one. */
  connect(client: Client): MemoryLink | null {
    if (this.refuses) return null;
    const link: MemoryLink = new MemoryLink(this.#numbers(), client, this.#engine.session(), {
      ...this.#events,
      changed: () => {
        if (link.isOver && this.links.includes(link)) this.links.splice(this.links.indexOf(link), 1);
        this.#events.changed();
      },
    });
    this.links.push(link);
    return link;
  }

  cutAll(): void {
    for (const link of [...this.links]) link.cut();
  }

  async close(): Promise<void> {
    this.refuses = true;
    this.cutAll();
  }
}
