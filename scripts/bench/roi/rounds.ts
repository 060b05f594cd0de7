import type { Progress } from "../../../src/values/progress.ts";
import { Child } from "../channel.ts";
import type { DataSet } from "../data-set.ts";
import type { PointFigures, PointOrder } from "../load/point-readers.ts";
import type { Cores } from "../machine.ts";
import type { Options } from "../options.ts";
import { connections } from "../point-rounds.ts";
import { addPools, type PoolCounts } from "./pools.ts";
import type { RunFigures, RunOrder } from "./server.ts";

type Latency = { p50Ms: number; p99Ms: number };
/** One value for each round; a round's runs beside reads are told by their slowest. */
export type RoiResults = PoolCounts & {
  /** Runs without load: all calculations get new numbers, or all stay as they are. */
  alone: { changed: RunFigures[]; unchanged: RunFigures[] };
  beside: RunFigures[];
  /** Point reads without and during runs. */
  idle: Latency[];
  during: Latency[];
};

export type Parts = { data: DataSet; load: Child; cores: Cores; options: Options; progress: Progress };

const warmUpS = 0.3;

/** Runs of the ROI model in a server's thread: alone, and beside point reads, all threads of the server on one core. */
export async function measureRoi({ data, load, cores, options, progress }: Parts): Promise<RoiResults> {
  const setup = data.setup(true);
  progress.phase("making pools", 1);
  const counts = addPools(setup.database, options.items);
  const server = Child.start("./roi/server.ts", cores.server);
  const run = (order: RunOrder) => server.call<RunFigures[]>("run", order);
  const results: RoiResults = { ...counts, alone: { changed: [], unchanged: [] }, beside: [], idle: [], during: [] };
  try {
    const port = await server.call<number>("start", setup);
    await run({ changed: false, whileMs: 0 });
    progress.phase("returns of openables, measurements", options.rounds);
    for (let round = 0; round < options.rounds; round += 1) {
      results.alone.changed.push(...(await run({ changed: true, whileMs: 0 })));
      results.alone.unchanged.push(...(await run({ changed: false, whileMs: 0 })));
      const keys = [data.keys[round % data.keys.length]!];
      const order: PointOrder = { port, connections, keys, items: data.items };
      await load.call("openReaders", order);
      await load.call("read", Math.min(options.seconds, warmUpS));
      const read = async () => latency(await load.call<PointFigures>("read", options.seconds));
      results.idle.push(await read());
      const [during, runs] = await Promise.all([read(), run({ changed: true, whileMs: options.seconds * 1000 })]);
      results.during.push(during);
      // The last one may have been alone for a part.
      const whole = runs.length > 1 ? runs.slice(0, -1) : runs;
      results.beside.push(whole.reduce((slowest, one) => (one.seconds > slowest.seconds ? one : slowest)));
      await load.call("closeReaders");
      progress.advance(1);
    }
    return results;
  } finally {
    await server.stop();
  }
}

function latency({ p50Ms, p99Ms }: PointFigures): Latency {
  return { p50Ms, p99Ms };
}
