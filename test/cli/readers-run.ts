import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dayMs } from "../../src/values/time/calendar.ts";
import { hourlyRowsOf } from "../domain/day-fold.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import type { World } from "../support/world.ts";

/** Packages that `installReaders` downloads from the npm registry. */
const packages = ["@duckdb/node-api@1.5.6-r.1", "apache-arrow@21.2.0", "parquet-wasm@0.8.0"];
const days = ["2026-01-12", "2026-01-13", "2026-01-14"];

/** A program beside the packages: prints rows and sums of each day as each reader finds them. */
const reader = `
import { DuckDBInstance } from "@duckdb/node-api";
import { tableFromIPC } from "apache-arrow";
import { readParquet } from "parquet-wasm";
import { readFileSync } from "node:fs";
const [folder, resolution, ...days] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(":memory:")).connect();
const query = \`SELECT CAST(date AS VARCHAR) AS date, count(*) AS rows, sum(amount) AS cents
  FROM read_parquet('\${folder}/*/\${resolution}.parquet', hive_partitioning = true) GROUP BY ALL ORDER BY 1\`;
const found = await (await connection.runAndReadAll(query)).getRowObjects();
const duckdb = found.map(({ date, rows, cents }) => [date, Number(rows), Number(cents)]);
const arrow = days.map((date) => {
  const bytes = readFileSync(\`\${folder}/date=\${date}/\${resolution}.parquet\`);
  const table = tableFromIPC(readParquet(bytes).intoIPCStream());
  let cents = 0;
  for (const amount of table.getChild("amount")) cents += Number(amount ?? 0);
  return [date, table.numRows, cents];
});
process.stdout.write(JSON.stringify({ duckdb, arrow }));
`;

/** Of a day: its date, its rows and the sum of their amounts in cents. */
export type DaySum = [date: string, rows: number, cents: number];

/** `read` is a reader's result for all days of a resolution. `stored` is the stored data. */
export type Reading = { reader: string; resolution: string; read: DaySum[]; stored: DaySum[] };

/**
 * Installs DuckDB, Arrow and the program that uses them into `folder`.
 *
 * @throws if the npm registry does not provide them
 */
export function installReaders(folder: string): void {
  const quiet = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund"];
  execFileSync("npm", ["install", "--prefix", folder, ...quiet, ...packages], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(join(folder, "reader.mjs"), reader);
}

/**
 * Exports three days of the demo world as Parquet, by day and by hour, and reads them with the readers in `readersFolder`. The stored data
 * is from the database, and for hours from the lines of the export.
 */
export async function readDays(world: World, readersFolder: string): Promise<Reading[]> {
  const folder = temporaryFolder();
  const env = { ITEMTAPE_URL: world.base, ITEMTAPE_API_KEY: world.account("quant").secret };
  const readings: Reading[] = [];
  try {
    for (const resolution of ["daily", "hourly"]) {
      const history = join(folder, resolution);
      const words = ["export", "day", `${days[0]}..${days.at(-1)}`, history, "--resolution", resolution];
      for (const format of ["ndjson", "parquet"]) {
        const { code, notes } = await runHere([...words, "--format", format], { env });
        if (code !== 0) throw new Error(notes.join("\n"));
      }
      const stored = days.map((date) => (resolution === "daily" ? dailyOf(world, date) : hourlyOf(date, history)));
      const program = [join(readersFolder, "reader.mjs"), history, resolution, ...days];
      const output = execFileSync(process.execPath, program, { encoding: "utf8" });
      const found = Object.entries(JSON.parse(output) as Record<string, DaySum[]>);
      readings.push(...found.map(([name, read]) => ({ reader: name, resolution, read, stored })));
    }
    return readings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns rows and cents of a day as the database has them. */
function dailyOf(world: World, date: string): DaySum {
  const day = Date.parse(date) / dayMs;
  const [row] = world.sql("SELECT count(*) AS rows, sum(amount) AS cents FROM daily_prices WHERE day = ?", day);
  return [date, Number(row?.rows), Number(row?.cents)];
}

/** Returns the sums over the hours of a day, from the lines of its export. */
function hourlyOf(date: string, history: string): DaySum {
  const [start = "", ...lines] = readFileSync(join(history, `date=${date}`, "hourly.ndjson"), "utf8")
    .trimEnd()
    .split("\n");
  const rows = [...hourlyRowsOf(date, JSON.parse(start).frames, lines.slice(0, -1)).values()].flat();
  return [date, rows.length, rows.reduce((sum, { amount }) => sum + (amount ?? 0), 0)];
}
