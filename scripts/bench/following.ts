import { cpSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createReleaseKey, readReleaseKey } from "../../src/releases/key.ts";
import { sealRelease } from "../../src/releases/seal.ts";
import { GenerationsStore } from "../../src/store/generations.ts";
import { systemClock } from "../../src/values/clock.ts";
import { systemIds } from "../../src/values/ids.ts";
import { publishPrices } from "./market.ts";
import { openAccounts } from "./nodes.ts";
import { openMarket } from "./publication.ts";
import { type Servers, startServers } from "./servers.ts";
import { stopwatch } from "./statistics.ts";
import type { Bench, Closing, Figures } from "./table.ts";

const retention = { count: 2, hours: 0 };
/** Time between two looks of a follower: next to nothing of what is measured. */
const followEveryMs = 100;
const waitSeconds = 25;
const changedPercent = 15;

/** Starts a publisher and two followers on both cores. `publish` measures the way of a publication from its commit to both. */
export async function openFollowing(bench: Bench, closing: Closing) {
  const publisher = await openPublisher(bench, closing, "way");
  if (publisher === null) return null;
  const { folder, keyPath, databasePath, publish } = publisher;
  const { server, load } = bench.cores;
  const cores = { ...bench.cores, server: server === null ? null : `${server},${load}` };
  const servers = await startServers({ ...bench, cores }, closing, {
    publisher: { setup: { ...bench.data.copy(), database: databasePath, releases: { folder, keyPath, retention } } },
    one: { setup: publisher.follower(folder, "one") },
    other: { setup: publisher.follower(folder, "other") },
  });
  return {
    async publish(): Promise<Figures> {
      const generation = publish();
      const since = stopwatch();
      const served = [servers.one, servers.other].map(({ port }) =>
        serves(bench, port, generation).then(() => since().ms / 1000),
      );
      return { "s to the first": await Promise.race(served), "s to both": Math.max(...(await Promise.all(served))) };
    },
  };
}

type Swapping = Servers<"follower"> & { show(bench: Bench): Promise<Figures>; prepare(): Promise<void> };

/** Starts a follower. `prepare` publishes and seals, and `show` lets the follower see the release and waits until it serves it. */
export async function openSwap(bench: Bench, closing: Closing): Promise<Swapping | null> {
  const publisher = await openPublisher(bench, closing, "swap");
  if (publisher === null) return null;
  const followed = join(bench.data.folder, "bench-followed");
  const link = `${followed}-link`;
  let generation = 0;
  let copies = 0;
  const copy = () => {
    copies += 1;
    cpSync(publisher.folder, `${followed}-${copies}`, { recursive: true });
    symlinkSync(`${followed}-${copies}`, link);
  };
  copy();
  renameSync(link, followed);
  const servers = await startServers(bench, closing, { follower: { setup: publisher.follower(followed, "follower") } });
  return {
    ...servers,
    async prepare() {
      generation = publisher.publish();
      await publisher.seal();
      copy();
    },
    async show(bench) {
      renameSync(link, followed);
      await serves(bench, servers.follower.port, generation);
      return {};
    },
  };
}

/** Opens a file to publish in, with its key and a folder into which it was sealed. Resolves to null where no follower can have accounts. */
async function openPublisher(bench: Bench, closing: Closing, name: string) {
  const accounts = await openAccounts(bench, closing);
  if (accounts === null) return null;
  const { data } = bench;
  const { database: databasePath } = data.copy();
  const database = openMarket(databasePath, closing);
  const [folder, keyPath] = [join(data.folder, `bench-${name}`), join(data.folder, `bench-${name}.pem`)];
  const trust = createReleaseKey(keyPath);
  const order = { databasePath, folder, key: readReleaseKey(keyPath), retention };
  const newLineage = () => systemIds().handle("rel_");
  const seal = () => sealRelease(order, { clock: systemClock, newLineage, signal: new AbortController().signal });
  await seal();
  let turn = 0;
  return {
    databasePath,
    folder,
    keyPath,
    seal,
    /** Publishes other prices for a part of the items. Returns the number of the generation. */
    publish(): number {
      turn += 1;
      for (const _ of publishPrices(database, data.items, (id) => (id % 100 < changedPercent ? turn : 0)));
      return new GenerationsStore(database).current()!.generationId;
    },
    follower(source: string, name: string) {
      const follow = { source, trust, everyMs: followEveryMs, staleMs: Number.MAX_SAFE_INTEGER };
      return {
        ...data.copy(),
        database: join(data.folder, `bench-${name}.db`),
        privateUrl: accounts.privateUrl,
        follow,
      };
    },
  };
}

/** Resolves when a server answers from a generation: who waits for it is answered at once. */
async function serves({ data }: Bench, port: number, generation: number): Promise<void> {
  const words = `after=g${generation - 1}&wait_seconds=${waitSeconds}`;
  const headers = { authorization: `Bearer ${data.keys[0]}`, connection: "close" };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/markets/generations/current?${words}`, { headers });
  const { data: current } = (await answer.json()) as { data: { generation: string } };
  if (current.generation !== `g${generation}`) throw new Error(`${current.generation} is served, not g${generation}`);
}
