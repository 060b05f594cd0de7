import type { PlanName } from "../model-types.ts";
import { dayMs, type Setup, setupOf } from "../operations.ts";
import { Random } from "../random.ts";

/** Kinds of requests that a node admits. The simulation of one process tests the long responses of the handler. */
export type CallKind = "free" | "paid" | "usage" | "export" | "day" | "changes" | "wait" | "portfolio";
export type CallEntry = {
  node: number;
  account: number;
  key: number;
  kind: CallKind;
  credential: "good" | "rotated" | "unknown" | "none";
};
/** `lease` is the index among the held leases. */
export type EndEntry = { end: "finish" | "release"; lease: number };
export type Act =
  | { do: "revoke" | "rotate"; account: number; key: number }
  | { do: "setPlan"; account: number; plan: PlanName; forMs: number | null }
  | { do: "purchase"; account: number; plan: PlanName }
  | { do: "disable" | "enable"; account: number }
  | { do: "renew" };
export type Entry = CallEntry | EndEntry | { act: Act };

/** The message before which a fault strikes a node. */
export type StruckAt = "keys" | "BEGIN" | "lock" | "load" | "write" | "COMMIT";
/**
 * `cut`: the connection ends. `terminated`: the server ends it. `failed`: the statement fails. `lost`: the commit is done and its response
 * lost. `late`: the same, and the commit itself is late. `unreplicated`: the commit warns that the standby may lack it. `undone`: the
 * server rolls back and reports it. `killed`: the node dies. `killedAfter`: it dies after the commit.
 */
export type How =
  | "cut"
  | "terminated"
  | "failed"
  | "lost"
  | "late"
  | "unreplicated"
  | "undone"
  | "killed"
  | "killedAfter";
/** `apart`: the node gets no new connection until it is healed. */
export type Fault = { node: number; at: StruckAt; how: How; apart: boolean };

export type BoundaryOf = "minute" | "month" | "lease" | "start" | "key" | "plan";

/** Steps are data without hidden randomness, like the operations of one process. `seed` gives the order of the nodes' messages. */
export type Step =
  | { do: "calls"; entries: readonly Entry[]; seed: number; fault?: Fault }
  | { do: "tick"; ms: number }
  | { do: "boundary"; of: BoundaryOf; nth: number; offset: number }
  | { do: "skew"; node: number; ms: number }
  | { do: "kill" | "apart"; node: number }
  | { do: "heal"; seed: number }
  | { do: "restart" };

/** `nodes` is the number of programs that share the database. */
export type NodesSetup = Setup & { nodes: number };

/** Every fourth seed has a single node. */
export function nodesSetupOf(seed: number, steps: number): NodesSetup {
  return { ...setupOf(seed, steps), nodes: seed % 4 === 0 ? 1 : 3 };
}

type Family =
  | "one"
  | "burst"
  | "rush"
  | "exports"
  | "waits"
  | "end"
  | "act"
  | "tick"
  | "boundary"
  | "fault"
  | "skew"
  | "kill"
  | "apart"
  | "restart";

/** Generates the steps of a seed. The frequent kinds differ from seed to seed. */
export function stepsOf(setup: NodesSetup, count: number): Step[] {
  const random = new Random(setup.seed * 2);
  const swarm = (usual: number) => usual * random.pick([0.3, 1, 1, 1, 2]);
  const weights: [Family, number][] = [
    ["one", 24],
    ["burst", swarm(8)],
    ["rush", swarm(1.5)],
    ["exports", swarm(6)],
    ["waits", swarm(1.5)],
    ["end", swarm(8)],
    ["act", swarm(3)],
    ["tick", swarm(12) + 4],
    ["boundary", swarm(8)],
    ["fault", swarm(7)],
    ["skew", swarm(1)],
    ["kill", swarm(0.3)],
    ["apart", swarm(0.5)],
    ["restart", 0.04],
  ];
  const steps: Step[] = [];
  while (steps.length < count) steps.push(...family(random.weighted(weights), setup, random));
  return steps.slice(0, count);
}

function family(name: Family, setup: NodesSetup, random: Random): Step[] {
  const node = random.between(0, setup.nodes - 1);
  const one = () => callEntry(setup, random);
  if (name === "one") return [calls([one()], random)];
  if (name === "burst") return [calls(burst(setup, random), random)];
  if (name === "rush") return [calls(everybodysExport(setup, random), random)];
  if (name === "exports") return [calls([{ ...one(), kind: random.pick(["export", "export", "day"]) }], random)];
  if (name === "waits") return [calls(waits(setup, random), random)];
  if (name === "end") return [calls([endEntry(random), ...(random.chance(0.3) ? [one()] : [])], random)];
  if (name === "act") return acted(setup, random);
  if (name === "tick")
    return [{ do: "tick", ms: random.chance(0.5) ? random.between(1, 5_000) : random.between(5_000, 90_000) }];
  if (name === "boundary") return boundary(setup, random);
  if (name === "fault") return faulty(setup, random);
  if (name === "skew") return [{ do: "skew", node, ms: random.between(-3_600_000, 3_600_000) }];
  if (name === "kill") return [{ do: "kill", node }];
  if (name === "restart") return [{ do: "restart" }, calls(burst(setup, random), random)];
  return [{ do: "apart", node }, calls(burst(setup, random), random), calls([one()], random), heal(random)];
}

function calls(entries: readonly Entry[], random: Random, fault?: Fault): Step {
  const seed = random.between(0, 1e9);
  return fault === undefined ? { do: "calls", entries, seed } : { do: "calls", entries, seed, fault };
}

function heal(random: Random): Step {
  return { do: "heal", seed: random.between(0, 1e9) };
}

