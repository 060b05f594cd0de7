import { dayMs } from "../../../../src/values/time/calendar.ts";
import type { LeaseRow } from "../../checker.ts";
import { monthOf } from "../../model-types.ts";

export type Account = { plan: string; planEndsAt: number | null; disabledAt: number | null };
export type Key = {
  accountId: string;
  secretHash: Buffer;
  kind: string;
  scopes: string;
  expiresAt: number;
  revokedAt: number | null;
};
export type Place = { requestId: string; kind: string; accountId: string; expiresAt: number };
export type Event = { accountId: string; keyId: string; operation: string; month: string; at: number };

/** What was committed. Rows are replaced, and never changed, so that whoever has read one keeps what they have read. */
export class Tables {
  accounts: ReadonlyMap<string, Account> = new Map();
  keys: ReadonlyMap<string, Key> = new Map();
  readonly months = new Map<string, number>();
  readonly events = new Map<string, Event>();
  readonly keyUses = new Map<string, number>();
  readonly minutes = new Map<string, { minute: number; used: number }>();
  readonly leases = new Map<string, LeaseRow>();
  readonly live = new Map<string, LeaseRow>();
  readonly places = new Map<string, Place>();
  readonly nodes = new Map<string, number>();
  readonly #leasesOf = new Map<string, LeaseRow[]>();

  used(accountId: string, month: string): number | null {
    return this.months.get(`${accountId} ${month}`) ?? null;
  }

  putLease(lease: LeaseRow): void {
    const of = this.#leasesOf.get(lease.accountId) ?? [];
    this.#leasesOf.set(lease.accountId, [...of.filter(({ leaseId }) => leaseId !== lease.leaseId), lease]);
    this.leases.set(lease.leaseId, lease);
    if (lease.state === "reserved") this.live.set(lease.leaseId, lease);
    else this.live.delete(lease.leaseId);
  }

  leasesOf(accountId: string): readonly LeaseRow[] {
    return this.#leasesOf.get(accountId) ?? [];
  }

  isOfDay(leaseId: string): boolean {
    return this.events.get(leaseId)?.operation === "streamHistoryDay";
  }
}

type Row = Record<string, unknown>;

/** The row that a batch decides on. */
export function loaded(tables: Tables, values: readonly unknown[], at: number): Row {
  const [keyIds, accountIds, needsSlots, leaseIds] = values as [string[], string[], boolean, string[]];
  const epoch = values[5] as string;
  const month = monthOf(at);
  const keys = keyIds.flatMap((keyId) => {
    const key = tables.keys.get(keyId);
    const account = key && tables.accounts.get(key.accountId);
    if (key === undefined || account === undefined) return [];
    const { accountId, expiresAt, revokedAt } = key;
    const { disabledAt, plan, planEndsAt } = account;
    const counted = [tables.used(accountId, month), tables.keyUses.get(keyId) ?? null];
    return [
      [
        keyId,
        key.secretHash.toString("hex"),
        accountId,
        expiresAt,
        revokedAt,
        disabledAt,
        plan,
        planEndsAt,
        ...counted,
      ],
    ];
  });
  const minutes = accountIds.flatMap((id) => {
    const known = tables.minutes.get(id);
    return known === undefined ? [] : [[id, known.minute, known.used]];
  });
  const leases = new Set<LeaseRow>(tables.live.values());
  for (const id of leaseIds) if (tables.leases.has(id)) leases.add(tables.leases.get(id)!);
  for (const id of accountIds)
    for (const lease of tables.leasesOf(id)) if (lease.admittedAt > at - dayMs) leases.add(lease);
  const rows = [...leases].map((lease) => ({ ...lease, isOfDay: tables.isOfDay(lease.leaseId) }));
  const kinds = values[6] as string[] | null;
  const places = [...tables.places.values()].filter(
    ({ requestId, kind, accountId }) =>
      accountIds.includes(accountId) ||
      leaseIds.includes(requestId) ||
      (kind === "changes" && kinds?.includes("changes")),
  );
  return {
    epoch: tables.nodes.has(epoch) ? epoch : null,
    at,
    month,
    keys: orNull(keys),
    pages: null,
    minutes: orNull(minutes),
    leases: needsSlots ? orNull(rows) : null,
    places:
      kinds === null
        ? null
        : orNull(places.map(({ requestId, kind, accountId, expiresAt }) => [requestId, kind, accountId, expiresAt])),
  };
}

/** The rows of a look at keys. */
export function keysOf(tables: Tables, hashes: readonly Buffer[], at: number): unknown[][] {
  const month = monthOf(at);
  return [...tables.keys].flatMap(([keyId, key]) => {
    const account = tables.accounts.get(key.accountId);
    if (account === undefined || !hashes.some((hash) => hash.equals(key.secretHash))) return [];
    const { accountId, kind, scopes, expiresAt, revokedAt, secretHash } = key;
    const { plan, planEndsAt, disabledAt } = account;
    const used = tables.used(accountId, month);
    return [[secretHash, at, keyId, accountId, kind, scopes, expiresAt, revokedAt, plan, planEndsAt, disabledAt, used]];
  });
}

/** The row of a look at an account's usage. */
export function usageOf(tables: Tables, accountId: string, at: number): Row {
  const month = monthOf(at);
  const starts = tables
    .leasesOf(accountId)
    .filter(({ admittedAt, state }) => admittedAt > at - dayMs && state !== "released")
    .filter(({ leaseId, state }) => !(state === "reserved" && tables.isOfDay(leaseId)))
    .map(({ admittedAt }) => admittedAt)
    .sort((one, other) => other - one);
  return { month, at, used: tables.used(accountId, month), starts: orNull(starts) };
}

/** As an aggregate of no rows is. */
function orNull<T>(rows: T[]): T[] | null {
  return rows.length === 0 ? null : rows;
}
