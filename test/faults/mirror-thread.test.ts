import { expect } from "chai";
import { startApp } from "../../src/app.ts";
import { createEvents } from "../../src/log/events.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { itLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { tryFetch } from "./child.ts";
import { FaultFile } from "./fault-file.ts";

describe("mirror crash", function () {
  this.timeout(180_000);

  itLong("is reported and followed by a restart, without disturbing the server", async () => {
    const file = new FaultFile({ fewItems: true });
    const events = createEvents("silent");
    const app = await startApp({
      config: { host: "127.0.0.1", port: 0, connectionsMax: 64, inFlightMax: 64 },
      databasePath: file.path,
      clock: systemClock,
      ids: systemIds(),
      events,
      // An impossible configuration: the thread fails at its first step.
      mirror: { feeds: null as never, publishEveryMs: 0 },
    });
    try {
      await until("it died twice", () => (events.counters.get("mirror_deaths") ?? 0) >= 2, 40_000);
      const answer = await tryFetch(`http://127.0.0.1:${app.port}/v1/status`);
      expect(answer?.status).to.equal(200);
    } finally {
      expect(await app.close(0)).to.deep.equal({ clean: true });
      file.remove();
    }
  });
});
