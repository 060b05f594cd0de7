import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { Client } from "pg";
import {
  closeNow,
  notReplicated,
  openClient,
  refuseUnlessDurable,
  refuseUnlessPrivate,
} from "../../store/postgres/connection.ts";
import {
  CommitRefused,
  isCommitted,
  keepPlans,
  PostgresBatch,
  ProcessRowMissing,
  registerEpoch,
  undoBatch,
} from "../../store/postgres/ledger.ts";
import { systemIds } from "../../values/ids.ts";
import { CommitFailure, type LedgerReply } from "../ledger/ledger.ts";
import { NodesDecisions, type NodesOptions } from "./decisions.ts";
import type { NodesRequest, UncertainWriter } from "./ledger.ts";

const askAgainMs = 250;
/** Maximum time that requests wait for the outcome of an uncertain commit. Then they are refused. */
const uncertainMsMax = 10_000;
/** Error codes caused by a transaction of another node. The same batch is retried once. */
const conflicts = new Set(["40001", "40P01", "55P03"]);
/** Error code of a server that became a standby or read-only. Another server may accept changes. */
const readOnly = "25006";

/** Reports that no part of a batch was written, and that the database may be used again. */
class NotWritten extends CommitFailure {
  constructor(error: unknown) {
    super("refused", `PostgreSQL: ${(error as Error).message}`);
  }
}

/** State of PostgreSQL. `isUncertain`: the outcome of a commit is uncertain. `connections`: opened since the start; `batches`: committed. */
export type PrivateStoreFigures = { isConnected: boolean; isUncertain: boolean; connections: number; batches: number };

/**
 * Commits batches in PostgreSQL, one transaction each, on one connection that is reopened after a loss. If the reply to a commit is lost,
 * the writer queries its outcome until it is known. Meanwhile its requests wait for at most ten seconds, and later requests are refused.
 */
export class PostgresWriter implements UncertainWriter {
  /** Never resolves: after any failure of the database, this process continues when it is back. */
  readonly lost = new Promise<Error>(() => {});
  readonly #url: string;
  readonly #options: NodesOptions;
  readonly #epoch = systemIds().secret(20);
  #client: Client | null = null;
  #batch = 0;
  /** Number of unfinished batches, and the end of the last one. */
  #turns = 0;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #connections = 0;
  #committed = 0;
  #isClosed = false;
  #warning: string | null = null;
  onUncertain?: () => void;
  onOutcome?: (requests: readonly NodesRequest[], replies: readonly LedgerReply[] | null) => void;
  isUncertain = false;
  /** End of the queries for an uncertain commit, after its requests were refused. */
  #settling: Promise<void> | null = null;
  /** The uncertain batch. */
  #asked: { requests: readonly NodesRequest[]; replies: readonly LedgerReply[] } = { requests: [], replies: [] };

  /**
   * Opens the connection and registers this start.
   * @throws {OperatorError} when the database is unreachable, not of this program, or could lose acknowledged commits.
   */
  static async start(url: string, options: NodesOptions = {}): Promise<PostgresWriter> {
    const writer = new PostgresWriter(url, options);
    await writer.#connected();
    return writer;
  }

  private constructor(url: string, options: NodesOptions) {
    this.#url = url;
    this.#options = options;
  }

  get status(): PrivateStoreFigures {
    return {
      isConnected: this.#client !== null,
      isUncertain: this.isUncertain,
      connections: this.#connections,
      batches: this.#committed,
    };
  }

  /** Commits batches one after another: a probe must not run inside the transaction of a batch, which has the same connection. */
  commit(batch: readonly NodesRequest[]): Promise<readonly LedgerReply[]> {
    const isAlone = this.#turns === 0;
    this.#turns += 1;
    // An idle writer sends at once, so that the database works while the caller continues.
    const turn = isAlone ? this.#commit(batch) : this.#lastTurn.then(() => this.#commit(batch));
    this.#lastTurn = turn.catch(() => {});
    return turn;
  }

