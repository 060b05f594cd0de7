import type { Pool } from "pg";
import type { LedgerReply } from "../../../src/access/ledger/ledger.ts";
import type { NodesAdmissions } from "../../../src/access/nodes/admissions.ts";
import type { NodesCredentials } from "../../../src/access/nodes/credentials.ts";
import type { NodesRequest, SharedLedger, UncertainWriter } from "../../../src/access/nodes/ledger.ts";
import type { PostgresWriter } from "../../../src/access/nodes/postgres-writer.ts";
import type { NodesUsage } from "../../../src/access/nodes/usage.ts";
import type { PlanTable } from "../../../src/access/plans.ts";
import type { TestClock } from "../../support/clock.ts";
import type { PostgresRelay, RelayLink } from "../../support/postgres-relay.ts";
import { Model } from "../model.ts";
import { type Call, type SharedLedger as SharedModel, waitsPerAccount } from "../model-types.ts";
import type { Actor } from "./scheduler.ts";
import type { NodesSetup } from "./steps.ts";
import type { NodesSubject } from "./subject.ts";

const askAgainMs = 10;
/** Longer than a run: a node with an uncertain commit waits until the outcome is known. */
const uncertainMs = 1_000_000;

/** Receives the events of a node's batches before any client gets a response. */
export type NodeListener = {
  broken: unknown;
  committed(node: SimulatedNode, batch: readonly NodesRequest[], replies: readonly LedgerReply[]): void;
  failed(node: SimulatedNode, batch: readonly NodesRequest[], error: unknown): void;
  /** Called when an operation ends that a scheduler may wait for. */
  readonly changed: () => void;
};

/** A call with the instant of its key lookup (measured time, ms). */
type KeyLook = { call: Call; askedMs: number };

/** Calls by the query that looks up their keys. Each query also contains an unknown key that identifies it on the wire. */
export class KeyLooks {
  #asked: KeyLook[] = [];
  readonly #queries = new Map<string, KeyLook[]>();
  #count = 0;

  ask(call: Call, askedMs: number): void {
    this.#asked.push({ call, askedMs });
  }

