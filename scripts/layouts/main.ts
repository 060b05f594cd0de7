import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { progressOn } from "../../src/ingest/progress.ts";
import { systemClock } from "../../src/values/clock.ts";
import { Market, slots } from "./market.ts";
import { type Measured, measureLayouts } from "./measure.ts";
import { type Options, parseOptions, type Size, UsageError, usage } from "./options.ts";

process.exitCode = await main(process.argv.slice(2));

/** Stores an invented market in three layouts and prints what each costs. Exit code 1: it failed, 2: wrong usage. */
async function main(args: readonly string[]): Promise<number> {
  try {
    await compare(parseOptions(args));
    return 0;
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`${error.message}\n${usage}`);
      return 2;
    }
    console.error(`the measurement failed: ${(error as Error).stack}`);
    return 1;
  }
}

async function compare({ sizes, changePercent, observed, dir }: Options): Promise<void> {
  const folder = mkdtempSync(join(dir, "itemtape-layouts-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("SIGINT", () => {
    remove();
    process.exit(130);
  });
  const progress = progressOn(process.stderr, systemClock);
  try {
    for (const size of sizes) {
      progress.phase("inventing the market");
      const market = new Market(size, { changePercent, observed });
      const rows: Measured[] = [];
      for await (const measured of measureLayouts(market, folder, progress)) rows.push(measured);
      progress.end();
      console.log(`${title(size, changePercent, observed)}\n\n${table(rows)}\n`);
    }
  } finally {
    progress.end();
    remove();
  }
}

function title({ items, days }: Size, changePercent: number, observed: boolean): string {
  const times = observed ? ", each with the source's time" : "";
  return `${items} items x ${slots.length} quotes x ${days} days; ${changePercent} % of the quotes change each hour${times}`;
}

function table(rows: readonly Measured[]): string {
  const lines = rows.map(({ layout, bytesPerQuote, frame, windowRows, windowMicros }) => [
    layout,
    bytesPerQuote.toFixed(2),
    `${frame.seconds.toFixed(2)} s in ${frame.transactions}`,
    `${frame.holdMsMost.toFixed(1)} ms, ${frame.holdMsMax.toFixed(1)} ms`,
    `${(frame.walBytes / 1e6).toFixed(1)} MB`,
    `${Math.round(windowMicros)} µs for ${windowRows}`,
  ]);
  const head = [
    "layout",
    "bytes per quote",
    "a frame, transactions",
    "lock: 9 of 10, longest",
    "its log",
    "window, rows",
  ];
  const widths = head.map((name, column) => Math.max(...[head, ...lines].map((line) => (line[column] ?? name).length)));
  const lineOf = (cells: readonly string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`;
  return [lineOf(head), lineOf(widths.map((width) => "-".repeat(width))), ...lines.map(lineOf)].join("\n");
}
