import { hostname } from "node:os";
import { setTimeout } from "node:timers/promises";
import type { Client } from "pg";
import {
  cutOff,
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
  registerEpoch,
  StartGone,
  undoBatch,
} from "../../store/postgres/ledger.ts";
import { systemIds } from "../../values/ids.ts";
import { CommitFailure, type LedgerReply } from "../ledger/ledger.ts";
import { NodesDecisions, type NodesOptions } from "./decisions.ts";
import type { DoubtfulWriter, NodesRequest } from "./ledger.ts";

const askAgainMs = 250;
/** Longest time for which requests wait to know whether their commit was done; after it they are refused. */
const doubtMsMax = 10_000;
/** Conditions that another transaction of another node has caused: the same batch is tried once more. */
const conflicts = new Set(["40001", "40P01", "55P03"]);
/** Condition of a server that has become a standby, or was told to take no changes: another one may take them. */
const readOnly = "25006";

/** Tells that nothing of a batch was written, and that the database may be asked again. */
class NotWritten extends CommitFailure {
  constructor(error: unknown) {
    super("refused", `PostgreSQL: ${(error as Error).message}`);
  }
}

/** How the private store is. `isInDoubt`: nobody knows yet whether a batch was committed. `connections`: opened since the start; `batches`: committed. */
export type PrivateStoreFigures = { isConnected: boolean; isInDoubt: boolean; connections: number; batches: number };

/**
 * Commits batches in PostgreSQL, one transaction each, on one connection that is opened again after it was lost. A commit whose answer
 * was lost is asked for until the answer is known: meanwhile its requests wait, for ten seconds at most, and those after it are refused.
 */
export class PostgresWriter implements DoubtfulWriter {
  /** Never: whatever happens to the database, this process goes on when it is back. */
  readonly lost = new Promise<Error>(() => {});
  readonly #url: string;
  readonly #options: NodesOptions;
  readonly #epoch = systemIds().secret(20);
  #client: Client | null = null;
  #batch = 0;
  /** Batches that are asked for and not over, and the end of the last of them. */
  #turns = 0;
  #lastTurn: Promise<unknown> = Promise.resolve();
  #connections = 0;
  #committed = 0;
  #isClosed = false;
  #warning: string | null = null;
  onDoubt?: () => void;
  onSettled?: (requests: readonly NodesRequest[], replies: readonly LedgerReply[] | null) => void;
  isInDoubt = false;
  /** The end of asking for a commit whose requests do not wait any more. */
  #settling: Promise<void> | null = null;
  /** The batch whose commit is asked for. */
  #asked: { requests: readonly NodesRequest[]; replies: readonly LedgerReply[] } = { requests: [], replies: [] };

  /**
   * Opens the connection and registers this start.
   * @throws {OperatorError} when the database cannot be reached, is not ours or would lose what it has answered.
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
      isInDoubt: this.isInDoubt,
      connections: this.#connections,
      batches: this.#committed,
    };
  }

  /** In turn: a probe must not get into the transaction of a batch, which has the same connection. */
  commit(batch: readonly NodesRequest[]): Promise<readonly LedgerReply[]> {
    const isAlone = this.#turns === 0;
    this.#turns += 1;
    // Sent at once where nothing is under way: whoever asks has others to answer then.
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
   * Waits for what is known soon: a commit in doubt is asked for until that fails once more. Nobody is told of one that stays in doubt: its
   * requests were refused, and what it charged stays charged.
   */
  async close(): Promise<void> {
    this.giveUp();
    await this.#settling;
    if (this.#client !== null) await cutOff(this.#client);
  }

  async #commitOnce(requests: readonly NodesRequest[]): Promise<readonly LedgerReply[]> {
    if (this.#settling !== null)
      throw new NotWritten(new Error("it is not known yet what became of the commit before"));
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
      // The commit was not sent, so nothing is written, whatever became of the connection.
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
      // It is written here all the same: an export place that it took is given back.
      this.onSettled?.(requests, replies);
      throw new NotWritten(new Error(this.#warning));
    }
    this.#committed += 1;
    return replies;
  }

  /** Returns the failure that says that nothing was written, because of `error`. */
  #notWritten(client: Client, error: unknown): Error {
    const code = String((error as { code?: unknown }).code);
    // The next connection registers the start again.
    if (code === readOnly || error instanceof StartGone) this.#drop(client);
    return conflicts.has(code) ? new Conflict((error as Error).message) : new NotWritten(error);
  }

  /**
   * Returns whether the batch was committed.
   * @throws {NotWritten} when that takes too long: it is asked for on, and nothing else is committed meanwhile.
   */
  async #isCommitted(number: number): Promise<boolean> {
    const settled = this.#askFor(number);
    const over = new AbortController();
    const late = setTimeout(this.#options.doubtMs ?? doubtMsMax, null, { signal: over.signal, ref: false });
    try {
      const known = await Promise.race([settled, late]);
      if (known !== null) return known;
    } finally {
      over.abort();
      late.catch(() => {});
    }
    this.#settleLater(settled);
    throw new NotWritten(new Error("the answer to the commit was lost, and it is not known yet whether it was done"));
  }

  /** The requests were refused, so nobody executes them, whatever becomes of their batch. */
  #settleLater(settled: Promise<boolean | null>): void {
    const { requests, replies } = this.#asked;
    this.isInDoubt = true;
    this.onDoubt?.();
    this.#settling = settled.then((known) => {
      this.#settling = null;
      if (known !== null) this.onSettled?.(requests, known ? replies : null);
    });
  }

  /** Asks until it is known; null: it is closed meanwhile. The database may be away for long: nothing is guessed. */
  async #askFor(number: number): Promise<boolean | null> {
    for (;;) {
      try {
        const client = await this.#connected();
        try {
          const known = await isCommitted(client, this.#epoch, number);
          this.isInDoubt = false;
          return known;
        } catch (error) {
          this.#drop(client);
          throw error;
        }
      } catch {
        this.isInDoubt = true;
        this.onDoubt?.();
        if (this.#isClosed) return null;
        await setTimeout(this.#options.askAgainMs ?? askAgainMs);
      }
    }
  }

  async #connected(): Promise<Client> {
    if (this.#client !== null) return this.#client;
    // What is sent together is answered in turn: a batch waits for the database twice.
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
    void cutOff(client);
  }
}

/** Tells that another node was in the way and nothing was written. */
class Conflict extends Error {}
