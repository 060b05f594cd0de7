import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

type Call = { id: number; name: string; argument: unknown };
type Answer = { id: number; result?: unknown; error?: string };
type Waiting = { resolve(result: unknown): void; reject(error: Error): void };

/** What a child process can be asked to do. */
// biome-ignore lint/suspicious/noExplicitAny: each procedure has its own argument, which its caller knows.
export type Procedures = Record<string, (argument: any) => unknown>;

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A child process of its own, pinned to a core, that answers calls. */
export class Child {
  readonly pid: number;
  readonly #process: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;

  /** `script` is a file beside this one; `core` null: not pinned. */
  static start(script: string, core: string | null, nodeFlags: readonly string[] = []): Child {
    const file = fileURLToPath(new URL(script, import.meta.url));
    const words = [process.execPath, ...nodeFlags, "--import", "tsx", file];
    const [command = "", ...rest] = core === null ? words : ["taskset", "-c", core, ...words];
    const env = { ...process.env, NODE_ENV: "production" };
    return new Child(spawn(command, rest, { cwd: root, env, stdio: ["ignore", "inherit", "inherit", "ipc"] }));
  }

  private constructor(child: ChildProcess) {
    this.#process = child;
    this.pid = child.pid ?? 0;
    child.on("message", (answer: Answer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if (answer.error === undefined) waiting?.resolve(answer.result);
      else waiting?.reject(new Error(answer.error));
    });
    child.on("error", (error) => this.#fail(error));
    child.on("exit", (code, signal) => this.#fail(new Error(`a child process ended (${signal ?? code})`)));
  }

  call<Result>(name: string, argument?: unknown): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#calls += 1;
      this.#waiting.set(this.#calls, { resolve: resolve as Waiting["resolve"], reject });
      this.#process.send({ id: this.#calls, name, argument } satisfies Call, (error) => {
        if (error !== null) this.#fail(error);
      });
    });
  }

  /** Lets the process end by itself, which is what writes a profile. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    const late = setTimeout(() => this.#process.kill("SIGKILL"), 10_000);
    if (this.#process.connected) this.#process.disconnect();
    await ended;
    clearTimeout(late);
  }

  #fail(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

/** The other end: answers the parent's calls until it lets go, then closes and ends. */
export function answerCalls(procedures: Procedures, close: () => Promise<void> | void): void {
  process.on("message", async ({ id, name, argument }: Call) => {
    const answer: Answer = { id };
    try {
      answer.result = await procedures[name]?.(argument);
    } catch (error) {
      answer.error = (error as Error).stack ?? String(error);
    }
    if (process.connected) process.send?.(answer);
  });
  process.on("disconnect", async () => {
    await close();
    process.exit();
  });
  // A stop from the terminal reaches every process: the parent tells when to end.
  process.on("SIGINT", () => undefined);
}
