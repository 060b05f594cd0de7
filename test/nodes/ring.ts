import { plans } from "../../src/access/plans.ts";
import { Random } from "../sim/random.ts";
import { Books, type Revoked } from "./books.ts";
import { Cluster } from "./cluster.ts";
import { type Fault, type FaultName, faultNames, faults, firstClocks } from "./faults.ts";
import { type Person, Traffic } from "./traffic.ts";

export type RingReport = {
  happened: Partial<Record<FaultName, number>>;
  /** Requests, charged requests, requests without a response or with a 5xx, and started exports. */
  requests: number;
  charged: number;
  unanswered: number;
  exports: number;
  /** Exports that were certainly in progress while their client did not read. */
  held: number;
  /** Answers that name their generation, and the number of generations that they name. */
  named: number;
  generations: number;
  /** Exports that were read to their end, by how they ended. */
  ended: Partial<Record<string, number>>;
  revocations: number;
  /** Requests refused because of the minute, and because of a key that was revoked. */
  limited: number;
  dead: number;
  slowestRecoveryMs: number;
  /** Tests that this machine cannot run fully: permissions or tools are missing. */
  weaker: string[];
  /** Faults, each with its round. Empty in a good run. */
  faults: string[];
};

export type RingOptions = {
  count: number;
  seed: number;
  clients?: number;
  /** Accounts that ask in many rounds. */
  accounts?: number;
  /** Between two requests of a client, ms. */
  pauseMs?: number;
  /** Charges before a fault, and again after all nodes have recovered. */
  chargesAround?: number;
  /** Faults to draw from, all by default. */
  of?: readonly FaultName[];
  onRound?: (line: string) => void;
};

/** Rounds after which new accounts replace the old ones, because an account may begin 288 exports a day. */
const roundsOfPeople = 40;
const edgePlans = ["free", "builder"] as const;
/** Concurrent requests of an account with 20 a minute. Without a shared count each node would admit its part. */
const rushed = 24;

/** Runs nodes under load, injects faults from `seed`, and checks the books after each. */
export async function nodeRing({
  count,
  seed,
  clients = 24,
  accounts = 10,
  pauseMs = 60,
  chargesAround = 25,
  of = faultNames,
  onRound,
}: RingOptions): Promise<RingReport> {
  const random = new Random(seed);
  const cluster = await Cluster.start(firstClocks);
  const report: RingReport = {
    happened: {},
    requests: 0,
    charged: 0,
    unanswered: 0,
    exports: 0,
    held: 0,
    named: 0,
    generations: 0,
    ended: {},
    revocations: 0,
    limited: 0,
    dead: 0,
    slowestRecoveryMs: 0,
    weaker: weaknesses(cluster),
    faults: [],
  };
  const playable = cluster.disk === null ? of.filter((name) => name !== "diskFull") : of;
  try {
    const ring: Ring = {
      cluster,
      random,
      report,
      people: [],
      clients,
      pauseMs,
      chargesAround,
      books: new Books(cluster),
      generations: new Set(),
      doubted: await cluster.chargedInDoubt(),
      first: 1,
    };
    for (let round = 1; round <= count; round += 1) {
      if (round % roundsOfPeople === 1)
        ring.people = await cluster.people(...Array.from({ length: accounts }, () => "quant" as const));
      // Each fault happens once before any happens twice.
      const name = playable[(round - 1) % playable.length] as FaultName;
      const what = await playRound(ring, name, round);
      onRound?.(`${round} of ${count}: ${name}: ${what}`);
      if (report.faults.length > 0) break;
    }
    return report;
  } finally {
    await cluster.remove();
  }
}

type Ring = {
  cluster: Cluster;
  random: Random;
  report: RingReport;
  /** Accounts that ask in many rounds. */
  people: readonly Person[];
  clients: number;
  pauseMs: number;
  chargesAround: number;
  books: Books;
  generations: Set<string>;
  /** Uncertain charges of each node before this round. */
  doubted: readonly number[];
  /** Number of the next request. */
  first: number;
};

