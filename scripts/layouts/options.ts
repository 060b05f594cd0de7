import { tmpdir } from "node:os";
import { parseArgs } from "node:util";

export type Size = { items: number; days: number };

export type Options = {
  /** The markets to store, one after the other. */
  sizes: readonly Size[];
  /** Of a hundred quotes, how many change from an hour to the next. */
  changePercent: number;
  /** Whether each quote tells in each frame when the source saw it; most sources tell no such time. */
  observed: boolean;
  /** The files are made in a folder of their own below this one. */
  dir: string;
};

/** Flags that cannot be used; the message names the flag. */
export class UsageError extends Error {}

export const usage = `usage: npm run layouts -- [--items N] [--days N] [--change PERCENT] [--observed] [--dir FOLDER]
without --items and --days: 3000 items for 31 days, then 30000 for 3`;

const flags = {
  items: { type: "string" },
  days: { type: "string" },
  change: { type: "string", default: "15" },
  observed: { type: "boolean", default: false },
  dir: { type: "string", default: tmpdir() },
} as const;

const normal: Size = { items: 3000, days: 31 };
const large: Size = { items: 30_000, days: 3 };
/** All hours of all quotes are held in memory. */
const itemDaysMax = 200_000;

/** Throws UsageError for an unknown flag or a value that it does not take. */
export function parseOptions(args: readonly string[]): Options {
  const values = parseFlags(args);
  const isOwnSize = values.items !== undefined || values.days !== undefined;
  const own = {
    items: count("items", values.items ?? String(normal.items), 10, 100_000),
    days: count("days", values.days ?? String(normal.days), 1, 366),
  };
  if (own.items * own.days > itemDaysMax) {
    throw new UsageError(`--items, --days: at most ${itemDaysMax} items times days, not ${own.items * own.days}`);
  }
  return {
    sizes: isOwnSize ? [own] : [normal, large],
    changePercent: count("change", values.change, 0, 100),
    observed: values.observed,
    dir: values.dir,
  };
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, strict: true }).values;
  } catch (error) {
    throw new UsageError((error as Error).message.split(". ")[0]);
  }
}

function count(flag: string, given: string, min: number, max: number): number {
  const value = /^(0|[1-9][0-9]*)$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`--${flag}: takes a whole number from ${min} to ${max}, not \`${given}\``);
}
