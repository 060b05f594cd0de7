import type { FailureCode } from "../values/failure/failure.ts";

/** Kinds of long-running requests. Each kind has its own permits. */
export type PlaceKind = "changes" | "waiting";
/** A permit that a request acquires with its charge, for at most `holdMs`. */
export type PlaceRequest = { kind: PlaceKind; holdMs: number };
/** Number of permits of each kind. */
export type PlaceCounts = Readonly<Record<PlaceKind, { perAccount: number; inAll: number }>>;
type PlaceLimits = {
  perAccount: number;
  inAll: number;
  accountCode: FailureCode;
  serviceCode: FailureCode;
};

/** Limits of permits for an account and for the whole service, with the refusal codes when all are in use. */
export const placeLimits = {
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
} as const satisfies Record<PlaceKind, PlaceLimits>;

type PlaceCode = (typeof placeLimits)[PlaceKind]["accountCode" | "serviceCode"];

/** A permit, held until `leave` or at the latest until `untilMs` (monotonic clock). */
export type Place = { readonly accountId: string; readonly untilMs: number; leave(): void };

/** No permit is free before `freeAtMs` (monotonic clock), unless a holder leaves earlier. */
export type NoPlace = { readonly code: PlaceCode; readonly freeAtMs: number };

/** Permits for long-running requests other than exports. They are in memory, so they end with the process. */
export class AccountPlaces {
  /** Held permits by account. Accounts without permits are absent. */
  readonly #held: Record<PlaceKind, Map<string, Set<Place>>> = { changes: new Map(), waiting: new Map() };
  readonly #count: Record<PlaceKind, number> = { changes: 0, waiting: 0 };
  readonly #limits: PlaceCounts;

  constructor(limits: PlaceCounts = placeLimits) {
    this.#limits = limits;
  }

  /** Acquires a permit for the account. Its holder releases it by `untilMs` (monotonic clock). */
  take(kind: PlaceKind, accountId: string, untilMs: number): Place | NoPlace {
    const { perAccount, inAll } = this.#limits[kind];
    const { accountCode, serviceCode } = placeLimits[kind];
    const held = this.#held[kind];
    const own = held.get(accountId) ?? new Set();
    if (own.size >= perAccount) return { code: accountCode, freeAtMs: firstEnd(own) };
    if (this.#count[kind] >= inAll) {
      return { code: serviceCode, freeAtMs: Math.min(...Array.from(held.values(), firstEnd)) };
    }
    const place: Place = { accountId, untilMs, leave: () => this.#leave(kind, place) };
    held.set(accountId, own.add(place));
    this.#count[kind] += 1;
    return place;
  }

  #leave(kind: PlaceKind, place: Place): void {
    const held = this.#held[kind];
    const own = held.get(place.accountId);
    if (own?.delete(place) !== true) return;
    this.#count[kind] -= 1;
    if (own.size === 0) held.delete(place.accountId);
  }
}

function firstEnd(places: ReadonlySet<Place>): number {
  return Math.min(...Array.from(places, ({ untilMs }) => untilMs));
}
