import { calculateInThread } from "../../src/jobs/roi/schedule.ts";
import { dayText } from "../../src/values/calendar.ts";
import { systemClock } from "../../src/values/clock.ts";
import { firstDay } from "./history/market.ts";
import { pageRows, recordHistory, today } from "./history/recorded.ts";
import type { RequestOrder } from "./load.ts";
import { addPools } from "./pools.ts";
import { type Bench, measureRounds, pick, type Tables } from "./rounds.ts";
import { measureRequests, withServers } from "./servers.ts";

type Request = Pick<RequestOrder, "method" | "target" | "body" | "gzip">;

/** So many at once share the commit that charges them, as requests of a busy server do. */
const connections = 8;
const historyItems = 100;
const pooledItems = 7500;

/** From a record that is too short to be compressed to a whole page. */
const requests: Readonly<Record<string, Request>> = {
  "one item": { target: "/v1/items/1" },
  "prices of 100 items": {
    method: "POST",
    target: "/v1/markets/batch",
    body: JSON.stringify({ item_ids: Array.from({ length: 100 }, (_, index) => index + 1) }),
  },
  "hourly page of 1000 rows": {
    target: `/v1/items/1/history/hourly?limit=${pageRows}&from=${dayText(firstDay)}&to=${dayText(today - 1)}`,
  },
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
  const cases: Record<string, Request> = {};
  for (const [name, request] of Object.entries(requests)) {
    cases[name] = request;
    cases[`${name}, gzip`] = { ...request, gzip: true };
  }
  return withServers(bench, [{ key: "service", setup }], async ({ service }) => ({
    compression: {
      title: `Answers without and with gzip, ${connections} connections`,
      cases: await measureRounds(bench, "answers without and with gzip", cases, async (request, round) => {
        const keys = [data.keys[round % data.keys.length]!];
        const timing = { seconds: options.seconds / 2, warmUpSeconds: 0.2 };
        const order = { ...request, connections, keys, items: data.items };
        return pick(await measureRequests(bench, service, order, timing), "bytes", "CPU µs/req", "p50 ms");
      }),
      compared: [{ figure: "bytes" }, { figure: "CPU µs/req" }],
    },
  }));
}