async function playRound(ring: Ring, name: FaultName, round: number): Promise<string> {
  const { cluster, random, report, people, clients, pauseMs, chargesAround, books } = ring;
  const fault: Fault = faults[name];
  const newcomers = await cluster.keyAndPeople(random.pick(people), ["free", ...edgePlans]);
  const doomed = newcomers.key;
  const [rusher, ...edges] = newcomers.people as [Person, ...Person[]];
  for (const [index, plan] of edgePlans.entries())
    await books.leave(edges[index]!, plans[plan].requestsPerMonth, random.between(0, 15));
  const traffic = new Traffic(
    { proxy: cluster.proxy.base, nodes: cluster.bases },
    { random, first: ring.first, pauseMs },
  );
  const everybody = [...people, ...edges, ...edges, doomed, doomed];
  traffic.start(
    everybody.sort(() => random.next() - 0.5),
    clients,
  );
  await traffic.burst(people);
  await traffic.reaches(chargesAround);
  await traffic.rush(rusher, rushed);
  const readThrough = fault.swaps ? people.slice(0, 3).map((person) => traffic.readThrough(person)) : [];
  const revoked: Revoked[] = [];
  const revoking = cluster.revoke(doomed).then((isDone) => {
    if (isDone) revoked.push({ keyId: doomed.keyId, at: performance.now() });
  });
  // An early failure is reported by the await below.
  revoking.catch(() => {});
  const faultAt = performance.now();
  let what = "";
  try {
    what = await fault.happen(cluster, random);
    await cluster.pair.hasStandby();
    await revoking;
    const healedAt = performance.now();
    await cluster.recovered();
    report.slowestRecoveryMs = Math.max(report.slowestRecoveryMs, Math.round(performance.now() - healedAt));
    await traffic.reaches(traffic.charged + chargesAround);
  } finally {
    await traffic.over();
    await Promise.all(readThrough);
  }
  await cluster.pair.isQuiet();
  // A busy machine may settle a commit after its requests have timed out. The charge remains, and the node counts it.
  const doubted = await cluster.chargedInDoubt();
  const isDoubted = doubted.some((count, index) => count > ring.doubted[index]!);
  ring.doubted = doubted;
  const found = await books.faults(traffic.sent, revoked, fault.isStrict && !isDoubted);
  if (name === "rollingRestart") found.push(...failuresBehindProxy(traffic, faultAt));
  await books.giveBackPlaces();
  ring.first = traffic.next;
  report.faults.push(...found.map((one) => `round ${round}, ${name} (${what}): ${one}`));
  report.happened[name] = (report.happened[name] ?? 0) + 1;
  report.requests += traffic.sent.length;
  report.charged += traffic.charged;
  report.unanswered += traffic.sent.filter(({ status }) => status === null || status >= 500).length;
  report.exports += traffic.sent.filter(({ kind, status }) => kind === "export" && status === 200).length;
  report.held += traffic.sent.filter(({ heldUntil }) => heldUntil !== null).length;
  const named = traffic.sent.filter(({ generation }) => generation !== null);
  for (const { generation } of named) ring.generations.add(generation!);
  report.named += named.length;
  report.generations = ring.generations.size;
  for (const { ending } of traffic.sent) if (ending !== null) report.ended[ending] = (report.ended[ending] ?? 0) + 1;
  report.revocations += revoked.length;
  report.limited += traffic.sent.filter(({ code }) => code === "rate_limited").length;
  report.dead += traffic.sent.filter(({ code }) => code === "revoked_api_key").length;
  return what;
}

function weaknesses({ network, disk }: Cluster): string[] {
  const missing: string[] = [];
  if (network === null) missing.push("node 2 is cut off by a relay: no network can be made");
  if (disk === null) missing.push("no disk is filled: none can be mounted");
  return missing;
}

/** Failures of requests through the proxy. A clean restart must not cause any. */
function failuresBehindProxy({ sent }: Traffic, since: number): string[] {
  return sent
    .filter(
      ({ isProxied, status, sentAt }) => isProxied && sentAt >= since - 1000 && (status === null || status >= 500),
    )
    .map(({ kind, status, code }) => `${kind} through nginx was answered ${status} ${code}`);
}
