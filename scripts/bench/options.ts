import { tmpdir } from "node:os";
import { oneOf, parseFlags, UsageError } from "../support/flags.ts";

export const parts = ["point", "answers", "export", "day", "history", "nodes", "start"] as const;
export type Part = (typeof parts)[number];

/** `only` null: all parts. */
export type Options = ReturnType<typeof parseOptions>;

export const usage = `usage: npm run bench -- [--only ${parts.join("|")}] [--rounds N] [--seconds S] [--items N]
                       [--json FILE] [--dir FOLDER]`;

/** Parses the command line. @throws {UsageError} when a flag is unknown or does not take its value. */
export function parseOptions(args: readonly string[]) {
  const values = parseFlags(args, {
    only: { type: "string" },
    rounds: { type: "string", default: "9" },
    /** Length of one measurement; exports are repeated as a whole for as long. */
    seconds: { type: "string", default: "1" },
    items: { type: "string", default: "30000" },
    /** File for the figures. */
    json: { type: "string" },
    /** Folder in which the data set gets a folder of its own. */
    dir: { type: "string", default: tmpdir() },
  });
  const number = (flag: "rounds" | "seconds" | "items", min: number, max: number) => {
    const value = Number(values[flag]);
    if (value >= min && value <= max && (!Number.isInteger(min) || Number.isInteger(value))) return value;
    const kind = Number.isInteger(min) ? "a whole number" : "a number";
    throw new UsageError(`--${flag}: takes ${kind} from ${min} to ${max}, not \`${values[flag]}\``);
  };
  const only = values.only === undefined ? null : oneOf("only", values.only, parts);
  const [rounds, seconds] = [number("rounds", 1, 1000), number("seconds", 0.05, 10)];
  return { ...values, only, rounds, seconds, items: number("items", 150, 100_000) };
}
