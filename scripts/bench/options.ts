import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { pointServerNames } from "./peers/names.ts";

export const parts = ["point", "export", "history", "roi", "compression"] as const;
export type Part = (typeof parts)[number];

export type Options = {
  rounds: number;
  /** Length of one measurement; the export repeats whole downloads for as long. */
  seconds: number;
  /** Null: all of them. */
  only: Part | null;
  /** Point-read servers to measure; goals whose servers are left out are not judged. */
  servers: readonly string[];
  items: number;
  /** Where the figures go as JSON; null: nowhere. */
  json: string | null;
  /** The data set is made in a folder of its own below this one. */
  dir: string;
  /** Folder for V8 profiles of our own servers; null: none. */
  cpuProf: string | null;
};

/** Flags that cannot be used; the message names the flag. */
export class UsageError extends Error {}

export const usage = `usage: npm run bench -- [--only point|export|history|roi|compression] [--rounds N] [--seconds S] [--items N]
                       [--servers A,B,…] [--json FILE] [--dir FOLDER] [--cpu-prof FOLDER]
servers: ${pointServerNames.join(", ")}`;

const flags = {
  only: { type: "string" },
  rounds: { type: "string", default: "9" },
  seconds: { type: "string", default: "1" },
  items: { type: "string", default: "30000" },
  servers: { type: "string" },
  json: { type: "string" },
  dir: { type: "string", default: tmpdir() },
  "cpu-prof": { type: "string" },
} as const;

/** Throws UsageError for an unknown flag or a value that it does not take. */
export function parseOptions(args: readonly string[]): Options {
  const values = parseFlags(args);
  return {
    rounds: count("rounds", values.rounds, 1, 1000),
    seconds: seconds(values.seconds),
    only: values.only === undefined ? null : oneOf("only", values.only, parts),
    servers: serversOf(values.servers),
    items: count("items", values.items, 100, 1_000_000),
    json: values.json ?? null,
    dir: values.dir,
    cpuProf: values["cpu-prof"] ?? null,
  };
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]);
  }
}

function serversOf(given: string | undefined): readonly string[] {
  if (given === undefined) return pointServerNames;
  return [...new Set(given.split(","))].map((name) => oneOf("servers", name, pointServerNames));
}

function oneOf<T extends string>(flag: string, given: string, choices: readonly T[]): T {
  if ((choices as readonly string[]).includes(given)) return given as T;
  throw new UsageError(`--${flag}: takes ${choices.join(", ")}, not \`${given}\``);
}

function count(flag: string, given: string, min: number, max: number): number {
  const value = /^[1-9][0-9]*$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${flag}: takes a whole number from ${min} to ${max}, not \`${given}\``);
}

function seconds(given: string): number {
  const value = /^[0-9]+(\.[0-9]+)?$/.test(given) ? Number(given) : Number.NaN;
  if (value >= 0.05 && value <= 600) return value;
  throw new UsageError(`--seconds: takes a number from 0.05 to 600, not \`${given}\``);
}
