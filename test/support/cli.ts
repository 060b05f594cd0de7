import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { main } from "../../src/cli/main.ts";

export type Ran = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string };
/** `program` is the entry of a copy that runs instead of this checkout. */
export type RunOptions = { env?: Record<string, string>; cwd?: string; uid?: number; gid?: number; program?: string };

export const programPath = fileURLToPath(new URL("../../src/cli/itemtape.mjs", import.meta.url));

/** Runs the program in its own process without a terminal, and returns its output. */
export function runCli(
  words: readonly string[],
  { env = {}, program = programPath, ...options }: RunOptions = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [program, ...words], {
    ...options,
    env: { ...withoutSettings(process.env), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, ...texts }));
  });
}

function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith("ITEMTAPE_")));
}

export type RanHere = { code: number; lines: string[]; notes: string[] };

/** Runs a command line in this process. `lines` is its standard output, `notes` its standard error. */
export async function runHere(
  words: readonly string[],
  { env = {}, isTerminal = false }: { env?: Record<string, string>; isTerminal?: boolean } = {},
): Promise<RanHere> {
  const lines: string[] = [];
  const notes: string[] = [];
  const out = { line: (text: string) => void lines.push(text), note: (text: string) => void notes.push(text) };
  const code = await main(words, env, { ...out, isTerminal });
  return { code, lines, notes };
}

/** Runs it with `--json` and returns the parsed output. Any exit code but success fails the test. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads the fields that it expects.
export async function jsonOf(...words: string[]): Promise<any> {
  const { code, lines, notes } = await runHere([...words, "--json"]);
  if (code !== 0 || lines.length !== 1) throw new Error(`exit ${code}: ${[...lines, ...notes].join("\n")}`);
  return JSON.parse(lines[0]!);
}
