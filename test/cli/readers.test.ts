import { rmSync } from "node:fs";
import { expect } from "chai";
import { temporaryFolder } from "../support/files.ts";
import { describeLong } from "../support/size.ts";
import { skipForWant } from "../support/skip.ts";
import { World } from "../support/world.ts";
import { installReaders, type Reading, readDays } from "./readers-run.ts";

describeLong("readers of exported days", () => {
  let readings: Reading[];

  before(async function () {
    this.timeout(600_000);
    const folder = temporaryFolder();
    try {
      try {
        installReaders(folder);
      } catch {
        skipForWant(this, "the npm registry does not give DuckDB and Arrow");
      }
      const world = await World.start();
      try {
        readings = await readDays(world, folder);
      } finally {
        await world.stop();
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  for (const reader of ["duckdb", "arrow"]) {
    for (const resolution of ["daily", "hourly"]) {
      it(`${reader} finds the stored ${resolution} rows and sums of three exported days`, () => {
        const found = readings.find((reading) => reading.reader === reader && reading.resolution === resolution)!;
        expect(found.read).to.deep.equal(found.stored);
        for (const [, rows, cents] of found.stored) expect([rows > 2000, cents > 0]).to.deep.equal([true, true]);
      });
    }
  }
});
