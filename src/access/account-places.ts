import type { FailureCode } from "../values/failure/failure.ts";

/** Kinds of requests that take long: each has places of its own. */
export type PlaceKind = "changes" | "waiting";
/** A place that a request takes beside its charge, for at most `holdMs`. */
export type PlaceRequest = { kind: PlaceKind; holdMs: number };
/** How many places there are, for each kind. */
export type PlaceCounts = Readonly<Record<PlaceKind, { perAccount: number; inAll: number }>>;
type PlaceLimits = {
  perAccount: number;
  inAll: number;
  accountCode: FailureCode;
  serviceCode: FailureCode;
};

/** Places of an account and of the whole service, and the refusals when they are taken. */
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

/** A place that is held until `leave`, at the latest until `untilMs` of the monotonic clock. */
export type Place = { readonly accountId: string; readonly untilMs: number; leave(): void };

/** No place is free before `freeAtMs` of the monotonic clock, unless a holder leaves before. */
export type NoPlace = { readonly code: PlaceCode; readonly freeAtMs: number };

/** Places of requests that take long and are not exports. They are in memory: a process that ends has none of them any more. */
export class AccountPlaces {
  /** Places by account, of those that hold any. */
  readonly #held: Record<PlaceKind, Map<string, Set<Place>>> = { changes: new Map(), waiting: new Map() };
  readonly #count: Record<PlaceKind, number> = { changes: 0, waiting: 0 };
  readonly #limits: PlaceCounts;

  constructor(limits: PlaceCounts = placeLimits) {
    this.#limits = limits;
  }

  /** Takes a place of the account, which its holder leaves by `untilMs`. */
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
