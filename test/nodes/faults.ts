import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { releaseSparePath } from "../../src/store/file/names.ts";
import type { Random } from "../sim/random.ts";
import { until } from "../support/until.ts";
import type { Cluster } from "./cluster.ts";
import type { Relay } from "./relay.ts";
import { copyOfReleases, spoilt, spoiltNames } from "./spoilt-releases.ts";

/** `isStrict`: every commit during the fault has its standby. `swaps`: nodes switch to another generation meanwhile. */
export type Fault = { isStrict: boolean; swaps?: true; happen(cluster: Cluster, random: Random): Promise<string> };

const hourMs = 3_600_000;
/** How far the clock of a node that starts is off. */
const clocks = [-hourMs, 0, hourMs];

const nodes = [0, 1, 2];
/** Clocks of the nodes at the first start. */
export const firstClocks: readonly number[] = [-hourMs, 0, hourMs];

/** All events of the nodes. Each restores the set-up and returns a description of its action. */
export const faults = {
  nodeKilled: {
    isStrict: true,
    async happen(cluster, random) {
      const index = random.between(0, 2);
      const clockMs = random.pick(clocks);
      await cluster.killNode(index);
      await wait(random.between(0, 300));
      await cluster.startNode(index, clockMs);
      return `node ${index} is back, its clock ${clockMs / hourMs} h off`;
    },
  },
  rollingRestart: {
    isStrict: true,
    async happen(cluster, random) {
      const index = random.between(0, 2);
      // A round is shorter than nginx's exclusion of a failed node, and the previous round may have killed another.
      await cluster.proxy.sendsToAll();
      const code = await cluster.endNode(index);
      if (code !== 0) throw new Error(`node ${index} ended with ${code}`);
      await cluster.startNode(index, random.pick(clocks));
      return `node ${index} was restarted in good order`;
    },
  },
  backendKilled: {
    isStrict: false,
    async happen(cluster) {
      const isKilled = await cluster.pair.killBackend();
      return isKilled ? "a backend was killed" : "there was no backend";
    },
  },
  postgresKilled: {
    isStrict: false,
    async happen(cluster, random) {
      await cluster.pair.kill();
      await wait(random.between(0, 500));
      await cluster.pair.revive();
      return "PostgreSQL was killed and is back";
    },
  },
  failover: {
    isStrict: false,
    async happen(cluster) {
      await cluster.pair.kill();
      await cluster.pair.failOver();
      return `the server at ${cluster.pair.primary.port} has taken over`;
    },
  },
  standbyKilled: {
    isStrict: false,
    async happen(cluster, random) {
      await cluster.pair.killStandby();
      await wait(random.between(100, 1500));
      await cluster.pair.reviveStandby();
      return "the standby was killed and is back";
    },
  },
  partition: {
    isStrict: true,
    async happen(cluster, random) {
      const lastsMs = random.between(300, 3000);
      const { network, relays } = cluster;
      if (network === null) for (const relay of relays[1]!) relay.shut();
      else await network.cut();
      await wait(lastsMs);
      if (network === null) for (const relay of relays[1]!) relay.restore();
      else await network.heal();
      return `node 2 was cut off for ${lastsMs} ms ${network === null ? "by its relay" : "by lost packets"}`;
    },
  },
  answersLost: {
    isStrict: true,
    async happen(cluster, random) {
      const relays = cluster.relays[0]!;
      const lost = () => relays.reduce((sum: number, relay: Relay) => sum + relay.lost, 0);
      const before = lost();
      for (const relay of relays) relay.mute();
      await until("an answer of PostgreSQL is lost", () => lost() > before);
      await wait(random.between(0, 200));
      for (const relay of relays) relay.restore();
      return `node 1 did not hear ${lost() - before} bytes of PostgreSQL`;
    },
  },
  releaseSpoilt: {
    isStrict: true,
    swaps: true,
    async happen(cluster, random) {
      const { publisher } = cluster;
      // Some ways to spoil a release use the release before.
      if (publisher.newest!.number === 1) await cluster.serve(await publisher.seals(publisher.publish()));
      const name = random.pick(spoiltNames);
      const { reason, spoil } = spoilt[name]!;
      publisher.follow(copyOfReleases(publisher));
      const folder = copyOfReleases(publisher);
      await spoil(publisher, folder);
      const before = await Promise.all(nodes.map((index) => cluster.refusals(index, reason)));
      publisher.follow(folder);
      for (const index of nodes) await cluster.refuses(index, reason, before[index]!);
      const number = await publisher.seals(publisher.publish());
      publisher.follow(publisher.sealed);
      await cluster.serve(number);
      return `a folder ${name} was refused as ${reason}`;
    },
  },
  nodeKilledAtSwap: {
    isStrict: true,
    swaps: true,
    async happen(cluster, random) {
      const { publisher } = cluster;
      const index = random.between(0, 2);
      const number = await publisher.seals(publisher.publish());
      await wait(random.between(0, 600));
      await cluster.killNode(index);
      await cluster.startNode(index, random.pick(clocks));
      await cluster.serve(number);
      return `node ${index} was killed while release ${number} came, and serves it`;
    },
  },
  publisherKilled: {
    isStrict: true,
    swaps: true,
    async happen(cluster, random) {
      const { publisher } = cluster;
      const generation = publisher.publish();
      await wait(random.between(0, 1500));
      await publisher.kill();
      await publisher.run();
      const number = await publisher.seals(generation);
      await cluster.serve(number);
      return `the publisher was killed while it sealed ${generation}, release ${number} is served`;
    },
  },
  diskFull: {
    isStrict: true,
    swaps: true,
    async happen(cluster) {
      const { disk, publisher } = cluster;
      if (disk === null) throw new Error("no disk can be mounted");
      const before = await cluster.refusals(0, "full");
      // Without its spare the node copies the whole market. Changed pages alone need little room.
      rmSync(releaseSparePath(join(disk.folder, "market.db")), { force: true });
      disk.fill(1_000_000);
      const number = await publisher.seals(publisher.publish());
      await cluster.refuses(0, "full", before);
      for (const index of [1, 2]) await cluster.serves(index, number);
      disk.clear();
      await cluster.serve(await publisher.seals(publisher.publish()));
      return `node 0 had no room for release ${number}`;
    },
  },
  releaseStale: {
    isStrict: true,
    async happen(cluster, random) {
      const index = random.between(0, 2);
      await cluster.endNode(index);
      await cluster.startNode(index, 48 * hourMs);
      await until("an old release is told as stale", () => cluster.isStale(index));
      return `node ${index} told that its release is stale`;
    },
  },
} satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;
export const faultNames = Object.keys(faults) as FaultName[];