function callEntry(setup: NodesSetup, random: Random): CallEntry {
  const kind = random.weighted<CallKind>([
    ["free", 5],
    ["paid", 4],
    ["usage", 2],
    ["export", 2],
    ["day", 1],
    ["changes", 1.5],
    ["wait", 1.5],
    ["portfolio", 0.4],
  ]);
  const credential = random.chance(0.94) ? "good" : random.pick(["rotated", "rotated", "unknown", "none"] as const);
  const key = random.between(0, 1);
  return {
    node: random.between(0, setup.nodes - 1),
    account: random.between(0, setup.accounts - 1),
    key,
    kind,
    credential,
  };
}

function endEntry(random: Random): EndEntry {
  return { end: random.pick(["finish", "finish", "release"]), lease: random.between(0, 99) };
}

/** Concurrent requests of one account, or of all, at all nodes, sometimes during a change of its key or plan. */
function burst(setup: NodesSetup, random: Random): Entry[] {
  const account = random.between(0, setup.accounts - 1);
  const mixed = random.chance(0.5);
  return Array.from({ length: random.between(2, 9) }, () => {
    const entry = callEntry(setup, random);
    if (random.chance(0.08)) return endEntry(random);
    if (random.chance(0.012)) return { act: act(setup, random) };
    return mixed ? entry : { ...entry, account };
  });
}

function everybodysExport(setup: NodesSetup, random: Random): Entry[] {
  const kind = random.pick(["export", "export", "changes"] as const);
  return Array.from({ length: setup.accounts * 2 }, (_, index) => {
    const account = index % setup.accounts;
    return { node: random.between(0, setup.nodes - 1), account, key: 0, kind, credential: "good" };
  });
}

/** Waiting requests of one account at all nodes, more than it has slots. */
function waits(setup: NodesSetup, random: Random): Entry[] {
  const account = random.between(0, setup.accounts - 1);
  return Array.from({ length: 5 }, () => {
    const node = random.between(0, setup.nodes - 1);
    return { node, account, key: 0, kind: "wait", credential: "good" };
  });
}

function act(setup: NodesSetup, random: Random): Act {
  const account = random.between(0, setup.accounts - 1);
  const kind = random.weighted([
    ["revoke", 2],
    ["rotate", 2],
    ["setPlan", 3],
    ["purchase", 1.5],
    ["disable", 0.6],
    ["enable", 4],
    ["renew", 2],
  ]);
  if (kind === "revoke" || kind === "rotate") return { do: kind, account, key: random.between(0, 1) };
  if (kind === "renew") return { do: kind };
  if (kind === "disable" || kind === "enable") return { do: kind, account };
  const plan = random.chance(0.15) ? "free" : random.pick(["builder", "trader", "quant"] as const);
  if (kind === "purchase") return { do: kind, account, plan };
  return { do: kind, account, plan, forMs: random.chance(0.5) ? null : random.pick([60_000, 3_600_000, 5 * dayMs]) };
}

/** A key or an account changes while its requests are in progress at all nodes. */
function acted(setup: NodesSetup, random: Random): Step[] {
  const change = act(setup, random);
  const requests = Array.from({ length: random.between(0, 3) }, (): CallEntry => {
    const entry = { ...callEntry(setup, random), credential: "good" as const };
    return "account" in change
      ? { ...entry, account: change.account, key: "key" in change ? change.key : entry.key }
      : entry;
  });
  return [
    calls([{ act: change }, ...requests], random),
    ...(requests.length > 1 ? [calls(requests.slice(1), random)] : []),
  ];
}

/** Moves to shortly before an instant of change, so that the change happens during requests. */
function boundary(setup: NodesSetup, random: Random): Step[] {
  const of = random.weighted<BoundaryOf>([
    ["minute", 5],
    ["month", 1.5],
    ["lease", 4],
    ["start", 2],
    ["key", 0.6],
    ["plan", 1],
  ]);
  const offset = random.pick([-300, -60, -1, 0, 1]);
  const there: Step = { do: "boundary", of, nth: random.between(0, 99), offset };
  const entries: Entry[] = random.chance(0.3) ? everybodysExport(setup, random) : burst(setup, random);
  const renews = of === "month" || of === "key";
  return [there, calls(entries, random), ...(renews ? [calls([{ act: { do: "renew" } }], random)] : [])];
}

function faulty(setup: NodesSetup, random: Random): Step[] {
  const how = random.weighted<How>([
    ["cut", 4],
    ["terminated", 1],
    ["failed", 2],
    ["lost", 4],
    ["late", 3],
    ["unreplicated", 1.5],
    ["undone", 1],
    ["killed", 1.5],
    ["killedAfter", 1.5],
  ]);
  const onCommit =
    how === "lost" || how === "late" || how === "unreplicated" || how === "undone" || how === "killedAfter";
  const anywhere = random.pick(["keys", "BEGIN", "lock", "load", "write", "COMMIT", "COMMIT"] as const);
  const at = onCommit
    ? how === "late" && anywhere === "write"
      ? "write"
      : "COMMIT"
    : how === "failed" && (anywhere === "keys" || anywhere === "COMMIT")
      ? "write"
      : anywhere;
  const apart = (how === "lost" || how === "cut") && random.chance(0.35);
  const fault = { node: random.between(0, setup.nodes - 1), at, how, apart };
  const first = {
    ...callEntry(setup, random),
    node: fault.node,
    kind: random.pick(["free", "paid", "export", "changes"] as const),
  };
  const step = calls([first, ...burst(setup, random)], random, fault);
  return apart ? [step, calls(burst(setup, random), random), heal(random)] : [step];
}
