import { calculateInThread } from "../../src/jobs/roi/schedule.ts";
import { systemClock } from "../../src/values/clock.ts";
import { hourlyTarget, recordHistory } from "./history/market.ts";
import { addPools } from "./pools.ts";
import { type Bench, type Cases, measureRounds, type Tables } from "./rounds.ts";
import { type Measurement, measureRequests, withServers } from "./servers.ts";

/** So many at once share the commit that charges them, as requests of a busy server do. */
const connections = 8;
const historyItems = 100;
const pooledItems = 7500;

/** From a record that is too short to be compressed to a whole page. */
const requests: Readonly<Record<string, Pick<Measurement, "method" | "target" | "body">>> = {
  "one item": { target: "/v1/items/1" },
  "prices of 100 items": {
    method: "POST",
    target: "/v1/markets/batch",
    body: JSON.stringify({ item_ids: Array.from({ length: 100 }, (_, index) => index + 1) }),
  },
  "hourly page of 1000 rows": { target: hourlyTarget(1) },
  "100 openables": { target: "/v1/openables?limit=100" },
  "openapi.json": { target: "/openapi.json" },
};

/** Measures what compression of answers saves and costs. */
export async function measureCompression(bench: Bench): Promise<Tables> {
  const { data, options, progress } = bench;
  const setup = data.setup(true);
  progress.phase("recording histories and returns");
  recordHistory(setup.database, Math.min(historyItems, options.items));
  addPools(setup.database, Math.min(pooledItems, options.items));
  await calculateInThread({ databasePath: setup.database, at: systemClock.now() }, new AbortController().signal);
  return withServers(bench, [{ key: "service", setup }], async ({ service }) => {
    const answers = (request: (typeof requests)[string], gzip: boolean) => (round: number) => {
      const timing = { seconds: options.seconds / 2, warmUpSeconds: 0.2 };
      const order = { ...request, ...timing, connections, gzip, keys: data.keysOf(round) };
      return measureRequests(bench, service, order, ["bytes", "CPU µs/req", "p50 ms"]);
    };
    const cases: Record<string, Cases[string]> = {};
    for (const [name, request] of Object.entries(requests)) {
      cases[name] = answers(request, false);
      cases[`${name}, gzip`] = answers(request, true);
    }
    const title = `Answers without and with gzip, ${connections} connections`;
    const compared = [{ figure: "bytes" }, { figure: "CPU µs/req" }];
    return { compression: { title, cases: await measureRounds(bench, "answers", cases), compared } };
  });
}
