import type { FailpointName } from "../../src/values/failpoints.ts";
import {
  type Ask,
  type BoundaryOf,
  dayMs,
  type EndShape,
  type Entry,
  type Fault,
  type FaultAction,
  type Operation,
  type Publication,
  type RequestKind,
  type RequestShape,
  type Setup,
} from "./operations.ts";
import { Random } from "./random.ts";

const personalKey = 2;
const failpoints: readonly FailpointName[] = [
  "auth.lookup",
  "admit.begin",
  "admit.leaseInserted",
  "admit.charged",
  "admit.commit.before",
  "admit.commit.after",
  "lease.release.before",
  "lease.release.after",
];

type Family =
  | "one"
  | "burst"
  | "rush"
  | "export"
  | "end"
  | "lateEnd"
  | "tick"
  | "leap"
  | "boundary"
  | "clock"
  | "fault"
  | "hold"
  | "operator"
  | "renew"
  | "obey"
  | "stranger"
  | "crash"
  | "long"
  | "streams"
  | "tear"
  | "slow"
  | "waits"
  | "publish"
  | "stop";

/** Generates the operations of a seed. The frequent kinds differ from seed to seed. */
export function operationsOf(setup: Setup, steps: number): Operation[] {
  const random = new Random(setup.seed * 2);
  const swarm = (usual: number) => usual * random.pick([0, 0.3, 1, 1, 1, 3]);
  const weights: [Family, number][] = [
    ["one", 30 * random.pick([0.5, 1, 2])],
    ["burst", swarm(8)],
    ["rush", swarm(2)],
    ["export", swarm(16)],
    ["end", swarm(10)],
    ["lateEnd", swarm(1.5)],
    ["tick", swarm(14) + 2],
    ["leap", swarm(1.5)],
    ["boundary", swarm(10)],
    ["clock", swarm(1)],
    ["fault", swarm(2)],
    ["hold", swarm(4)],
    ["operator", swarm(4)],
    ["renew", 1],
    ["obey", swarm(7)],
    ["stranger", swarm(1.5)],
    ["crash", swarm(0.2)],
    ["long", swarm(5)],
    ["streams", swarm(1)],
    ["tear", swarm(1.5)],
    ["slow", swarm(0.6)],
    ["waits", swarm(2)],
    ["publish", swarm(1)],
    ["stop", swarm(0.12)],
  ];
  const operations: Operation[] = [];
  while (operations.length < steps) {
    const faults = operations.length < setup.faultsUntil;
    const family = random.weighted(weights);
    if (faults || !["fault", "crash", "clock"].includes(family)) {
      operations.push(...familyOperations(family, setup, random));
    }
  }
  return operations.slice(0, steps);
}

function familyOperations(family: Family, setup: Setup, random: Random): Operation[] {
  const account = () => random.between(0, setup.accounts - 1);
  if (family === "one") return [{ do: "calls", entries: [requestShape(account(), random)] }];
  if (family === "burst") return [{ do: "calls", entries: burst(setup, random) }];
  if (family === "rush") return [{ do: "calls", entries: everybodysExport(setup.accounts) }];
  if (family === "export") return [{ do: "calls", entries: [{ ...requestShape(account(), random), kind: "export" }] }];
  if (family === "end") return [{ do: "calls", entries: [endShape(random)] }];
  if (family === "lateEnd") {
    return [{ do: "lateEnd", lease: random.between(0, 999), how: random.pick(["finished", "released"]) }];
  }
  if (family === "tick") return [{ do: "tick", ms: tickMs(random) }];
  if (family === "leap") return [{ do: "tick", ms: random.between(3_600_000, 26 * 3_600_000) }];
  if (family === "boundary") return boundary(random);
  if (family === "clock") return clockTrouble(setup, random);
  if (family === "fault") return [{ do: "calls", entries: faultyEntries(setup, random), fault: fault(random) }];
  if (family === "hold") return received(setup, random);
  if (family === "operator") {
    const action = operatorAction(account(), random);
    return action.do === "purchase" && random.chance(0.4) ? [action, action] : [action];
  }
  if (family === "stranger") {
    const credential = random.pick(["rotated", "unknown", "checksum", "none", "scheme"] as const);
    return [{ do: "calls", entries: [{ ...requestShape(account(), random), credential }] }];
  }
  if (family === "obey") return obedience(account(), random);
  if (family === "long") return [{ do: "calls", entries: [longShape(account(), longKind(random), random)] }];
  if (family === "streams") return everybodysChanges(setup.accounts, random);
  if (family === "tear") return tear(account(), random);
  if (family === "slow") return slow(account(), random);
  if (family === "waits") return waits(account(), random);
  if (family === "publish") return [{ do: "publish", publication: publication(random) }];
  if (family === "stop" && random.chance(0.8)) return [...waits(account(), random).slice(0, 1), { do: "stop" }];
  return [{ do: family }];
}

