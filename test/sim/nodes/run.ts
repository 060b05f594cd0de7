import { setImmediate as turn } from "node:timers/promises";
import { TestClock } from "../../support/clock.ts";
import {
  failingRequest,
  notReplicatedWarning,
  type PostgresRelay,
  type RelayLink,
  type RelayRequest,
  rollbackRequest,
} from "../../support/postgres-relay.ts";
import { Violation } from "../checker.ts";
import { Model } from "../model.ts";
import { firstOfNextMonth, SharedLedger } from "../model-types.ts";
import { dayMs } from "../operations.ts";
import { Random } from "../random.ts";
import { countedIds } from "../surroundings.ts";
import type { NodesDatabase } from "./database.ts";
import { SimulatedNode } from "./node.ts";
import { Operator } from "./operator.ts";
import { NodesOutcomeCounts } from "./outcomes.ts";
import { type Actor, Scheduler } from "./scheduler.ts";
import type { Entry, Fault, NodesSetup, Step } from "./steps.ts";
import type { NodesSubject } from "./subject.ts";
import { NodesTraffic } from "./traffic.ts";

const compareEvery = 25;
const minuteMs = 60_000;
/** SQLSTATE of a statement that a fault made fail, and of later statements of its transaction. */
const struck: ReadonlySet<string> = new Set(["57014", "25P02"]);

export type NodesResult = {
  counts: NodesOutcomeCounts;
  steps: number;
  failure: { step: number; violation: Error } | null;
};

/** Runs `steps` from `setup` on nodes that share `database`, and on the model. Stops at the first difference. */
export async function runNodes(
  subject: NodesSubject,
  database: NodesDatabase,
  setup: NodesSetup,
  steps: readonly Step[],
  stuckMs: number,
): Promise<NodesResult> {
  const run = new NodesRun(subject, database, setup, stuckMs);
  let step = 0;
  try {
    await run.start();
    for (const one of steps) {
      await run.apply(one);
      step += 1;
      if (step % compareEvery === 0) await run.compare(false);
    }
    await run.finish();
    return { counts: run.counts, steps: step, failure: null };
  } catch (error) {
    return { counts: run.counts, steps: step, failure: { step, violation: error as Error } };
  } finally {
    await run.close();
  }
}

class NodesRun {
  readonly counts = new NodesOutcomeCounts();
  readonly #subject: NodesSubject;
  readonly #database: NodesDatabase;
  readonly #setup: NodesSetup;
  readonly #shared = new SharedLedger();
  readonly #clock: TestClock;
  readonly #nodes: SimulatedNode[] = [];
  readonly #ids = countedIds();
  readonly #scheduler: Scheduler;
  readonly #relays: PostgresRelay[] = [];
  #operator!: Operator;
  #traffic!: NodesTraffic;
  #fault: Fault | null = null;

