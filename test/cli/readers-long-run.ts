import { rmSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { parseLongRunOrExit } from "../../scripts/support/flags.ts";
import { temporaryFolder } from "../support/files.ts";
import { World } from "../support/world.ts";
import { installReaders, readDays } from "./readers-run.ts";

/**
 * Exports three days of the demo world as Parquet, by day and by hour, and reads them with DuckDB and Arrow: `npm test -- --long readers`.
 * Compares their counts and sums with the database, and for hours with the lines of the export. Downloads their packages from the npm registry
 * into a temporary folder. Exit code 1 after a fault.
 */
parseLongRunOrExit("readers", {});
const folder = temporaryFolder();
const world = await World.start();
try {
  installReaders(folder);
  for (const { reader, resolution, read, stored } of await readDays(world, folder)) {
    const isSame = isDeepStrictEqual(read, stored);
    const text = isSame ? JSON.stringify(read) : `${JSON.stringify(read)}, stored ${JSON.stringify(stored)}`;
    process.stdout.write(`${isSame ? "ok   " : "FAULT"} ${reader}, ${resolution}: ${text}\n`);
    if (!isSame) process.exitCode = 1;
  }
} finally {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
}
