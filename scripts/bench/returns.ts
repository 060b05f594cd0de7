import { connections } from "./point.ts";
import { addPools } from "./pools.ts";
import { type Bench, type Figures, measureRounds, pick, type Tables } from "./rounds.ts";
import { measureRequests, withServers } from "./servers.ts";

/** Measures runs of the ROI model in a server's thread: alone, and beside point reads, with all threads on one core. */
export async function measureReturns(bench: Bench): Promise<Tables> {
  const { data, options } = bench;
  const setup = data.setup(true);
  const { containers, outcomes } = addPools(setup.database, options.items);
  return withServers(bench, [{ key: "service", setup }], async ({ service }) => {
    const run = (changed: boolean, seconds = 0) => service.child.call("calculateReturns", { changed, seconds });
    const reads = async (round: number, beside: () => Promise<unknown>) => {
      const keys = [data.keys[round % data.keys.length]!];
      const order = { connections, keys, target: "/v1/items/{item}", items: data.items };
      const timing = { seconds: options.seconds, beside };
      return pick(await measureRequests(bench, service, order, timing), "p50 ms", "p99 ms");
    };
    await run(false);
    const cases: Record<string, (round: number) => Promise<Figures>> = {
      "all numbers new": async () => (await run(true))[0]!,
      "all inputs identical": async () => (await run(false))[0]!,
      "point reads alone": (round) => reads(round, async () => undefined),
      "all new, beside point reads": async (round) => {
        let runs: Figures[] = [];
        const figures = await reads(round, async () => {
          runs = await run(true, options.seconds);
        });
        // The last one may have been alone for a part; a round reports its slowest.
        const whole = runs.length > 1 ? runs.slice(0, -1) : runs;
        return { ...whole.toSorted((a, b) => b.seconds! - a.seconds!)[0], ...figures };
      },
    };
    const title = `Returns of ${containers} containers (${outcomes} outcomes) in both modes, in a thread on the server's core`;
    return { roi: { title, cases: await measureRounds(bench, "returns", cases, (measure, round) => measure(round)) } };
  });
}