  /** Returns the pool with a mark on each key lookup. */
  marked(pool: Pool): Pool {
    const query = (config: { values: [Buffer[]] }) => {
      this.#count += 1;
      const mark = Buffer.alloc(32);
      mark.writeUInt32BE(this.#count);
      this.#queries.set(mark.toString("hex"), this.#asked);
      this.#asked = [];
      return pool.query({ ...config, values: [[...config.values[0], mark]] } as never);
    };
    return { query } as unknown as Pool;
  }

  /** Removes and returns the calls of the query that the relay holds. */
  seen({ held }: RelayLink): KeyLook[] {
    const mark = [...this.#queries.keys()].find((one) => held?.bytes.includes(one)) ?? "";
    const looks = this.#queries.get(mark) ?? [];
    this.#queries.delete(mark);
    return looks;
  }

  /** Removes a call and returns it, or undefined if its query was already seen. */
  give(call: Call): KeyLook | undefined {
    const lists = [this.#asked, ...this.#queries.values()];
    const list = lists.find((one) => one.some((look) => look.call === call));
    return list?.splice(
      list.findIndex((look) => look.call === call),
      1,
    )[0];
  }
}

/** One serving program as its requests see it: admission, ledger, keys and usage, with a separate clock. */
export class SimulatedNode implements Actor {
  readonly name: string;
  readonly relay: PostgresRelay;
  readonly clock: TestClock;
  readonly model: Model;
  /** Calls with a key lookup that has not been seen yet. */
  readonly keyLooks = new KeyLooks();
  /** The batch that is being committed. */
  batch: readonly NodesRequest[] | null = null;
  isDead = false;
  /** True after a fault: in this step the node may refuse because the database is unreachable. */
  isTroubled = false;
  admissions!: NodesAdmissions;
  credentials!: NodesCredentials;
  ledger!: SharedLedger;
  usage!: NodesUsage;
  #writer!: PostgresWriter;
  #pool!: { end(): Promise<void> };
  #committing: Promise<unknown> = Promise.resolve();
  #looks = 0;
  #asks = 0;

  constructor(name: string, relay: PostgresRelay, setup: NodesSetup, shared: SharedModel, clock: TestClock) {
    this.name = name;
    this.relay = relay;
    this.clock = clock;
    this.model = new Model(setup.limits, setup.slots, shared);
  }

  /** Starts it on the database at `url`. */
  async start(subject: NodesSubject, url: string, setup: NodesSetup, listener: NodeListener): Promise<void> {
    const plans = planTable(setup);
    const places = {
      changes: { perAccount: 1, inAll: setup.slots },
      waiting: { perAccount: waitsPerAccount, inAll: Number.POSITIVE_INFINITY },
    };
    const options = { plans, slots: setup.slots, places, askAgainMs, uncertainMs };
    this.#writer = await subject.postgresWriter.PostgresWriter.start(url, options);
    const ledger = new subject.ledger.NodesLedger(this.#heard(listener));
    const counted = <T>(answer: Promise<T>): Promise<T> => {
      this.#asks += 1;
      const over = () => {
        this.#asks -= 1;
        listener.changed();
      };
      answer.then(over, over);
      return answer;
    };
    this.ledger = {
      fatal: ledger.fatal,
      charge: (charge) => counted(ledger.charge(charge)),
      endLease: (leaseId, how, at) => counted(ledger.endLease(leaseId, how, at)),
      releasePermit: (requestId, at) => counted(ledger.releasePermit(requestId, at)),
      probe: () => ledger.probe(),
      close: () => ledger.close(),
    };
    const pool = subject.accessReads.openReads(url);
    this.#pool = pool;
    const reads = new subject.accessReads.PostgresCredentialReads(this.keyLooks.marked(pool));
    this.credentials = new subject.nodesCredentials.NodesCredentials(reads, this.clock);
    this.usage = new subject.usage.NodesUsage((accountId) => subject.accessReads.readUsage(pool, accountId));
    const limiter = new subject.rateLimiter.RateLimiter();
    this.admissions = new subject.admissions.NodesAdmissions({
      ledger: this.ledger,
      limiter,
      clock: this.clock,
      plans,
    });
  }

  /** Runs a read of the database and counts it as in progress. */
  async look<T>(work: () => Promise<T>, changed: () => void): Promise<T> {
    this.#looks += 1;
    try {
      return await work();
    } finally {
      this.#looks -= 1;
      changed();
    }
  }

  get isUncertain(): boolean {
    return this.#writer.isUncertain;
  }

  readonly expects = (kind: "look" | "ledger"): boolean => {
    if (this.isDead) return false;
    if (kind === "look") return this.#looks > 0;
    // A node without a connection retries and makes no progress.
    return this.#asks > 0 && !(this.relay.refuses && this.#writer.isUncertain);
  };

  /** Kills the node: it sends and receives nothing more. */
  die(): void {
    this.isDead = true;
    this.relay.refuses = true;
    this.relay.cutAll();
    void this.close();
  }

  /** Resolves when no operation of a dead node is in progress. */
  async buried(): Promise<void> {
    await this.close();
    await Promise.allSettled([this.#committing]);
  }

  async close(): Promise<void> {
    this.isDead = true;
    this.#writer.giveUp();
    await Promise.allSettled([this.#writer.close(), this.#pool.end()]);
  }

  /** Returns the writer and reports the result of each of its batches. */
  #heard(listener: NodeListener): UncertainWriter {
    const writer = this.#writer;
    // The run judges errors of the listener, so the ledger must not catch them.
    const tell = (what: () => void) => {
      try {
        if (!this.isDead) what();
      } catch (error) {
        listener.broken ??= error;
      }
    };
    return {
      lost: writer.lost,
      get isUncertain() {
        return writer.isUncertain;
      },
      set onUncertain(doubt: () => void) {
        writer.onUncertain = () => {
          doubt();
          listener.changed();
        };
      },
      giveUp: () => writer.giveUp(),
      close: () => writer.close(),
      commit: async (batch) => {
        if (this.isDead) return new Promise(() => {});
        this.batch = batch;
        const replied = writer.commit(batch);
        this.#committing = replied;
        try {
          const replies = await replied;
          tell(() => listener.committed(this, batch, replies));
          return replies;
        } catch (error) {
          tell(() => listener.failed(this, batch, error));
          throw error;
        } finally {
          this.batch = null;
          listener.changed();
        }
      },
    };
  }
}

function planTable({ limits }: NodesSetup): PlanTable {
  const row = (plan: keyof NodesSetup["limits"]) => ({
    priceCents: null,
    requestsPerMonth: limits[plan].perMonth,
    requestsPerMinute: limits[plan].perMinute,
    snapshotStartsPerDay: limits[plan].startsPerDay,
  });
  return { free: row("free"), builder: row("builder"), trader: row("trader"), quant: row("quant") };
}
