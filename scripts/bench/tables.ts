import { calculateInThread } from "../../src/jobs/roi/schedule.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { addPools, type Closing, copyAnswers, historyTargets, openMarket, recordHistory } from "./data-set.ts";
import { exportsOfDay, openDay } from "./exports-of-day.ts";
import { durableCommitMs } from "./machine.ts";
import { chargedReads, openNodes } from "./nodes.ts";
import { measurePublication, openSealedDay } from "./publication.ts";
import { openFollowing, openReleases, openSwap } from "./releases.ts";
import { downloads, openStart, type Requests, requests, serversOn, startServers } from "./servers.ts";
import { type Bench, type Goals, type Table, table } from "./table.ts";

const itemRead: Requests = { target: "/v1/items/{item}", connections: 64 };
const itemQuotes: Requests = { target: "/v1/items/{item}/markets", connections: 64 };
const manyReads: Requests = { ...itemRead, accounts: 64 };
/** Large answers are asked for by few at once: so many share the commit that charges them, as requests of a busy server do. */
const few = { connections: 8 };
const batchItems = 100;
const recordedItems = 500;
const pooledItems = 7500;
/** The service runs so many exports at once. */
const exportSlots = 8;

const readers = ["raw-constant", "raw-read", "raw-literal", "express", "fastify", "uncharged"] as const;

/** Every answer of many rows; a peer reads and serialises the same ones. */
const answers: Record<string, { request: Requests; goals: Goals }> = {
  "quotes of an item": { request: itemQuotes, goals: { "CPU µs/req ÷ raw-constant": "<= 3.7" } },
  "quotes of 100 items": { request: batch(1), goals: { "CPU µs/req": "<= 600" } },
  "100 openables": { request: { target: "/v1/openables?limit=100", ...few }, goals: { "CPU µs/req": "<= 600" } },
  "hourly page of 1,000 rows": {
    request: { target: historyTargets.hourly, itemsTo: recordedItems, ...few },
    goals: { "CPU µs/req": "<= 800" },
  },
  // Half of the 1.6 ms that it took while each answer to it was encoded anew, row by row.
  "daily window of 366 rows": { request: { target: historyTargets.daily, ...few }, goals: { "CPU µs/req": "<= 800" } },
};

