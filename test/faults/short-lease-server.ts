import { startApp } from "../../src/app.ts";
import { createEvents } from "../../src/log/events.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";

/**
 * The server with an old first request: DATABASE LATE_MS. The clock jumps once the request has begun, so that its lease is nearly over
 * when its export begins.
 */
const [databasePath = "", lateMs = "0"] = process.argv.slice(2);
let asked = 0;
const clock = {
  now(): number {
    asked += 1;
    return systemClock.now() + (asked > 1 ? Number(lateMs) : 0);
  },
  monotonicMs: systemClock.monotonicMs,
};
const app = await startApp({
  config: { host: "127.0.0.1", port: 0, connectionsMax: 64, inFlightMax: 64 },
  databasePath,
  clock,
  ids: systemIds(),
  events: createEvents("info"),
});
// Readings during the start do not count.
asked = 0;
process.stdout.write(`listens on http://127.0.0.1:${app.port}\n`);