  constructor(subject: NodesSubject, database: NodesDatabase, setup: NodesSetup, stuckMs: number) {
    this.#subject = subject;
    this.#database = database;
    this.#setup = setup;
    this.#shared.at = setup.startAt;
    this.#clock = new TestClock(setup.startAt, 1_000);
    this.#scheduler = new Scheduler(
      {
        beforeForward: (actor, link) => this.#beforeForward(actor, link),
        answered: (actor, link, request) => this.#answered(actor, link, request),
        between: (random) => this.#pass(random.pick([1, 20, 150, 400])),
        isBlocked: (pid) => database.isBlocked(pid),
      },
      stuckMs,
    );
  }

  async start(): Promise<void> {
    const { counts } = this;
    await this.#database.reset(this.#shared.at);
    const relay = await this.#relay(() => this.#operator);
    const model = new Model(this.#setup.limits, this.#setup.slots, this.#shared);
    this.#operator = new Operator(this.#subject, this.#setup, relay, {
      clock: this.#clock,
      ids: this.#ids,
      model,
      database: this.#database,
    });
    await this.#operator.start(this.#database.urlThrough(relay.port));
    this.#scheduler.actors.push(this.#operator);
    const [subject, shared, operator, ids] = [this.#subject, this.#shared, this.#operator, this.#ids];
    const { slots } = this.#setup;
    this.#traffic = new NodesTraffic({
      subject,
      shared,
      operator,
      counts,
      ids,
      slots,
      changed: () => this.#scheduler.poke(),
    });
    for (let index = 0; index < this.#setup.nodes; index += 1) {
      this.#relays.push(await this.#relay(() => this.#nodes[index]!));
      await this.#startNode(index, 0);
    }
  }

  async apply(step: Step): Promise<void> {
    if (step.do === "calls") return this.#calls(step);
    if (step.do === "tick") return this.#pass(step.ms);
    if (step.do === "boundary") return this.#boundary(step);
    if (step.do === "skew") {
      const { clock } = this.#nodes[step.node]!;
      clock.at = this.#shared.at + step.ms;
      this.counts.add("clock of a node apart");
    } else if (step.do === "kill") {
      this.counts.add("node killed between requests");
      await this.#kill(step.node);
      await this.#revive();
    } else if (step.do === "apart") {
      this.#nodes[step.node]!.relay.refuses = true;
      this.#nodes[step.node]!.relay.cutAll();
      this.counts.add("node apart");
    } else if (step.do === "heal") await this.#heal(step.seed);
    else await this.#restart();
  }

  compare(whole: boolean): Promise<void> {
    return this.#database.compare(this.#shared, whole);
  }

  async finish(): Promise<void> {
    await this.#heal(1);
    await this.compare(true);
  }

  async close(): Promise<void> {
    const relays = [...this.#relays, ...(this.#operator === undefined ? [] : [this.#operator.relay])];
    const pids = relays.flatMap(({ links }) => links.map(({ pid }) => pid));
    // Clients that wait for a held response learn that it will not arrive.
    for (const relay of relays) {
      relay.refuses = true;
      relay.cutAll();
    }
    await Promise.all(this.#nodes.map((node) => node.close()));
    await this.#operator?.close();
    await Promise.all(relays.map((relay) => relay.close()));
    await this.#database.terminate(pids);
  }

  async #calls({ entries, seed, fault }: Extract<Step, { do: "calls" }>): Promise<void> {
    this.#fault = fault ?? null;
    for (const node of this.#nodes) node.isTroubled ||= node.relay.refuses;
    for (const entry of entries) this.#begin(entry, entries.length === 1);
    await this.#settle(new Random(seed));
    this.#fault = null;
  }

  #begin(entry: Entry, isAlone: boolean): void {
    if ("act" in entry) this.#operator.begin(entry.act, (outcome) => this.#acted(outcome));
    else if ("end" in entry) this.#traffic.end(entry);
    else this.#traffic.send(entry, this.#nodes[entry.node % this.#nodes.length]!, isAlone);
  }

  #acted(outcome: Parameters<NodesOutcomeCounts["add"]>[0]): void {
    this.counts.add(outcome);
    this.#scheduler.poke();
  }

  /** Plays until all programs are at rest, and compares the responses. */
  async #settle(random: Random): Promise<void> {
    const { waits } = this.#scheduler;
    await this.#scheduler.play(random);
    await this.#operator.idle;
    if (this.#scheduler.broken !== null) throw this.#scheduler.broken;
    this.counts.add("lock of another node waited for", this.#scheduler.waits - waits);
    this.#traffic.compare();
    await this.#revive();
    for (const node of this.#nodes) node.isTroubled = node.relay.refuses || node.isUncertain;
  }

  async #heal(seed: number): Promise<void> {
    for (const node of this.#nodes) {
      node.isTroubled ||= node.relay.refuses;
      node.relay.refuses = false;
    }
    await this.#settle(new Random(seed));
  }

  async #restart(): Promise<void> {
    await this.#heal(1);
    await this.#operator.close();
    await this.#database.restart(this.#shared.at);
    for (const relay of this.#relays) relay.cutAll();
    await this.#operator.connect(this.#database.urlThrough(this.#operator.relay.port));
    for (const node of this.#nodes) node.isTroubled = true;
    this.counts.add("database restarted");
  }

  async #pass(ms: number): Promise<void> {
    this.#shared.at += ms;
    for (const clock of [this.#clock, ...this.#nodes.map((node) => node.clock)]) clock.advance(ms);
    this.#traffic.elapsedMs = this.#clock.elapsedMs;
    await this.#database.setClock(this.#shared.at);
  }

  /** Moves the clock shortly before, at or after an instant at which something changes. */
  async #boundary({ of, nth, offset }: Extract<Step, { do: "boundary" }>): Promise<void> {
    const now = this.#shared.at;
    const { leases, places, keys, accounts } = this.#shared;
    const instants = {
      minute: () => [(Math.floor(now / minuteMs) + 1) * minuteMs],
      month: () => [firstOfNextMonth(now)],
      lease: () =>
        [...leases.filter(({ state }) => state === "reserved"), ...places.values()].map(({ expiresAt }) => expiresAt),
      start: () => leases.map(({ admittedAt }) => admittedAt + dayMs),
      key: () => [...keys.values()].map(({ expiresAt }) => expiresAt),
      plan: () => [...accounts.values()].flatMap(({ planEndsAt }) => planEndsAt ?? []),
    }[of]();
    const ahead = instants.filter((at) => at + offset > now).sort((left, right) => left - right);
    const at = ahead[nth % Math.min(2, Math.max(1, ahead.length))];
    if (at === undefined) return;
    this.counts.add(`boundary of a ${of}`);
    await this.#pass(at + offset - now);
  }

  #relay(actor: () => Actor): Promise<PostgresRelay> {
    return this.#database.relay(this.#scheduler.eventsOf(actor));
  }

  async #startNode(index: number, skewMs: number): Promise<void> {
    const relay = this.#relays[index]!;
    const clock = new TestClock(this.#shared.at + skewMs, this.#clock.elapsedMs);
    const node = new SimulatedNode(`node ${index}`, relay, this.#setup, this.#shared, clock);
    await node.start(this.#subject, this.#database.urlThrough(relay.port), this.#setup, this.#traffic);
    const before = this.#nodes[index];
    this.#nodes[index] = node;
    if (before === undefined) this.#scheduler.actors.push(node);
    else this.#scheduler.actors[this.#scheduler.actors.indexOf(before)] = node;
  }

  async #kill(index: number): Promise<void> {
    const node = this.#nodes[index]!;
    const pids = node.relay.links.map(({ pid }) => pid);
    node.die();
    this.#traffic.forget(node);
    await this.#database.terminate(pids);
  }

  /** Starts a new process for each dead one. */
  async #revive(): Promise<void> {
    for (const [index, node] of this.#nodes.entries()) {
      if (!node.isDead) continue;
      this.#traffic.compare();
      await node.buried();
      node.relay.refuses = false;
      await this.#startNode(index, node.clock.at - this.#shared.at);
    }
  }

  async #beforeForward(actor: Actor, link: RelayLink): Promise<boolean> {
    const name = link.held?.name ?? "";
    const node = actor instanceof SimulatedNode ? actor : null;
    if (node === null) return false;
    if (await this.#strike(node, link, name)) return true;
    if (name === "keys") this.#traffic.looked(node, link);
    if (name === "load") this.#traffic.loaded(node, link);
    return false;
  }

  /** Injects the fault of this step once. Returns true if the message is not forwarded. */
  async #strike(node: SimulatedNode, link: RelayLink, name: string): Promise<boolean> {
    const fault = this.#fault;
    const isThere =
      fault !== null && name.startsWith(fault.at) && node === this.#nodes[fault.node % this.#nodes.length];
    if (!isThere) return false;
    if (fault.how === "lost" || fault.how === "unreplicated" || fault.how === "killedAfter") {
      node.isTroubled = true;
      return false;
    }
    this.#fault = null;
    node.isTroubled = true;
    if (fault.apart) node.relay.refuses = true;
    const { pid } = link;
    if (fault.how === "failed") {
      this.counts.add("statement failed");
      link.forward(failingRequest);
    } else if (fault.how === "undone") {
      this.counts.add("commit undone");
      link.forward(rollbackRequest);
    } else if (fault.how === "late") {
      this.#traffic.answerLost(node.batch, "late");
      // The client sent the commit together with the held message.
      while (name !== "COMMIT" && !link.hasMore) await turn();
      this.#scheduler.orphan(link);
    } else if (fault.how === "killed") {
      this.counts.add("node killed before the commit");
      await this.#kill(this.#nodes.indexOf(node));
    } else {
      this.counts.add(fault.how === "cut" ? "connection cut" : "connection ended by the server");
      if (fault.how === "terminated") await this.#database.terminate([pid]);
      else link.cut();
      await this.#database.gone([pid]);
    }
    return true;
  }

  #answered(actor: Actor, link: RelayLink, { name }: RelayRequest): boolean {
    const { tag, error } = link.answer!;
    if (error !== null && !struck.has(error))
      throw new Violation("model", `${actor.name}: PostgreSQL refused ${name.slice(0, 60)}: ${error}`);
    if (name !== "COMMIT") return true;
    if (!(actor instanceof SimulatedNode)) {
      this.#operator.committed();
      return true;
    }
    if (tag === "COMMIT") this.#traffic.commitDone(link);
    const fault = this.#fault;
    if (fault === null || actor !== this.#nodes[fault.node % this.#nodes.length] || fault.at !== "COMMIT") return true;
    if (fault.how !== "lost" && fault.how !== "unreplicated" && fault.how !== "killedAfter") return true;
    this.#fault = null;
    if (fault.how === "lost") this.#traffic.answerLost(actor.batch, "lost");
    if (fault.how === "unreplicated") {
      this.#traffic.unreplicated(actor.batch);
      link.deliver(notReplicatedWarning);
      return true;
    }
    if (fault.apart) actor.relay.refuses = true;
    if (fault.how === "killedAfter") {
      this.counts.add("node killed after the commit");
      actor.die();
      this.#traffic.forget(actor);
    }
    return false;
  }
}