/** Everything that is measured, and what is promised of it. */
export const tables: Readonly<Record<string, Table>> = {
  point: table({
    part: "point",
    title: () => "GET /v1/items/{item_id}, 64 connections, random ids",
    open: serversOn(...readers, "full-stack"),
    figures: ["req/s", "CPU µs/req", "core %", "load core %", "p50 ms", "p99 ms"],
    compared: { "req/s": "raw-constant", "CPU µs/req": "raw-constant" },
    rows: (row) => [
      ...readers.map((name) => row(name, requests(name, itemRead))),
      row("full-stack", requests("full-stack", itemRead), {
        "req/s ÷ raw-constant": ">= 0.4",
        "CPU µs/req ÷ raw-constant": "<= 2.9",
        "CPU µs/req ÷ raw-read": "<= 0.75",
        "req/s ÷ fastify": ">= 1.2",
        "req/s ÷ uncharged": ">= 0.85",
      }),
    ],
  }),
  answers: table({
    part: "answers",
    title: () => "Answers, full stack, and fastify that reads and serialises the same rows without key and charge",
    open: openAnswers,
    figures: ["CPU µs/req", "p50 ms", "bytes"],
    compared: { "CPU µs/req": null, bytes: null },
    rows: (row) => [
      row("raw-constant", requests("raw-constant", itemRead)),
      ...Object.entries(answers).flatMap(([name, { request, goals }]) => [
        row(`${name}, fastify`, requests("fastify", request)),
        row(name, requests("full-stack", request), { ...goals, [`CPU µs/req ÷ ${name}, fastify`]: "<= 1" }),
        row(`${name}, gzip`, requests("full-stack", { ...request, gzip: true })),
      ]),
      // Of so few items that all answers are kept after the warm-up.
      row("quotes of an item, kept", requests("full-stack", { ...itemQuotes, itemsTo: 1000 }), {
        "CPU µs/req ÷ raw-constant": "<= 3.3",
      }),
      // Beyond a batch that is kept, what it takes to glue one together.
      row("quotes of 100 items, made anew", requests("full-stack", { ...batch("{item}"), itemsFrom: batchItems + 1 }), {
        "CPU µs/req": "<= 800",
      }),
    ],
  }),
  export: table({
    part: "export",
    title: ({ data }) => `Export, ${(data.exportBytes / 1e6).toFixed(1)} MB, one reader`,
    open: serversOn("file-pipe-64k", "full-stack"),
    figures: ["MB/s", "CPU ms/MB", "first byte ms", "MB sent"],
    compared: { "MB/s": null, "MB sent": null },
    rows: (row) => [
      row("file-pipe-64k", downloads("file-pipe-64k", {})),
      row("full-stack", downloads("full-stack", {}), {
        "CPU ms/MB ÷ file-pipe-64k": "<= 1.5",
        "first byte ms - file-pipe-64k - a durable commit": "<= 0.5",
      }),
      row("full-stack, gzip", downloads("full-stack", { gzip: true }), { "CPU ms/MB ÷ file-pipe-64k": "<= 0.4" }),
      row("a durable commit", async (_, __, { data }) => ({ "first byte ms": await durableCommitMs(data.folder) })),
    ],
  }),
  "beside exports": table({
    part: "export",
    title: () => `Point reads, 64 connections, alone and beside ${exportSlots} exports`,
    open: serversOn("service"),
    figures: ["p50 ms", "p99 ms"],
    compared: { "p50 ms": null, "p99 ms": null },
    rows: (row) => [
      row("point reads", requests("service", itemRead)),
      row(
        "point reads, beside exports",
        requests("service", itemRead, downloads("service", { readers: exportSlots })),
        { "p50 ms ÷ point reads": "<= 2", "p99 ms ÷ point reads": "<= 2" },
      ),
      row(
        "point reads, beside compressed exports",
        requests("service", itemRead, downloads("service", { readers: exportSlots, gzip: true })),
      ),
    ],
  }),
  "export memory": table({
    part: "export",
    title: () => "Growth of anonymous memory, each on a server of its own",
    open: serversOn("one", "fast", "slow"),
    figures: ["MB grown"],
    roundsMax: 3,
    rows: (row) => [
      row("1 reader", downloads("one", {}), { "MB grown": "<= 10" }),
      row("8 fast readers", downloads("fast", { readers: exportSlots }), { "MB grown": "<= 40" }),
      row("8 slow readers", downloads("slow", { readers: exportSlots, bytesPerSecond: 1e6 }), { "MB grown": "<= 4" }),
    ],
  }),
  day: table({
    part: "day",
    title: ({ data }) =>
      `Exports of ${exportsOfDay(data.items)} in a day that a publication ends, ${(data.exportBytes / 1e6).toFixed(1)} MB`,
    open: openDay,
    roundsMax: 1,
    rows: (row) =>
      Object.entries({ "100 Mbit/s": 12.5e6, "20 Mbit/s": 2.5e6, "8 Mbit/s": 1e6 }).flatMap(
        ([reader, bytesPerSecond]) =>
          [5, 2, 1].map((pauseMin) =>
            row(`${reader}, a publication each ${pauseMin} min`, (ended) => ended(bytesPerSecond, pauseMin)),
          ),
      ),
  }),
  publication: table({
    part: "export",
    title: ({ data }) => `Publication of ${data.items} items`,
    open: async ({ data }, closing) => openMarket(data.copy().database, closing),
    rows: (row) => [
      row("a publication", (database, round, { data }) => measurePublication(database, data.items, round), {
        "without sealing": "<= 1.2",
        "longest lock ms": "<= 20",
      }),
    ],
  }),
  "sealed day": table({
    part: "history",
    title: ({ data }) => `A day of hourly quotes of ${data.items} items, in process`,
    open: openSealedDay,
    roundsMax: 1,
    rows: (row) => [
      row("a frame", ({ frame }) => frame, { "longest lock ms": "<= 20", "bytes per quote": "<= 1.2" }),
      row("sealing", ({ sealing }) => sealing, { "CPU s": "<= 600" }),
      row("reading it, hourly", ({ read }) => read("hourly"), { MB: "<= 120", "MB per CPU s": ">= 20" }),
      row("reading it, daily", ({ read }) => read("daily")),
    ],
  }),
  nodes: table({
    part: "nodes",
    title: () => "A charged read, 64 connections but where it says otherwise; PostgreSQL on the same machine, fsync on",
    open: (bench, closing) => openNodes(bench, closing, manyReads),
    rows: (row) =>
      Object.entries({
        "64 accounts": { accounts: 64 },
        // What an engine adds shows at the same load: where each request follows an answer the rates differ, and most of the time is that
        // of a queue before cores that are busy all the time. Both are held to the goal.
        "64 accounts, planned": { accounts: 64, isPlanned: true },
        "one account": {},
        "one connection": { connections: 1 },
      }).flatMap(([name, order]) => [
        row(`file, ${name}`, chargedReads("file", { ...itemRead, ...order })),
        row(
          `PostgreSQL, ${name}`,
          chargedReads("PostgreSQL", { ...itemRead, ...order }),
          name.startsWith("64 accounts") ? { [`p99 ms - file, ${name}`]: "<= 3" } : {},
        ),
      ]),
  }),
  releases: table({
    part: "nodes",
    title: ({ data }) => `Releases of ${data.items} items; bytes are those that a follower takes`,
    open: openReleases,
    rows: (row) => [
      row("15 % of the items changed", (changed) => changed(15), { generations: "<= 1.2" }),
      row("1 % of the items changed", (changed) => changed(1)),
    ],
  }),
  following: table({
    part: "nodes",
    title: ({ data }) => `A publication of ${data.items} items on its way to two followers`,
    open: openFollowing,
    rows: (row) => [row("15 % of the items changed", (publish) => publish(), { "s to both": "<= 2" })],
  }),
  swap: table({
    part: "nodes",
    title: () => "Reads on a follower, 64 connections",
    open: openSwap,
    figures: ["req/s", "core %", "p50 ms", "p99 ms"],
    rows: (row) => [
      row("reads alone", ({ servers }, ...more) => requests("follower", manyReads)(servers, ...more)),
      row(
        "reads while a release is taken",
        async ({ servers, prepare, show }, ...more) => {
          await prepare();
          return requests("follower", manyReads, show)(servers, ...more);
        },
        { "p99 ms ÷ reads alone": "<= 2" },
      ),
    ],
  }),
  start: table({
    part: "start",
    title: () => "Processor of a process as a whole, all threads, user and system",
    open: openStart,
    roundsMax: 5,
    rows: (row) => [
      row("an empty Node", ({ empty }) => empty()),
      row("making the demo world", ({ demo }) => demo(), { "CPU s": "<= 5" }),
      row("a start to /ready and its stop", ({ start }) => start(), { "CPU s - an empty Node": "<= 0.3" }),
    ],
  }),
};

/** Returns the request of a batch of items, of which the first may be another each time. */
function batch(first: number | string): Requests {
  const others = Array.from({ length: batchItems - 1 }, (_, index) => index + 2);
  return { method: "POST", target: "/v1/markets/batch", body: `{"item_ids":[${first},${others}]}`, ...few };
}

/** Starts servers on files with recorded histories and calculated returns. */
async function openAnswers(bench: Bench, closing: Closing) {
  const setup = bench.data.copy();
  const { items } = bench.data;
  const recorded = Math.min(recordedItems, items);
  recordHistory(setup.database, recorded);
  addPools(setup.database, Math.min(pooledItems, items));
  const order = { databasePath: setup.database, at: systemClock.now() };
  await calculateInThread(order, new AbortController().signal);
  const service = await startServers(bench, closing, { "full-stack": setup });
  const { port } = service["full-stack"]!;
  await copyAnswers(setup.rows, { port, key: bench.data.keys[0]!, items: recorded });
  return { ...service, ...(await startServers(bench, closing, { "raw-constant": setup, fastify: setup })) };
}
