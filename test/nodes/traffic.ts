import { readFileSync } from "node:fs";
import { Agent, type IncomingMessage, request } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Random } from "../sim/random.ts";

export type Person = { accountId: string; keyId: string; secret: string; canExport: boolean };

/** One request and its outcome for the client. Times are in ms of one clock that never jumps. */
export type Sent = {
  /** Of the header by which the proxy's log names it. */
  number: number;
  person: Person;
  kind: Kind;
  isProxied: boolean;
  /** Index of the requested node, or null if the proxy chose it. */
  node: number | null;
  sentAt: number;
  /** Null without a response. */
  status: number | null;
  answeredAt: number;
  requestId: string;
  code: string | null;
  /** Instant until which an export read to its `end` was certainly in progress, because its client had not read on. */
  heldUntil: number | null;
  /** The generation of the response, or null if the response does not name it. */
  generation: string | null;
  digest: string | null;
  /** The last record of an export read to its end, or `cut` without one. Null for other requests. */
  ending: "end" | "snapshot_changed" | "cut" | "other" | null;
};

type Kind = "item" | "list" | "batch" | "usage" | "wrong" | "generation" | "export";
type Answer = Omit<Sent, "number" | "person" | "kind" | "isProxied" | "node" | "sentAt">;
/**
 * How an export is read: held for a time, then abandoned or read to its end. Only a full read shows whether it was in progress meanwhile.
 */
type Reading = { holdMs: number; isRead: boolean };
/** `canBeHeld` is true if a client that does not read keeps the export in progress. */
type ToldReading = Reading & { canBeHeld: boolean };

/** The products of the service with their frequency. */
const shares: readonly (readonly [Kind, number])[] = [
  ["item", 50],
  ["list", 12],
  ["batch", 12],
  ["usage", 8],
  ["wrong", 6],
  ["generation", 8],
  ["export", 6],
];
const waitMsMax = 90_000;
/** Time after which a client disconnects. */
const patienceMs = 20_000;

/**
 * Clients that send requests in turn, through the proxy or to a node, and record the outcomes. Each export uses a fresh connection. The
 * kernel's buffers of an older one may have grown enough to hold a whole unread export.
 */
export class Traffic {
  readonly sent: Sent[] = [];
  readonly #targets: { proxy: string; nodes: readonly string[] };
  readonly #random: Random;
  readonly #pauseMs: number;
  #numbers: number;
  #isOver = false;
  #whenCharged: () => void = () => {};
  #clients: Promise<unknown> = Promise.resolve();

  /** `first` is the number of the first request. `pauseMs` is the pause between two requests of a client. */
  constructor(
    targets: { proxy: string; nodes: readonly string[] },
    { random, first, pauseMs }: { random: Random; first: number; pauseMs: number },
  ) {
    this.#targets = targets;
    this.#random = random;
    this.#pauseMs = pauseMs;
    this.#numbers = first;
  }

  /** Lets each of `people` in turn have a client, `clients` in all. */
  start(people: readonly Person[], clients: number): void {
    this.#clients = Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const agents = new Map<string, Agent>();
        for (let turn = index; !this.#isOver; turn += clients) {
          const sent = await this.#ask(agents, people[turn % people.length]!);
          await wait(sent.status === null ? 2 * this.#pauseMs : this.#pauseMs);
        }
        for (const agent of agents.values()) agent.destroy();
      }),
    );
  }

  /** Each of `people` starts two exports at once. */
  async burst(people: readonly Person[]): Promise<void> {
    await Promise.all([...people, ...people].map((person) => this.#ask(new Map(), person, "export")));
  }

  /** `person` sends `count` requests for items at once. */
  async rush(person: Person, count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#ask(new Map(), person, "item")));
  }

  /** `person` requests an export until one is admitted, starts to read it after a while, and reads it to its end. */
  async readThrough(person: Person): Promise<void> {
    const holdMs = this.#random.between(200, 4000);
    while (!this.#isOver) {
      const { status } = await this.#ask(new Map(), person, "export", { holdMs, isRead: true });
      if (status === 200) return;
      await wait(this.#pauseMs);
    }
  }

  /** Responses that report a charged unit. */
  charged = 0;

  /** Resolves after `charges` charges. */
  reaches(charges: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error(`not ${charges} charges but ${this.charged}`)), waitMsMax);
      this.#whenCharged = () => {
        if (this.charged < charges) return;
        clearTimeout(late);
        resolve();
      };
      this.#whenCharged();
    });
  }

  get next(): number {
    return this.#numbers;
  }

  /** Stops new requests. Resolves when each has its response or can no longer get one. */
  over(): Promise<void> {
    this.#isOver = true;
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error("some clients wait for their answers without an end")), waitMsMax);
      this.#clients.then(() => resolve(), reject).finally(() => clearTimeout(late));
    });
  }

  async #ask(agents: Map<string, Agent>, person: Person, asked?: Kind, reading?: Reading): Promise<Sent> {
    const random = this.#random;
    const isProxied = random.chance(0.5);
    const { nodes, proxy } = this.#targets;
    const node = isProxied ? null : random.between(0, nodes.length - 1);
    const base = node === null ? proxy : nodes[node]!;
    const drawn = asked ?? random.weighted(shares);
    const kind = (drawn === "export" || drawn === "generation") && !person.canExport ? "item" : drawn;
    const agent = kind === "export" ? false : agentOf(agents, base);
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
    // nginx reuses connections to the nodes, and their buffers grow too.
    const canBeHeld = !isProxied;
    const howRead = { canBeHeld, ...(reading ?? { holdMs, isRead: random.chance(0.5) }) };
    const answer = answerOf(exchange, kind === "export" ? howRead : null);
    exchange.end(body);
    const sent = { number, person, kind, isProxied, node, sentAt, ...(await answer) };
    this.sent.push(sent);
    if (isCharged(sent)) {
      this.charged += 1;
      this.#whenCharged();
    }
    return sent;
  }
}

