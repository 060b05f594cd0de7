import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Accounts } from "../../src/access/accounts.ts";
import { Keys, type NewSecret } from "../../src/access/keys.ts";
import type { Plan } from "../../src/access/plans.ts";
import { type App, type AppParts, startApp } from "../../src/app.ts";
import { createDemoFile, type DemoKeys } from "../../src/cli/demo.ts";
import { createEvents } from "../../src/events.ts";
import { type Database, openWriter } from "../../src/store/database.ts";
import type { Clock } from "../../src/values/clock.ts";
import type { Ids } from "../../src/values/ids.ts";
import { TestClient } from "./client.ts";

/** The instant at which the demo world of the contract's examples stands. */
export const demoAt = Date.UTC(2026, 0, 15, 12);

/** A clock that stands still until it is moved. */
export class TestClock implements Clock {
  at: number;
  elapsedMs = 0;

  constructor(at = demoAt) {
    this.at = at;
  }

  readonly now = (): number => this.at;
  readonly monotonicMs = (): number => this.elapsedMs;

  advance(ms: number): void {
    this.at += ms;
    this.elapsedMs += ms;
  }
}

/** Identifiers that count: the same world each time. */
export class TestIds implements Ids {
  #count = 0;
  readonly #tag: string;

  constructor(tag = "demo") {
    this.#tag = tag;
  }

  readonly requestId = (at: number): string => `req_${at.toString(36).padStart(9, "0")}${this.#next(17)}`;
  readonly handle = (prefix: string): string => prefix + this.#next(20);
  readonly secret = (length: number): string => this.#next(length);

  #next(length: number): string {
    this.#count += 1;
    return `${this.#tag}${this.#count.toString(36)}`.padStart(length, "0").slice(-length);
  }
}

let template: { folder: string; path: string; keys: DemoKeys } | undefined;

/** A demo file, made once in a test process and copied for each world. */
export function demoTemplate(): { path: string; keys: DemoKeys } {
  if (template === undefined || !existsSync(template.path)) {
    const folder = mkdtempSync(join(tmpdir(), "itemtape-demo-"));
    const path = join(folder, "demo.db");
    template = { folder, path, keys: createDemoFile(path, demoAt, new TestIds()) };
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  }
  return template;
}

export type WorldOptions = { clock?: TestClock; instead?: AppParts["instead"]; config?: Partial<AppParts["config"]> };

/** The real program on a free port with the demo world in a temporary file and a clock that stands still. */
export class World {
  readonly folder: string;
  readonly path: string;
  readonly keys: DemoKeys;
  readonly clock: TestClock;
  readonly events = createEvents("silent");
  readonly client: TestClient;
  readonly #options: WorldOptions;
  #ids = new TestIds("test");
  #app: App | null = null;

  static async start(options: WorldOptions = {}): Promise<World> {
    const world = new World(options);
    await world.restart();
    return world;
  }

  constructor(options: WorldOptions = {}) {
    const { path, keys } = demoTemplate();
    this.folder = mkdtempSync(join(tmpdir(), "itemtape-world-"));
    this.path = join(this.folder, "itemtape.db");
    copyFileSync(path, this.path);
    this.keys = keys;
    this.clock = options.clock ?? new TestClock();
    this.#options = options;
    this.client = new TestClient(() => this.base);
  }

  get app(): App {
    if (this.#app === null) throw new Error("the world is not running");
    return this.#app;
  }

  get base(): string {
    return `http://127.0.0.1:${this.app.port}`;
  }

  /** Starts the program, or stops it and starts it again on the same file. */
  async restart(): Promise<void> {
    await this.#app?.close(1000);
    this.#app = await startApp({
      config: { host: "127.0.0.1", port: 0, connectionsMax: 1024, inFlightMax: 256, ...this.#options.config },
      databasePath: this.path,
      clock: this.clock,
      ids: this.#ids,
      events: this.events,
      instead: { release: "0.1.0", ...this.#options.instead },
    });
  }

  /** Changes the file as another process would. */
  change<T>(work: (database: Database) => T): T {
    const database = openWriter(this.path, 5000);
    try {
      return work(database);
    } finally {
      database.$client.close();
    }
  }

  /** A new account on `plan` with one key. */
  account(plan: Plan, name = `Test ${plan}`): NewSecret & { accountId: string } {
    return this.change((database) => {
      const parts = { database, clock: this.clock, ids: this.#ids };
      const { accountId } = new Accounts(parts).create(name);
      if (plan !== "free") new Accounts(parts).setPlan(accountId, plan, null);
      return { accountId, ...new Keys(parts).create(accountId, "test", 90) };
    });
  }

  /** Units that an account has been charged, as the file says it. */
  used(accountId: string): number {
    return this.change(
      (database) =>
        database.$client
          .prepare("SELECT coalesce(sum(used), 0) FROM usage_months WHERE account_id = ?")
          .pluck()
          .get(accountId) as number,
    );
  }

  async stop(): Promise<void> {
    await this.#app?.close(1000);
    this.#app = null;
    rmSync(this.folder, { recursive: true, force: true });
  }
}
