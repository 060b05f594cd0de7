import { copyFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CountingIds, demoAt } from "../../scripts/support/example-world.ts";
import { Accounts } from "../../src/access/accounts.ts";
import { composeKey, hashKey, type KeyKind } from "../../src/access/credentials.ts";
import { Keys, type NewSecret } from "../../src/access/keys.ts";
import type { Plan } from "../../src/access/plans.ts";
import { type App, startApp } from "../../src/app.ts";
import type { AppParts } from "../../src/compose.ts";
import type { DemoKeys } from "../../src/demo/demo.ts";
import { documentedRelease } from "../../src/demo/documented-world.ts";
import { createEvents } from "../../src/log/events.ts";
import { type Database, openWriter } from "../../src/store/database.ts";
import { recordCleanStop } from "../../src/store/file/file.ts";
import { lockPathOf } from "../../src/store/file/lock.ts";
import { RowChecksums } from "../../src/store/write/row-checksums.ts";
import type { Ids } from "../../src/values/ids.ts";
import { type Answer, TestClient } from "./client.ts";
import { TestClock } from "./clock.ts";
import { temporaryFolder } from "./files.ts";
import { type DemoFile, demoFewDaysFile, demoFewItemsFile, demoFile } from "./kept-files.ts";
import { unguarded } from "./unguarded.ts";

export { demoAt };

/** An account with its first key. */
export type Account = NewSecret & { accountId: string };

type OwnParts = Pick<AppParts, "instead" | "roiSchedule" | "valuationSchedule" | "releases" | "privateUrl">;

export type WorldOptions = OwnParts & {
  clock?: TestClock;
  /** Request ids, if several worlds share their records. */
  ids?: Ids;
  /** Only the history of the last days, for tests that need no more. Its check needs a third of the time. */
  fewDays?: boolean;
  /** Only a tenth of the items, for tests that do not depend on the market size or read all of it. */
  fewItems?: boolean;
  /** Path of a closed file without keys that is copied instead of the demo's. */
  made?: string;
  config?: Partial<AppParts["config"]>;
};

/** Returns a world that runs from before the first test of the block around the call until after its last. */
export function useWorld(options: WorldOptions = {}): World {
  const world = new World(options);
  before(() => world.restart());
  after(() => world.stop());
  return world;
}

/** The real program on a free port, with the demo world in a temporary file and a stopped clock. */
export class World {
  readonly clock: TestClock;
  readonly events = createEvents("silent");
  readonly client: TestClient;
  readonly #options: WorldOptions;
  #ids = new CountingIds("test");
  #app: App | null = null;
  #file: { folder: string; path: string; keys: DemoKeys | null } | null = null;
  /** The operator's connection. It stays open with its stores, because opening one costs more than most statements. */
  #operator: Database | null = null;
  #operatorWork: { accounts: Accounts; keys: Keys } | null = null;

  static async start(options: WorldOptions = {}): Promise<World> {
    const world = new World(options);
    await world.restart();
    return world;
  }

  constructor(options: WorldOptions = {}) {
    this.clock = options.clock ?? new TestClock();
    this.#options = options;
    this.client = new TestClient(() => this.base);
  }

  get hasFewItems(): boolean {
    return this.#options.fewItems === true;
  }

  get folder(): string {
    return this.#files.folder;
  }

  get path(): string {
    return this.#files.path;
  }

  get keys(): DemoKeys {
    const { keys } = this.#files;
    if (keys === null) throw new Error("the world has no demo keys");
    return keys;
  }

