import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import { snapshotLeases } from "../../../db/schema/access.ts";
import type { Database } from "../database.ts";
import { isStart } from "../read/credentials.ts";
import { objectRows, singleValues } from "../statement.ts";
import { RowChecksums } from "./row-checksums.ts";

type LiveLease = { accountId: string; slot: number; expiresAt: number };

/**
 * Reads and writes export leases in the ledger's transactions, on its own writing handle. Statements that run for every export are executed
 * directly.
 */
export class LeaseStore {
  readonly #checksums: RowChecksums;
  readonly #live;
  readonly #expire;
  readonly #expireBeyond;
  readonly #nthNewestStart;
  readonly #add;
  readonly #end;

  constructor(database: Database) {
    this.#checksums = new RowChecksums(database);
    // `reserved` is literal text, because a parameter would prevent use of the partial index.
    const reserved = sql`${snapshotLeases.state} = 'reserved'`;
    // The export of a day does not become a start when its process ends.
    const expired = sql<"expired">`CASE WHEN EXISTS (SELECT 1 FROM usage_events
      WHERE request_id = ${snapshotLeases.leaseId} AND operation = 'streamHistoryDay') THEN 'released' ELSE 'expired' END`;
    const live = database
      .select({
        accountId: sql`${snapshotLeases.accountId}`.as("accountId"),
        slot: snapshotLeases.slot,
        expiresAt: sql`${snapshotLeases.expiresAt}`.as("expiresAt"),
      })
      .from(snapshotLeases)
      .where(reserved)
      .orderBy(asc(snapshotLeases.slot));
    this.#live = objectRows<LiveLease, []>(database, live);
    this.#expire = database
      .update(snapshotLeases)
      .set({ state: expired, endedAt: sql`${snapshotLeases.expiresAt}` })
      .where(and(reserved, lte(snapshotLeases.expiresAt, sql.placeholder("at"))))
      .returning({ leaseId: snapshotLeases.leaseId })
      .prepare();
    this.#expireBeyond = database
      .update(snapshotLeases)
      .set({ state: expired, endedAt: sql`${snapshotLeases.expiresAt}` })
      .where(and(reserved, gt(snapshotLeases.expiresAt, sql.placeholder("at"))))
      .returning({ leaseId: snapshotLeases.leaseId })
      .prepare();
    const nthNewestStart = database
      .select({ admittedAt: snapshotLeases.admittedAt })
      .from(snapshotLeases)
      .where(
        and(
          eq(snapshotLeases.accountId, sql.placeholder("accountId")),
          gt(snapshotLeases.admittedAt, sql.placeholder("after")),
          lte(snapshotLeases.admittedAt, sql.placeholder("until")),
          isStart,
        ),
      )
      .orderBy(sql`${snapshotLeases.admittedAt} DESC`)
      .limit(1)
      .offset(sql.placeholder("offset"));
    this.#nthNewestStart = singleValues<number, [string, number, number, 1, number]>(database, nthNewestStart);
    const add = database
      .insert(snapshotLeases)
      .values({ leaseId: "", accountId: "", slot: 0, state: "reserved", admittedAt: 0, expiresAt: 0 });
    this.#add = database.$client.prepare<[string, string, number, "reserved", number, number]>(add.toSQL().sql);
    const end = database
      .update(snapshotLeases)
      .set({ state: sql`${sql.placeholder("state")}`, endedAt: sql`${sql.placeholder("at")}` })
      .where(
        and(
          eq(snapshotLeases.leaseId, sql.placeholder("leaseId")),
          reserved,
          gt(snapshotLeases.expiresAt, sql.placeholder("at")),
        ),
      );
    this.#end = database.$client.prepare<[string, number, string, number]>(end.toSQL().sql);
  }

  /** Returns the reserved leases, at most one per slot. */
  live(): LiveLease[] {
    return this.#live.all();
  }

  /** Ends the reserved leases that have expired by `at`. */
  expire(at: number): void {
    this.#record(this.#expire.all({ at }));
  }

  /** Returns the instant of the `nth` newest counted start in (`after`, `until`], UTC ms, or null if there are fewer. */
  nthNewestStart(accountId: string, after: number, until: number, nth: number): number | null {
    return this.#nthNewestStart.get(accountId, after, until, 1, nth - 1) ?? null;
  }

  /** Ends the reserved leases that would last beyond `at`. Returns their number. */
  expireBeyond(at: number): number {
    return this.#record(this.#expireBeyond.all({ at }));
  }

  add(leaseId: string, accountId: string, slot: number, admittedAt: number, expiresAt: number): void {
    this.#add.run(leaseId, accountId, slot, "reserved", admittedAt, expiresAt);
    this.#record([{ leaseId }]);
  }

  /** Ends a lease if it is still held. Returns whether it was. */
  end(leaseId: string, state: "finished" | "released", at: number): boolean {
    const isEnded = this.#end.run(state, at, leaseId, at).changes === 1;
    if (isEnded) this.#record([{ leaseId }]);
    return isEnded;
  }

  #record(changed: readonly { leaseId: string }[]): number {
    for (const { leaseId } of changed) this.#checksums.record("snapshot_leases", leaseId);
    return changed.length;
  }
}
