import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { processorTime } from "../../scripts/support/processor.ts";
import { until } from "../support/until.ts";

/** The result of a command line: its exit code and its whole output. */
export type Ran = { readonly code: number; readonly output: string };

/** A program that runs until it is stopped: the process that the shell started, the file of its output, and the line that started it. */
export type Job = { readonly pid: number; readonly outputPath: string; readonly line: string };

/** Time after which a command hangs. */
const hangMs = 900_000;

/** One bash, to which command lines are given one after the other, as a person types them. */
export class Session {
  readonly #folder: string;
  readonly #shell: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #ended: Promise<void>;
  #said = "";
  #steps = 0;
  readonly #kill = (): void => {
    try {
      process.kill(-this.#shell.pid!, "SIGKILL");
    } catch {
      // All of it has ended.
    }
  };

  /** `folder`: for the files of the session. */
  constructor(folder: string, cwd: string, env: NodeJS.ProcessEnv) {
    this.#folder = folder;
    // A separate process group, which `kill` ends as a whole.
    const words = ["--noprofile", "--norc"];
    this.#shell = spawn("bash", words, { cwd, env, stdio: ["pipe", "pipe", "pipe"], detached: true });
    this.#shell.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#said += text;
    });
    this.#shell.stderr.resume();
    this.#shell.stdin.on("error", () => undefined);
    this.#ended = new Promise((resolve) => this.#shell.once("exit", () => resolve()));
    this.#shell.stdin.write("set -o pipefail\n");
    process.once("exit", this.#kill);
  }

  /** Runs a command line to its end. Variables, the working folder and jobs stay for the next. */
  async run(line: string): Promise<Ran> {
    const { outputPath, done } = this.#type(line);
    const code = await done;
    return { code, output: readFileSync(outputPath, "utf8") };
  }

  /** Starts a program in the background, and resolves when its output matches `ready`. @throws {Error} when it ends before. */
  async start(line: string, ready: RegExp): Promise<Job> {
    const pidPath = join(this.#folder, `${this.#steps}.pid`);
    const { outputPath, done } = this.#type(`${line} &\necho "$!" > '${pidPath}'`);
    await done;
    const job = { pid: Number(readFileSync(pidPath, "utf8")), outputPath, line };
    const output = () => this.outputOf(job);
    await until(`\`${line}\` says that it is ready`, () => {
      if (ready.test(output())) return true;
      if (!isRunning(job.pid)) throw new Error(`it has ended:\n${output()}`);
      return false;
    });
    return job;
  }

  /** Sends SIGTERM to the program of a job, below npm and a shell. Resolves to the exit code of the line that started it. */
  async stop(job: Job): Promise<Ran> {
    process.kill(programOf(job.pid), "SIGTERM");
    const { code } = await this.run(`wait ${job.pid}`);
    return { code, output: this.outputOf(job) };
  }

  /** Returns the output of a program so far. */
  outputOf(job: Job): string {
    return readFileSync(job.outputPath, "utf8");
  }

  /** Ends the shell and its remaining programs. */
  async end(): Promise<void> {
    this.#kill();
    await this.#ended;
    process.off("exit", this.#kill);
  }

  #type(line: string): { outputPath: string; done: Promise<number> } {
    const step = this.#steps;
    this.#steps += 1;
    const [linePath, outputPath] = [join(this.#folder, `${step}.sh`), join(this.#folder, `${step}.out`)];
    writeFileSync(linePath, `${line}\n`);
    writeFileSync(outputPath, "");
    this.#shell.stdin.write(`. '${linePath}' < /dev/null > '${outputPath}' 2>&1; echo "step ${step}: $?"\n`);
    const answer = new RegExp(`^step ${step}: (\\d+)$`, "m");
    const found = () => answer.exec(this.#said)?.[1];
    const done = until(`\`${line}\` ends`, () => found() !== undefined || this.#shell.exitCode !== null, hangMs);
    return { outputPath, done: done.then(() => Number(found() ?? this.#shell.exitCode ?? 1)) };
  }
}

/** Returns the program of itemtape among a process and its children: npm starts it through a shell. */
export function programOf(pid: number): number {
  const isProgram = /itemtape(\.mjs)?$/.test(wordsOf(pid)[1] ?? "");
  if (isProgram) return pid;
  const child = readdirSync("/proc").find((name) => /^\d+$/.test(name) && processorTime(name)?.parent === pid);
  if (child === undefined) throw new Error(`no process below ${pid} is the program`);
  return programOf(Number(child));
}

/** Returns the file of the Node that runs a process. */
export function nodeOf(pid: number): string {
  return readlinkSync(`/proc/${pid}/exe`);
}

function wordsOf(pid: number): string[] {
  const path = `/proc/${pid}/cmdline`;
  return existsSync(path) ? readFileSync(path, "utf8").split("\0") : [];
}

/** A finished process is a zombie until the shell notices its end. */
function isRunning(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && /^\d+ \(.*\) [^ZX]/s.test(readFileSync(path, "utf8"));
}
