import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readlinkSync, renameSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect } from "chai";
import { checkDatabase } from "../../src/store/check/check.ts";
import { closeDatabase, openReader } from "../../src/store/database.ts";
import { GenerationsStore } from "../../src/store/read/generations.ts";
import { programPath, runHere } from "../support/cli.ts";
import { temporaryFolder } from "../support/files.ts";
import { collectGarbage } from "../support/garbage.ts";
import { hasPostgres, type SharedPostgres, sharedPostgres } from "../support/postgres.ts";
import { publishOffers } from "../support/publish.ts";
import { bySize, describeLong, isLongRun, itLong } from "../support/size.ts";
import { needTool, skipForWant } from "../support/skip.ts";
import { SmallDisk } from "../support/small-disk.ts";
import { until } from "../support/until.ts";
import { World } from "../support/world.ts";
import { FollowingNode, Publisher, ReleaseServer } from "./followed.ts";
import { isWhole } from "./release-world.ts";
import { initRoot } from "./signer.ts";

describeLong("follower node under faults", function () {
  this.timeout(120_000);
  let server: SharedPostgres;
  let publisher: Publisher;
  const nodes: FollowingNode[] = [];
  const web = new ReleaseServer();

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    server = await sharedPostgres();
    publisher = new Publisher(await server.database(false));
    await publisher.begin();
    await web.serve(publisher.folder);
  });
  afterEach(async () => {
    for (const node of nodes.splice(0)) await node.stop();
  });
  after(async () => {
    web.close();
    await publisher?.world.stop();
  });

  function newNode(options: ConstructorParameters<typeof FollowingNode>[1] = {}): FollowingNode {
    const node = new FollowingNode(publisher, options);
    nodes.push(node);
    return node;
  }

  it("rejects conflicting settings in one line before it starts", async () => {
    const follow = ["serve", "--follow", publisher.folder, "--trust", publisher.trust];
    const db = ["--private-db", publisher.privateUrl];
    const own = ["--db", publisher.world.path];
    const refused: [string[], RegExp][] = [
      [follow.slice(0, 3), /--trust is missing/],
      [[...follow.slice(0, 4), "root:1:short"], /--trust: must be the text of/],
      [follow, /--follow needs --private-db/],
      [
        ["serve", "--follow", "https://u:secret@x.example/", ...follow.slice(3), ...db],
        /^(?!.*secret).*without user, password/,
      ],
      [["serve", "--follow", "https://", ...follow.slice(3), ...db], /must be http:\/\/ or https:\/\/ with a host/],
      [[...follow, ...db, "--mirror"], /--follow and --mirror exclude each other/],
      [[...follow, ...db, "--release-to", "x", "--release-key", "y"], /--follow and --release-to exclude each other/],
      [[...follow, ...db, ...own], /, and --follow would replace it/],
    ];
    for (const [words, reason] of refused) {
      const { code, notes } = await runHere(words);
      expect([code !== 0, notes.length], notes.join("\n")).to.deep.equal([true, 1]);
      expect(notes[0]).to.match(reason);
    }
  });

  it("polls an address conditionally and reads each chunk once", async () => {
    const node = newNode({ source: web.url });
    await node.start();
    await until("it is told that nothing changed", () => web.unchanged > 2);
    await node.serves(await publisher.publish());
    const chunks = web.asked.filter((path) => path.includes("/chunks/"));
    expect(chunks.length).to.equal(node.status.fetchedChunks);
    const seen = web.unchanged;
    await until("it is told so again", () => web.unchanged > seen + 2);
  });

  it("starts with the last file, or waits for an unavailable source", async () => {
    const node = newNode();
    await node.start();
    const { number } = node.status;
    await node.stop();
    const away = `${publisher.folder}.away`;
    renameSync(publisher.folder, away);
    await node.start();
    expect(await node.refuses()).to.match(/^missing: /);
    expect(node.status.number).to.equal(number);
    expect(await node.generation()).to.match(/^g\d+$/);
    const ending = new AbortController();
    const other = newNode();
    const opsPort = await freePort();
    const started = other.start({
      config: { host: "127.0.0.1", port: 0, opsPort, connectionsMax: 9, inFlightMax: 9 },
      ending: ending.signal,
    });
    const failed = started.catch((error: Error) => error.message);
    await until("it says why it is not ready", async () => {
      const answer = await fetch(`http://127.0.0.1:${opsPort}/ready`).catch(() => null);
      const text = await answer?.text();
      return answer?.status === 503 && /no release was fetched yet\nfollow: failing: missing: /.test(text ?? "");
    });
    ending.abort();
    expect(await failed).to.equal("ended before the first market");
    renameSync(away, publisher.folder);
    await node.serves(await publisher.publish());
    await other.start();
    expect(await other.generation()).to.equal(await node.generation());
  });

  it("names a full disk, keeps serving, and updates when space is free", async function () {
    const bytes = statSync(publisher.world.path).size;
    const disk = SmallDisk.mount(this, 3 * bytes);
    try {
      const node = newNode({ path: join(disk.folder, "market.db") });
      await node.start();
      disk.fill(bytes / 2);
      const generation = await node.generation();
      const number = await publisher.publish();
      await until("the disk is full", () => node.status.refusals.has("full"));
      expect(await node.generation()).to.equal(generation);
      disk.fill(disk.free + 2 * bytes);
      await node.serves(number);
      await node.stop();
    } finally {
      disk.unmount();
    }
  });

  itLong("leaves a whole file after SIGTERM and kill -9 during a fetch", async () => {
    const path = join(temporaryFolder(), "market.db");
    const words = ["--db", path, "--private-db", publisher.privateUrl, "--port", "0"];
    const run = () =>
      spawn(process.execPath, [programPath, "serve", "--follow", web.url, "--trust", publisher.trust, ...words], {
        stdio: "ignore",
      });
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      const hangs = web.hangAtChunk();
      const child = run();
      await hangs;
      expect(await endedBy(child, signal)).to.deep.equal(signal === "SIGTERM" ? [0, null] : [null, "SIGKILL"]);
      expect(existsSync(path)).to.equal(false);
      web.goOn();
    }
    const node = newNode({ path });
    await node.start();
    expect(checkDatabase(path).faults).to.deep.equal([]);
    expect(node.files()).to.deep.equal(["market.db"]);
  });

  // In the short run the ring of nodes shows it with several of them.
  itLong("serves publications of a publishing server without manual steps", async () => {
    const folder = join(temporaryFolder(), "releases");
    const keyPath = join(temporaryFolder(), "release.pem");
    const trust = await initRoot(folder, keyPath);
    const world = await World.start({ releases: { folder, keyPath, retention: { count: 2, hours: 0 } } });
    const node = newNode({ source: folder, trust });
    try {
      await node.start();
      const first = await node.generation();
      publishOffers(world, new Map([[1, 4200]]));
      await until("the next generation is served", async () => (await node.generation()) !== first);
      expect([first, await node.generation()]).to.deep.equal(["g5", "g6"]);
      const prices = await node.client.call("getMarketPrices", { key: publisher.quant, path: { item_id: 1 } });
      expect(prices.json.data.asks.map(({ amount }: { amount: number }) => amount)).to.include(4200);
    } finally {
      await node.stop();
      await world.stop();
    }
  });

  // Three renames of signed metadata, then of the spare, the manifest, its record, the state, the market and the state.
  const kills = [1, 3, 4, 5, 6, 7, 8, 9].map((nth): [string, number] => ["rename", nth]);
  for (const [call, nth] of [...kills, ["ftruncate", 1], ["pwrite64", 2], ["pwrite64", 5], ["link", 1]] as const) {
    itLong(`serves a whole market after kill -9 at ${call} ${nth}`, async function () {
      needTool(this, "strace", "-o", "/dev/null", "true");
      const path = join(temporaryFolder(), "market.db");
      const node = newNode({ path });
      await node.start();
      await node.serves(await publisher.publish());
      const before = await node.generation();
      await node.stop();
      const number = await publisher.publish();
      const words = ["--db", path, "--private-db", publisher.privateUrl, "--port", "0", "--trust", publisher.trust];
      const inject = ["-f", "-qq", "-o", "/dev/null", "-e", `inject=${call}:signal=SIGKILL:when=${nth}`];
      const program = [process.execPath, programPath, "serve", "--follow", publisher.folder, ...words];
      const child = spawn("strace", [...inject, ...program], { stdio: "ignore" });
      expect(await once(child, "exit")).to.deep.equal([null, "SIGKILL"]);
      expect(checkDatabase(path).faults).to.deep.equal([]);
      expect(generationIn(path)).to.equal(nth < 9 ? before : `g${Number(before.slice(1)) + 1}`);
      await node.start();
      await node.serves(number);
      expect(await node.generation()).to.equal(`g${Number(before.slice(1)) + 1}`);
      const two = "market.db,market.db-release.spare";
      await until("nothing is left of the take before", () => node.files().join() === two);
      expect(isWhole(path)).to.equal(true);
    });
  }

  itLong("leaves no open file, second market or growing memory after many updates", async function () {
    this.timeout(bySize({ short: 120_000, long: 1_200_000 }));
    const node = newNode();
    await node.start();
    const memory = () => {
      collectGarbage();
      const { heapUsed, external } = process.memoryUsage();
      return (heapUsed + external) / 1e6;
    };
    const exchanges = bySize({ short: 2, long: 20 });
    const megabytes: number[] = [];
    for (let count = 0; count < exchanges; count += 1) {
      await node.serves(await (count % 2 === 0 ? publisher.publish() : publisher.verify()));
      if (isLongRun) megabytes.push(memory());
    }
    // One-time allocations are done by the tenth exchange.
    if (isLongRun) expect(megabytes.at(-1)! - megabytes[9]!, megabytes.join(" ")).to.be.lessThan(10);
    const open = () =>
      readdirSync("/proc/self/fd")
        .map(linkOf)
        .filter((name) => name.startsWith(node.path) && !/\.lock/.test(name));
    // Three handles, the descriptor for the final check, and a descriptor that SQLite holds during locks.
    await until(
      "only the newest file is open",
      () => open().length <= 5 && !open().some((name) => /deleted/.test(name)),
    );
    expect(node.files()).to.deep.equal(["market.db", "market.db-release.spare"]);
  });
});

/** Returns the generation of a file, such as `g7`. */
function generationIn(path: string): string {
  const database = openReader(path);
  try {
    return `g${new GenerationsStore(database).current()?.generationId}`;
  } finally {
    closeDatabase(database);
  }
}

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}

async function endedBy(child: ChildProcess, signal: NodeJS.Signals): Promise<[number | null, NodeJS.Signals | null]> {
  const ended = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>;
  child.kill(signal);
  return ended;
}

async function freePort(): Promise<number> {
  const listener = createServer().listen(0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;
  await new Promise((resolve) => listener.close(resolve));
  return port;
}
