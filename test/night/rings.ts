import { rmSync } from "node:fs";
import { requestRing } from "../api/request-ring.ts";
import { copyFormats, syncKillRing } from "../cli/sync-kill-ring.ts";
import { copiesRing } from "../client/copies-ring.ts";
import { waitersRing } from "../client/waiters-ring.ts";
import { changesRing } from "../domain/changes-ring.ts";
import { clientRing } from "../faults/client-ring.ts";
import { drillRing } from "../faults/drill-ring.ts";
import { killRing } from "../faults/kill-ring.ts";
import { syscallRing } from "../faults/syscall-ring.ts";
import { tornRing } from "../faults/torn-ring.ts";
import { writeKillRing } from "../faults/write-kill-ring.ts";
import { feedRing, shapes } from "../import/quotes/feed-ring.ts";
import { faultNames } from "../nodes/faults.ts";
import { nodeRing } from "../nodes/ring.ts";
import { NodesDatabase } from "../sim/nodes/database.ts";
import { describeNodesFailure, shrinkNodes, simulateNodes } from "../sim/nodes/simulation.ts";
import { Random } from "../sim/random.ts";
import { describeFailure, shrink, simulate } from "../sim/simulation.ts";
import { loadSubject } from "../sim/subject.ts";
import { simulationFolder } from "../sim/surroundings.ts";
import { flipRing } from "../store/check/flip-ring.ts";

/** The result of a round. `faults` are its faults, each with a way to reproduce it. */
export type Round = { size: number; faults: readonly string[] };

export type Ring = {
  /** The unit of `size`. */
  unit: string;
  /** Runs one round, for seconds to a minute. The same seed gives the same round as far as the machine allows. */
  round(seed: number): Promise<Round>;
};

/** Everything that is tried at length, each in the order in which a short night meets it. */
export const rings = {
  simulation: { unit: "steps", round: simulated },
  nodes: { unit: "steps of nodes that share a database", round: simulatedNodes },
  requests: {
    unit: "requests",
    async round(seed) {
      const { requests, faults } = await requestRing({ requests: 1_600, seed, stateful: true });
      return { size: requests, faults };
    },
  },
  kills: {
    unit: "kills",
    async round(seed) {
      const { kills, faults } = await killRing({ kills: 6, seed });
      return { size: kills, faults };
    },
  },
  writers: {
    unit: "kills while days are sealed and changes stored",
    async round(seed) {
      const { kills, faults } = await writeKillRing({ kills: 10, seed });
      return { size: kills, faults };
    },
  },
  syscalls: {
    unit: "points",
    async round(seed) {
      const { points, faults } = await syscallRing({ pointsMax: 20, shift: new Random(seed).next() });
      return { size: points, faults };
    },
  },
  feeds: {
    unit: "feeds",
    async round(seed) {
      const { feeds, faults } = await feedRing(shapes[seed % shapes.length]!, { feeds: 36, seed });
      return { size: feeds, faults };
    },
  },
  files: {
    unit: "torn or flipped files",
    async round(seed) {
      const torn = tornRing({ casesMin: 60, seed });
      const flipped = await flipRing({ flips: 40, seed });
      return { size: torn.cases + flipped.tried, faults: [...torn.faults, ...flipped.faults] };
    },
  },
  drills: {
    unit: "restore drills",
    async round(seed) {
      const { drills, faults } = await drillRing({ drills: 1, seed });
      return { size: drills, faults };
    },
  },
  changes: {
    unit: "pairs of states",
    async round(seed) {
      const { pairs, faults } = changesRing({ pairs: 10_000, pairsPerStep: 100, seed });
      return { size: pairs, faults };
    },
  },
  syncs: {
    unit: "kills of a program that writes a copy",
    async round(seed) {
      const { kills, faults } = await syncKillRing(copyFormats[seed % copyFormats.length]!, { kills: 50, seed });
      return { size: kills, faults };
    },
  },
  copies: {
    unit: "publications",
    async round(seed) {
      const { publications, faults } = await copiesRing({ items: 300, publications: 24, share: 0.15, seed });
      return { size: publications, faults };
    },
  },
  waiters: {
    unit: "waiters",
    async round() {
      const { waiters, faults } = await waitersRing({ waiters: 900, connectionsMax: 1024 });
      return { size: 2 * waiters, faults };
    },
  },
  cluster: {
    unit: "faults of three nodes",
    async round(seed) {
      const { happened, faults } = await nodeRing({ count: faultNames.length, seed, clients: 4, accounts: 4 });
      return { size: Object.values(happened).reduce((sum, times) => sum + times, 0), faults };
    },
  },
  clients: {
    unit: "clients",
    async round(seed) {
      const { clients, faults } = await clientRing({ clients: 40, seed });
      return { size: clients, faults };
    },
  },
} satisfies Readonly<Record<string, Ring>>;

export type RingName = keyof typeof rings;

/** Describes a fault with the fewest operations that reproduce it. */
async function simulated(seed: number): Promise<Round> {
  const folder = simulationFolder();
  try {
    const subject = await loadSubject();
    const { steps, found } = await simulate(subject, folder, [seed], 2_000);
    const faults = found === null ? [] : [describeFailure(found, await shrink(subject, folder, found))];
    return { size: steps, faults };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function simulatedNodes(seed: number): Promise<Round> {
  const database = await NodesDatabase.open();
  try {
    const subject = await database.loadSubject();
    const { steps, found } = await simulateNodes(subject, database, [seed], 500);
    const faults = found === null ? [] : [describeNodesFailure(found, await shrinkNodes(subject, database, found))];
    return { size: steps, faults };
  } finally {
    await database.close();
  }
}
