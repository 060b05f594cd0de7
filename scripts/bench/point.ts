import type { PointServer } from "./peers/names.ts";
import { type Bench, measureRounds, pick, type Tables } from "./rounds.ts";
import { measureRequests, withServers } from "./servers.ts";

export const connections = 64;
/** One account is sent at most so many requests in a run, so that none reaches the end of its month. */
const requestsPerAccount = 900_000;
const requestsPerSMax = 60_000;
const firstWarmUpSeconds = 2;

/** Returns how many accounts each round needs. */
export function accountsPerRound(seconds: number): number {
  return Math.ceil(((seconds + firstWarmUpSeconds) * requestsPerSMax) / requestsPerAccount);
}

/** Measures point reads of all servers side by side. */
export async function measurePoint(bench: Bench): Promise<Tables> {
  const { servers: names, seconds } = bench.options;
  const accounts = accountsPerRound(seconds);
  const cases: Record<string, { server: PointServer; accounts: number }> = {};
  for (const server of names) cases[server] = { server, accounts };
  // A key for each connection: a batch of charges then touches as many accounts.
  if (names.includes("full-stack"))
    cases["full-stack, 64 accounts"] = { server: "full-stack", accounts: Math.max(connections, accounts) };
  const measured = await withServers(bench, names, (servers) =>
    measureRounds(bench, "point reads", cases, async ({ server, accounts }, round) => {
      const { keys: all, items } = bench.data;
      const keys = Array.from({ length: accounts }, (_, index) => all[(round * accounts + index) % all.length]!);
      const order = { connections, keys, target: "/v1/items/{item}", items };
      const timing = { seconds, warmUpSeconds: round === 0 ? firstWarmUpSeconds : 0.3 };
      const figures = await measureRequests(bench, servers[server], order, timing);
      return pick(figures, "req/s", "CPU µs/req", "core %", "load core %", "p50 ms", "p99 ms");
    }),
  );
  const title = `GET /v1/items/{item_id}, ${connections} connections, random ids`;
  const compared = ["req/s", "CPU µs/req"].map((figure) => ({ figure, with: "raw-constant" }));
  return { point: { title, cases: measured, compared } };
}
