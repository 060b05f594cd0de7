import { calculateInThread } from "../../src/jobs/roi/schedule.ts";
import { dayText } from "../../src/values/calendar.ts";
import { systemClock } from "../../src/values/clock.ts";
import { dailyProvider, hourlyTarget, recordHistory, today, windowDays } from "./history/market.ts";
import { connections } from "./point.ts";
import { addPools } from "./pools.ts";
import { type Bench, type Cases, measureRounds, type Tables } from "./rounds.ts";
import { type Measurement, measureRequests, type Server, withServers } from "./servers.ts";

const historyItems = 500;
const pooledItems = 7500;
const batchItems = 100;
/** Few enough that all their answers are kept after the warm-up. */
const keptItems = 1000;
/** Large answers are asked for by few at once: so many share the commit that charges them, as requests of a busy server do. */
const fewConnections = 8;

type Request = Pick<Measurement, "method" | "target" | "body" | "items" | "gzip"> & { connections: number };
type Measure = (server: Server, request: Request, figures: readonly string[]) => Cases[string];

/** Measures the answers that are made of many rows, and quotes of one item, beside fastify that reads and serialises the same rows. */
export function measureAnswers(bench: Bench): Promise<Tables> {
  const peers = [
    { key: "raw" as const, name: "raw-constant" as const },
    { key: "service" as const },
    { key: "fastify" as const, name: "fastify-rows" as const },
  ];
  return withRows(bench, peers, async ({ raw, service, fastify }, answers) => {
    const figures = ["CPU µs/req", "p50 ms", "bytes"];
    const cases: Record<string, Cases[string]> = {
      "raw constant": answers(raw, { target: "/v1/items/{item}", connections }, figures),
    };
    for (const [name, request] of Object.entries(requestsOf(bench.options.items))) {
      // One that differs by what was asked before alone is the same to fastify.
      if (!name.includes(", ")) cases[`${name}, fastify`] = answers(fastify, request, figures);
      cases[name] = answers(service, request, figures);
    }
    const title = "Answers, full stack and fastify that reads and serialises the same rows without key and charge";
    const compared = [{ figure: "CPU µs/req" }];
    return { answers: { title, cases: await measureRounds(bench, "answers", cases), compared } };
  });
}

/** Measures what compression of answers saves and costs, from a record that is too short to be compressed to a whole page. */
export function measureCompression(bench: Bench): Promise<Tables> {
  return withRows(bench, [{ key: "service" as const }], async ({ service }, answers) => {
    const all = requestsOf(bench.options.items);
    const requests: Record<string, Request | undefined> = {
      "one item": { target: "/v1/items/1", connections: fewConnections },
      ...Object.fromEntries([batch, hours, containers].map((name) => [name, all[name]])),
      "openapi.json": { target: "/openapi.json", connections: fewConnections },
    };
    const figures = ["bytes", "CPU µs/req", "p50 ms"];
    const cases: Record<string, Cases[string]> = {};
    for (const [name, request] of Object.entries(requests)) {
      cases[name] = answers(service, request!, figures);
      cases[`${name}, gzip`] = answers(service, { ...request!, gzip: true }, figures);
    }
    const title = `Answers without and with gzip, ${fewConnections} connections`;
    const compared = [{ figure: "bytes" }, { figure: "CPU µs/req" }];
    return { compression: { title, cases: await measureRounds(bench, "answers", cases), compared } };
  });
}

/** Starts servers on a file with recorded histories and calculated returns, and runs `work` with them. */
async function withRows<Key extends string>(
  bench: Bench,
  servers: readonly { key: Key; name?: "raw-constant" | "fastify-rows" }[],
  work: (running: Readonly<Record<Key, Server>>, answers: Measure) => Promise<Tables>,
): Promise<Tables> {
  const { data, options, progress } = bench;
  const setup = data.setup(true);
  progress.phase("recording histories and returns");
  recordHistory(setup.database, recordedItems(options.items));
  // Last, so that no container takes a quote away from the items before.
  addPools(setup.database, Math.min(pooledItems, options.items));
  await calculateInThread({ databasePath: setup.database, at: systemClock.now() }, new AbortController().signal);
  const answers: Measure = (server, request, figures) => (round) => {
    const order = { ...request, seconds: options.seconds / 2, keys: data.keysOf(round) };
    return measureRequests(bench, server, order, figures);
  };
  const named = servers.map((server) => ({ ...server, setup }));
  return withServers(bench, named, (running) => work(running, answers));
}

function recordedItems(items: number): number {
  return Math.min(historyItems, items);
}

const [batch, containers, hours] = ["quotes of 100 items", "100 openables", "hourly page of 1,000 rows"] as const;

function requestsOf(items: number): Readonly<Record<string, Request>> {
  const [from, to] = [dayText(today - windowDays), dayText(today - 1)];
  const item_ids = Array.from({ length: batchItems }, (_, index) => index + 1);
  // The last items, and one that is another each time.
  const others = Array.from({ length: batchItems - 1 }, (_, index) => items - index);
  const anew = { body: `{"item_ids":[{item},${others}]}`, items: items - others.length };
  const few = { connections: fewConnections };
  return {
    "quotes of an item": { target: "/v1/items/{item}/markets", connections },
    "quotes of an item, kept": { target: "/v1/items/{item}/markets", items: Math.min(keptItems, items), connections },
    [`${batch}, made anew`]: { method: "POST", target: "/v1/markets/batch", ...anew, ...few },
    [batch]: { method: "POST", target: "/v1/markets/batch", body: JSON.stringify({ item_ids }), ...few },
    [containers]: { target: "/v1/openables?limit=100", ...few },
    [hours]: { target: hourlyTarget("{item}"), items: recordedItems(items) - 1, ...few },
    "daily window of 366 rows": {
      target: `/v1/items/1/history?from=${from}&to=${to}&limit=${windowDays}&provider=${dailyProvider}`,
      ...few,
    },
  };
}
