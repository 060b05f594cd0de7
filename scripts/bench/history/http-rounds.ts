import { dayText } from "../../../src/values/calendar.ts";
import type { PointFigures, PointOrder } from "../load/point-readers.ts";
import { MeasuredServer, startServers, stopServers } from "../measured-server.ts";
import { orderOf, connections as pointConnections } from "../point-rounds.ts";
import type { HistoryFile } from "./page-reads.ts";
import { firstDay, pageRows, today } from "./recorded.ts";
import type { Parts } from "./rounds.ts";

/** What the full stack is asked for: `tenth` is the file with a tenth of the items. */
const asked = {
  "hourly page": {
    file: "all",
    connections: 8,
    below: `/history/hourly?limit=${pageRows}&${dates(firstDay, today - 1)}`,
  },
  "point read": { file: "all", connections: pointConnections, below: "" },
  "point read, a tenth of the items": { file: "tenth", connections: pointConnections, below: "" },
} as const;

export type HttpRead = keyof typeof asked;
/** One value for each round. */
export type HttpSeries = { requestsPerS: number[]; cpuUs: number[] };
type Files = Record<"all" | "tenth", HistoryFile & { keys: readonly string[] }>;

export const httpReads = Object.keys(asked) as HttpRead[];

const warmUpS = 0.3;
const secondsMax = 10;

/** The product over HTTP, with keys and charges, on both files. */
export async function measureHttp(
  { data, load, cores, options, progress }: Parts,
  files: Files,
): Promise<Record<HttpRead, HttpSeries>> {
  const series = Object.fromEntries(
    httpReads.map((name): [string, HttpSeries] => [name, { requestsPerS: [], cpuUs: [] }]),
  ) as Record<HttpRead, HttpSeries>;
  const servers = await startServers(["all", "tenth"] satisfies (keyof Files)[], (name) => {
    const { database } = files[name as keyof Files];
    const setup = () => ({ ...data.setup(false), database });
    return MeasuredServer.start("full-stack", { setup }, cores, options.cpuProf);
  });
  const seconds = Math.min(options.seconds, secondsMax) / 2;
  progress.phase("histories over HTTP, measurements", options.rounds * httpReads.length);
  try {
    for (let round = 0; round < options.rounds; round += 1) {
      for (const name of orderOf(httpReads, round)) {
        const { file, connections, below } = asked[name];
        const { keys, items } = files[file];
        const server = servers.get(file)!;
        const key = keys[round % keys.length]!;
        const order: PointOrder = { port: server.port, connections, keys: [key], items: items - 1, below };
        await load.call("openReaders", order);
        await load.call("read", Math.min(seconds, warmUpS));
        const figures = await server.during(() => load.call<PointFigures>("read", seconds));
        await load.call("closeReaders");
        series[name].requestsPerS.push(figures.requests / figures.seconds);
        series[name].cpuUs.push(figures.cpuUs / figures.requests);
        progress.advance(1);
      }
    }
    return series;
  } finally {
    await stopServers(servers);
  }
}

function dates(from: number, to: number): string {
  return `from=${dayText(from)}&to=${dayText(to)}`;
}
