import { type Bench, type Cases, measureRounds, type Tables } from "./rounds.ts";
import { measureRequests, withServers } from "./servers.ts";

export const connections = 64;
/** One account is sent at most so many requests in a run, so that none reaches the end of its month. */
const requestsPerAccount = 900_000;
const requestsPerSMax = 60_000;
const firstWarmUpSeconds = 2;
const figures = ["req/s", "CPU µs/req", "core %", "load core %", "p50 ms", "p99 ms"];

/** Returns how many accounts each round needs. */
export function accountsPerRound(seconds: number): number {
  return Math.ceil(((seconds + firstWarmUpSeconds) * requestsPerSMax) / requestsPerAccount);
}

/** Measures point reads of all servers side by side. */
export async function measurePoint(bench: Bench): Promise<Tables> {
  const { servers: names, seconds } = bench.options;
  const { keys: all } = bench.data;
  const measured = await withServers(bench, names, (servers) => {
    const reads = (name: (typeof names)[number], accounts: number) => (round: number) => {
      const keys = Array.from({ length: accounts }, (_, index) => all[(round * accounts + index) % all.length]!);
      const warmUpSeconds = round === 0 ? firstWarmUpSeconds : 0.3;
      const order = { connections, keys, target: "/v1/items/{item}", seconds, warmUpSeconds };
      return measureRequests(bench, servers[name], order, figures);
    };
    const accounts = accountsPerRound(seconds);
    const cases: Record<string, Cases[string]> = Object.fromEntries(names.map((name) => [name, reads(name, accounts)]));
    // A key for each connection: a batch of charges then touches as many accounts.
    if (names.includes("full-stack"))
      cases["full-stack, 64 accounts"] = reads("full-stack", Math.max(connections, accounts));
    return measureRounds(bench, "point reads", cases);
  });
  const title = `GET /v1/items/{item_id}, ${connections} connections, random ids`;
  const compared = ["req/s", "CPU µs/req"].map((figure) => ({ figure, with: "raw-constant" }));
  return { point: { title, cases: measured, compared } };
}
