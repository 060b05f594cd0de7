import { readFileSync } from "node:fs";
import { importPortfolioFiles } from "../../../src/import/portfolios/portfolio-import.ts";
import { openWriter } from "../../../src/store/database.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { systemClock } from "../../../src/values/time/clock.ts";

/** An import in its own process that kills itself at row COUNT of TABLE: DATABASE FILE PORTFOLIO TABLE COUNT. */
const [path, file, portfolioId, table, count] = process.argv.slice(2) as [string, string, string, string, string];
const database = openWriter(path, 1000);
let left = Number(count);
database.$client.pragma("trusted_schema = 1");
database.$client.function("die_here", () => {
  left -= 1;
  if (left === 0) process.kill(process.pid, "SIGKILL");
  return null;
});
database.$client.exec(`CREATE TEMP TRIGGER dies AFTER INSERT ON ${table} BEGIN SELECT die_here(); END`);
importPortfolioFiles(
  database,
  [{ name: file, bytes: readFileSync(file), adapter: "csv" }],
  { portfolioId },
  { clock: systemClock, ids: systemIds() },
);
process.stdout.write("ended");
