import { spawn } from "node:child_process";

/**
 * Surroundings of a program: the Node that `node` stands for, this one when left out, and its environment. `limitMs`: time after which it
 * is killed.
 */
export type RunOptions = { node?: string; env?: NodeJS.ProcessEnv; limitMs?: number };

/** Runs a program that writes to this terminal. Resolves to its exit code, 1 where it did not start or was killed. */
export function runShown(
  words: readonly [string, ...string[]],
  { node = process.execPath, env = process.env, limitMs }: RunOptions = {},
): Promise<number> {
  const [command, ...rest] = words;
  const program = command === "node" ? node : command;
  return new Promise((done) => {
    const child = spawn(program, rest, { stdio: "inherit", env, timeout: limitMs, killSignal: "SIGKILL" });
    child.on("error", (error) => {
      process.stdout.write(`${command}: ${error.message}\n`);
      done(1);
    });
    child.on("close", (exit) => done(exit ?? 1));
  });
}
