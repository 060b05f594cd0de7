import { type Account, type Key, keysOf, loaded, Tables, usageOf } from "./tables.ts";

/** A statement as the driver is given it. */
export type Statement = { readonly name: string; readonly text: string; readonly values: readonly unknown[] };
/** What a statement came to. `error`: an SQLSTATE. */
export type Outcome = { rows: readonly unknown[]; tag: string; error: string | null };
/** What an operator's command has made of accounts and keys. */
export type AccountRows = { accounts: ReadonlyMap<string, Account>; keys: ReadonlyMap<string, Key> };

type Transaction = { readonly writes: (() => void)[]; isAborted: boolean };
type Waiting = { statement: Statement; done(outcome: Outcome): void };

/** Statement by which an operator's command writes. */
export const changeAccounts = "accounts";
/** Statement that fails as one that was cancelled does. */
export const failingText = "fail";
const uniqueViolation = "23505";
const divisionByZero = "22012";
const queryCanceled = "57014";
const inFailedTransaction = "25P02";
const serverFacts = { version: "150000", fsync: "on", commit: "on", standbys: "" };

/**
 * The statements of nodes, answered from memory as PostgreSQL answers them at READ COMMITTED: a row that a transaction has locked
 * makes others wait, a statement sees what was committed before it, and nobody sees what was not. It knows the statements by their names
 * and texts, and refuses any other.
 */
export class Engine {
  tables = new Tables();
  /** The clock, UTC ms. */
  at = 0;
  readonly #migrations: number;
  readonly #holders = new Map<string, Session>();
  readonly #waiting: Session[] = [];

  /** `migrations`: of the schema. */
  constructor(migrations: number) {
    this.#migrations = migrations;
  }

  /** Forgets all. */
  reset(): void {
    this.tables = new Tables();
    this.#holders.clear();
    this.#waiting.length = 0;
  }

  session(): Session {
    return new Session(this);
  }

  /** Returns whether the session has every lock now; else it waits. */
  lock(session: Session, names: readonly string[]): boolean {
    for (const name of names) {
      const holder = this.#holders.get(name);
      if (holder !== undefined && holder !== session) return false;
      this.#holders.set(name, session);
    }
    return true;
  }

  wait(session: Session): void {
    this.#waiting.push(session);
  }