function agentOf(agents: Map<string, Agent>, base: string): Agent {
  const agent = agents.get(base) ?? new Agent({ keepAlive: true, maxSockets: 1 });
  agents.set(base, agent);
  return agent;
}

/** Returns whether the response reports a charged unit. */
export function isCharged({ status, kind }: Sent): boolean {
  return (status === 200 && kind !== "usage") || status === 404;
}

/**
 * Returns whether the response means that no unit was charged. A 503 of a node means so too, except for a commit that its standby may lack.
 */
export function isRefused({ status, kind }: Sent): boolean {
  return status !== null && ((status >= 400 && status < 500 && status !== 404) || (status === 200 && kind === "usage"));
}

/** Resolves to the outcome of one request for its client. */
function answerOf(asked: ReturnType<typeof request>, reading: ToldReading | null): Promise<Answer> {
  const names = { generation: null, digest: null, ending: null };
  const none: Answer = {
    status: null,
    answeredAt: 0,
    requestId: "",
    code: null,
    heldUntil: null,
    ...names,
  };
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
      if (reading !== null && status === 200) {
        const done = (more: Partial<Answer>) => resolve({ ...known, ...more });
        if (reading.isRead) readExport(answer, reading, done);
        else leaveExport(answer, reading.holdMs, done);
      } else
        readWhole(answer, (text) =>
          resolve(text === null ? { ...none, requestId: known.requestId } : { ...known, ...wordsIn(text) }),
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

/** Pauses without reading, then disconnects. */
function leaveExport(answer: IncomingMessage, holdMs: number, done: (more: Partial<Answer>) => void): void {
  answer.once("error", () => {});
  setTimeout(() => {
    answer.destroy();
    done({});
  }, holdMs);
}

/** Pauses, then reads an export to its end. Its first record names the generation, its last one shows how it ended. */
function readExport(answer: IncomingMessage, reading: ToldReading, done: (more: Partial<Answer>) => void): void {
  const { holdMs, canBeHeld } = reading;
  let heldUntil: number | null = null;
  let takenIn = 0;
  let start: Buffer = Buffer.alloc(0);
  let end: Buffer = Buffer.alloc(0);
  let bytes = 0;
  const read = () => {
    heldUntil = performance.now();
    takenIn = canBeHeld ? bytesTakenIn(answer.socket) : Number.POSITIVE_INFINITY;
    answer.on("data", (part: Buffer) => {
      if (start.length < 1000) start = Buffer.concat([start, part]);
      end = part.length < 1000 ? Buffer.concat([end, part]).subarray(-1000) : part.subarray(-1000);
      bytes += part.length;
    });
  };
  const held = setTimeout(read, holdMs);
  answer.once("error", () => {});
  // From the beginning: a node may die before its export is read.
  answer.once("close", () => {
    clearTimeout(held);
    const last = end.toString().trimEnd().split("\n").at(-1) ?? "";
    const { generation } = wordsIn(start.toString());
    const ending = answer.complete ? endingOf(last, generation) : "cut";
    // An export ended by a newer generation has released its slot at a time unknown to its client.
    const isHeld = ending === "end" && takenIn + sentAheadMax() < bytes;
    done({ generation, ending, heldUntil: isHeld ? heldUntil : null });
  });
}

/** Returns the number of bytes received at the client's end of a connection, read or not. */
function bytesTakenIn({ localPort, remotePort, bytesRead }: Socket): number {
  const hex = (port: number | undefined) => (port ?? 0).toString(16).toUpperCase().padStart(4, "0");
  const ends = new RegExp(`:${hex(localPort)} \\w+:${hex(remotePort)} \\w+ \\w+:(\\w+)`);
  const queued = ends.exec(readFileSync("/proc/net/tcp", "utf8"))?.[1];
  return queued === undefined ? Number.POSITIVE_INFINITY : bytesRead + Number.parseInt(queued, 16);
}

/** Returns how many bytes a node's end of a connection holds at most. */
function sentAheadMax(): number {
  return Number(readFileSync("/proc/sys/net/ipv4/tcp_wmem", "utf8").trim().split(/\s+/)[2]);
}

/** How an export ended, by its last record. `other` violates the contract. */
function endingOf(last: string, generation: string | null): Sent["ending"] {
  if (last.includes('"type":"end"') && wordsIn(last).generation === generation) return "end";
  return /"type":"error".*"code":"snapshot_changed"/.test(last) ? "snapshot_changed" : "other";
}

function wordsIn(text: string): Pick<Answer, "code" | "generation" | "digest"> {
  const head = text.slice(0, 2000);
  return {
    code: /^\{.*?"code":"(\w+)"/s.exec(head)?.[1] ?? null,
    generation: /"generation":"(g\d+)"/.exec(head)?.[1] ?? null,
    digest: /"digest":"([0-9a-f]{64})"/.exec(head)?.[1] ?? null,
  };
}

function wordsOf(kind: Kind, random: Random): { method: string; path: string; body: string | null } {
  const get = (path: string) => ({ method: "GET", path, body: null });
  if (kind === "list") return get("/v1/items?limit=5");
  if (kind === "usage") return get("/v1/usage");
  if (kind === "generation") return get("/v1/markets/generations/current");
  if (kind === "wrong") return get("/v1/items?limit=0");
  if (kind === "batch") return { method: "POST", path: "/v1/markets/batch", body: '{"item_ids":[1,2,3]}' };
  if (kind === "export") return { method: "POST", path: "/v1/markets/snapshot", body: null };
  return get(`/v1/items/${random.between(1, 2000)}`);
}
