import { createHash } from "node:crypto";
import type { Client, Pool } from "pg";
import { isUnavailable } from "../../store/postgres/connection.ts";
import {
  pruneSignIns,
  readSignIns,
  replaceSignIns,
  type SignInCountChange,
  type StoredSignInCount,
} from "../../store/postgres/sign-in-counts.ts";
import { busyRefusal, OwnerRefusal } from "../owners/owner-refusal.ts";
import {
  type SignInAttempt,
  type SignInCounts,
  type SignInKind,
  SignInThrottle,
  signInEntriesMax,
  signInKeys,
  type ThrottlesSignIns,
} from "../owners/sign-in-throttle.ts";
import { unavailableRefusal } from "./owner-refusals.ts";

const kinds: readonly SignInKind[] = ["logins", "addresses", "known"];
/** Changes by a node after which the oldest counts are removed. */
const pruneEvery = 100;
/**
 * Attempts to replace counts that other nodes change at the same time. After them a sign-in is refused as busy. One node succeeds each
 * time.
 */
const triesMax = 50;
/** Maximum waiting sign-ins of a node. Further ones are refused as busy. */
const waitingMax = 64;

/**
 * Stores the counts in PostgreSQL, so that all nodes share them. `SignInThrottle` decides on counts that were read. The counts are written
 * back only if no other node has changed them meanwhile. So nodes never wait for each other, and a refused attempt changes nothing.
 * Instants are by the database's clock.
 */
export class NodesSignInThrottle implements ThrottlesSignIns {
  readonly #pool: Pool;
  readonly #rowsMax: number;
  readonly #now: (() => number) | null;
  #changes = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** `now`: replaces the database's clock. */
  constructor(pool: Pool, { rowsMax = signInEntriesMax, now = null as (() => number) | null } = {}) {
    this.#pool = pool;
    this.#rowsMax = rowsMax;
    this.#now = now;
  }

  /** @throws {OwnerRefusal} `unavailable` when the database is unreachable, `busy` when too many sign-ins wait. */
  async begin(login: string, address: string): Promise<SignInAttempt> {
    const { waitS, isKnown, removeAttempt } = await this.#work(login, address, (counts, at) =>
      new SignInThrottle(counts).begin(login, address, at),
    );
    let isWithdrawn = waitS !== null;
    const withdraw = async () => {
      if (isWithdrawn) return;
      isWithdrawn = true;
      await this.#unlessUnavailable(this.#work(login, address, removeAttempt));
    };
    return { waitS, isKnown, withdraw };
  }

  succeeded(login: string, address: string): Promise<void> {
    return this.#unlessUnavailable(
      this.#work(login, address, (counts, at) => new SignInThrottle(counts).succeeded(login, address, at)),
    );
  }

  trust(login: string, address: string): Promise<void> {
    return this.#unlessUnavailable(
      this.#work(login, address, (counts, at) => new SignInThrottle(counts).trust(login, address, at)),
    );
  }

  /** Ignores a refusal. The counts then stay unchanged. */
  #unlessUnavailable(work: Promise<void>): Promise<void> {
    return work.catch((error) => {
      if (!(error instanceof OwnerRefusal)) throw error;
    });
  }

  /** Runs `work`, which changes the given counts. It runs again with new counts if another node has changed them first. */
  #work<T>(login: string, address: string, work: (counts: SignInCounts, at: number) => T): Promise<T> {
    const texts = signInKeys(login, address);
    return this.#connected(async (client) => {
      for (let tries = 0; tries < triesMax; tries += 1) {
        const stored = await readSignIns(client, Object.values(keysOf(texts)));
        const counts = countsOf(stored.counts, texts);
        const result = work(counts, this.#now?.() ?? stored.at);
        const changes = changesOf(stored.counts, counts, texts);
        if (!changes.some(isChange)) return result;
        if (!(await replaceSignIns(client, changes))) continue;
        this.#changes += 1;
        if (this.#changes % pruneEvery === 0) await pruneSignIns(client, kinds, this.#rowsMax);
        return result;
      }
      throw busyRefusal();
    });
  }

  /** Runs one sign-in at a time. The connections are shared with the node's other reads, and a flood of sign-ins uses only one. */
  async #connected<T>(work: (client: Client) => Promise<T>): Promise<T> {
    if (this.#waiting >= waitingMax) throw busyRefusal();
    this.#waiting += 1;
    const done = this.#turn.then(() => this.#run(work));
    this.#turn = done.catch(() => {});
    try {
      return await done;
    } finally {
      this.#waiting -= 1;
    }
  }

  async #run<T>(work: (client: Client) => Promise<T>): Promise<T> {
    let client: Awaited<ReturnType<Pool["connect"]>> | null = null;
    let isDone = false;
    try {
      client = await this.#pool.connect();
      const result = await work(client);
      isDone = true;
      return result;
    } catch (error) {
      throw isUnavailable(error) ? unavailableRefusal() : error;
    } finally {
      // Closing the connection releases the locks of a failed transaction.
      client?.release(!isDone);
    }
  }
}

/** A user may type anything as a login, even a password, so only its hash is stored. */
function hashOf(kind: SignInKind, text: string): string {
  return createHash("sha256").update(`${kind} ${text}`).digest("hex");
}

type ByKind = Readonly<Record<SignInKind, string>>;
type Stored = ReadonlyMap<string, StoredSignInCount | null>;

function keysOf(texts: ByKind): ByKind {
  return Object.fromEntries(kinds.map((kind) => [kind, hashOf(kind, texts[kind])])) as ByKind;
}

function countsOf(stored: Stored, texts: ByKind): SignInCounts {
  const counts: SignInCounts = { logins: new Map(), addresses: new Map(), known: new Map() };
  for (const kind of kinds) {
    const count = stored.get(hashOf(kind, texts[kind])) ?? null;
    if (count !== null) counts[kind].set(texts[kind], { ...count });
  }
  return counts;
}

function changesOf(stored: Stored, counts: SignInCounts, texts: ByKind): SignInCountChange[] {
  return kinds.map((kind) => {
    const key = hashOf(kind, texts[kind]);
    return { key, kind, was: stored.get(key) ?? null, now: counts[kind].get(texts[kind]) ?? null };
  });
}

function isChange({ was, now }: SignInCountChange): boolean {
  return was?.failures !== now?.failures || was?.lastAt !== now?.lastAt;
}
