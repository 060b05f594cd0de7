import { type ServerName, servers } from "./peers/servers.ts";
import type { ServerOrder } from "./servers.ts";

// One measured server, in a process of its own until its parent disconnects. It sends its port, then answers each message with the
// CPU time of all its threads so far, µs.
const { name, setup } = JSON.parse(process.argv[2]!) as ServerOrder;
const running = await (servers[name as ServerName] ?? servers["full-stack"])(setup);

process.on("message", () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.on("disconnect", async () => {
  await running.close();
  process.exit();
});
// Ctrl+C reaches every process of the terminal: the parent decides when to end.
process.on("SIGINT", () => undefined);
process.send?.(running.port);
