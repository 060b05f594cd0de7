import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { until } from "../support/until.ts";

/** Lets system calls of a running process fail on some files, until it is ended. */
export class Tracer {
  readonly #process: ChildProcess;

  /**
   * `injection`: of strace, such as `inject=fsync:error=EIO`. `mainThread`: calls of other threads succeed, and are not counted.
   * Resolves when the process is traced.
   */
  static async attach(
    pid: number,
    paths: readonly string[],
    injection: string,
    { mainThread = false } = {},
  ): Promise<Tracer> {
    const files = paths.flatMap((path) => ["-P", path]);
    const words = [...(mainThread ? [] : ["-f"]), "-o", "/dev/null", ...files, "-e", injection, "-p", String(pid)];
    const tracer = spawn("strace", words, { stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    tracer.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    await until("the tracer is attached", () => said.includes("attached") || tracer.exitCode !== null);
    if (tracer.exitCode !== null) throw new Error(`the tracer cannot attach: ${said}`);
    return new Tracer(tracer);
  }

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /** Lets the calls succeed again. */
  async detach(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, "exit");
    this.#process.kill("SIGINT");
    await ended;
  }
}
