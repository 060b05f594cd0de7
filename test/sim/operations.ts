import type { FailpointName } from "../../src/values/failpoints.ts";
import { type Limits, type PlanName, planNames } from "./model.ts";
import { Random } from "./random.ts";

/**
 * Operations are data without hidden chance: an index means "the n-th, modulo how many there are", so that a list from which
 * some were deleted still makes sense. That is what makes shrinking possible.
 */
export type RequestKind = "free" | "paid" | "usage" | "export" | "portfolio";
export type Credential = "good" | "rotated" | "unknown" | "checksum" | "none" | "scheme";
export type RequestShape = {
  account: number;
  key: number;
  kind: RequestKind;
  credential: Credential;
  /** How long ago the request began when it reaches the gate. */
  lagMs: number;
};
export type EndShape = { end: "finish" | "release"; lease: number };
export type Entry = RequestShape | EndShape;
export type FaultAction = "crash" | "error" | "busy" | "full" | "ioerr";
export type Fault = { at: FailpointName; hit: number; action: FaultAction } | { at: "lock" };
export type BoundaryOf = "minute" | "day" | "month" | "lease" | "start" | "key" | "plan";

export type Operation =
  | { do: "calls"; entries: readonly Entry[]; fault?: Fault }
  | { do: "hold" | "flush" | "crash" | "repairClock" | "renew" }
  | { do: "obey"; far: boolean }
  | { do: "tick"; ms: number }
  | { do: "clockBack"; ms: number }
  | { do: "boundary"; of: BoundaryOf; nth: number; offset: -1 | 0 | 1; kind: RequestKind }
  | { do: "lateEnd"; lease: number; how: "finished" | "released" }
  | { do: "revoke" | "rotate"; account: number; key: number }
  | { do: "setPlan"; account: number; plan: PlanName; forMs: number | null }
  | { do: "purchase"; account: number; plan: PlanName }
  | { do: "disable" | "enable"; account: number };

/** What a run starts with. `faultsUntil`: the step after which no fault is injected any more. */
export type Setup = {
  seed: number;
  real: boolean;
  limits: Readonly<Record<PlanName, Limits>>;
  slots: number;
  accounts: number;
  startAt: number;
  faultsUntil: number;
};

const realLimits: Setup["limits"] = {
  free: { perMonth: 1_000, perMinute: 20, startsPerDay: 0 },
  builder: { perMonth: 10_000, perMinute: 60, startsPerDay: 48 },
  trader: { perMonth: 100_000, perMinute: 180, startsPerDay: 144 },
  quant: { perMonth: 1_000_000, perMinute: 540, startsPerDay: 288 },
};
const keysPerAccount = 3;
const dayMs = 86_400_000;
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

/** A tenth of the seeds runs on the plans' real figures, every other on small ones, where edges are common. */
export function setupOf(seed: number, steps: number): Setup {
  const random = new Random(seed * 2 + 1);
  const real = seed % 10 === 3;
  const scaled = (): Limits => ({
    perMonth: random.between(7, 40),
    perMinute: random.between(4, 9),
    startsPerDay: random.between(3, 5),
  });
  const limits = { free: { ...scaled(), startsPerDay: 0 }, builder: scaled(), trader: scaled(), quant: scaled() };
  const slots = real ? 8 : random.between(2, 4);
  const startAt = Date.UTC(2027 + random.between(0, 1), random.between(1, 12), 1) - random.between(1, 3 * dayMs);
  return {
    seed,
    real,
    limits: real ? realLimits : limits,
    slots,
    accounts: slots + random.between(1, 3),
    startAt,
    faultsUntil: seed % 10 === 0 ? Math.floor(steps / 2) : steps,
  };
}

type Family =
  | "one"
  | "burst"
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
  | "crash";

/** The operations of a seed: which kinds are frequent differs from seed to seed. */
export function operationsOf(setup: Setup, steps: number): Operation[] {
  const random = new Random(setup.seed * 2);
  const swarm = (usual: number) => usual * random.pick([0, 0.3, 1, 1, 1, 3]);
  const weights: [Family, number][] = [
    ["one", 30 * random.pick([0.5, 1, 2])],
    ["burst", swarm(8)],
    ["export", swarm(16)],
    ["end", swarm(10)],
    ["lateEnd", swarm(1.5)],
    ["tick", swarm(14) + 2],
    ["leap", swarm(1.5)],
    ["boundary", swarm(10)],
    ["clock", swarm(1)],
    ["fault", swarm(2.5)],
    ["hold", swarm(3)],
    ["operator", swarm(4)],
    ["renew", 2],
    ["obey", swarm(5)],
    ["stranger", swarm(1.5)],
    ["crash", swarm(0.6)],
  ];
  const operations: Operation[] = [];
  while (operations.length < steps) {
    const faults = operations.length < setup.faultsUntil;
    const family = random.weighted(weights);
    if (faults || (family !== "fault" && family !== "crash" && family !== "clock")) {
      operations.push(...familyOperations(family, setup, random));
    }
  }
  return operations.slice(0, steps);
}

