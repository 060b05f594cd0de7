import { execFile, execFileSync, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { appendFileSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg-driver";
import { migratePrivate } from "../../src/store/postgres/connection.ts";
import { until } from "./until.ts";

const run = promisify(execFile);

/** Options of a server of its own. `settings`: such as `fsync=off`; `inMemory`: its folder is in memory where the system has one. */
type ServerOptions = { settings?: readonly string[]; inMemory?: boolean };

/** A PostgreSQL server of the tests, in a folder of its own. Its superuser needs no password. */
export class TestPostgres {
  readonly folder: string;
  readonly port: number;
  #process: ReturnType<typeof spawn> | null = null;
  #databases = 0;

  /** Returns a server without data, to become the standby of another. */
  static async reserve(): Promise<TestPostgres> {
    return new TestPostgres(await freePort(), tmpdir());
  }

  /** Makes a server and starts it. */
  static async start(options: ServerOptions = {}): Promise<TestPostgres> {
    const inMemory = options.inMemory === true && existsSync("/dev/shm");
    const server = new TestPostgres(await freePort(), inMemory ? "/dev/shm" : tmpdir());
    execFileSync(binary("initdb"), ["-D", server.folder, "-U", "itemtape", "-A", "trust", "-E", "UTF8", "--no-sync"], {
      stdio: "ignore",
      ...identity(),
    });
    try {
      await server.run(options);
      return server;
    } catch (error) {
      await server.remove();
      throw error;
    }
  }

  private constructor(port: number, parent: string) {
    this.port = port;
    this.folder = mkdtempSync(join(parent, "itemtape-pg-"));
    const { uid, gid } = identity();
    if (uid !== undefined && gid !== undefined) chownSync(this.folder, uid, gid);
  }

  /** Runs the server of the folder, and resolves when it answers. */
  async run({ settings = [] }: ServerOptions = {}): Promise<void> {
    const own = [`port=${this.port}`, "listen_addresses=127.0.0.1", "unix_socket_directories=", ...settings];
    const child = spawn(binary("postgres"), ["-D", this.folder, ...own.flatMap((setting) => ["-c", setting])], {
      stdio: "ignore",
      ...identity(),
    });
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

  /** Becomes a streaming standby of `primary`, in place of what it was. It does not run before and after it. */
  async follow(primary: TestPostgres): Promise<void> {
    for (const name of readdirSync(this.folder)) rmSync(join(this.folder, name), { recursive: true });
    const from = `host=127.0.0.1 port=${primary.port} user=itemtape application_name=standby${this.port}`;
    const words = ["-D", this.folder, "-d", from, "-R", "-X", "stream", "-c", "fast", "--no-sync"];
    await run(binary("pg_basebackup"), words, identity());
  }

  /** Makes a standby take changes. */
  async promote(): Promise<void> {
    await this.query("postgres", "SELECT pg_promote(true, 60)");
  }

  /** Lets who comes from the network of `addresses` in without a password. */
  trust(addresses: string): void {
    appendFileSync(join(this.folder, "pg_hba.conf"), `host all all ${addresses} trust\n`);
  }

  get pid(): number {
    return this.#process!.pid!;
  }

  /** Makes an empty database and returns its address. `migrated`: with the private tables. */
  async database(migrated = true): Promise<string> {
    this.#databases += 1;
    const name = `test${this.#databases}`;
    await this.query("postgres", `CREATE DATABASE ${name}`);
    const url = this.urlOf(name);
    if (!migrated) return url;
    const client = new pg.Client(url);
    await client.connect();
    await migratePrivate(client);
    await client.end();
    return url;
  }

  urlOf(database: string): string {
    return `postgresql://itemtape@127.0.0.1:${this.port}/${database}`;
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects.
  async query(databaseOrUrl: string, text: string, values: unknown[] = []): Promise<{ rows: any[] }> {
    const client = new pg.Client(databaseOrUrl.includes("://") ? databaseOrUrl : this.urlOf(databaseOrUrl));
    // A server that is killed right after the answer is no error of whoever asked.
    client.on("error", () => {});
    await client.connect();
    try {
      return await client.query(text, values);
    } finally {
      await client.end().catch(() => {});
    }
  }

  /** Ends the server at once, as a power cut does, or in good order. */
  async stop(signal: "SIGKILL" | "SIGINT" = "SIGINT"): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (child === null || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns whether the tests can run a server of their own here. */
export function hasPostgres(): boolean {
  return binaryFolder() !== null;
}

function binary(name: string): string {
  return join(binaryFolder()!, name);
}

function binaryFolder(): string | null {
  const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql") : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? null : join("/usr/lib/postgresql", newest, "bin");
}

/** The server refuses to run as root: then it runs as the user that its package makes. */
function identity(): { uid?: number; gid?: number } {
  if (userInfo().uid !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** Returns a port that nobody listens on and that the system gives to nobody who asks for any: a server that restarts gets it again. */
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
