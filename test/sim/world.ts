import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import SqliteDatabase from "better-sqlite3";
import type { Admissions } from "../../src/access/admission.ts";
import type { Credentials } from "../../src/access/credentials.ts";
import type { BatchWriter, Ledger, LedgerReply, LedgerRequest } from "../../src/access/ledger/ledger.ts";
import type { PlanTable } from "../../src/access/plans.ts";
import type { UsageReader } from "../../src/access/usage.ts";
import type { Database } from "../../src/store/database.ts";
import { removeFile } from "../../src/store/file/file.ts";
import type { FailpointName } from "../../src/values/failpoints.ts";
import type { Ids } from "../../src/values/ids.ts";
import { ArmedFailpoints } from "../support/armed-failpoints.ts";
import { TestClock } from "../support/clock.ts";
import { Violation } from "./checker.ts";
import { SimulatedMarket } from "./market.ts";
import type { Fault, Setup } from "./operations.ts";
import { Service } from "./service.ts";
import type { Subject } from "./subject.ts";
import { countedIds } from "./surroundings.ts";
import type { VirtualTimers } from "./timers.ts";

const pagesMax = 1_073_741_823;
/** Turns of the event loop after which no further response arrives. */
const turnsMax = 10_000;

/** More than any free page holds, so that every file reaches a limit on pages. */
const fill = `INSERT INTO activity (account_id, kind, at, detail)
  SELECT account_id, 'plan_changed', 0, hex(zeroblob(99999)) FROM accounts LIMIT 1`;

/** Receives the writer's report of every batch before any client gets a response. */
export type BatchListener = {
  committed(batch: readonly LedgerRequest[], replies: readonly LedgerReply[]): void;
  failed(batch: readonly LedgerRequest[], error: unknown): void;
  /** The process died right after the commit: no client gets a response. */
  committedUnheard(batch: readonly LedgerRequest[]): void;
  /** A stream is over, with the outcome of the server's event. */
  streamOver(requestId: string, outcome: string): void;
};

export type Server = {
  credentials: Credentials;
  admissions: Admissions;
  ledger: Ledger;
  usage: UsageReader;
  service: Service;
  writer: Database;
  reader: Database;
};

/** The real access layer on a real file: a serving process that can die, and an operator with a separate connection. */
export class World {
  readonly clock: TestClock;
  readonly subject: Subject;
  readonly failpoints = new ArmedFailpoints();
  readonly ids: Ids;
  readonly market: SimulatedMarket;
  readonly timers: VirtualTimers;
  /** Requests to the ledger without a reply. */
  readonly asked = new Set<Promise<unknown>>();
  server!: Server;
  operator!: Database;
  /** Set while the writer must not commit. Call it to let the writer continue. */
  release: (() => void) | null = null;
  /** The fault that may strike in this step. */
  armed: Fault | null = null;
  /** The failpoint that fired in this step, if one did. */
  fired: FailpointName | null = null;
  crashed = false;
  /** The error that the listener found, if any. */
  broken: unknown = null;
  #crashHeard: () => void = () => {};
  readonly #folder: string;
  readonly #setup: Setup;
  readonly #listener: BatchListener;
  #path: string;
  #copyPath: string | null = null;
  #files = 0;
  #processes = 0;
  #blocked: Promise<void> | null = null;

