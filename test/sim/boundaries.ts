import type { Model } from "./model.ts";
import { firstOfNextMonth } from "./model-types.ts";
import { type BoundaryOf, dayMs } from "./operations.ts";
import type { People } from "./people.ts";

const minuteMs = 60_000;

export type Instant = { at: number; account: number; key: number };

/** The next instants of each kind at which something changes, with the account and key concerned. Null if none is ahead. */
export function instantAhead(of: BoundaryOf, nth: number, model: Model, people: People, now: number): Instant | null {
  const anybody = { account: nth, key: nth };
  if (of === "minute") return { at: (Math.floor(now / minuteMs) + 1) * minuteMs, ...anybody };
  if (of === "day") return { at: (Math.floor(now / dayMs) + 1) * dayMs, ...anybody };
  if (of === "month") return { at: firstOfNextMonth(now), ...anybody };
  const ahead: Instant[] = [];
  const { leases, keys } = model;
  if (of === "lease" || of === "start") {
    for (const lease of leases) {
      const account = people.accountIds.indexOf(lease.accountId);
      const at = of === "lease" ? lease.expiresAt : lease.admittedAt + dayMs;
      if (of === "start" || lease.state === "reserved") ahead.push({ at, account, key: nth % 2 });
    }
  } else if (of === "key") {
    for (const [keyId, key] of keys) {
      const place = people.placeOf(keyId);
      if (place !== null) ahead.push({ at: key.expiresAt, ...place });
    }
  } else {
    for (const [account, accountId] of people.accountIds.entries()) {
      const { planEndsAt } = model.account(accountId);
      if (planEndsAt !== null) ahead.push({ at: planEndsAt, account, key: nth % 2 });
    }
  }
  const reachable = ahead.filter(({ at }) => at > now + 1).sort((left, right) => left.at - right.at);
  return reachable[nth % Math.min(2, Math.max(1, reachable.length))] ?? null;
}