function requestShape(account: number, random: Random): RequestShape {
  const kind = random.weighted([
    ["free", 5],
    ["paid", 5],
    ["usage", 1],
    ["export", 3],
    ["long", 1.5],
    ["portfolio", 0.5],
  ]);
  if (kind === "long") return longShape(account, longKind(random), random);
  const lagMs = random.chance(0.1) ? random.pick([1, 30, 400]) : 0;
  const key =
    kind === "portfolio" && random.chance(0.8)
      ? personalKey
      : random.pick([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2]);
  return { account, key, kind, credential: "good", lagMs };
}

type LongKind = RequestKind & ("day" | "changes" | "wait");

function longKind(random: Random): LongKind {
  return random.pick(["day", "day", "changes", "wait"]);
}

function longShape(account: number, kind: LongKind, random: Random): RequestShape {
  const lagMs = random.chance(0.1) ? random.pick([1, 30, 400]) : 0;
  return { account, key: random.pick([0, 0, 0, 0, 0, 1, 2]), kind, credential: "good", lagMs, ask: ask(kind, random) };
}

function ask(kind: LongKind, random: Random): Ask {
  if (kind === "day") {
    const daysBack = random.pick([0, 1, 2, 3, 4, 5, 6, 30, 30, 31, 31]);
    return { of: "day", daysBack, resolution: random.chance(0.4) ? "hourly" : "daily" };
  }
  if (kind === "changes") return { of: "changes", statesBack: random.pick([0, 0, 1, 1, 1, 2, 4, null]) };
  const after = random.pick(["current", "current", "current", "current", "before", null] as const);
  return { of: "generation", after, seconds: random.pick([0, 1, 5, 30]) };
}

function publication(random: Random): Publication {
  const of = random.pick(["generation", "generation", "generation", "catalog", "days", "replay"] as const);
  return { of, share: random.pick([0.01, 0.1, 0.1, 0.7]) };
}

/** Every account follows the market at the same time. */
function everybodysChanges(accounts: number, random: Random): Operation[] {
  const entries = Array.from({ length: accounts }, (_, account) => {
    const changes: Ask = { of: "changes", statesBack: random.pick([0, 1, 1]) };
    return { account, key: 0, kind: "changes", credential: "good", lagMs: 0, ask: changes } as const;
  });
  return [{ do: "calls", entries }, random.chance(0.6) ? { do: "obey", far: true } : { do: "tick", ms: 118_750 }];
}

/** An export of changes is read while its client is slow. */
function tear(account: number, random: Random): Operation[] {
  const kind = random.pick(["day", "changes"] as const);
  const shape = { account, key: 0, kind, credential: "good", lagMs: 0 } as const;
  const of = kind === "day" ? "days" : random.pick(["generation", "catalog"] as const);
  const news: Operation = { do: "publish", publication: { of, share: 0.1 } };
  const end = random.pick(["finish", "finish", "finish", "release"] as const);
  const first: Operation[] = kind === "day" ? [] : [news];
  const change = random.chance(0.7) ? news : misfortune(account, 0, random);
  return [...first, { do: "calls", entries: [shape] }, change, { do: "calls", entries: [{ end, lease: -1 }] }];
}

