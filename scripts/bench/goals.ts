import { median, medianRatio, type Tables } from "./rounds.ts";

/** A promise about speed or size. `bound` such as `>= 2` or `<= 10 MB`; `value` null: not measured in this run. */
export type Goal = { name: string; bound: string; value: number | null; met: boolean | null };
type Value = (tables: Tables) => number | null;

const [idle, besideExports] = ["64 connections", "64 connections, beside 8 exports"];
const [alone, besideRuns] = ["point reads alone", "all new, beside point reads"];
const [quotes, batch, containers] = ["quotes of an item", "quotes of 100 items", "100 openables"];
const [hours, days] = ["hourly page of 1,000 rows", "daily window of 366 rows"];
const changedRelease = "15 % of the items changed";
const [hourly, daily] = ["hourly page", "daily window"];

/** Ratios are medians over rounds of the ratio within a round. */
const goals: readonly (readonly [name: string, bound: string, value: Value])[] = [
  ["full stack ÷ raw constant, requests per second", ">= 0.4", rate("raw-constant")],
  ["full stack ÷ raw constant, CPU per request", "<= 2.9", ratio("point", "CPU µs/req", "full-stack", "raw-constant")],
  ["full stack ÷ raw read, CPU per request", "<= 0.75", ratio("point", "CPU µs/req", "full-stack", "raw-read")],
  ["quotes of an item ÷ raw constant", "<= 3.7", answer(quotes, "raw constant")],
  ["quotes of an item, kept ÷ raw constant", "<= 3.3", answer(`${quotes}, kept`, "raw constant")],
  ["quotes of an item ÷ fastify, same rows", "<= 1", answer(quotes, besideFastify(quotes))],
  ["quotes of 100 items ÷ fastify, same rows", "<= 1", answer(batch, besideFastify(batch))],
  ["100 openables ÷ fastify, same rows", "<= 1", answer(containers, besideFastify(containers))],
  ["hourly page ÷ fastify, same rows", "<= 1", answer(hours, besideFastify(hours))],
  ["daily window ÷ fastify, same rows", "<= 1", answer(days, besideFastify(days))],
  ["quotes of 100 items", "<= 600 µs", middle("answers", "CPU µs/req", batch)],
  // Beyond a batch that is kept, what it takes to glue one together.
  [`${batch}, made anew`, "<= 800 µs", middle("answers", "CPU µs/req", `${batch}, made anew`)],
  ["100 openables", "<= 600 µs", middle("answers", "CPU µs/req", containers)],
  ["hourly page of 1,000 rows", "<= 800 µs", middle("answers", "CPU µs/req", hours)],
  // Half of the 1.6 ms that it took while each answer to it was encoded anew, row by row.
  ["daily window of 366 rows, asked for again", "<= 800 µs", middle("answers", "CPU µs/req", days)],
  ["full stack ÷ fastify + read, no key, no charge", ">= 1.2", rate("fastify-read")],
  ["full stack ÷ fastify + key + one sync per request", ">= 10", rate("fastify-fsync")],
  ["full stack ÷ express + openapi-backend as they ship", ">= 10", rate("express-openapi-backend")],
  ["full stack ÷ express-openapi-validator", ">= 5", rate("express-openapi-validator")],
  ["durable ÷ uncharged, 64 connections", ">= 0.85", rate("uncharged")],
  ["export ÷ file pipe, 64 KB reads, CPU", "<= 1.5", ratio("export", "CPU ms/MB", "full-stack", "file-pipe-64k")],
  [
    "compressed export ÷ file pipe of the plain file, CPU",
    "<= 0.4",
    ratio("export", "CPU ms/MB", "full-stack, gzip", "file-pipe-64k"),
  ],
  ["export ÷ join and stringify", ">= 5", ratio("export", "MB/s", "full-stack", "join-stringify")],
  ["export: time to first byte beyond file pipe and one commit", "<= 0.5 ms", firstByteBeyond],
  [
    "publication ÷ the same without sealing, CPU",
    "<= 1.2",
    middle("publication", "ratio", "a publication ÷ the same without sealing"),
  ],
  ["longest lock of a publication", "<= 20 ms", middle("publication", "longest lock ms", "a publication")],
  ["memory growth, 1 export", "<= 10 MB", middle("export memory", "MB", "1 export")],
  ["memory growth, 8 fast exports", "<= 40 MB", middle("export memory", "MB", "8 fast exports")],
  ["memory growth, 8 slow exports", "<= 4 MB", middle("export memory", "MB", "8 slow exports")],
  ["point read during 8 exports ÷ idle, p50", "<= 2", ratio("export beside", "p50 ms", besideExports, idle)],
  ["point read during 8 exports ÷ idle, p99", "<= 2", ratio("export beside", "p99 ms", besideExports, idle)],
  ["hourly page ÷ object map + stringify", ">= 2", cpu(`${hourly}, objects of the same segments`, hourly)],
  ["daily window ÷ object map + stringify", ">= 2", cpu(`${daily}, objects`, daily)],
  ["hourly page, ten times the items", "<= 1.15", cpu(hourly, tenthOf(hourly))],
  ["daily window, ten times the items", "<= 1.15", cpu(daily, tenthOf(daily))],
  // A point read is next to nothing in process: what counts is the cost of a client's request.
  [
    "point read, ten times the items",
    "<= 1.15",
    ratio("history over HTTP", "CPU µs/req", "point read", tenthOf("point read")),
  ],
  ["list page, ten times the items", "<= 1.15", cpu("list page", tenthOf("list page"))],
  ["charge while a frame is written, p99", "<= 50 ms", ofFrames("charge p99 ms")],
  ["longest lock of a frame", "<= 20 ms", ofFrames("longest lock ms")],
  ["a stored hourly quote", "<= 1.2 bytes", middle("history storage", "bytes", "a stored hourly quote")],
  ["sealing a day", "<= 600 s", middle("sealed day", "CPU s", "sealing")],
  ["a day by the hour, plain", "<= 120 MB", middle("sealed day", "MB", "reading it, hourly")],
  ["reading a sealed day by the hour", ">= 20 MB/s", middle("sealed day", "MB per CPU s", "reading it, hourly")],
  ["read charged in PostgreSQL beside the file, 64 connections, p99", "<= 3 ms", addedByPostgres],
  [
    "a release after a publication ÷ its generation, compressed",
    "<= 1.2",
    middle("releases", "÷ generation", changedRelease),
  ],
  [
    "a release sealed after a publication and taken, beside the poll",
    "<= 2 s",
    middle("releases", "s to a follower", changedRelease),
  ],
  ["returns of all openables beside point reads", "<= 5 s", middle("roi", "seconds", besideRuns)],
  ["point read during a run of returns ÷ idle, p99", "<= 2", ratio("roi", "p99 ms", besideRuns, alone)],
  ["making the demo world", "<= 5 s", middle("start", "CPU s", "making the demo world")],
  ["a start to /ready and its stop, beyond an empty Node", "<= 0.3 s", startBeyond],
  ["longest lock of a run of returns", "<= 50 ms", middle("roi", "lock ms", "all numbers new")],
];

