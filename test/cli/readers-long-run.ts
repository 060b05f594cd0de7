import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dayMs } from "../../src/values/calendar.ts";
import { hourlyRowsOf } from "../domain/day-fold.ts";
import { runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { World } from "../support/world.ts";

/**
 * Exports three days of the demo world as parquet, by day and by hour, and lets DuckDB and Arrow read them: `npm run readers`. What they
 * count and sum is compared with the database, and for hours with the lines of the export. Their packages come from the npm registry
 * into a temporary folder. Exit code 1 after a fault.
 */
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

const folder = temporaryFolder();
const world = await World.start();
try {
  const install = [
    "install",
    "--prefix",
    folder,
    "--no-save",
    "--no-package-lock",
    "--no-audit",
    "--no-fund",
    ...packages,
  ];
  execFileSync("npm", install, { stdio: ["ignore", "ignore", "inherit"] });
  writeFileSync(join(folder, "reader.mjs"), reader);
  const env = { ITEMTAPE_URL: world.base, ITEMTAPE_API_KEY: world.account("quant").secret };
  for (const resolution of ["daily", "hourly"]) {
    const history = join(folder, resolution);
    const words = ["export", "day", `${days[0]}..${days.at(-1)}`, history, "--resolution", resolution];
    for (const format of ["ndjson", "parquet"]) {
      const { code, notes } = await runHere([...words, "--format", format], { env });
      if (code !== 0) throw new Error(notes.join("\n"));
    }
    const stored = days.map((date) => (resolution === "daily" ? dailyOf(date) : hourlyOf(date, history)));
    const output = execFileSync(process.execPath, [join(folder, "reader.mjs"), history, resolution, ...days], {
      encoding: "utf8",
    });
    const read = JSON.parse(output) as Record<string, unknown>;
    for (const [name, rows] of Object.entries(read)) compare(`${name}, ${resolution}`, rows, stored);
  }
} finally {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Returns rows and cents of a day as the database has them. */
function dailyOf(date: string): [string, number, number] {
  const day = Date.parse(date) / dayMs;
  const [row] = world.sql("SELECT count(*) AS rows, sum(amount) AS cents FROM daily_prices WHERE day = ?", day);
  return [date, Number(row?.rows), Number(row?.cents)];
}

/** Returns the same of the hours of a day, as the lines of its export tell them. */
function hourlyOf(date: string, history: string): [string, number, number] {
  const [start = "", ...lines] = readFileSync(join(history, `date=${date}`, "hourly.ndjson"), "utf8")
    .trimEnd()
    .split("\n");
  const rows = [...hourlyRowsOf(date, JSON.parse(start).frames, lines.slice(0, -1)).values()].flat();
  return [date, rows.length, rows.reduce((sum, { amount }) => sum + (amount ?? 0), 0)];
}

function compare(name: string, read: unknown, stored: unknown): void {
  const isSame = JSON.stringify(read) === JSON.stringify(stored);
  const text = isSame ? JSON.stringify(read) : `${JSON.stringify(read)}, stored ${JSON.stringify(stored)}`;
  process.stdout.write(`${isSame ? "ok   " : "FAULT"} ${name}: ${text}\n`);
  if (!isSame) process.exitCode = 1;
}
