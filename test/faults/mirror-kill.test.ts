import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { holdLock } from "../../src/store/file/lock.ts";
import { publishedState } from "../import/quotes/quote-world.ts";
import { canonicalBody } from "../jobs/mirror/mirror-world.ts";
import { runHere } from "../support/cli.ts";
import { bySize, casesBySize } from "../support/size.ts";
import { until } from "../support/until.ts";
import { programPath } from "./child.ts";
import { FaultFile } from "./fault-file.ts";

/** Uses a tenth of the demo's items in the short run. */
const fewItems = bySize({ short: true, long: false });
const itemCount = bySize({ short: 300, long: 10_000 });
/** Moments of a mirror's first turn, by its log messages so far. */
const moments = ["feed verified", "frame recorded"];

describe("mirror kill", function () {
  this.timeout(180_000);

  for (const moment of casesBySize(moments, 1)) {
    it(`after "${moment}" leaves one whole generation for the next mirror`, async () => {
      const file = new FaultFile({ fewItems });
      try {
        const names = file.change(({ $client }) =>
          $client
            .prepare("SELECT market_hash_name FROM items GROUP BY 1 HAVING count(*) = 1 LIMIT ?")
            .pluck()
            .all(itemCount),
        ) as string[];
        const put = (cents: number) =>
          writeFileSync(
            join(file.folder, "hall.ndjson"),
            canonicalBody("hall", "hall", Object.fromEntries(names.map((name) => [name, cents]))),
          );
        put(100);
        const config = join(file.folder, "mirror.json");
        const feed = { feed: "hall", adapter: "canonical", source: "hall.ndjson", interval_seconds: 60 };
        writeFileSync(config, JSON.stringify({ feeds: [feed] }));
        const words = ["mirror", "--db", file.path, "--mirror-config", config, "--publish-every-ms", "0"];
        const before = publishedState(file.path);
        const child = spawn(process.execPath, [programPath, ...words], { stdio: ["ignore", "ignore", "pipe"] });
        let reported = "";
        child.stderr.setEncoding("utf8").on("data", (text: string) => {
          reported += text;
        });
        await until(moment, () => reported.includes(moment), 40_000);
        child.kill("SIGKILL");
        await once(child, "exit");
        const killed = publishedState(file.path);
        expect(killed.actual).to.equal(killed.recorded);
        expect(killed.generation).to.be.within(before.generation, before.generation + 1);
        holdLock(file.path, "mirror").release();
        put(200);
        const next = await runHere([...words, "--once"]);
        expect(next.code, next.lines.join("\n")).to.equal(0);
        const after = publishedState(file.path);
        expect(after.actual).to.equal(after.recorded).and.to.not.equal(killed.actual);
        expect(await runHere(["db", "check", "--db", file.path])).to.have.property("code", 0);
      } finally {
        file.remove();
      }
    });
  }
});
