import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { migratePrivate } from "../../src/store/postgres/connection.ts";
import { lazy } from "../../src/values/lazy.ts";
import { processorTime } from "./processor.ts";

const checkIntervalMs = 50;

/** A PostgreSQL server in its own folder, with the default fsync. Its superuser needs no password. */
export class PostgresServer {
  readonly folder: string;
  readonly #port: number;
  readonly #process: ChildProcess;

  /**
   * Creates and starts a server. `settings`: such as `shared_preload_libraries=pg_stat_statements`; `order`: arguments of `initdb` for the
   * sort order.
   */
  static async start(settings: readonly string[] = [], order: readonly string[] = []): Promise<PostgresServer> {
    const folder = makePostgresFolder(tmpdir());
    const port = await freePort();
    initPostgres(folder, order);
    const server = new PostgresServer(folder, port, spawnPostgres(folder, port, settings));
    await server.#answers();
    return server;
  }

  private constructor(folder: string, port: number, process: ChildProcess) {
    this.folder = folder;
    this.#port = port;
    this.#process = process;
  }

  /** Creates a database with the private tables and returns its address. */
  async database(name: string): Promise<string> {
    await this.query("postgres", `CREATE DATABASE ${name}`);
    const client = new pg.Client(this.#urlOf(name));
    await client.connect();
    await migratePrivate(client);
    await client.end();
    return this.#urlOf(name);
  }

  /** Runs one statement and returns its rows. */
  async query(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(this.#urlOf(database));
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** Returns the CPU time of all its processes so far, including ended ones, µs. */
  cpuUs(): number {
    const own = this.#process.pid!;
    const seconds = readdirSync("/proc")
      .filter((name) => /^[0-9]+$/.test(name))
      .map((pid) => ({ pid: Number(pid), time: processorTime(pid) }))
      .filter(({ pid, time }) => pid === own || time?.parent === own)
      .reduce((sum, { time }) => sum + (time === null ? 0 : time.own + time.children), 0);
    return seconds * 1e6;
  }

  /** Shuts the server down in order. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGINT");
    await ended;
  }

  /** Ends the server and removes its folder. */
  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  async #answers(): Promise<void> {
    for (;;) {
      if (this.#process.exitCode !== null) throw new Error(`postgres ended with ${this.#process.exitCode}`);
      try {
        await this.query("postgres", "SELECT 1");
        return;
      } catch {
        await setTimeout(checkIntervalMs);
      }
    }
  }

  #urlOf(database: string): string {
    return `postgresql://itemtape@127.0.0.1:${this.#port}/${database}`;
  }
}

/**
 * Creates the files of a server with a database `name` that has the private tables. It sorts text by dictionary order, as most servers do,
 * not by bytes. Resolves to their folder; the server does not run.
 */
export async function preparePostgres(name: string): Promise<string> {
  const server = await PostgresServer.start(["fsync=off"], ["--locale-provider=icu", "--icu-locale=en-US"]);
  await server.database(name);
  await server.stop();
  return server.folder;
}

/** Returns whether a server can be started here. */
export function hasPostgres(): boolean {
  return binaryFolder() !== null;
}

/** Creates an empty folder in `parent` for a server. */
export function makePostgresFolder(parent: string): string {
  const folder = mkdtempSync(join(parent, "itemtape-pg-"));
  const { uid, gid } = postgresUser();
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  return folder;
}

/** Creates the files of a new server in `folder`. Its superuser needs no password. */
function initPostgres(folder: string, order: readonly string[]): void {
  const words = ["-D", folder, "-U", "itemtape", "-A", "trust", "-E", "UTF8", "--no-sync", ...order];
  execFileSync(postgresBinary("initdb"), words, { stdio: "ignore", ...postgresUser() });
}

/** Starts the server of `folder` on a port of this machine. `settings`: such as `fsync=off`. */
export function spawnPostgres(folder: string, port: number, settings: readonly string[]): ChildProcess {
  const all = [`port=${port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", ...settings];
  const words = ["-D", folder, ...all.flatMap((setting) => ["-c", setting])];
  return spawn(postgresBinary("postgres"), words, { stdio: "ignore", ...postgresUser() });
}

/** Returns the path of a PostgreSQL program, which must be installed. */
export function postgresBinary(name: string): string {
  return join(binaryFolder()!, name);
}

function binaryFolder(): string | null {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join("/usr/lib/postgresql", newest, "bin");
}

/** Returns the user for the server. It refuses to run as root, so then it is the user created by its package. */
export const postgresUser = lazy((): { uid?: number; gid?: number } => {
  if (userInfo().uid !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
});

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
