import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import type { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export type Exit = { code: number | null; signal: NodeJS.Signals | null };
export type ChildOptions = {
  flags?: readonly string[];
  host?: string;
  /** Pass 0 for a free port. */
  port?: number;
  /** Words before the program's own: a tracer or a shell that ends in `exec "$@"`. */
  wrap?: readonly string[];
  /** Another program than `itemtape serve`, with its arguments. It prints its address in the same form. */
  program?: readonly string[];
};

export const programPath = fileURLToPath(new URL("../../src/cli/itemtape.mjs", import.meta.url));
/** Flags of a server without jobs. Starting their threads is a fifth of a start, and they read the market meanwhile. */
export const jobsOff: readonly string[] = ["--roi-schedule", "off", "--valuation-schedule", "off"];
const readyMsMax = 120_000;

/** A server in its own process, and its output. */
export class ServerChild {
  readonly exited: Promise<Exit>;
  port = 0;
  readonly #host: string;
  stdout = "";
  stderr = "";
  exit: Exit | null = null;
  readonly #process: ChildProcessByStdio<null, Readable, Readable>;

  /** Starts `itemtape serve` on the file at `path` and waits until it listens. Rejects when it ends before. */
  static async start(path: string, options: ChildOptions = {}): Promise<ServerChild> {
    const child = new ServerChild(path, options);
    await child.#listens();
    return child;
  }

  /** Starts it with a configuration that it must refuse, and waits for its end. */
  static async refused(path: string, options: ChildOptions = {}): Promise<ServerChild> {
    const child = new ServerChild(path, options);
    const late = wait(readyMsMax, "late", { ref: false });
    if ((await Promise.race([child.exited, late])) === "late") {
      await child.stop();
      throw new Error(`the server did not end; it said: ${child.stdout}${child.stderr}`);
    }
    return child;
  }

  constructor(path: string, { flags = [], host = "127.0.0.1", port = 0, wrap = [], program }: ChildOptions) {
    const words = program ?? [programPath, "serve", "--db", path, "--host", host, "--port", String(port), ...flags];
    this.#host = host;
    const [command = "", ...rest] = [...wrap, process.execPath, ...words];
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("ITEMTAPE_")));
    this.#process = spawn(command, rest, { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const name of ["stdout", "stderr"] as const) {
      this.#process[name].setEncoding("utf8").on("data", (text: string) => {
        this[name] += text;
      });
    }
    this.exited = once(this.#process, "exit").then(([code, signal]) => {
      this.exit = { code, signal };
      return this.exit;
    });
  }

  get base(): string {
    return `http://${this.#host}:${this.port}`;
  }

  get pid(): number {
    return this.#process.pid!;
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** Stops reading its output, like a dead log collector. */
  closePipes(): void {
    this.#process.stdout.destroy();
    this.#process.stderr.destroy();
  }

  /** Anonymous memory in MiB, without file pages. */
  anonymousMiB(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
  }

  openFiles(): number {
    return readdirSync(`/proc/${this.pid}/fd`).length;
  }

  /** Ends it without mercy. */
  async stop(): Promise<void> {
    if (this.exit !== null) return;
    this.signal("SIGCONT");
    this.signal("SIGKILL");
    await this.exited;
  }

  async #listens(): Promise<void> {
    const listening = (async () => {
      for (;;) {
        const port = /listens on http:\/\/[\d.]+:(\d+)/.exec(this.stdout)?.[1];
        if (port !== undefined) return Number(port);
        await once(this.#process.stdout, "data");
      }
    })();
    const ended = this.exited.then(({ code, signal }) => `it ended with ${code ?? signal}`);
    const late = wait(readyMsMax, "it is too late", { ref: false });
    const came = await Promise.race([listening, ended, late]);
    if (typeof came === "number") {
      this.port = came;
      return;
    }
    await this.stop();
    throw new Error(`the server does not listen: ${came}; it said: ${this.stdout}${this.stderr}`);
  }
}

/** The response, or null if the connection failed. */
export async function tryFetch(url: string, init: RequestInit = {}): Promise<Response | null> {
  try {
    return await fetch(url, init);
  } catch {
    return null;
  }
}

export function bearer({ secret }: { secret: string }): Record<string, string> {
  return { authorization: `Bearer ${secret}` };
}
