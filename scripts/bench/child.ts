// One measured server, in a separate process until its parent disconnects. It sends its port, then answers each message with the processor
// time of all its threads so far, µs. It imports only the program of the measured checkout.
import type { Running, ServerOrder } from "./servers.ts";

const order = JSON.parse(process.argv[2]!) as ServerOrder;
const running = await (order.folder === null ? startPeer() : startService(order.folder, order.database));
process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on("disconnect", async () => {
  await running.close();
  process.exit();
});
// Ctrl+C reaches every process of the terminal, but the parent decides when to end.
process.on("SIGINT", () => undefined);
process.send?.(running.port);

async function startPeer(): Promise<Running> {
  const { peers } = await import("./peers.ts");
  return peers[order.name]!(order);
}

/** Starts the service as `serve` composes it, with its own ledger and threads. */
async function startService(folder: string, databasePath: string): Promise<Running> {
  const load = (path: string) => import(`file://${folder}src/${path}`);
  const { startApp } = (await load("app.ts")) as typeof import("../../src/app.ts");
  const { plans } = (await load("access/plans.ts")) as typeof import("../../src/access/plans.ts");
  const { createEvents } = (await load("log/events.ts")) as typeof import("../../src/log/events.ts");
  const { systemIds } = (await load("values/ids.ts")) as typeof import("../../src/values/ids.ts");
  const { systemClock } = (await load("values/time/clock.ts")) as typeof import("../../src/values/time/clock.ts");
  const app = await startApp({
    config: { host: "127.0.0.1", port: 0, connectionsMax: 1024, inFlightMax: 256 },
    databasePath,
    clock: systemClock,
    ids: systemIds(),
    // Log lines are built as at the default level, but not written.
    events: createEvents("info", { write() {} }),
    // The bench sends as many requests per second as the plan allows per minute.
    instead: { plans: { ...plans, quant: { ...plans.quant, requestsPerMinute: 100_000_000 } }, release: "bench" },
  });
  return { port: app.port, close: () => app.close(0) };
}
