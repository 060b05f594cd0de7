import type { FailpointName } from "../../src/values/failpoints.ts";
import type { Limits, PlanName, Rule } from "./model-types.ts";
import { Random } from "./random.ts";

/**
 * Operations are data without hidden randomness. An index means "the n-th, modulo their number". A list therefore stays valid after
 * deletions, which makes shrinking possible.
 */
export type RequestKind = "free" | "paid" | "usage" | "export" | "day" | "changes" | "wait" | "portfolio";

/** The requirements of each kind of operation, and its cost. */
export const rules: Readonly<Record<RequestKind, Rule>> = {
  free: { scope: "market:read", paid: false, unit: true, lease: false },
  paid: { scope: "market:read", paid: true, unit: true, lease: false },
  usage: { scope: null, paid: false, unit: false, lease: false },
  export: { scope: "market:read", paid: true, unit: true, lease: true },
  day: { scope: "market:read", paid: false, unit: true, lease: true, isStart: false },
  changes: { scope: "market:read", paid: true, unit: true, lease: false, permit: "changes" },
  wait: { scope: "market:read", paid: true, unit: true, lease: false, permit: "waiting" },
  portfolio: { scope: "portfolio:read", paid: false, unit: true, lease: false },
};

/** Operations of the contract behind the kinds that the server's handler answers. */
export const operationNames: Readonly<Partial<Record<RequestKind, string>>> = {
  day: "streamHistoryDay",
  changes: "streamMarketChanges",
  wait: "getCurrentGeneration",
};

/** The target of a long request. `statesBack` null is a state that never existed. `after` null means the current generation. */
export type Ask =
  | { of: "day"; daysBack: number; resolution: "daily" | "hourly" }
  | { of: "changes"; statesBack: number | null }
  | { of: "generation"; after: "current" | "before" | null; seconds: number };
export const usualAsk = {
  day: { of: "day", daysBack: 2, resolution: "daily" },
  changes: { of: "changes", statesBack: 1 },
  wait: { of: "generation", after: "current", seconds: 30 },
} as const satisfies Partial<Record<RequestKind, Ask>>;

/** A replay publishes the current state again. `share` is the part of an export that changes. */
export type Publication = { of: "generation" | "catalog" | "days" | "replay"; share: number };

export type Credential = "good" | "rotated" | "unknown" | "checksum" | "none" | "scheme";
export type RequestShape = {
  account: number;
  key: number;
  kind: RequestKind;
  credential: Credential;
  /** How long ago the request began when it reaches the gate. */
  lagMs: number;
  ask?: Ask;
};
/** `lease` is the index among the held leases. Negative values count from the newest. */
export type EndShape = { end: "finish" | "release"; lease: number };
export type Entry = RequestShape | EndShape;
export type FaultAction = "crash" | "error" | "busy" | "full" | "ioerr";
export type Fault = { at: FailpointName; hit: number; action: FaultAction } | { at: "lock" };
/** The kind of change at an instant. A `late` boundary is tested again by a request that began before it and is judged after it. */
export type BoundaryOf = "minute" | "day" | "month" | "lease" | "start" | "key" | "plan";

export type Operation =
  | { do: "calls"; entries: readonly Entry[]; fault?: Fault }
  | { do: "hold" | "flush" | "crash" | "stop" | "leave" | "repairClock" | "acceptClock" | "renew" }
  | { do: "publish"; publication: Publication }
  | { do: "obey"; far: boolean }
  | { do: "tick"; ms: number }
  | { do: "clockBack"; ms: number }
  | { do: "boundary"; of: BoundaryOf; nth: number; offset: -1 | 0 | 1; kind: RequestKind; late: boolean }
  | { do: "lateEnd"; lease: number; how: "finished" | "released" }
  | { do: "revoke" | "rotate"; account: number; key: number }
  | { do: "setPlan"; account: number; plan: PlanName; forMs: number | null }
  | { do: "purchase"; account: number; plan: PlanName }
  | { do: "disable" | "enable"; account: number };

/** The start of a run. No fault is injected after the step `faultsUntil`. */
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
export const dayMs = 86_400_000;

/** A tenth of the seeds run on the real limits of the plans. The others run on small limits that make edge cases common. */
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
