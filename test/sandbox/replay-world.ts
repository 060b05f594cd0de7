import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { copiedWorld } from "../../src/sandbox/world.ts";
import { openWriter } from "../../src/store/database.ts";
import type { ReplayBy } from "../../src/store/read/replay-moments.ts";
import { demoFewItemsFile } from "../support/kept-files.ts";
import { type RunningSandbox, runSandbox } from "./run.ts";

/** Makes a file of few items with three feeds. All its past rows are known. */
export function recordedMarket(folder: string): string {
  const path = join(folder, "recorded.db");
  copyFileSync(demoFewItemsFile().path, path);
  const database = openWriter(path, 0);
  database.$client.prepare("UPDATE market_state SET known_since = 0").run();
  database.$client.close();
  return path;
}

/** A replay with a reader of answers. */
export type RunningReplay = RunningSandbox & {
  /** Moves the market's clock. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the control API.
  move(body: object): Promise<{ status: number; json: any }>;
  /** Returns the answer as text, without request ids and cursors. */
  read(target: string, body?: object | undefined, method?: string): Promise<string>;
};

/** Starts a replay of `path` from `from` on. */
export async function runReplay(path: string, from: string, by: ReplayBy = "known"): Promise<RunningReplay> {
  const wanted = { from: Date.parse(from), until: null, by };
  const sandbox = await runSandbox({ world: await copiedWorld(path, new AbortController().signal, wanted) });
  const read = async (target: string, body?: object, method = body === undefined ? "GET" : "POST") => {
    const headers = {
      authorization: `Bearer ${sandbox.keys.quant}`,
      ...(body && { "content-type": "application/json" }),
    };
    const answer = await fetch(`${sandbox.base}${target}`, { method, headers, body: JSON.stringify(body) });
    return `${answer.status} ${await answer.text()}`.replaceAll(/"(request_id|next_cursor)":"[^"]*"/g, '"$1":""');
  };
  return { ...sandbox, read, move: (body) => sandbox.control("POST", "/clock", body) };
}

const history = "from=2026-01-10&to=2026-01-20";

/** Requests of all operations with market data. Requests with the date 2026-01-20, which is after every clock of the tests, are refused. */
export const marketRequests: readonly [target: string, body?: object | undefined, method?: string][] = [
  ["/v1/status"],
  ["/v1/providers"],
  ["/v1/items?limit=100"],
  ["/v1/items/1"],
  ["/v1/items/1/markets"],
  [`/v1/items/1/history?${history}`],
  ["/v1/items/1/history"],
  [`/v1/items/1/history/hourly?${history}`],
  ["/v1/items/1/history/hourly"],
  ["/v1/history/days"],
  ["/v1/items/resolve", { names: ["AK-47 | Redline (Field-Tested)"] }],
  ["/v1/markets/batch", { item_ids: [1, 2, 3, 4, 5, 6, 7, 8] }],
  ["/v1/markets/snapshot", undefined, "POST"],
  ["/v1/markets/generations/current"],
  ["/v1/indexes"],
  ["/v1/indexes/knives-equal"],
  [`/v1/indexes/knives-equal/history?${history}`],
  ["/v1/indexes/knives-equal/history"],
  ["/v1/indexes/knives-equal/members"],
  ["/v1/exchange-rates"],
  [`/v1/exchange-rates/EUR/history?${history}`],
  ["/v1/exchange-rates/EUR/history"],
  ["/v1/openables"],
  ["/v1/openables/chroma-2-case"],
  ["/v1/openables/chroma-2-case/outcomes"],
  ["/v1/openables/chroma-2-case/history"],
  [`/v1/openables/chroma-2-case/history?${history}`],
  ["/v1/data-events"],
  ["/v1/items/1/history?known_at=2026-01-20T00:00:00Z"],
  ["/v1/markets/known", { known_at: "2026-01-20T00:00:00Z", item_ids: [1] }],
  ["/v1/markets/known", { known_at: "2026-01-15T09:00:00Z", item_ids: [1, 2, 3] }],
];
