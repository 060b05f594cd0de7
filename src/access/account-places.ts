import type { FailureCode } from "../values/failure.ts";

/** Kinds of requests that take long: each has places of its own. */
export type PlaceKind = "changes" | "waiting";
type PlaceLimits = { perAccount: number; inAll: number; accountCode: FailureCode; serviceCode: FailureCode };

/** Places of an account and of the whole service, and the refusals where they are taken. */
export const placeLimits = {
  changes: { perAccount: 1, inAll: 8, accountCode: "changes_busy", serviceCode: "changes_capacity" },
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

/**
 * Places of requests that take long and are no exports. They are kept in memory: one server runs on a file, and a process that ends
 * has none of them any more.
 */
export class AccountPlaces {
  readonly #held: Record<PlaceKind, Set<Place>> = { changes: new Set(), waiting: new Set() };

  /** Takes a place of the account, which its holder leaves by `untilMs`. */
  take(kind: PlaceKind, accountId: string, untilMs: number): Place | NoPlace {
    const { perAccount, inAll, accountCode, serviceCode } = placeLimits[kind];
    const held = this.#held[kind];
    const own = held.size === 0 ? [] : [...held].filter((place) => place.accountId === accountId);
    if (own.length >= perAccount) return { code: accountCode, freeAtMs: firstEnd(own) };
    if (held.size >= inAll) return { code: serviceCode, freeAtMs: firstEnd([...held]) };
    const place: Place = { accountId, untilMs, leave: () => void held.delete(place) };
    held.add(place);
    return place;
  }
}

function firstEnd(places: readonly Place[]): number {
  return Math.min(...places.map(({ untilMs }) => untilMs));
}
