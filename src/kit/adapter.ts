import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { KitCall } from "./scenario.ts";

/** Time after the deadline of a call until the adapter is killed, ms. */
const graceMs = 5000;
/** Longest line of an adapter, in characters. */
const lineCharsMax = 32 * 1024 * 1024;
/** Characters of the standard error that a report shows. */
const stderrCharsMax = 4000;
/** Time that an adapter has to exit after the end of its input, ms. */
const endMs = 1000;

/** One request line to an adapter. */
type KitRequest = Required<Omit<KitCall, "body" | "rounds">> &
  Pick<KitCall, "body" | "rounds"> & { id: string; base_url: string; key: string | null };

/** A reply of an adapter, without its `id`. */
export type KitReply =
  | { value: unknown }
  | { problem: { code: string | null; status: number | null } }
  | { discarded: string }
  | { unsupported: true };

/** The outcome of a request: a reply or a fault. The other one is null. */
type KitOutcome = { reply: KitReply | null; fault: string | null; stderr: string };

type Pending = { id: string; settle(outcome: Omit<KitOutcome, "stderr">): void };

/** Runs the user's command. The process starts with the first request. */
export class Adapter {
  readonly #command: string;
  readonly #signal: AbortSignal;
  #child: ChildProcessWithoutNullStreams | null = null;
  #pending: Pending | null = null;
  #line = "";
  #stderr = "";

  constructor(command: string, signal: AbortSignal) {
    this.#command = command;
    this.#signal = signal;
  }

  /**
   * Sends one request and waits for its reply. After a fault the process is killed; the next request starts another.
   * @throws the reason of the signal if the run has ended.
   */
  async ask(request: KitRequest): Promise<KitOutcome> {
    this.#signal.throwIfAborted();
    this.#stderr = "";
    const child = this.#child ?? this.#start();
    const { promise, resolve: settle } = Promise.withResolvers<Omit<KitOutcome, "stderr">>();
    this.#pending = { id: request.id, settle };
    const late = request.deadline_ms + graceMs;
    const timer = setTimeout(() => this.#fail(`the client gave no answer within ${late / 1000} s`), late);
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const outcome = await promise;
    clearTimeout(timer);
    this.#pending = null;
    if (outcome.fault !== null) this.kill();
    return { ...outcome, stderr: this.#stderr };
  }

  /** Closes the input of the process, and kills it if it does not exit. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const timer = setTimeout(() => this.kill(), endMs);
    child.stdin.end();
    await ended;
    clearTimeout(timer);
  }

  /** Kills the process and its children at once. */
  kill(): void {
    const child = this.#child;
    this.#child = null;
    this.#pending?.settle({ reply: null, fault: "the run was stopped" });
    if (child?.pid === undefined) return;
    try {
      process.kill(-child.pid, "SIGKILL");
    } catch {
      // The group has ended, or the system has no process groups.
      child.kill("SIGKILL");
    }
  }

  #start(): ChildProcessWithoutNullStreams {
    // A process group of its own lets `kill` reach the children of the shell.
    const child = spawn(this.#command, { shell: true, detached: process.platform !== "win32", stdio: "pipe" });
    this.#child = child;
    this.#line = "";
    child.stdin.on("error", () => undefined);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (child === this.#child) this.#take(text);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      if (child === this.#child) this.#stderr = (this.#stderr + text).slice(-stderrCharsMax);
    });
    child.once("error", (error) => this.#fail(`the client cannot be started: ${error.message}`));
    child.once("close", (code, signal) => {
      if (child !== this.#child) return;
      this.#child = null;
      this.#fail(`the client ended with ${signal ?? `code ${code}`} before its answer`);
    });
    return child;
  }

  #take(text: string): void {
    // Only the new text is searched, because a line may have many parts.
    const found = text.indexOf("\n");
    const end = found === -1 ? -1 : this.#line.length + found;
    this.#line += text;
    if (end === -1 && this.#line.length <= lineCharsMax) return;
    const line = this.#line.slice(0, end);
    this.#line = end === -1 ? "" : this.#line.slice(end + 1);
    const reply = end === -1 ? null : replyOf(line, this.#pending?.id);
    if (reply === null || this.#line !== "")
      this.#fail(`the client wrote a line that is not its answer: ${line.slice(0, 200)}`);
    else this.#pending?.settle({ reply, fault: null });
  }

  #fail(fault: string): void {
    if (this.#pending === null) this.kill();
    else this.#pending.settle({ reply: null, fault });
  }
}

/** Reads a reply, with or without a byte order mark. Returns null if the line is invalid or replies to another request. */
function replyOf(line: string, id: string | undefined): KitReply | null {
  try {
    const { id: own, ...reply } = JSON.parse(line.replace(/^\ufeff/, "")) as Record<string, unknown>;
    const [name = "", ...more] = Object.keys(reply);
    return own === id && more.length === 0 && isReply(name, reply[name]) ? (reply as KitReply) : null;
  } catch {
    return null;
  }
}

function isReply(name: string, given: unknown): boolean {
  if (name === "value") return true;
  if (name === "discarded") return typeof given === "string";
  if (name === "unsupported") return given === true;
  if (name !== "problem" || typeof given !== "object" || given === null) return false;
  const { code, status } = given as Record<string, unknown>;
  return (code === null || typeof code === "string") && (status === null || typeof status === "number");
}
