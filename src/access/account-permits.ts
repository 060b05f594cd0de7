import type { FailureCode } from "../values/failure/failure.ts";

/** Kinds of long-running requests. Each kind has its own permits. */
export type PermitKind = "changes" | "waiting";
/** A permit that a request acquires with its charge, for at most `holdMs`. */
export type PermitRequest = { kind: PermitKind; holdMs: number };
/** Number of permits of each kind. */
export type PermitCounts = Readonly<Record<PermitKind, { perAccount: number; inAll: number }>>;
type PermitLimits = {
  perAccount: number;
  inAll: number;
  accountCode: FailureCode;
  serviceCode: FailureCode;
};

/** Limits of permits for an account and for the whole service, with the refusal codes when all are in use. */
export const permitLimits = {
  changes: {
    perAccount: 1,
    inAll: 8,
    accountCode: "changes_busy",
    serviceCode: "changes_capacity",
  },
  waiting: {
    perAccount: 4,
    inAll: Number.POSITIVE_INFINITY,
    accountCode: "waiting_limit",
    serviceCode: "waiting_limit",
  },
} as const satisfies Record<PermitKind, PermitLimits>;

type PermitCode = (typeof permitLimits)[PermitKind]["accountCode" | "serviceCode"];

/** A permit, held until `leave` or at the latest until `untilMs` (monotonic clock). */
export type Permit = { readonly accountId: string; readonly untilMs: number; leave(): void };

/** No permit is free before `freeAtMs` (monotonic clock), unless a holder leaves earlier. */
export type NoPermit = { readonly code: PermitCode; readonly freeAtMs: number };

/** Permits for long-running requests other than exports. They are in memory, so they end with the process. */
export class AccountPermits {
  /** Held permits by account. Accounts without permits are absent. */
  readonly #held: Record<PermitKind, Map<string, Set<Permit>>> = { changes: new Map(), waiting: new Map() };
  readonly #count: Record<PermitKind, number> = { changes: 0, waiting: 0 };
  readonly #limits: PermitCounts;

  constructor(limits: PermitCounts = permitLimits) {
    this.#limits = limits;
  }

  /** Acquires a permit for the account. Its holder releases it by `untilMs` (monotonic clock). */
  take(kind: PermitKind, accountId: string, untilMs: number): Permit | NoPermit {
    const { perAccount, inAll } = this.#limits[kind];
    const { accountCode, serviceCode } = permitLimits[kind];
    const held = this.#held[kind];
    const own = held.get(accountId) ?? new Set();
    if (own.size >= perAccount) return { code: accountCode, freeAtMs: firstEnd(own) };
    if (this.#count[kind] >= inAll) {
      return { code: serviceCode, freeAtMs: Math.min(...Array.from(held.values(), firstEnd)) };
    }
    const permit: Permit = { accountId, untilMs, leave: () => this.#leave(kind, permit) };
    held.set(accountId, own.add(permit));
    this.#count[kind] += 1;
    return permit;
  }

  #leave(kind: PermitKind, permit: Permit): void {
    const held = this.#held[kind];
    const own = held.get(permit.accountId);
    if (own?.delete(permit) !== true) return;
    this.#count[kind] -= 1;
    if (own.size === 0) held.delete(permit.accountId);
  }
}

function firstEnd(places: ReadonlySet<Permit>): number {
  return Math.min(...Array.from(places, ({ untilMs }) => untilMs));
}