  constructor(subject: Subject, setup: Setup, folder: string, listener: BatchListener, timers: VirtualTimers) {
    this.subject = subject;
    this.#setup = setup;
    this.#folder = folder;
    this.#listener = listener;
    this.clock = new TestClock(setup.startAt, 1_000);
    this.ids = countedIds();
    this.market = new SimulatedMarket(this.clock);
    this.timers = timers;
    this.#path = this.#nextPath();
    copyFileSync(join(folder, "empty.db"), this.#path);
    this.#open();
  }

  hold(): void {
    this.#blocked ??= new Promise((resolve) => {
      this.release = () => {
        this.release = null;
        this.#blocked = null;
        resolve();
      };
    });
  }

  /** Resolves when the process dies before `work` is done, or with it. Only turns of this process can delay it. */
  async untilDone(work: Promise<unknown>): Promise<void> {
    let done = false;
    const watch = async () => {
      for (let turns = 0; !done; turns += 1) {
        if (turns > turnsMax) throw new Violation("I22", "somebody is never answered");
        await turn();
      }
    };
    const died = new Promise<void>((resolve) => {
      this.#crashHeard = resolve;
      if (this.crashed) resolve();
    });
    await Promise.race([work, died, watch()]).finally(() => {
      done = true;
    });
  }

  /** Ends the process now, with its file in the current state. `restart` starts it again. */
  die(): void {
    if (this.crashed) return;
    this.#copyPath = this.#nextPath();
    copyFileSync(this.#path, this.#copyPath);
    if (existsSync(`${this.#path}-wal`)) copyFileSync(`${this.#path}-wal`, `${this.#copyPath}-wal`);
    this.crashed = true;
    this.#crashHeard();
  }

  /** A new process on the file that the dead one left, or on the same file if it ended by itself. */
  restart(): void {
    this.#closeHandles();
    if (this.#copyPath !== null) {
      removeFile(this.#path);
      this.#path = this.#copyPath;
      this.#copyPath = null;
    }
    this.release = null;
    this.#blocked = null;
    this.crashed = false;
    this.#open();
  }

  close(): void {
    this.#closeHandles();
    removeFile(this.#path);
  }

  /** The bytes that are on disk: the file and its write-ahead log. */
  get files(): readonly string[] {
    return [this.#path, `${this.#path}-wal`].filter((path) => existsSync(path));
  }

  /** Arms `fault` and returns a function that disarms it. */
  arm(fault: Fault): () => void {
    this.armed = fault;
    this.fired = null;
    if (fault.at === "lock") {
      this.operator.$client.exec("BEGIN IMMEDIATE");
      return () => {
        this.armed = null;
        this.operator.$client.exec("ROLLBACK");
      };
    }
    const { at, action } = fault;
    const client = this.server.writer.$client;
    if (action === "full") client.pragma(`max_page_count = ${client.pragma("page_count", { simple: true })}`);
    let hits = 0;
    this.failpoints.arm(at, () => {
      hits += 1;
      if (hits !== fault.hit) return;
      this.fired = at;
      if (action === "crash") this.die();
      if (action === "full") {
        client.exec(fill);
      }
      throw action === "busy"
        ? new SqliteDatabase.SqliteError("database is locked", "SQLITE_BUSY")
        : action === "ioerr"
          ? new SqliteDatabase.SqliteError("disk I/O error", "SQLITE_IOERR_WRITE")
          : new Error(`${action} at ${at}`);
    });
    return () => {
      this.armed = null;
      this.failpoints.disarm(at);
      if (action === "full" && client.open) client.pragma(`max_page_count = ${pagesMax}`);
    };
  }

  #nextPath(): string {
    this.#files += 1;
    return join(this.#folder, `run-${this.#files % 2}.db`);
  }

  #open(): void {
    const { subject, clock, failpoints } = this;
    const plans = planTable(this.#setup);
    this.operator = fast(subject.database.openWriter(this.#path, 0));
    const writer = fast(subject.database.openWriter(this.#path, 0));
    const reader = subject.database.openReader(this.#path);
    const transactions = new subject.transactions.LedgerTransactions(writer, {
      plans,
      slots: this.#setup.slots,
      failpoints,
    });
    const ledger = new subject.groupCommit.GroupCommitLedger(
      this.#writerOver((batch) => transactions.commit(batch), subject),
    );
    const limiter = new subject.rateLimiter.RateLimiter();
    const credentials = new subject.credentials.Credentials(reader, failpoints);
    const { permitLimits } = subject.accountPermits;
    const places = { ...permitLimits, changes: { ...permitLimits.changes, inAll: this.#setup.slots } };
    const parts = { ledger: this.#heard(ledger), limiter, clock, plans, places, failpoints };
    const admissions = new subject.admission.Admissions(parts);
    this.timers.begin(clock);
    const over = (requestId: string, outcome: string) => {
      if (!this.crashed && this.server.ledger === ledger)
        this.#hear(() => this.#listener.streamOver(requestId, outcome));
    };
    this.server = {
      credentials,
      admissions,
      service: new Service(subject, { credentials, admissions, clock, market: this.market, over }),
      ledger,
      usage: new subject.usage.UsageReader(reader),
      writer,
      reader,
    };
  }

  /** The same ledger, with a list of its pending replies. */
  #heard(ledger: Ledger): Ledger {
    const keep = <T>(answer: Promise<T>): Promise<T> => {
      this.asked.add(answer);
      const forget = () => void this.asked.delete(answer);
      answer.then(forget, forget);
      return answer;
    };
    this.asked.clear();
    return {
      fatal: ledger.fatal,
      charge: (charge) => keep(ledger.charge(charge)),
      endLease: (leaseId, how, at) => keep(ledger.endLease(leaseId, how, at)),
      probe: () => ledger.probe(),
      close: () => ledger.close(),
    };
  }

  /** Runs the ledger thread's work in this thread: copies in both directions, and one batch at a time. */
  #writerOver(commit: (batch: readonly LedgerRequest[]) => LedgerReply[], { ledger }: Subject): BatchWriter {
    this.#processes += 1;
    const process = this.#processes;
    return {
      lost: new Promise(() => {}),
      close: async () => {},
      commit: async (asked) => {
        if (this.#blocked !== null) await this.#blocked;
        if (this.crashed || process !== this.#processes) return new Promise(() => {});
        const batch = structuredClone(asked);
        let replies: LedgerReply[];
        try {
          replies = structuredClone(commit(batch));
        } catch (error) {
          if (this.crashed) {
            if (this.fired === "admit.commit.after") this.#hear(() => this.#listener.committedUnheard(batch));
            return new Promise(() => {});
          }
          this.#hear(() => this.#listener.failed(batch, error));
          throw ledger.CommitFailure.from(error);
        }
        this.#hear(() => this.#listener.committed(batch, replies));
        return replies;
      },
    };
  }

  /** The run judges errors of the listener, so the ledger must not catch them. */
  #hear(listen: () => void): void {
    try {
      listen();
    } catch (error) {
      this.broken ??= error;
    }
  }

  #closeHandles(): void {
    const { writer, reader } = this.server;
    for (const { $client } of [writer, reader, this.operator]) $client.close();
  }
}

/** Turns off durability: a run in one process cannot observe it, and it costs nine tenths of the time. */
function fast(database: Database): Database {
  database.$client.pragma("synchronous = OFF");
  database.$client.pragma("wal_autocheckpoint = 15");
  return database;
}

function planTable({ limits }: Setup): PlanTable {
  const row = (plan: keyof Setup["limits"]) => ({
    priceCents: null,
    requestsPerMonth: limits[plan].perMonth,
    requestsPerMinute: limits[plan].perMinute,
    snapshotStartsPerDay: limits[plan].startsPerDay,
  });
  return { free: row("free"), builder: row("builder"), trader: row("trader"), quant: row("quant") };
}
