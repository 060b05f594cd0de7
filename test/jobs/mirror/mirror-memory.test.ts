import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect } from "chai";
import { programPath, ServerChild } from "../../faults/child.ts";
import { FaultFile } from "../../faults/fault-file.ts";
import { realCatalogFile } from "../../support/kept-files.ts";
import { describeLong } from "../../support/size.ts";
import { needPath, needRealData } from "../../support/skip.ts";
import { until } from "../../support/until.ts";

const megabyte = 1024 * 1024;
/** The guide's memory limit for all feeds, beyond a server without a mirror. */
const megabytesMax = 230;
/**
 * A measurement needs a fifth of a millisecond. /proc/PID/smaps_rollup would need 13 ms for 400 MB, or a quarter of a core at this rate.
 */
const checkIntervalMs = 50;

/** The peak memory of a process and its descendants, in MB. */
class Memory {
  most = 0;
  readonly #timer: NodeJS.Timeout;

  constructor(pid: number) {
    const look = () => {
      this.most = Math.max(this.most, megabytesOf(pid));
    };
    look();
    this.#timer = setInterval(look, checkIntervalMs);
  }

  end(): number {
    clearInterval(this.#timer);
    return this.most;
  }
}

/** Memory of a process and its descendants in MB: all their own pages, and the largest number of file pages, because most are shared. */
function megabytesOf(pid: number): number {
  let ofFiles = 0;
  const ownOf = (pid: number): number => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "latin1");
      const megabytes = (name: string) => Number(status.split(`\n${name}:`)[1]!.split("kB")[0]) / 1024;
      ofFiles = Math.max(ofFiles, megabytes("RssFile"));
      const started = readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
        readFileSync(`/proc/${pid}/task/${thread}/children`, "latin1").split(" ").filter(Boolean).map(Number),
      );
      return started.reduce((sum, child) => sum + ownOf(child), megabytes("RssAnon") + megabytes("RssShmem"));
    } catch {
      // It has ended.
      return 0;
    }
  };
  const own = ownOf(pid);
  return own + ofFiles;
}

/**
 * Starts a server that collects garbage on the threads that allocate. V8's own threads start late on a busy machine, and the memory then
 * depends on other programs.
 */
function start(file: FaultFile, flags: readonly string[] = []): Promise<ServerChild> {
  const words = [programPath, "serve", "--db", file.path, "--host", "127.0.0.1", "--port", "0", ...flags];
  return ServerChild.start(file.path, { program: ["--single-threaded-gc", ...words] });
}

/** The memory of a server without a mirror after its first response. */
async function megabytesWithoutMirror(file: FaultFile): Promise<number> {
  // The first start in a checkout compiles and caches the sources. Only later starts are comparable.
  const first = await start(file);
  first.signal("SIGTERM");
  await first.exited;
  const alone = await start(file);
  try {
    await fetch(`${alone.base}/v1/status`);
    return megabytesOf(alone.pid);
  } finally {
    await alone.stop();
  }
}

/** The complete log lines of a server with this start of their message. */
function linesOf({ stderr }: ServerChild, message: string): unknown[] {
  const lines = stderr.split("\n").filter((line) => line.endsWith("}") && line.includes(`"msg":"${message}`));
  return lines.map((line) => JSON.parse(line));
}

/** A feed of one provider with prices for unknown names of 200 characters. */
function strangeBody(feed: string, prices: number): Buffer {
  const providers = [{ provider: feed, name: feed, kind: "cash" }];
  const lines = [JSON.stringify({ format: "itemtape-feed", version: 1, feed, providers })];
  for (let index = 0; index < prices; index += 1) {
    const name = `${"N".repeat(200)} ${index}`;
    lines.push(JSON.stringify({ market_hash_name: name, provider: feed, side: "ask", amount: 1000 + index }));
  }
  return Buffer.from(`${lines.join("\n")}\n${JSON.stringify({ end: true, quotes: prices })}\n`);
}

/** Feeds that are published at once. They have items 1 to `publishedItems`, all in the catalog of the real market. */
const publishedFeeds = ["north", "south", "west"];
const publishedItems = 36_099;

/** A feed with six providers' prices for each item, with addresses. */
function fullBody(feed: string): Buffer {
  const [providers, addressChars] = [6, 104];
  const slugs = Array.from({ length: providers }, (_, index) => `${feed}-${index}`);
  const named = slugs.map((provider) => ({ provider, name: provider, kind: "cash" }));
  const lines = [JSON.stringify({ format: "itemtape-feed", version: 1, feed, providers: named })];
  for (let id = 1; id <= publishedItems; id += 1) {
    for (const [index, provider] of slugs.entries()) {
      const url = `https://${provider}.example/${id}/${"listing/".repeat(addressChars / 8)}`;
      const amount = 1000 + ((id * 7919 + index * 104_729) % 50_000);
      const side = index % 3 === 2 ? "bid" : "ask";
      lines.push(JSON.stringify({ item_id: id, provider, side, amount: side === "bid" ? 500 : amount, url }));
    }
  }
  return Buffer.from(`${lines.join("\n")}\n${JSON.stringify({ end: true, quotes: publishedItems * providers })}\n`);
}