  get app(): App {
    if (this.#app === null) throw new Error("the world is not running");
    return this.#app;
  }

  get base(): string {
    return `http://127.0.0.1:${this.app.port}`;
  }

  /** Starts the program, or stops it and starts it again on the same file. `drainMs`: how long it waits for exports. */
  async restart(drainMs = 1000): Promise<void> {
    if (this.#app !== null) {
      await this.#app.close(drainMs);
      this.#closeOperator();
      // As the program's own command does, so that the start need not check every page again.
      await recordCleanStop(this.path);
    }
    this.#closeOperator();
    this.#app = await startApp({
      config: { host: "127.0.0.1", port: 0, connectionsMax: 1024, inFlightMax: 256, ...this.#options.config },
      databasePath: this.path,
      privateUrl: this.#options.privateUrl ?? null,
      clock: this.clock,
      ids: this.#options.ids ?? this.#ids,
      events: this.events,
      roiSchedule: this.#options.roiSchedule ?? false,
      valuationSchedule: this.#options.valuationSchedule ?? false,
      ...(this.#options.releases === undefined ? {} : { releases: this.#options.releases }),
      instead: { release: documentedRelease, ...this.#options.instead },
    });
  }

  /** Changes the file as another process would. */
  change<T>(work: (database: Database) => T): T {
    if (this.#operator === null) {
      this.#operator = openWriter(this.path, 5000);
      // No test cuts the power: the disk need not be waited for.
      this.#operator.$client.pragma("synchronous = OFF");
    }
    return work(this.#operator);
  }

  /** Holds the writer's lock as another process would, until the returned function is called. */
  lockFile(): () => void {
    const database = openWriter(this.path, 5000);
    database.$client.exec("BEGIN IMMEDIATE");
    return () => database.$client.close();
  }

  /** One statement on the file. Returns its rows, if it has any. */
  sql(text: string, ...values: unknown[]): Record<string, unknown>[] {
    return this.change(({ $client }) =>
      unguarded($client, text, () => {
        const statement = $client.prepare<unknown[], Record<string, unknown>>(text);
        if (statement.reader) return statement.all(...values);
        statement.run(...values);
        return [];
      }),
    );
  }

  /** Adds an account on `plan` with one key. Pass null as `endsAt` for a plan without an end. */
  account(plan: Plan, name = `Test ${plan}`, endsAt: number | null = null): Account {
    const { accounts, keys } = this.#work;
    const { accountId } = accounts.create(name);
    if (plan !== "free") accounts.setPlan(accountId, plan, endsAt);
    return { accountId, ...keys.create(accountId, "test", 90) };
  }

  /** Another key of an account, of any kind and scopes. Returns its secret. */
  key(accountId: string, kind: KeyKind, scopes: string): string {
    const secret = composeKey(kind, this.#ids.secret(30));
    const keyId = this.#ids.handle("key_");
    this.sql(
      `INSERT INTO api_keys (key_id, account_id, kind, name, display_prefix, last_four, secret_hash, scopes, created_at, expires_at)
       VALUES (?, ?, ?, 'test', 'test', ?, ?, ?, ?, ?)`,
      keyId,
      accountId,
      kind,
      secret.slice(-4),
      hashKey(secret),
      scopes,
      this.clock.at,
      this.clock.at + 90 * 86_400_000,
    );
    this.change((database) => new RowChecksums(database).record("api_keys", keyId));
    return secret;
  }

  /** Runs an operator's work on accounts. */
  accounts<T>(work: (accounts: Accounts) => T): T {
    return work(this.#work.accounts);
  }

  /** Runs an operator's work on keys. */
  keysOf<T>(work: (keys: Keys) => T): T {
    return work(this.#work.keys);
  }

  /** Units charged to an account, from the file. */
  used(accountId: string): number {
    const [row] = this.sql("SELECT coalesce(sum(used), 0) AS used FROM usage_months WHERE account_id = ?", accountId);
    return Number(row?.used);
  }

  /** The status and code of an answer, and the units that it cost the account. */
  async costOf(accountId: string, work: () => Promise<Answer>): Promise<[number, string | null, number]> {
    const before = this.used(accountId);
    const { status, json } = await work();
    return [status, json.code ?? null, this.used(accountId) - before];
  }

  /** Total charges of all accounts: units and their events. Both numbers must always be equal. */
  charged(): { units: number; events: number } {
    const [row] = this.sql(
      "SELECT (SELECT coalesce(sum(used), 0) FROM usage_months) AS units, (SELECT count(*) FROM usage_events) AS events",
    );
    return { units: Number(row?.units), events: Number(row?.events) };
  }

  /** Errors that were hidden behind a 503. */
  get internalErrors(): number {
    return this.events.counters.get("internal_errors") ?? 0;
  }

  async stop(): Promise<void> {
    this.client.close();
    this.#closeOperator();
    await this.#app?.close(1000);
    this.#app = null;
    if (this.#file !== null) rmSync(this.#file.folder, { recursive: true, force: true });
  }

  get #work(): { accounts: Accounts; keys: Keys } {
    this.#operatorWork ??= this.change((database) => {
      const parts = { database, clock: this.clock, ids: this.#ids };
      return { accounts: new Accounts(parts), keys: new Keys(parts) };
    });
    return this.#operatorWork;
  }

  /** The file is copied at its first use, so that a world without tests costs nothing. */
  get #files(): { folder: string; path: string; keys: DemoKeys | null } {
    if (this.#file === null) {
      const { path: made, keys } = this.#made();
      const folder = temporaryFolder();
      const path = join(folder, "itemtape.db");
      copyFileSync(made, path);
      const lockPath = lockPathOf(path, "serve");
      writeFileSync(lockPath, "", { mode: 0o600 });
      const at = new Date(Math.floor(statSync(path).mtimeMs));
      utimesSync(lockPath, at, at);
      this.#file = { folder, path, keys };
    }
    return this.#file;
  }

  #made(): DemoFile | { path: string; keys: null } {
    const { made } = this.#options;
    if (made !== undefined) return { path: made, keys: null };
    if (this.hasFewItems) return demoFewItemsFile();
    return this.#options.fewDays === true ? demoFewDaysFile() : demoFile();
  }

  #closeOperator(): void {
    this.#operator?.$client.close();
    this.#operator = null;
    this.#operatorWork = null;
  }
}
