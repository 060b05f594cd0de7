import type { Asked } from "./market.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const freeDays = 30;

export type PlanName = "free" | "builder" | "trader" | "quant";
export type Limits = { perMonth: number; perMinute: number; startsPerDay: number };
export type Rule = {
  scope: "market:read" | "portfolio:read" | null;
  paid: boolean;
  unit: boolean;
  lease: boolean;
  isStart?: boolean;
  /** The slot that the request holds, by the product's name. */
  permit?: "changes" | "waiting";
};
export type Headers = { limitPerMinute: number; remainingInMinute: number; quotaRemaining: number | null };
export type Figures = { used: number; limit: number };

/** The ledger's reply to one entry of a batch. */
export type Reply =
  | { kind: "charged"; used: number; limit: number; expiresAt: number | null; remainingInMinute?: number }
  | { kind: "refused"; code: string; retryAfterS: number | null; month: Figures | null };

/**
 * The outcome for a client. `deadlineMs` is the time limit of an export from its admission. `answer` is the generation in the response.
 * `charged` is a refusal that costs its unit, `failed` an error without a code. `gone`: its client disconnected before the response.
 */
export type Outcome =
  | { kind: "admitted"; headers: Headers; deadlineMs: number | null; answer?: string }
  | { kind: "refused"; code: string; retryAfterS: number | null; headers: Headers | null; charged?: true }
  | { kind: "failed" }
  | { kind: "gone" };

/**
 * One request. `authorization` is null without the header. `at` is its start, `now` the instant at which it reaches the gate, `monotonicMs`
 * the same in measured time. `asked` is the resource for the server's handler, or null if only the admission runs.
 */
export type Call = {
  requestId: string;
  authorization: string | null;
  operation: string;
  rule: Rule;
  at: number;
  now: number;
  monotonicMs: number;
  asked: Asked | null;
};

/** `isLate` is true if its holder started to wait on a late reply of the ledger. It may then hold the slot past `untilMs`. */
export type ModelPlace = { kind: "changes" | "waiting"; accountId: string; untilMs: number; isLate: boolean };

export type ModelAccount = { plan: PlanName; planEndsAt: number | null; disabledAt: number | null };
export type ModelKey = {
  accountId: string;
  scopes: string;
  secret: string;
  expiresAt: number;
  revokedAt: number | null;
};
export type ModelEvent = { accountId: string; keyId: string; operation: string; month: string; at: number };
export type ModelLease = {
  leaseId: string;
  accountId: string;
  admittedAt: number;
  expiresAt: number;
  state: "reserved" | "finished" | "released" | "expired";
  /** False if it never counts as an export start. */
  isStart: boolean;
  endedAt: number | null;
};

/** A slot that many nodes count together. */
export type SharedPlace = { kind: "changes" | "waiting"; accountId: string; expiresAt: number };
export const waitsPerAccount = 4;

/** State that the processes of the model share in a run of many nodes. Each process has its own minutes and its own waiting requests. */
export class SharedLedger {
  readonly accounts = new Map<string, ModelAccount>();
  readonly keys = new Map<string, ModelKey>();
  readonly used = new Map<string, number>();
  readonly events = new Map<string, ModelEvent>();
  readonly leases: ModelLease[] = [];
  /** Requests of an account in the minute that was counted last. */
  readonly minutes = new Map<string, { minute: number; used: number }>();
  /** Slots of long requests, by request. Expired ones do not count. */
  readonly places = new Map<string, SharedPlace>();
  /** Slots that the current batch has read. Requests may have left some of them since, without a lock. */
  seen = new Map<string, SharedPlace>();
  /** The clock of all processes, UTC ms. */
  at = 0;

  /** Slots as the current batch counts them. */
  countedPlaces(): SharedPlace[] {
    return [...new Map([...this.seen, ...this.places]).values()];
  }

  /** Returns the reason for which no slot is free at `at`, or null if one is free. */
  placeRefusal(kind: SharedPlace["kind"], accountId: string, slots: number, at: number): string | null {
    const held = this.countedPlaces().filter((permit) => permit.kind === kind && permit.expiresAt > at);
    const own = held.filter((permit) => permit.accountId === accountId).length;
    if (kind === "waiting") return own >= waitsPerAccount ? "waiting_limit" : null;
    return own > 0 ? "changes_busy" : held.length >= slots ? "changes_capacity" : null;
  }

  /** Releases a slot. Returns false if it was not held. */
  leavePlace(requestId: string, at: number): boolean {
    const isHeld = (this.places.get(requestId)?.expiresAt ?? 0) > at;
    if (isHeld) this.places.delete(requestId);
    this.seen.delete(requestId);
    return isHeld;
  }

  /** Counts one request in the account's minute, unless `limit` is reached. */
  takeMinute(accountId: string, limit: number, at: number): { remainingInMinute: number } | { retryAfterS: number } {
    const minute = Math.floor(at / minuteMs);
    const known = this.minutes.get(accountId);
    const used = known?.minute === minute ? known.used : 0;
    if (used >= limit) return { retryAfterS: Math.ceil(((minute + 1) * minuteMs - at) / 1000) };
    this.minutes.set(accountId, { minute, used: used + 1 });
    return { remainingInMinute: limit - used - 1 };
  }
}

/** The rows that a batch has read from the database after its locks. */
export type Look = {
  readonly at: number;
  readonly revoked: ReadonlySet<string>;
  /** By the key's id. */
  readonly secrets: ReadonlyMap<string, string>;
  readonly places: ReadonlyMap<string, SharedPlace>;
};

export function planAt(account: ModelAccount, at: number): PlanName {
  return account.planEndsAt !== null && account.planEndsAt <= at ? "free" : account.plan;
}

export function monthOf(at: number): string {
  const date = new Date(at);
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, "0")}`;
}

export function firstOfNextMonth(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

/**
 * Returns why a day cannot be read, or null if it can. No plan reads an unfinished day. The Free plan reads daily rows of the last 30
 * sealed days.
 */
export function refusedDay({ asked, at }: Call, plan: PlanName): string | null {
  if (asked?.of !== "day") return null;
  const today = Math.floor(at / dayMs);
  if (asked.day >= today) return "invalid_range";
  const isBeyondFree = asked.resolution === "hourly" || asked.day < today - freeDays;
  return plan === "free" && isBeyondFree ? "plan_upgrade_required" : null;
}

/** Refusals that do not count in the minute. */
export function isUncounted(code: string): boolean {
  return /_api_key$|^account_disabled$|^plan_upgrade_required$/.test(code);
}

export function no(code: string, retryAfterS: number | null, month: Figures | null): Reply {
  return { kind: "refused", code, retryAfterS, month };
}
