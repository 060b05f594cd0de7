import type { Caller } from "../../src/access/credentials.ts";
import { LedgerTransactions } from "../../src/access/ledger/transactions.ts";
import { OwnerReads } from "../../src/access/owners/owner-reads.ts";
import { type IdentifiesPages, PageCredentials } from "../../src/access/owners/page-credentials.ts";
import type { Session } from "../../src/access/owners/sessions.ts";
import type { UsageRequest } from "../../src/access/owners/usage-worker.ts";
import { UsageReader } from "../../src/access/usage.ts";
import { type Database, openWriter } from "../../src/store/database.ts";
import type { AccountSelection, AccountSelector } from "../../src/store/postgres/account-work.ts";
import { OwnerUsageReads } from "../../src/store/read/owner-reads.ts";
import { hourMs } from "../../src/values/time/calendar.ts";
import type { Row, Store, StoreOptions } from "./stores.ts";
import { inThisThread, World } from "./world.ts";

/** Owner reads and identification. The product has a separate interface for each. */
class FileOwners extends OwnerReads implements IdentifiesPages {
  readonly #pages: PageCredentials;
  readonly #usage: OwnerUsageReads;

  constructor(reader: Database) {
    super(reader);
    this.#pages = new PageCredentials(reader);
    this.#usage = new OwnerUsageReads(reader);
  }

  /** As the thread that counts usage does. */
  async ask({ by, accountId, fromAt, untilAt }: UsageRequest) {
    return by === "day"
      ? this.#usage.byDay(accountId, fromAt, untilAt, hourMs)
      : this.#usage.byKey(accountId, fromAt, untilAt, hourMs);
  }

  owner(session: Session, at: number): Caller {
    return this.#pages.owner(session, at);
  }

  demoVisitor(at: number): Caller | null {
    return this.#pages.demoVisitor(at);
  }
}

/** The access layer on a file: the ledger's transactions run in this thread. */
export class FileStore implements Store {
  readonly isShared = false;
  readonly writer;
  readonly credentials;
  readonly usage;
  readonly owners;
  readonly failpoints;
  readonly #world: World;
  readonly #options: StoreOptions;

  constructor(options: StoreOptions) {
    this.#options = options;
    this.#world = new World(options);
    this.writer = inThisThread(this.#world.transactions);
    this.credentials = this.#world.credentials;
    this.usage = new UsageReader(this.#world.reader);
    this.owners = new FileOwners(this.#world.reader);
    this.failpoints = this.#world.failpoints;
  }

  /** It has no separate clock, because each request has its instant. */
  async tell(): Promise<void> {}

  async sql(text: string, values: readonly unknown[]): Promise<Row[]> {
    const statement = this.#world.database.$client.prepare<unknown[], Row>(text);
    if (statement.reader) return statement.all(...values);
    statement.run(...values);
    return [];
  }

  async operate<T>(_selector: AccountSelection, work: (database: Database) => T): Promise<T> {
    return work(this.#world.database);
  }

  async act<T>(
    _selector: readonly AccountSelector[],
    at: number,
    work: (database: Database, at: number) => T,
  ): Promise<T> {
    return work(this.#world.database, at);
  }

  async plant<T>(work: (database: Database) => T): Promise<T> {
    return work(this.#world.database);
  }

  async another() {
    const database = openWriter(this.#world.path, 50);
    const close = async () => void database.$client.close();
    return { ...inThisThread(new LedgerTransactions(database, this.#options)), close };
  }

  async close(): Promise<void> {
    this.#world.close();
  }
}