  /** Lets go of the session's locks, and lets those that wait try again, first come first served. */
  release(session: Session): void {
    for (const [name, holder] of this.#holders) if (holder === session) this.#holders.delete(name);
    const waiting = this.#waiting.splice(0).filter((one) => one !== session);
    for (const one of waiting) one.retry();
  }

  /** Runs a statement. Null: it waits for a lock. */
  run(session: Session, { name, text, values }: Statement): Outcome | null {
    const { tables, at } = this;
    if (name === "lock")
      return this.#locked(
        session,
        // One after another in this order, whichever they are named in: so no two wait for each other.
        (values[0] as string[]).toSorted().map((id) => `account ${id}`),
      );
    if (text === failingText) return refused(queryCanceled);
    if (name === "load") return this.#load(session, text, values);
    if (name === "write") return this.#write(session, values);
    if (name === "keys") return rows(keysOf(tables, values[0] as Buffer[], at));
    if (name === "usage") return rows([usageOf(tables, values[0] as string, at)]);
    if (name === changeAccounts) return session.write(() => void Object.assign(tables, values[0] as AccountRows));
    if (text.startsWith("SELECT FROM itemtape.export_slots FOR UPDATE")) return this.#locked(session, ["slots"]);
    if (text.startsWith("UPDATE itemtape.snapshot_leases")) return this.#endLeases(session, values);
    if (text.startsWith("INSERT INTO itemtape.snapshot_leases")) return this.#addLeases(session, values);
    if (text.startsWith("DELETE FROM itemtape.request_places")) return this.#endPlaces(session, values);
    if (text.startsWith("INSERT INTO itemtape.request_places")) return this.#addPlaces(session, values);
    if (text.startsWith("INSERT INTO itemtape.ledger_nodes")) {
      const epoch = values[0] as string;
      if (!tables.nodes.has(epoch)) tables.nodes.set(epoch, 0);
      return rows([]);
    }
    if (text.startsWith("SELECT batch FROM itemtape.ledger_nodes")) {
      const epoch = values[0] as string;
      if (!this.lock(session, [`node ${epoch}`])) return null;
      return rows(tables.nodes.has(epoch) ? [{ batch: tables.nodes.get(epoch) }] : []);
    }
    if (text.startsWith("SET plan_cache_mode")) return rows([]);
    if (text.startsWith("SELECT current_setting('server_version_num')")) return rows([serverFacts]);
    if (text.startsWith("SELECT to_regclass('itemtape.migrations')")) return rows([{ name: "itemtape.migrations" }]);
    if (text.startsWith("SELECT count(*) AS count FROM itemtape.migrations"))
      return rows([{ count: this.#migrations }]);
    throw new Error(`the simulated database does not know the statement ${name} ${text}`);
  }

  #locked(session: Session, names: readonly string[]): Outcome | null {
    return this.lock(session, names) ? rows([]) : null;
  }

  #load(session: Session, text: string, values: readonly unknown[]): Outcome | null {
    const epoch = values[5] as string;
    const isLocked = text.includes("WHERE epoch = $6 FOR NO KEY UPDATE");
    if (isLocked && this.tables.nodes.has(epoch) && !this.lock(session, [`node ${epoch}`])) return null;
    return rows([loaded(this.tables, values, this.at)]);
  }

  #write(session: Session, values: readonly unknown[]): Outcome | null {
    const { tables } = this;
    const [ids, accounts, keys, operations, month, at] = values as [
      string[],
      string[],
      string[],
      string[],
      string,
      number,
    ];
    const [of, units, used, days] = values.slice(6, 10) as [string[], number[], string[], number[]];
    const [minutesOf, minutes, counts, epoch, batch] = values.slice(10) as [
      string[],
      number[],
      number[],
      string,
      number,
    ];
    if (!this.lock(session, [`node ${epoch}`])) return null;
    if (ids.some((id) => tables.events.has(id)) || new Set(ids).size < ids.length) return refused(uniqueViolation);
    const after = of.map(
      (accountId, index) => [accountId, (tables.used(accountId, month) ?? 0) + units[index]!] as const,
    );
    session.write(() => {
      for (const [index, id] of ids.entries())
        tables.events.set(id, {
          accountId: accounts[index]!,
          keyId: keys[index]!,
          operation: operations[index]!,
          month,
          at,
        });
      for (const [accountId, count] of after) tables.months.set(`${accountId} ${month}`, count);
      for (const [index, keyId] of used.entries()) tables.keyUses.set(keyId, days[index]!);
      for (const [index, accountId] of minutesOf.entries())
        tables.minutes.set(accountId, { minute: minutes[index]!, used: counts[index]! });
      tables.nodes.set(epoch, batch);
    });
    const wanted = values[15] as number[];
    const isOdd = !tables.nodes.has(epoch) || after.some(([, count], index) => count !== wanted[index]);
    return isOdd ? refused(divisionByZero) : rows([]);
  }