/** The ledger replies after the end of a stream's time limit, or after its client has disconnected. */
function slow(account: number, random: Random): Operation[] {
  const first: Operation = { do: "calls", entries: [longShape(account, longKind(random), random)] };
  const last: Operation[] = random.chance(0.4)
    ? [{ do: "leave" }]
    : [{ do: "tick", ms: random.between(117_500, 120_500) }];
  return [{ do: "hold" }, first, ...last, { do: "flush" }];
}

/** An account waits, more than once maybe, until something happens to its key, its plan, the market or the time. */
function waits(account: number, random: Random): Operation[] {
  const wait = { account, key: random.between(0, 1), kind: "wait", credential: "good", lagMs: 0 } as const;
  const seconds = random.pick([1, 5, 30]);
  const entries = Array.from({ length: random.between(1, 6) }, () => {
    return { ...wait, ask: { of: "generation", after: "current", seconds } } as const;
  });
  const before: Operation[] = random.chance(0.5) ? [misfortune(account, wait.key, random)] : [];
  const news: Operation[] = random.chance(0.5) ? [{ do: "publish", publication: publication(random) }] : [];
  const ms = random.pick([1, 199, 200, 1_000, 31_000]);
  return [{ do: "calls", entries }, ...before, ...news, { do: "tick", ms }];
}

function misfortune(account: number, key: number, random: Random): Operation {
  const kind = random.pick(["revoke", "rotate", "setPlan", "disable", "other"] as const);
  if (kind === "revoke" || kind === "rotate") return { do: kind, account, key };
  if (kind === "disable") return { do: kind, account };
  if (kind === "setPlan") return { do: kind, account, plan: "free", forMs: null };
  return operatorAction(account, random);
}

function everybodysExport(accounts: number): RequestShape[] {
  return Array.from({ length: accounts }, (_, account) => {
    return { account, key: 0, kind: "export", credential: "good", lagMs: 0 };
  });
}

/** Requests wait for the ledger while something happens to their account, their key or the time. */
function received(setup: Setup, random: Random): Operation[] {
  const account = random.between(0, setup.accounts - 1);
  if (random.chance(0.1)) return heldOverMonths(random);
  const during = Array.from({ length: random.between(1, 6) }, () => {
    const family = random.pick([
      "own",
      "own",
      "operator",
      "operator",
      "burst",
      "end",
      "tick",
      "boundary",
      "lateEnd",
      "leave",
    ]);
    if (family === "own") return [{ do: "calls", entries: [requestShape(account, random)] } as const];
    if (family === "operator") return [operatorAction(account, random)];
    if (family === "leave") return [{ do: "leave" } as const];
    return familyOperations(family as Family, setup, random);
  });
  const first: Operation = { do: "calls", entries: [requestShape(account, random), requestShape(account, random)] };
  return [{ do: "hold" }, first, ...during.flat(), { do: random.chance(0.1) ? "crash" : "flush" }];
}

/** Requests of two months wait for one commit. */
function heldOverMonths(random: Random): Operation[] {
  const nth = random.between(0, 99);
  return [
    { do: "hold" },
    { do: "boundary", of: "month", nth, offset: -1, kind: "free", late: false },
    { do: "tick", ms: 1 },
    { do: "calls", entries: [requestShape(nth, random)] },
    { do: "flush" },
    { do: "renew" },
  ];
}

/** One account sends requests until it is refused. It retries at the Retry-After, or at once with another plan. */
function obedience(account: number, random: Random): Operation[] {
  const kind = random.pick(["free", "paid", "export", "export", "export", "export", "day", "changes", "wait"] as const);
  const most = kind === "free" || kind === "paid" ? 12 : kind === "wait" ? 6 : 3;
  const entries = Array.from({ length: random.between(kind === "wait" ? 4 : 1, most) }, () => {
    return { account, key: random.between(0, 1), kind, credential: "good", lagMs: 0 } as const;
  });
  if (random.chance(0.2)) {
    const plan = random.pick(["builder", "trader", "quant"] as const);
    const change: Operation = { do: "setPlan", account, plan, forMs: null };
    return [{ do: "calls", entries }, change, { do: "calls", entries: entries.slice(0, 1) }];
  }
  const far = random.chance(0.35);
  return [{ do: "calls", entries }, { do: "obey", far }, ...(far ? [{ do: "renew" } as const] : [])];
}

