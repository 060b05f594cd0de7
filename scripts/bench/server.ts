import { answerCalls } from "./channel.ts";
import { exportServers } from "./peers/export-servers.ts";
import type { Running, Setup, StartServer } from "./peers/listening.ts";
import { pointServers } from "./peers/point-servers.ts";

const servers = { ...pointServers, ...exportServers };

/** One measured server in a process of its own. */
let running: Running | null = null;

answerCalls(
  {
    async start({ name, setup }: { name: string; setup: Setup }): Promise<number> {
      const start = (servers as Record<string, StartServer>)[name];
      if (start === undefined) throw new Error(`there is no server \`${name}\``);
      running = await start(setup);
      return running.port;
    },
    /** CPU time of all threads so far, µs. */
    cpuUs(): number {
      const { user, system } = process.cpuUsage();
      return user + system;
    },
  },
  () => running?.close(),
);
