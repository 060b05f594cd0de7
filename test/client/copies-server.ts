import { startApp } from "../../src/app.ts";
import { createEvents } from "../../src/log/events.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";

/**
 * The server with a clock set by its parent: DATABASE AT CONNECTIONS_MAX. It replies to each message of its parent. A time sets the clock,
 * "figures" returns its costs, "waiting" returns the number of waiting requests.
 */
const [databasePath = "", at = "0", connectionsMax = "1024"] = process.argv.slice(2);
let now = Number(at);
const app = await startApp({
  config: { host: "127.0.0.1", port: 0, connectionsMax: Number(connectionsMax), inFlightMax: 256 },
  databasePath,
  clock: { now: () => now, monotonicMs: systemClock.monotonicMs },
  ids: systemIds(),
  events: createEvents("silent"),
});

/** The server's costs so far. `heapBytes` counts objects and buffers after a garbage collection, if `--expose-gc` allows one. */
export type ServerFigures = { cpuUs: number; heapBytes: number };

function figures(): ServerFigures {
  const { user, system } = process.cpuUsage();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return { cpuUs: user + system, heapBytes: heapUsed + external };
}

process.on("message", (message: number | "figures" | "waiting") => {
  if (typeof message === "number") now = message;
  process.send?.(message === "figures" ? figures() : app.requestsWaiting());
});
process.once("SIGTERM", () => void app.close(5000).then(({ clean }) => process.exit(clean ? 0 : 1)));
process.send?.(app.port);
