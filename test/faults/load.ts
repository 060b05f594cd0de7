import { Agent, type IncomingMessage, request } from "node:http";
import type { Random } from "../sim/random.ts";
import type { Person } from "./fault-file.ts";

/** Outcomes that the clients of a load received, by request id. */
export type Reported = { charged: Set<string>; rejected: Set<string>; unavailable: Set<string> };

/** A state of the market as a request for changes names it. */
export type MarketState = { generation: string; identity_digest: string };

const changesPath = "/v1/markets/changes";

/** Keep-alive connections that send requests without pause, each with the key of one account. */
export class Load {
  readonly reported: Reported = { charged: new Set(), rejected: new Set(), unavailable: new Set() };
  readonly #agents: Agent[];
  readonly #done: Promise<unknown>;
  readonly #state: MarketState;
  /** Items in the streams of changes, whole or cut. */
  changedItems = 0;
  /** Streams of changes that ended after items without their end. */
  cutStreams = 0;
  /** Called when items of a stream of changes have arrived, before more of it is read. */
  onItems: (() => void) | null = null;
  #waiting = 0;
  #stopped = false;

  /** `state` is the market state since which changes are requested. */
  constructor(base: string, people: readonly Person[], connections: number, random: Random, state: MarketState) {
    this.#state = state;
    this.#agents = Array.from({ length: connections }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    this.#done = Promise.all(
      this.#agents.map(async (agent, index) => {
        const person = people[index % people.length]!;
        while (!this.#stopped && (await this.#ask(base, agent, person, random)));
      }),
    );
  }

  /** Requests that were sent and not answered. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Lets no new request begin. */
  stop(): void {
    this.#stopped = true;
  }

  /** Resolves when no further response can arrive. */
  async over(): Promise<void> {
    this.stop();
    await this.#done;
    for (const agent of this.#agents) agent.destroy();
  }

  #ask(base: string, agent: Agent, { secret }: Person, random: Random): Promise<boolean> {
    const { method, path, body } = someRequest(random, this.#state);
    this.#waiting += 1;
    return new Promise((resolve) => {
      const headers = {
        authorization: `Bearer ${secret}`,
        ...(body === null ? {} : { "content-type": "application/json" }),
      };
      const sent = request(`${base}${path}`, { agent, method, headers });
      sent.once("error", () => resolve(false));
      sent.once("response", (answer) => {
        this.#waiting -= 1;
        this.#note(answer);
        if (path === changesPath) this.#countItems(answer);
        else answer.resume();
        answer.once("error", () => resolve(false));
        answer.once("close", () => resolve(answer.complete));
      });
      sent.end(body);
    });
  }

  #countItems(answer: IncomingMessage): void {
    let items = 0;
    answer.setEncoding("utf8").on("data", (text: string) => {
      const more = text.split('"type":"item"').length - 1;
      items += more;
      this.changedItems += more;
      if (more > 0) this.onItems?.();
    });
    answer.once("close", () => {
      if (items > 0 && !answer.complete) this.cutStreams += 1;
    });
  }

  #note({ statusCode = 0, headers }: IncomingMessage): void {
    const requestId = String(headers["x-request-id"]);
    if (statusCode === 200 || statusCode === 404) this.reported.charged.add(requestId);
    else if (statusCode === 503) this.reported.unavailable.add(requestId);
    else this.reported.rejected.add(requestId);
  }
}

function someRequest(random: Random, state: MarketState): { method: string; path: string; body: string | null } {
  const draw = random.between(0, 99);
  if (draw < 2) return { method: "POST", path: "/v1/markets/snapshot", body: null };
  if (draw < 10) return { method: "POST", path: "/v1/markets/batch", body: JSON.stringify({ item_ids: [1, 2, 3] }) };
  if (draw < 20) return { method: "GET", path: "/v1/items?limit=5", body: null };
  if (draw < 25) return { method: "GET", path: "/v1/items?limit=0", body: null };
  if (draw < 29) return { method: "POST", path: changesPath, body: JSON.stringify(state) };
  if (draw < 31) return { method: "POST", path: "/v1/history/days/2026-01-14/export", body: '{"resolution":"daily"}' };
  if (draw < 34) {
    const path = `/v1/markets/generations/current?after=${state.generation}&wait_seconds=1`;
    return { method: "GET", path, body: null };
  }
  return { method: "GET", path: `/v1/items/${random.between(1, 2000)}`, body: null };
}
