import { Child } from "./channel.ts";
import type { DataSet } from "./data-set.ts";
import type { Cores } from "./machine.ts";
import { writingServers } from "./peers/names.ts";

/** A server under measurement and what it cost so far. */
export class MeasuredServer {
  readonly port: number;
  readonly pid: number;
  readonly #child: Child;

  /** Starts `name` in a process of its own, on the server's core. `cpuProf`: folder for a profile; null: none. */
  static async start(
    name: string,
    data: Pick<DataSet, "setup">,
    cores: Cores,
    cpuProf: string | null = null,
  ): Promise<MeasuredServer> {
    const flags = cpuProf === null ? [] : ["--cpu-prof", `--cpu-prof-dir=${cpuProf}`];
    const child = Child.start("./server.ts", cores.server, flags);
    try {
      const setup = data.setup(writingServers.has(name));
      return new MeasuredServer(child, await child.call<number>("start", { name, setup }));
    } catch (error) {
      await child.stop();
      throw error;
    }
  }

  private constructor(child: Child, port: number) {
    this.#child = child;
    this.pid = child.pid;
    this.port = port;
  }

  /** Runs `load` and returns what it gave with the CPU time that the server, all its threads together, spent on it. */
  async during<Result>(load: () => Promise<Result>): Promise<Result & { cpuUs: number }> {
    const before = await this.#child.call<number>("cpuUs");
    const result = await load();
    return { ...result, cpuUs: (await this.#child.call<number>("cpuUs")) - before };
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

/** Starts servers by name, one after another; stops all of them when one does not start. */
export async function startServers(
  names: readonly string[],
  start: (name: string) => Promise<MeasuredServer>,
): Promise<Map<string, MeasuredServer>> {
  const servers = new Map<string, MeasuredServer>();
  try {
    for (const name of names) servers.set(name, await start(name));
    return servers;
  } catch (error) {
    await stopServers(servers);
    throw error;
  }
}

export async function stopServers(servers: ReadonlyMap<string, MeasuredServer>): Promise<void> {
  await Promise.all([...servers.values()].map((server) => server.stop()));
}