function endShape(random: Random): EndShape {
  return { end: random.pick(["finish", "release"]), lease: random.between(0, 99) };
}

function burst(setup: Setup, random: Random): Entry[] {
  const account = random.between(0, setup.accounts - 1);
  const length = setup.real && random.chance(0.05) ? random.between(200, 300) : random.between(2, 12);
  const mixed = random.chance(0.5);
  return Array.from({ length }, () => {
    if (mixed && random.chance(0.2)) return endShape(random);
    return requestShape(mixed ? random.between(0, setup.accounts - 1) : account, random);
  });
}

function faultyEntries(setup: Setup, random: Random): Entry[] {
  if (random.chance(0.3)) return burst(setup, random);
  const request = requestShape(random.between(0, setup.accounts - 1), random);
  return [
    random.chance(0.2) ? endShape(random) : { ...request, kind: random.pick(["free", "paid", "export", "export"]) },
  ];
}

function fault(random: Random): Fault {
  if (random.chance(0.2)) return { at: "lock" };
  const at = random.pick(failpoints);
  const action = random.weighted<FaultAction>([
    ["crash", 2],
    ["error", 2],
    ["busy", 1.5],
    ["full", 2.5],
    ["ioerr", 1.5],
  ]);
  return { at, hit: random.chance(0.7) ? 1 : random.between(1, 5), action: committed.has(at) ? "crash" : action };
}

/** After the commit nothing can fail any more: there the process can only die. */
const committed: ReadonlySet<FailpointName> = new Set(["admit.commit.after"]);

function tickMs(random: Random): number {
  return random.chance(0.5) ? random.between(1, 2_000) : random.between(2_000, 90_000);
}

function boundary(random: Random): Operation[] {
  const of = random.weighted<BoundaryOf>([
    ["minute", 6],
    ["day", 0.5],
    ["month", 1],
    ["lease", 8],
    ["start", 3],
    ["key", 0.8],
    ["plan", 1],
  ]);
  const kind = of === "lease" || of === "start" ? "export" : random.pick(["free", "paid", "export", "usage"] as const);
  const nth = random.between(0, 99);
  const offset = random.pick([-1, 0, 0, 1] as const);
  const there: Operation = {
    do: "boundary",
    of,
    nth,
    offset,
    kind,
    late: random.chance(of === "key" || of === "plan" ? 0.6 : 0.25),
  };
  return of === "month" || of === "key" ? [there, { do: "renew" }] : [there];
}

function clockTrouble(setup: Setup, random: Random): Operation[] {
  const ms = random.pick([1, 500, 30_000, 61_000, 3_599_999, 3_600_000, 3_600_001, 2 * dayMs, 32 * dayMs]);
  const during = Array.from({ length: random.between(1, 6) }, (): Operation[] =>
    familyOperations(random.pick(["one", "export", "end", "tick", "boundary"]), setup, random),
  );
  return [{ do: "clockBack", ms }, ...during.flat(), { do: random.chance(0.3) ? "acceptClock" : "repairClock" }];
}

function operatorAction(account: number, random: Random): Operation {
  const key = random.between(0, personalKey);
  const kind = random.weighted([
    ["revoke", 1],
    ["rotate", 2],
    ["setPlan", 4],
    ["purchase", 3],
    ["disable", 0.5],
    ["enable", 5],
  ]);
  if (kind === "revoke" || kind === "rotate") return { do: kind, account, key };
  if (kind === "disable" || kind === "enable") return { do: kind, account };
  const plan = random.chance(0.12) ? "free" : random.pick(["builder", "trader", "quant"] as const);
  if (kind === "purchase") return { do: kind, account, plan };
  const forMs = random.chance(0.6) ? null : random.pick([60_000, 3_600_000, 5 * dayMs]);
  return { do: kind, account, plan, forMs };
}
