import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "chai";
import { childProgram } from "../../../scripts/support/child-program.ts";
import type { FailpointName } from "../../../src/values/failpoints.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { container, RoiWorld } from "./roi-world.ts";

const roiChild = new URL("./roi-child.ts", import.meta.url);

describe("killed run of the ROI model", function () {
  this.timeout(180_000);
  const tables = ["roi_calculations", "roi_history", "roi_runs"];

  for (const place of ["roi.write.before", "roi.write.inside"] satisfies FailpointName[]) {
    it(`keeps the earlier calculation when killed at ${place}, and can be repeated`, async () => {
      const world = new RoiWorld();
      try {
        for (const [index, slug] of ["kilo", "lima", "mike"].entries()) world.pool(slug, { itemId: container + index });
        const publish = (cents: number) =>
          world.publish(
            ...[container, container + 1, container + 2, 1, 2].map((id) => [id, "alpha", cents + id] as never),
          );
        publish(10);
        world.run();
        const before = tables.map((table) => world.rows(table));
        publish(20);
        world.at += hourMs;
        const words = [...childProgram(roiChild), world.file.path, String(world.at), place];
        const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "inherit"] });
        const [, signal] = await once(child, "exit");
        expect(signal).to.equal("SIGKILL");
        expect(tables.map((table) => world.rows(table))).to.deep.equal(before);
        expect(world.file.writer.$client.pragma("integrity_check", { simple: true })).to.equal("ok");
        expect(world.run().published).to.have.length(3);
        expect(world.rows("roi_runs").map(({ calculated_at }) => calculated_at)).to.deep.equal([
          world.at - hourMs,
          world.at,
        ]);
      } finally {
        world.file.remove();
      }
    });
  }
});
