import { type ChildProcess, execFile } from "node:child_process";
import { randomInt } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Context } from "mocha";
import pg from "pg";
import {
  hasPostgres,
  makePostgresFolder,
  postgresBinary,
  postgresUser,
  spawnPostgres,
} from "../../scripts/support/postgres.ts";
import { quickFolder } from "./files.ts";
import { copyFolder, postgresFiles, privateTemplate } from "./kept-files.ts";
import { skipForWant } from "./skip.ts";
import { until } from "./until.ts";

export { hasPostgres };

/** Skips the test if PostgreSQL is not installed. If skips are forbidden, the test fails. */
export function needPostgres(test: Context): void {
  if (!hasPostgres()) skipForWant(test, "PostgreSQL is not installed");
}

const run = promisify(execFile);

/**
 * Options of a dedicated server. `settings` are settings such as `fsync=off`. `within` is the parent folder of its data. `trusted` is a
 * network from which clients need no password.
 */
type ServerOptions = { settings?: readonly string[]; within?: string; trusted?: string };

/** The methods that tests may use on a shared server. */
export type SharedPostgres = Pick<TestPostgres, "port" | "database" | "urlOf" | "query">;

let shared: Promise<TestPostgres> | undefined;

/** Returns the server of this test process, for tests that only need a separate database. It ends with the process and stores nothing. */
export function sharedPostgres(): Promise<SharedPostgres> {
  shared ??= TestPostgres.start({ settings: ["autovacuum=off"] }).then((server) => {
    server.endWithProcess();
    return server;
  });
  return shared;
}

/** A PostgreSQL server for tests in its own folder, in memory if there is room. Its superuser needs no password. */
export class TestPostgres {
  readonly folder: string;
  readonly port: number;
  #process: ChildProcess | null = null;
  #databases = 0;

  /** Returns a server without data, to become the standby of another. */
  static async reserve(): Promise<TestPostgres> {
    return new TestPostgres(await freePort());
  }

  /** Makes a server and starts it. */
  static async start(options: ServerOptions = {}): Promise<TestPostgres> {
    const server = new TestPostgres(await freePort(), options.within);
    copyFolder(await postgresFiles(), server.folder);
    if (options.trusted !== undefined)
      appendFileSync(join(server.folder, "pg_hba.conf"), `host all all ${options.trusted} trust\n`);
    try {
      await server.run(options);
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  private constructor(port: number, within = quickFolder()) {
    this.port = port;
    this.folder = makePostgresFolder(within);
  }

  /** Runs the server of the folder, and resolves when it answers. */
  async run({ settings = [] }: Pick<ServerOptions, "settings"> = {}): Promise<void> {
    const child = spawnPostgres(this.folder, this.port, settings);
    this.#process = child;
    await until("PostgreSQL answers", async () => {
      if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}`);
      const client = new pg.Client(this.urlOf("postgres"));
      client.on("error", () => {});
      try {
        await client.connect();
        return true;
      } catch {
        return false;
      } finally {
        await client.end().catch(() => {});
      }
    });
  }

  /** Turns it into a streaming standby of `primary`. It is stopped before and after. */
  async follow(primary: TestPostgres): Promise<void> {
    for (const name of readdirSync(this.folder)) rmSync(join(this.folder, name), { recursive: true });
    const from = `host=127.0.0.1 port=${primary.port} user=itemtape application_name=standby${this.port}`;
    const words = ["-D", this.folder, "-d", from, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
    await run(postgresBinary("pg_basebackup"), words, postgresUser());
  }

  /** Promotes a standby so that it accepts changes. */
  async promote(): Promise<void> {
    await this.query("postgres", "SELECT pg_promote(true, 60)");
  }

  /** Makes an empty database and returns its address. `migrated`: with the private tables. */
  async database(migrated = true): Promise<string> {
    this.#databases += 1;
    const name = `test${this.#databases}`;
    await this.query(
      "postgres",
      `CREATE DATABASE ${name}${migrated ? ` TEMPLATE ${privateTemplate} STRATEGY FILE_COPY` : ""}`,
    );
    return this.urlOf(name);
  }

  /** Applies settings without a restart. Null resets a setting to its value at the start. */
  async configure(settings: Readonly<Record<string, string | null>>): Promise<void> {
    const changes = Object.entries(settings).map(([name, value]) =>
      value === null ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = '${value}'`,
    );
    const before = await this.#configuredAt();
    for (const change of changes) await this.query("postgres", change);
    await this.query("postgres", "SELECT pg_reload_conf()");
    await until("the settings are read", async () => (await this.#configuredAt()) !== before);
  }

  /** Makes each commit wait for a standby that does not exist. Pass null to stop that. Resolves when the setting is active. */
  async waitForStandby(name: string | null): Promise<void> {
    await this.configure({ synchronous_standby_names: name });
    const cancel = "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    // The process that delays commits reads the settings later than the process that reports the reload.
    await until("commits wait for a standby as they should", async () => {
      let [hasWaited, isOver] = [false, false];
      const commit = this.query("postgres", "SELECT pg_logical_emit_message(true, 'probe', '')").finally(() => {
        isOver = true;
      });
      await until("a commit is over", async () => {
        hasWaited ||= (await this.query("postgres", cancel)).rows.length > 0;
        return isOver;
      });
      await commit;
      return hasWaited === (name !== null);
    });
  }

  /** The instant at which the server last read its settings. */
  async #configuredAt(): Promise<string> {
    return (await this.query("postgres", "SELECT pg_conf_load_time()::text AS at")).rows[0].at;
  }

  urlOf(database: string): string {
    return `postgresql://itemtape@127.0.0.1:${this.port}/${database}`;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
  async query(databaseOrUrl: string, text: string, values: unknown[] = []): Promise<{ rows: any[] }> {
    const client = new pg.Client(databaseOrUrl.includes("://") ? databaseOrUrl : this.urlOf(databaseOrUrl));
    // A server that is killed right after the response must not fail its client.
    client.on("error", () => {});
    await client.connect();
    try {
      return await client.query(text, values);
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Ends the server: at once, like a power cut, or cleanly. */
  async stop(signal: "SIGKILL" | "SIGINT" = "SIGINT"): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const parts = signal === "SIGKILL" ? partsOf(child) : [];
    for (const pid of parts) process.kill(pid, signal);
    child.kill(signal);
    await ended;
    await until("all processes of the server have ended", () => !parts.some(isRunning));
  }

  endWithProcess(): void {
    this.#process?.unref();
    process.once("exit", () => {
      // It gives its shared memory back by itself.
      this.#process?.kill("SIGQUIT");
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/**
 * Stops a server from starting processes, and returns its processes. A process in the middle of a statement survives the server. Until it
 * ends, no other server starts in the folder.
 */
function partsOf(server: ChildProcess): number[] {
  server.kill("SIGSTOP");
  const path = `/proc/${server.pid}/task/${server.pid}/children`;
  return existsSync(path) ? readFileSync(path, "utf8").trim().split(" ").filter(Boolean).map(Number) : [];
}

/** Returns whether a process still runs. A zombie does not. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Returns a free port outside the system's automatic range, so that a restarted server gets it again. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once("error", () => resolve(false));
    probe.listen(port, () => probe.close(() => resolve(true)));
  });
}
