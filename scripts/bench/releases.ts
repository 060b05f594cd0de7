import { createPublicKey } from "node:crypto";
import { cpSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { assembleRelease, findRelease, keepRelease } from "../../src/releases/fetch.ts";
import { createReleaseKey, readReleaseKey } from "../../src/releases/key.ts";
import { sealRelease } from "../../src/releases/seal.ts";
import { openSource } from "../../src/releases/source.ts";
import { GenerationsStore } from "../../src/store/read/generations.ts";
import { systemIds } from "../../src/values/ids.ts";
import { systemClock } from "../../src/values/time/clock.ts";
import { type Closing, openMarket, publishPrices } from "./data-set.ts";
import { stopwatch } from "./machine.ts";
import { openAccounts } from "./nodes.ts";
import { startServers } from "./servers.ts";
import type { Bench, Figures } from "./table.ts";

const retention = { count: 2, hours: 0 };
/** Time between two looks of a follower: next to nothing of what is measured. */
const followEveryMs = 100;
const waitSeconds = 25;
const changedPercent = 15;
const { signal } = new AbortController();

/** Opens a market to publish in. What it returns changes so many percent of the items, seals a release and takes it as a serving node does. */
export async function openReleases({ data }: Bench, closing: Closing) {
  const { database, folder, key, publish, seal } = await openPublisher(data, closing, "releases");
  const source = openSource(folder, signal);
  const path = join(data.folder, "taken.db");
  const generationBytes = database.$client.prepare("SELECT sum(length(deflated)) FROM export_pages").pluck();
  const measure = async (percent: number): Promise<Figures> => {
    publish(percent);
    const sinceSeal = stopwatch();
    const { newBytes, manifestBytes } = await seal();
    const sealing = sinceSeal();
    const sinceTake = stopwatch();
    const found = await findRelease(source, createPublicKey(key), path);
    await assembleRelease(found, { source, path, signal, isServed: true });
    keepRelease(found, path);
    const taking = sinceTake();
    return {
      "MB moved": (newBytes + manifestBytes) / 1e6,
      generations: (newBytes + manifestBytes) / (generationBytes.get() as number),
      "sealing CPU ms": sealing.cpuMs,
      "taking CPU ms": taking.cpuMs,
      "s in all": (sealing.ms + taking.ms) / 1000,
    };
  };
  await measure(100);
  return measure;
}

/** Starts a publisher and two followers on both cores. What it returns measures the way of a publication from its commit to both. */
export async function openFollowing(bench: Bench, closing: Closing) {
  const followers = await openFollowers(bench, closing, "way");
  if (followers === null) return null;
  const { folder, keyPath, path, publish, setupOf } = followers;
  const { server, load } = bench.cores;
  const cores = { ...bench.cores, server: server === null ? null : `${server},${load}` };
  const servers = await startServers({ ...bench, cores }, closing, {
    publisher: { ...bench.data.copy(), database: path, releases: { folder, keyPath, retention } },
    one: setupOf("one", folder),
    other: setupOf("other", folder),
  });
  return async (): Promise<Figures> => {
    const generation = publish(changedPercent);
    const since = stopwatch();
    const served = [servers.one!, servers.other!].map(({ port }) =>
      serves(bench, port, generation).then(() => since().ms / 1000),
    );
    return { "s to the first": await Promise.race(served), "s to both": Math.max(...(await Promise.all(served))) };
  };
}

/** Starts a follower. `prepare` publishes and seals, and `show` lets the follower see the release and waits until it serves it. */
export async function openSwap(bench: Bench, closing: Closing) {
  const followers = await openFollowers(bench, closing, "swap");
  if (followers === null) return null;
  const { folder, publish, seal, setupOf } = followers;
  const followed = join(bench.data.folder, "bench-followed");
  const link = `${followed}-link`;
  let generation = 0;
  let copies = 0;
  const copy = () => {
    copies += 1;
    cpSync(folder, `${followed}-${copies}`, { recursive: true });
    symlinkSync(`${followed}-${copies}`, link);
  };
  copy();
  renameSync(link, followed);
  const servers = await startServers(bench, closing, { follower: setupOf("follower", followed) });
  return {
    servers,
    async prepare() {
      generation = publish(changedPercent);
      await seal();
      copy();
    },
    async show() {
      renameSync(link, followed);
      await serves(bench, servers.follower!.port, generation);
      return {};
    },
  };
}

/** Opens a publisher, and a database for the accounts of its followers. Resolves to null where that is not possible. */
async function openFollowers(bench: Bench, closing: Closing, name: string) {
  const accounts = await openAccounts(bench, closing);
  if (accounts === null) return null;
  const { data } = bench;
  const publisher = await openPublisher(data, closing, name);
  const setupOf = (follower: string, source: string) => {
    const follow = { source, trust: publisher.trust, everyMs: followEveryMs, staleMs: Number.MAX_SAFE_INTEGER };
    const database = join(data.folder, `bench-${follower}.db`);
    return { ...data.copy(), database, privateUrl: accounts.privateUrl, follow };
  };
  return { ...publisher, setupOf };
}

/** Opens a file to publish in, with its key and a folder into which it was sealed. */
async function openPublisher(data: Bench["data"], closing: Closing, name: string) {
  const { database: path } = data.copy();
  const database = openMarket(path, closing);
  const [folder, keyPath] = [join(data.folder, `bench-${name}`), join(data.folder, `bench-${name}.pem`)];
  const trust = createReleaseKey(keyPath);
  const key = readReleaseKey(keyPath);
  const parts = { clock: systemClock, newLineage: () => systemIds().handle("rel_"), signal };
  const seal = () => sealRelease({ databasePath: path, folder, key, retention }, parts);
  const turns = new Map<number, number>();
  const turnOf = (id: number) => turns.get(id) ?? 0;
  /** Publishes other prices for so many percent of the items. Returns the number of the generation. */
  const publish = (percent: number): number => {
    for (let id = 1; id <= data.items; id += 1) if (id % 100 < percent) turns.set(id, turnOf(id) + 1);
    for (const _ of publishPrices(database, data.items, turnOf));
    return new GenerationsStore(database).current()!.generationId;
  };
  await seal();
  return { database, path, folder, keyPath, trust, key, seal, publish };
}

/** Resolves when a server answers from a generation: who waits for it is answered at once. */
async function serves({ data }: Bench, port: number, generation: number): Promise<void> {
  const words = `after=g${generation - 1}&wait_seconds=${waitSeconds}`;
  const headers = { authorization: `Bearer ${data.keys[0]}`, connection: "close" };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/markets/generations/current?${words}`, { headers });
  const { data: current } = (await answer.json()) as { data: { generation: string } };
  if (current.generation !== `g${generation}`) throw new Error(`${current.generation} is served, not g${generation}`);
}
