import { createInterface } from "node:readline";
import { Itemtape, type Market, TransportError } from "../../src/client/index.ts";

/**
 * A client that follows the market: BASE KEY. It reads one command per line. `follow` starts or continues from the last market. `sleep`
 * leaves the loop. `export N` downloads N exports. `figures` returns its processor time. It prints a line per market and per finished
 * command.
 */
const [baseUrl = "", apiKey = ""] = process.argv.slice(2);
const client = new Itemtape({ baseUrl, apiKey });
let last: Market | null = null;
let stop = new AbortController();
let following: Promise<void> = Promise.resolve();

/** A line of the client: a market that it holds, or microseconds of processor time since the command before. */
export type FollowerLine =
  | { kind: "market"; generation: string; digest: string; identityDigest: string; isExport: boolean }
  | { kind: "done"; cpuUs: number };

const say = (line: FollowerLine) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function follow(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      for await (const market of client.follow({ since: last, signal })) {
        last = market;
        const { generation, digest, identityDigest, changes } = market;
        say({ kind: "market", generation, digest, identityDigest, isExport: changes === null });
      }
    } catch (error) {
      // A server closes idle connections, and a busy client may notice that too late.
      if (!signal.aborted && !(error instanceof TransportError)) throw error;
    }
  }
}

for await (const line of createInterface(process.stdin)) {
  const [command, count = "0"] = line.split(" ");
  if (command === "follow") {
    stop = new AbortController();
    following = follow(stop.signal);
    continue;
  }
  stop.abort();
  await following;
  const before = process.cpuUsage();
  for (let left = Number(count); left > 0; left -= 1) await client.exportMarket({ digest: "skip" });
  const { user, system } = command === "export" ? process.cpuUsage(before) : process.cpuUsage();
  say({ kind: "done", cpuUs: user + system });
}
