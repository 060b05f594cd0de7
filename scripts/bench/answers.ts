import { calculateInThread } from "../../src/jobs/roi/schedule.ts";
import { dayText } from "../../src/values/calendar.ts";
import { systemClock } from "../../src/values/clock.ts";
import { dailyProvider, hourlyTarget, recordHistory, today, windowDays } from "./history/market.ts";
import { connections } from "./point.ts";
import { addPools } from "./pools.ts";
import { type Bench, type Cases, measureRounds, type Tables } from "./rounds.ts";
import { type Measurement, measureRequests, withServers } from "./servers.ts";

const historyItems = 500;
const pooledItems = 7500;
const batchItems = 100;
/** Large answers are asked for by few at once. */
const fewConnections = 8;

type Request = Pick<Measurement, "method" | "target" | "body" | "items"> & { connections: number };

/** Measures the answers that are made of many rows, and quotes of one item, beside fastify that reads and serialises the same rows. */
export async function measureAnswers(bench: Bench): Promise<Tables> {
  const { data, options, progress } = bench;
  const setup = data.setup(true);
  progress.phase("recording histories and returns");
  const recorded = Math.min(historyItems, options.items);
  recordHistory(setup.database, recorded);
  // Last, so that no container takes a quote away from the items before.
  addPools(setup.database, Math.min(pooledItems, options.items));
  await calculateInThread({ databasePath: setup.database, at: systemClock.now() }, new AbortController().signal);
  const servers = [
    { key: "raw-constant" as const, name: "raw-constant" as const, setup },
    { key: "service" as const, setup },
    { key: "fastify" as const, name: "fastify-rows" as const, setup },
  ];
  return withServers(bench, servers, async (running) => {
    const answers = (key: keyof typeof running, request: Request) => (round: number) => {
      const order = { ...request, seconds: options.seconds / 2, keys: data.keysOf(round) };
      return measureRequests(bench, running[key], order, ["CPU µs/req", "p50 ms", "bytes"]);
    };
    const cases: Record<string, Cases[string]> = {
      "raw constant": answers("raw-constant", { target: "/v1/items/{item}", connections }),
    };
    for (const [name, request] of Object.entries(requestsOf(recorded))) {
      cases[`${name}, fastify`] = answers("fastify", request);
      cases[name] = answers("service", request);
    }
    const title = "Answers, full stack and fastify that reads and serialises the same rows without key and charge";
    const compared = [{ figure: "CPU µs/req" }];
    return { answers: { title, cases: await measureRounds(bench, "answers", cases), compared } };
  });
}

function requestsOf(recorded: number): Readonly<Record<string, Request>> {
  const [from, to] = [dayText(today - windowDays), dayText(today - 1)];
  const item_ids = Array.from({ length: batchItems }, (_, index) => index + 1);
  const few = { connections: fewConnections };
  return {
    "quotes of an item": { target: "/v1/items/{item}/markets", connections },
    "quotes of 100 items": { method: "POST", target: "/v1/markets/batch", body: JSON.stringify({ item_ids }), ...few },
    "100 openables": { target: "/v1/openables?limit=100", ...few },
    "hourly page of 1,000 rows": { target: hourlyTarget("{item}"), items: recorded - 1, ...few },
    "daily window of 366 rows": {
      target: `/v1/items/1/history?from=${from}&to=${to}&limit=${windowDays}&provider=${dailyProvider}`,
      ...few,
    },
  };
}
