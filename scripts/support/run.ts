import { spawn } from "node:child_process";

/**
 * Environment of a program. `node`: the Node that `node` means, default this one; `env`: variables; `limitMs`: time after which it is
 * killed.
 */
export type RunOptions = { node?: string; env?: NodeJS.ProcessEnv; limitMs?: number };

/** Runs a program that writes to this terminal. Resolves to its exit code, 1 if it did not start or was killed. */
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

/** Runs a program and collects its output. Resolves to its exit code, 1 if it did not start. */
export function runCollected([command, ...rest]: readonly [string, ...string[]]): Promise<{
  code: number;
  output: string;
}> {
  return new Promise((done) => {
    const child = spawn(command === "node" ? process.execPath : command, rest, { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const collect = (text: string) => {
      output += text;
    };
    child.stdout.setEncoding("utf8").on("data", collect);
    child.stderr.setEncoding("utf8").on("data", collect);
    child.on("error", ({ message }) => done({ code: 1, output: `${command}: ${message}\n` }));
    child.on("close", (exit) => done({ code: exit ?? 1, output }));
  });
}