function familyOperations(family: Family, setup: Setup, random: Random): Operation[] {
  const account = () => random.between(0, setup.accounts - 1);
  if (family === "one") return [{ do: "calls", entries: [requestShape(account(), random)] }];
  if (family === "burst") return [{ do: "calls", entries: burst(setup, random) }];
  if (family === "export") return [{ do: "calls", entries: [{ ...requestShape(account(), random), kind: "export" }] }];
  if (family === "end") return [{ do: "calls", entries: [endShape(random)] }];
  if (family === "lateEnd") {
    return [{ do: "lateEnd", lease: random.between(0, 999), how: random.pick(["finished", "released"]) }];
  }
  if (family === "tick") return [{ do: "tick", ms: tickMs(random) }];
  if (family === "leap") return [{ do: "tick", ms: random.between(3_600_000, 26 * 3_600_000) }];
  if (family === "boundary") return [boundary(random)];
  if (family === "clock") return clockTrouble(setup, random);
  if (family === "fault") return [{ do: "calls", entries: faultyEntries(setup, random), fault: fault(random) }];
  if (family === "hold") {
    const held = Array.from({ length: random.between(1, 6) }, () =>
      familyOperations(random.pick(["one", "export", "burst", "end", "operator", "tick", "lateEnd"]), setup, random),
    );
    return [{ do: "hold" }, ...held.flat(), random.chance(0.1) ? { do: "crash" } : { do: "flush" }];
  }
  if (family === "operator") return [operatorAction(account(), random)];
  if (family === "stranger") {
    const credential = random.pick(["rotated", "unknown", "checksum", "none", "scheme"] as const);
    return [{ do: "calls", entries: [{ ...requestShape(account(), random), credential }] }];
  }
  if (family === "obey") return [{ do: "obey", far: random.chance(0.15) }];
  return [{ do: family }];
}

function requestShape(account: number, random: Random): RequestShape {
  const kind = random.weighted([
    ["free", 5],
    ["paid", 5],
    ["usage", 1],
    ["export", 3],
    ["portfolio", 0.5],
  ]);
  const lagMs = random.chance(0.1) ? random.pick([1, 30, 400]) : 0;
  return { account, key: random.between(0, keysPerAccount - 1), kind, credential: "good", lagMs };
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
  return [random.chance(0.2) ? endShape(random) : { ...request, kind: random.pick(["free", "paid", "export"]) }];
}

function fault(random: Random): Fault {
  if (random.chance(0.2)) return { at: "lock" };
  const at = random.pick(failpoints);
  const action = random.weighted<FaultAction>([
    ["crash", 3],
    ["error", 2],
    ["busy", 1],
    ["full", 2],
    ["ioerr", 0.7],
  ]);
  return { at, hit: random.chance(0.7) ? 1 : random.between(1, 5), action: committed.has(at) ? "crash" : action };
}

/** After the commit nothing can fail any more: there the process can only die. */
const committed: ReadonlySet<FailpointName> = new Set(["admit.commit.after"]);

function tickMs(random: Random): number {
  return random.chance(0.5) ? random.between(1, 2_000) : random.between(2_000, 90_000);
}

function boundary(random: Random): Operation {
  const of = random.weighted<BoundaryOf>([
    ["minute", 6],
    ["day", 0.5],
    ["month", 1],
    ["lease", 8],
    ["start", 3],
    ["key", 0.5],
    ["plan", 1],
  ]);
  const kind = of === "lease" || of === "start" ? "export" : random.pick(["free", "paid", "export", "usage"] as const);
  return { do: "boundary", of, nth: random.between(0, 99), offset: random.pick([-1, 0, 0, 1]), kind };
}

function clockTrouble(setup: Setup, random: Random): Operation[] {
  const ms = random.pick([1, 500, 30_000, 61_000, 3_599_999, 3_600_000, 3_600_001, 2 * dayMs, 32 * dayMs]);
  const during = Array.from({ length: random.between(1, 6) }, (): Operation[] =>
    familyOperations(random.pick(["one", "export", "end", "tick", "boundary"]), setup, random),
  );
  return [{ do: "clockBack", ms }, ...during.flat(), { do: "repairClock" }];
}

function operatorAction(account: number, random: Random): Operation {
  const key = random.between(0, keysPerAccount - 1);
  const kind = random.weighted([
    ["revoke", 1],
    ["rotate", 2],
    ["setPlan", 4],
    ["purchase", 3],
    ["disable", 1],
    ["enable", 3],
  ]);
  if (kind === "revoke" || kind === "rotate") return { do: kind, account, key };
  if (kind === "disable" || kind === "enable") return { do: kind, account };
  const plan = random.pick(planNames);
  if (kind === "purchase") return { do: kind, account, plan };
  const forMs = random.chance(0.5) ? null : random.pick([60_000, 3_600_000, 5 * dayMs]);
  return { do: kind, account, plan, forMs };
}