/**
 * Starts a server on `file` with one mirror feed per entry of `bodies`, by its name. `feedOf` returns the rest of a feed's configuration,
 * `flags` are additional flags. `megabytesMore` ends the measurement and returns the peak memory beyond a server without a mirror.
 */
async function startMirrored(
  file: FaultFile,
  bodies: ReadonlyMap<string, Buffer>,
  feedOf: (name: string) => object,
  flags: readonly string[] = [],
) {
  const source = createServer(({ url = "" }, response) => response.end(bodies.get(url.slice(1))));
  source.listen(0, "127.0.0.1");
  const config = join(file.folder, "mirror.json");
  const megabytesAlone = await megabytesWithoutMirror(file);
  const { port } = source.address() as AddressInfo;
  const feeds = Array.from(bodies.keys(), (feed) => ({
    feed,
    adapter: "canonical",
    source: `http://127.0.0.1:${port}/${feed}`,
    timeout_seconds: 600,
    ...feedOf(feed),
  }));
  writeFileSync(config, JSON.stringify({ feeds }));
  const server = await start(file, ["--mirror", "--mirror-config", config, ...flags]);
  const memory = new Memory(server.pid);
  const stop = async () => {
    memory.end();
    await server.stop();
    source.closeAllConnections();
    source.close();
    file.remove();
  };
  return { server, megabytesMore: () => memory.end() - megabytesAlone, stop };
}

describeLong("memory of a server with a mirror", function () {
  this.timeout(600_000);
  before(function () {
    needPath(this, "/proc/self/status");
  });

  it(`is below ${megabytesMax} MB in all processes for concurrent hostile bodies`, async () => {
    const junk = Buffer.alloc(90 * megabyte, "x");
    const bodies = new Map<string, Buffer>([
      ["swelling", gzipSync(`[${"{},".repeat(5 * megabyte)}{}]`)],
      ["strange", gzipSync(strangeBody("strange", 240_000))],
    ]);
    // Two of them are more than all bodies together may have.
    for (const index of [1, 2, 3]) bodies.set(`junk-${index}`, junk);
    const file = new FaultFile({ fewItems: true });
    const { server, megabytesMore, stop } = await startMirrored(file, bodies, (name) => ({
      ...(name === "swelling" ? { feed: "steam", adapter: "steam" } : {}),
      interval_seconds: 3600,
    }));
    try {
      const failed = () => linesOf(server, "feed failed") as { feed: string; reason: string }[];
      const feedsFailed = () => new Set(failed().map(({ feed }) => feed));
      await until("every body was refused", () => feedsFailed().size >= bodies.size, 500_000);
      const reasons = Array.from(new Set(failed().map(({ reason }) => reason)));
      expect(reasons.filter((reason) => /line 1: longer than 65536 bytes/.test(reason))).to.have.length(
        bodies.size - 2,
      );
      expect(reasons.join("\n"))
        .to.match(/no price matches an item/)
        .and.match(/16777216|too much memory|not the Steam shape/);
      expect(megabytesMore(), "megabytes").to.be.within(1, megabytesMax);
    } finally {
      await stop();
    }
  });

  it(`is below ${megabytesMax} MB in all processes for large feeds published together`, async function () {
    needRealData(this);
    const bodies = new Map(publishedFeeds.map((feed) => [feed, gzipSync(fullBody(feed), { level: 1 })]));
    const file = new FaultFile({ from: await realCatalogFile() });
    const flags = ["--publish-every-ms", "0"];
    const { server, megabytesMore, stop } = await startMirrored(file, bodies, () => ({ interval_seconds: 1 }), flags);
    // On a busy machine a source may fail to send in time, and is polled again.
    const refused = () =>
      (linesOf(server, "feed failed") as { reason: string }[]).filter(({ reason }) => !reason.includes("sent nothing"));
    const isPublished = (feed: string) =>
      linesOf(server, "generation published").some((line) =>
        (line as { feeds: string }).feeds.split(", ").includes(feed),
      );
    const isRecorded = () => linesOf(server, "frame recorded").length >= publishedFeeds.length;
    try {
      const isDone = () => refused().length > 0 || (publishedFeeds.every(isPublished) && isRecorded());
      await until("every feed was published and recorded", isDone, 500_000);
      expect(refused()).to.deep.equal([]);
      expect(megabytesMore(), "megabytes").to.be.within(1, megabytesMax);
    } finally {
      await stop();
    }
  });
});
