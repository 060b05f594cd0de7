import { Agent, type IncomingMessage, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../sim/random.ts";

export type Person = { accountId: string; keyId: string; secret: string; canExport: boolean };

/** One request and what its client saw. Times in ms of one clock that never jumps. */
export type Sent = {
  /** Of the header by which the proxy's log names it. */
  number: number;
  person: Person;
  kind: Kind;
  isProxied: boolean;
  sentAt: number;
  /** Null: no answer came. */
  status: number | null;
  answeredAt: number;
  requestId: string;
  code: string | null;
  /** Of an export: until when its client has not read on, so that it was under way. */
  heldUntil: number | null;
};

type Kind = "item" | "list" | "batch" | "usage" | "wrong" | "export";
type Answer = Pick<Sent, "status" | "answeredAt" | "requestId" | "code" | "heldUntil">;

/** What the service sells: how often each is asked for. */
const shares: readonly (readonly [Kind, number])[] = [
  ["item", 50],
  ["list", 12],
  ["batch", 12],
  ["usage", 8],
  ["wrong", 6],
  ["export", 6],
];
const pauseMs = 60;
/** After it a client goes away. */
const patienceMs = 20_000;

/** Clients that ask in turn, each through the proxy or at a node, and write down what they saw. */
export class Traffic {
  readonly sent: Sent[] = [];
  readonly #targets: { proxy: string; nodes: readonly string[] };
  readonly #random: Random;
  #numbers: number;
  #isOver = false;
  #clients: Promise<unknown> = Promise.resolve();

  /** `first`: number of the first request. */
  constructor(targets: { proxy: string; nodes: readonly string[] }, random: Random, first: number) {
    this.#targets = targets;
    this.#random = random;
    this.#numbers = first;
  }

  /** Lets each of `people` in turn have a client, `clients` in all. */
  start(people: readonly Person[], clients: number): void {
    this.#clients = Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const agents = new Map<string, Agent>();
        for (let turn = index; !this.#isOver; turn += clients) {
          const sent = await this.#ask(agents, people[turn % people.length]!);
          await wait(sent.status === null ? 2 * pauseMs : pauseMs);
        }
        for (const agent of agents.values()) agent.destroy();
      }),
    );
  }

  /** Each of `people` begins two exports, all at once. */
  async burst(people: readonly Person[]): Promise<void> {
    await Promise.all([...people, ...people].map((person) => this.#ask(new Map(), person, "export")));
  }

  /** `person` asks for items, `count` times at once. */
  async rush(person: Person, count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#ask(new Map(), person, "item")));
  }

  get charged(): number {
    return this.sent.filter(isCharged).length;
  }

  get next(): number {
    return this.#numbers;
  }

  /** Lets no more requests begin, and resolves when each has its answer or none will come. */
  async over(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
  }

  async #ask(agents: Map<string, Agent>, person: Person, asked?: Kind): Promise<Sent> {
    const random = this.#random;
    const isProxied = random.chance(0.5);
    const base = isProxied ? this.#targets.proxy : random.pick(this.#targets.nodes);
    const agent = agents.get(base) ?? new Agent({ keepAlive: true, maxSockets: 1 });
    agents.set(base, agent);
    const drawn = asked ?? random.weighted(shares);
    const kind = drawn === "export" && !person.canExport ? "item" : drawn;
    const { method, path, body } = wordsOf(kind, random);
    const number = this.#numbers;
    this.#numbers += 1;
    const headers = {
      authorization: `Bearer ${person.secret}`,
      "x-number": String(number),
      ...(body === null ? {} : { "content-type": "application/json" }),
    };
    const sentAt = performance.now();
    const holdMs = random.between(50, 400);
    const exchange = request(`${base}${path}`, { agent, method, headers, timeout: patienceMs });
    const answer = answerOf(exchange, kind === "export" ? holdMs : 0);
    exchange.end(body);
    const sent = { number, person, kind, isProxied, sentAt, ...(await answer) };
    this.sent.push(sent);
    return sent;
  }
}

/** Returns whether the answer says that a unit was charged. */
export function isCharged({ status, kind }: Sent): boolean {
  return (status === 200 && kind !== "usage") || status === 404;
}

/** Returns whether the answer says that none was. A 503 of a node says so too, but for a commit that its standby may not have. */
export function isRefused({ status, kind }: Sent): boolean {
  return status !== null && ((status >= 400 && status < 500 && status !== 404) || (status === 200 && kind === "usage"));
}

/** Resolves to what the client of one request saw. */
function answerOf(asked: ReturnType<typeof request>, holdMs: number): Promise<Answer> {
  const none: Answer = { status: null, answeredAt: 0, requestId: "", code: null, heldUntil: null };
  return new Promise((resolve) => {
    asked.once("timeout", () => asked.destroy(new Error("no answer")));
    asked.once("error", () => resolve(none));
    asked.once("response", (answer) => {
      const status = answer.statusCode ?? 0;
      const known = {
        ...none,
        status,
        answeredAt: performance.now(),
        requestId: String(answer.headers["x-request-id"]),
      };
      if (holdMs > 0 && status === 200) holdExport(answer, holdMs, (heldUntil) => resolve({ ...known, heldUntil }));
      else
        readWhole(answer, (text) =>
          resolve(text === null ? { ...none, requestId: known.requestId } : { ...known, code: codeOf(text) }),
        );
    });
  });
}

function readWhole(answer: IncomingMessage, done: (text: string | null) => void): void {
  let text = "";
  answer.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  answer.once("error", () => {});
  answer.once("close", () => done(answer.complete ? text : null));
}

/** Reads nothing for a while, then goes away. */
function holdExport(answer: IncomingMessage, holdMs: number, done: (heldUntil: number | null) => void): void {
  let isCut = false;
  answer.once("error", () => {
    isCut = true;
  });
  setTimeout(() => {
    const heldUntil = isCut || answer.socket.destroyed ? null : performance.now();
    answer.destroy();
    done(heldUntil);
  }, holdMs);
}

function codeOf(text: string): string | null {
  return /^\{.*?"code":"(\w+)"/s.exec(text.slice(0, 2000))?.[1] ?? null;
}

function wordsOf(kind: Kind, random: Random): { method: string; path: string; body: string | null } {
  const get = (path: string) => ({ method: "GET", path, body: null });
  if (kind === "list") return get("/v1/items?limit=5");
  if (kind === "usage") return get("/v1/usage");
  if (kind === "wrong") return get("/v1/items?limit=0");
  if (kind === "batch") return { method: "POST", path: "/v1/markets/batch", body: '{"item_ids":[1,2,3]}' };
  if (kind === "export") return { method: "POST", path: "/v1/markets/snapshot", body: null };
  return get(`/v1/items/${random.between(1, 2000)}`);
}
