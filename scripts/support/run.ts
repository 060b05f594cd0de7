import { spawn } from "node:child_process";

/** Runs a program that writes to this terminal. Resolves to its exit code, 1 where it did not start or was killed. */
export function runShown(words: readonly [string, ...string[]]): Promise<number> {
  const [command, ...rest] = words;
  const program = command === "node" ? process.execPath : command;
  return new Promise((done) => {
    const child = spawn(program, rest, { stdio: "inherit" });
    child.on("error", (error) => {
      process.stdout.write(`${command}: ${error.message}\n`);
      done(1);
    });
    child.on("close", (exit) => done(exit ?? 1));
  });
}
