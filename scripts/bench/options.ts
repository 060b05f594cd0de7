import { tmpdir } from "node:os";
import { oneOf, parseFlags, UsageError } from "../support/flags.ts";
import { type PointServer, pointServers } from "./peers/names.ts";

export const parts = ["point", "export", "history", "roi", "compression"] as const;
export type Part = (typeof parts)[number];

export type Options = {
  rounds: number;
  /** Length of one measurement; exports are repeated as a whole for as long. */
  seconds: number;
  /** Null: all of them. */
  only: Part | null;
  /** Point-read servers to measure; goals that need another one are not judged. */
  servers: readonly PointServer[];
  items: number;
  /** File for the figures as JSON; null: none. */
  json: string | null;
  /** Folder in which the data set gets a folder of its own. */
  dir: string;
};

export const usage = `usage: npm run bench -- [--only ${parts.join("|")}] [--rounds N] [--seconds S] [--items N]
                       [--servers A,B,…] [--json FILE] [--dir FOLDER]
servers: ${pointServers.join(", ")}`;

/** Parses the command line. @throws UsageError for an unknown flag or a value that it does not take. */
export function parseOptions(args: readonly string[]): Options {
  const values = parseFlags(args, {
    only: { type: "string" },
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "1" },
    items: { type: "string", default: "30000" },
    servers: { type: "string", default: pointServers.join() },
    json: { type: "string" },
    dir: { type: "string", default: tmpdir() },
  });
  const { only, json = null, dir } = values;
  return {
    rounds: numberFrom("rounds", values.rounds, 1, 1000),
    seconds: numberFrom("seconds", values.seconds, 0.05, 10),
    only: only === undefined ? null : oneOf("only", only, parts),
    servers: [...new Set(values.servers.split(","))].map((name) => oneOf("servers", name, pointServers)),
    items: numberFrom("items", values.items, 100, 100_000),
    json,
    dir,
  };
}

/** Parses a number, a whole one if `min` is whole. @throws UsageError for any other text. */
function numberFrom(flag: string, given: string, min: number, max: number): number {
  const isWhole = Number.isInteger(min);
  const value = (isWhole ? /^\d+$/ : /^\d+(\.\d+)?$/).test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${flag}: takes a ${isWhole ? "whole " : ""}number from ${min} to ${max}, not \`${given}\``);
}