  async #commit(batch: readonly NodesRequest[]): Promise<readonly LedgerReply[]> {
    try {
      return await this.#commitOnce(batch).catch((error) => {
        if (!(error instanceof Conflict)) throw error;
        return this.#commitOnce(batch);
      });
    } catch (error) {
      throw error instanceof Conflict ? new NotWritten(error) : error;
    } finally {
      this.#turns -= 1;
    }
  }

  giveUp(): void {
    this.#isClosed = true;
  }

  /**
   * Waits for an uncertain commit until the next query for it fails. An outcome that stays unknown is not reported: its requests were
   * refused, and charged units stay charged.
   */
  async close(): Promise<void> {
    this.giveUp();
    await this.#settling;
    if (this.#client !== null) await closeNow(this.#client);
  }

  async #commitOnce(requests: readonly NodesRequest[]): Promise<readonly LedgerReply[]> {
    if (this.#settling !== null) throw new NotWritten(new Error("the previous commit is still uncertain"));
    const client =
      this.#client ??
      (await this.#connected().catch((error) => {
        throw new NotWritten(error);
      }));
    const number = this.#batch + 1;
    let replies: readonly LedgerReply[];
    let rows: PostgresBatch;
    try {
      rows = await PostgresBatch.begin(client, this.#epoch, requests);
      const timed = requests.map((request) => ({ ...request, at: rows.at }));
      replies = new NodesDecisions(rows, this.#options).decide(timed);
    } catch (error) {
      // The commit was not sent, so nothing is written, even if the connection was lost.
      await undoBatch(client).catch(() => this.#drop(client));
      throw this.#notWritten(client, error);
    }
    this.#batch = number;
    this.#warning = null;
    try {
      await rows.commit(client, this.#epoch, number);
    } catch (error) {
      if (error instanceof CommitRefused) throw this.#notWritten(client, error.cause ?? error);
      this.#drop(client);
      this.#asked = { requests, replies };
      if (!(await this.#isCommitted(number))) throw new NotWritten(error);
    }
    if (this.#warning !== null) {
      // The primary has written it all the same, so export permits that it acquired are released.
      this.onOutcome?.(requests, replies);
      throw new NotWritten(new Error(this.#warning));
    }
    this.#committed += 1;
    return replies;
  }

  /** Builds the failure that reports that nothing was written, because of `error`. */
  #notWritten(client: Client, error: unknown): Error {
    const code = String((error as { code?: unknown }).code);
    // The next connection registers the start again.
    if (code === readOnly || error instanceof ProcessRowMissing) this.#drop(client);
    return conflicts.has(code) ? new Conflict((error as Error).message) : new NotWritten(error);
  }

  /**
   * Returns whether the batch was committed.
   * @throws {NotWritten} when that is not known in time. Queries continue, and no other batch is committed meanwhile.
   */
  async #isCommitted(number: number): Promise<boolean> {
    const settled = this.#askFor(number);
    const over = new AbortController();
    const late = setTimeout(this.#options.uncertainMs ?? uncertainMsMax, null, { signal: over.signal, ref: false });
    try {
      const known = await Promise.race([settled, late]);
      if (known !== null) return known;
    } finally {
      over.abort();
      late.catch(() => {});
    }
    this.#settleLater(settled);
    throw new NotWritten(new Error("the answer to the commit was lost, so the commit is still uncertain"));
  }

  /** Refuses all commits until the outcome is known. The batch's requests were refused, so they are not executed in either case. */
  #settleLater(settled: Promise<boolean | null>): void {
    const { requests, replies } = this.#asked;
    this.isUncertain = true;
    this.onUncertain?.();
    this.#settling = settled.then((known) => {
      this.#settling = null;
      if (known !== null) this.onOutcome?.(requests, known ? replies : null);
    });
  }

  /**
   * Queries the outcome until it is known. Returns null if the writer is closed meanwhile. The database may be unreachable for long, so it
   * never guesses.
   */
  async #askFor(number: number): Promise<boolean | null> {
    for (;;) {
      try {
        const client = await this.#connected();
        try {
          const known = await isCommitted(client, this.#epoch, number);
          this.isUncertain = false;
          return known;
        } catch (error) {
          this.#drop(client);
          throw error;
        }
      } catch {
        this.isUncertain = true;
        this.onUncertain?.();
        if (this.#isClosed) return null;
        await setTimeout(this.#options.askAgainMs ?? askAgainMs);
      }
    }
  }

  async #connected(): Promise<Client> {
    if (this.#client !== null) return this.#client;
    // With a pipeline, statements sent together are answered in order, so a batch waits for the database twice.
    const client = await openClient(this.#url, { pipeline: true });
    client.on("error", () => this.#drop(client));
    client.on("end", () => this.#drop(client));
    client.on("notice", ({ message = "", detail = "" }) => {
      if (notReplicated.test(detail)) this.#warning = message;
    });
    try {
      await refuseUnlessDurable(client, this.#url);
      await refuseUnlessPrivate(client, this.#url);
      await registerEpoch(client, this.#epoch, `${hostname()}:${process.pid}`);
      await keepPlans(client);
    } catch (error) {
      await client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    this.#connections += 1;
    return client;
  }

  #drop(client: Client): void {
    if (this.#client === client) this.#client = null;
    void closeNow(client);
  }
}

/** Reports that a transaction of another node conflicted and nothing was written. */
class Conflict extends Error {}
