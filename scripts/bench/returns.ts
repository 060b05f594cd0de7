// Each group of measurements has a file of its own.
import { connections } from "./point.ts";
import { addPools } from "./pools.ts";
import { type Bench, type Figures, measureRounds, type Tables } from "./rounds.ts";
import { measureRequests, withServers } from "./servers.ts";

/** Measures runs of the ROI model in a server's thread: alone, and beside point reads, with all threads on one core. */
export async function measureReturns(bench: Bench): Promise<Tables> {
  const { data, options } = bench;
  const { seconds } = options;
  const setup = data.setup(true);
  const { containers, outcomes } = addPools(setup.database, options.items);
  return withServers(bench, [{ key: "service", setup }], async ({ service }) => {
    const run = (changed: boolean, seconds = 0) => service.child.call("calculateReturns", { changed, seconds });
    const reads = (round: number, beside?: () => Promise<unknown>) => {
      const order = { connections, keys: data.keysOf(round), target: "/v1/items/{item}", seconds, beside };
      return measureRequests(bench, service, order, ["p50 ms", "p99 ms"]);
    };
    await run(false);
    const cases = await measureRounds(bench, "returns", {
      "all numbers new": async () => (await run(true))[0]!,
      "all inputs identical": async () => (await run(false))[0]!,
      "point reads alone": (round) => reads(round),
      "all new, beside point reads": async (round) => {
        let runs: Figures[] = [];
        const figures = await reads(round, async () => {
          runs = await run(true, seconds);
        });
        // The last one may have been alone for a part; a round reports its slowest.
        const whole = runs.length > 1 ? runs.slice(0, -1) : runs;
        return { ...whole.toSorted((a, b) => b.seconds! - a.seconds!)[0], ...figures };
      },
    });
    const title = `Returns of ${containers} containers (${outcomes} outcomes) in both modes, in a thread on the server's core`;
    return { roi: { title, cases } };
  });
}