  #endPlaces(session: Session, values: readonly unknown[]): Outcome {
    const [ids] = values as [string[]];
    return session.write(() => {
      for (const id of ids) this.tables.places.delete(id);
    });
  }

  #addPlaces(session: Session, values: readonly unknown[]): Outcome {
    const [ids, kinds, accounts, , expires] = values as [string[], string[], string[], number[], number[]];
    const { places } = this.tables;
    return session.write(() => {
      for (const [index, requestId] of ids.entries()) {
        const [kind, accountId] = [kinds[index]!, accounts[index]!];
        for (const held of places.values())
          if (kind === "changes" && held.kind === kind && held.accountId === accountId)
            throw new Error(`${requestId} takes the place of ${held.requestId}`);
        places.set(requestId, { requestId, kind, accountId, expiresAt: expires[index]! });
      }
    });
  }

  #endLeases(session: Session, values: readonly unknown[]): Outcome {
    const [ids, states, ends] = values as [string[], string[], number[]];
    const { tables } = this;
    return session.write(() => {
      for (const [index, id] of ids.entries()) {
        const lease = tables.live.get(id);
        if (lease !== undefined) tables.putLease({ ...lease, state: states[index]!, endedAt: ends[index]! });
      }
    });
  }

  #addLeases(session: Session, values: readonly unknown[]): Outcome {
    const [ids, accounts, slots, admitted, expires, states, ends] = values as [
      string[],
      string[],
      number[],
      number[],
      number[],
      string[],
      (number | null)[],
    ];
    const { tables } = this;
    return session.write(() => {
      for (const [index, leaseId] of ids.entries()) {
        const [accountId, slot] = [accounts[index]!, slots[index]!];
        for (const live of tables.live.values())
          if (live.accountId === accountId || live.slot === slot)
            throw new Error(`${leaseId} takes the place or the slot of ${live.leaseId}`);
        const times = { admittedAt: admitted[index]!, expiresAt: expires[index]!, endedAt: ends[index]! };
        tables.putLease({ leaseId, accountId, slot, state: states[index]!, ...times });
      }
    });
  }
}

/** One connection at the server's side. */
export class Session {
  readonly #engine: Engine;
  #transaction: Transaction | null = null;
  #waiting: Waiting | null = null;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  get inTransaction(): boolean {
    return this.#transaction !== null;
  }

  get isBlocked(): boolean {
    return this.#waiting !== null;
  }

  /** Runs a statement and tells what it came to, at once or when a lock is free. */
  execute(statement: Statement, done: (outcome: Outcome) => void): void {
    const { text } = statement;
    if (text.startsWith("BEGIN")) {
      this.#transaction = { writes: [], isAborted: false };
      done(told("BEGIN"));
    } else if (text === "COMMIT" || text === "ROLLBACK") done(told(this.#end(text)));
    else {
      this.#waiting = { statement, done };
      this.retry();
    }
  }

  retry(): void {
    if (this.#transaction?.isAborted) {
      const done = this.#waiting?.done;
      this.#waiting = null;
      done?.(refused(inFailedTransaction));
      return;
    }
    // It may have been cut off while others tried again.
    if (this.#waiting === null) return;
    const { statement, done } = this.#waiting;
    const outcome = this.#engine.run(this, statement);
    if (outcome === null) {
      this.#engine.wait(this);
      return;
    }
    this.#waiting = null;
    if (outcome.error !== null && this.#transaction !== null) this.#transaction.isAborted = true;
    // A statement by itself is a transaction.
    if (this.#transaction === null) this.#engine.release(this);
    done(outcome);
  }

  /** Writes at the commit. */
  write(work: () => void): Outcome {
    if (this.#transaction === null) throw new Error("a batch is written outside of a transaction");
    this.#transaction.writes.push(work);
    return rows([]);
  }

  /** The connection is gone: what it has begun is undone. */
  close(): void {
    this.#waiting = null;
    this.#transaction = null;
    this.#engine.release(this);
  }

  #end(how: "COMMIT" | "ROLLBACK"): string {
    const transaction = this.#transaction;
    this.#transaction = null;
    const isDone = how === "COMMIT" && transaction?.isAborted === false;
    if (isDone) for (const write of transaction.writes) write();
    this.#engine.release(this);
    return isDone ? "COMMIT" : "ROLLBACK";
  }
}

function rows(found: readonly unknown[]): Outcome {
  return { rows: found, tag: "", error: null };
}

function told(tag: string): Outcome {
  return { rows: [], tag, error: null };
}

function refused(error: string): Outcome {
  return { rows: [], tag: "", error };
}
