import { tmpdir } from "node:os";
import { oneOf, parseFlags, UsageError } from "../support/flags.ts";
import { type PointServer, pointServers } from "./peers/point-servers.ts";

export const parts = ["point", "answers", "export", "history", "roi", "compression", "nodes", "start", "day"] as const;
export type Part = (typeof parts)[number];

/** `only` null: all parts. `servers`: the point-read servers to measure; goals that need another one are not checked. */
export type Options = ReturnType<typeof parseOptions>;

const serverNames = Object.keys(pointServers) as PointServer[];

export const usage = `usage: npm run bench -- [--only ${parts.join("|")}] [--rounds N] [--seconds S] [--items N]
                       [--servers A,B,…] [--json FILE] [--dir FOLDER]
servers: ${serverNames.join(", ")}`;

/** Parses the command line. @throws {UsageError} when a flag is unknown or does not take its value. */
export function parseOptions(args: readonly string[]) {
  const values = parseFlags(args, {
    only: { type: "string" },
    rounds: { type: "string", default: "9" },
    /** Length of one measurement; exports are repeated as a whole for as long. */
    seconds: { type: "string", default: "1" },
    items: { type: "string", default: "30000" },
    servers: { type: "string", default: serverNames.join() },
    /** File for the figures. */
    json: { type: "string" },
    /** Folder in which the data set gets a folder of its own. */
    dir: { type: "string", default: tmpdir() },
  });
  const number = (flag: "rounds" | "seconds" | "items", min: number, max: number) => {
    const value = Number(values[flag]);
    const isWhole = Number.isInteger(min);
    if (value >= min && value <= max && (!isWhole || Number.isInteger(value))) return value;
    const kind = isWhole ? "a whole number" : "a number";
    throw new UsageError(`--${flag}: takes ${kind} from ${min} to ${max}, not \`${values[flag]}\``);
  };
  return {
    ...values,
    rounds: number("rounds", 1, 1000),
    seconds: number("seconds", 0.05, 10),
    items: number("items", 100, 100_000),
    only: values.only === undefined ? null : oneOf("only", values.only, parts),
    servers: [...new Set(values.servers.split(","))].map((name) => oneOf("servers", name, serverNames)),
  };
}