/** Checks the goals in their order. */
export function checkGoals(tables: Tables): Goal[] {
  return goals.map(([name, bound, valueIn]) => {
    const value = valueIn(tables);
    const [sign, threshold] = bound.split(" ");
    const isMet = (value: number) => (sign === ">=" ? value >= Number(threshold) : value <= Number(threshold));
    return { name, bound, value, met: value === null ? null : isMet(value) };
  });
}

function firstByteBeyond(tables: Tables): number | null {
  const [full, pipe, commit] = ["full-stack", "file-pipe-64k", "a durable commit"].map(
    (name) => tables.export?.cases[name]?.["first byte ms"],
  );
  if (full === undefined || pipe === undefined || commit === undefined) return null;
  return median(full.map((ms, round) => ms - pipe[round]! - commit[round]!));
}

function addedByPostgres({ nodes }: Tables): number | null {
  const [file, postgres] = ["file", "PostgreSQL"].map((store) => nodes?.cases[`${store}, 64 accounts`]?.["p99 ms"]);
  return file === undefined || postgres === undefined ? null : median(postgres.map((ms, round) => ms - file[round]!));
}

function startBeyond({ start }: Tables): number | null {
  const [whole, empty] = ["a start to /ready and its stop", "an empty Node"].map(
    (name) => start?.cases[name]?.["CPU s"],
  );
  return whole === undefined || empty === undefined ? null : median(whole.map((s, round) => s - empty[round]!));
}

function besideFastify(answer: string): string {
  return `${answer}, fastify`;
}

function answer(over: string, under: string): Value {
  return ratio("answers", "CPU µs/req", over, under);
}

function tenthOf(read: string): string {
  return `${read}, a tenth of the items`;
}

function rate(peer: string): Value {
  return ratio("point", "req/s", "full-stack", peer);
}

function cpu(over: string, under: string): Value {
  return ratio("history pages", "CPU µs", over, under);
}

function ofFrames(figure: string): Value {
  return middle("history frames", figure, "late on a day", "first of a day");
}

function ratio(table: string, figure: string, over: string, under: string): Value {
  return (tables) => {
    const [above, below] = [over, under].map((name) => tables[table]?.cases[name]?.[figure]);
    return above === undefined || below === undefined ? null : medianRatio(above, below);
  };
}

/** Takes the median of all values of some cases. */
function middle(table: string, figure: string, ...cases: string[]): Value {
  return (tables) => {
    const values = cases.flatMap((name) => tables[table]?.cases[name]?.[figure] ?? []);
    return values.length === 0 ? null : median(values);
  };
}
