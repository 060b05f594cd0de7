import type { Client } from "pg";
import { dayMs, minuteMs, secondMs } from "../../values/time/calendar.ts";
import { msOf } from "./connection.ts";
import { type LoadedPermit, loadPermits, PostgresPermits } from "./permits.ts";

/** A request of a batch, with the fields that select its rows. */
type Asked = {
  kind: string;
  ofPermit?: true;
  keyId?: string;
  accountId?: string;
  leaseId?: string;
  session?: string | null;
  permit?: { kind: string };
};

/** Columns of a key's state, in the order of `LedgerStore.keyStatus`. */
type KeyRow = [
  accountId: string,
  expiresAt: number,
  revokedAt: number | null,
  disabledAt: number | null,
  plan: "free" | "builder" | "trader" | "quant",
  planEndsAt: number | null,
  monthUsed: number | null,
  usedDay: number | null,
];

type Lease = {
  leaseId: string;
  accountId: string;
  slot: number;
  state: "reserved" | "finished" | "released" | "expired";
  admittedAt: number;
  expiresAt: number;
  endedAt: number | null;
  /** True for the export of one day, which does not count as a start. */
  isOfDay: boolean;
};

type ChargedRequest = { requestId: string; accountId: string; keyId: string; operation: string };

type LoadedRow = {
  /** Null if the row of this process in `ledger_nodes` is missing. */
  epoch: string | null;
  at: number;
  month: string;
  keys: (readonly [keyId: string, secretHash: string, ...KeyRow])[] | null;
  /** Each entry begins with the hash of an open session (hex). */
  pages: (readonly [session: string, ...KeyRow])[] | null;
  minutes: (readonly [accountId: string, minute: number, used: number])[] | null;
  leases: Lease[] | null;
  places: LoadedPermit[] | null;
};

const dayExport = "streamHistoryDay";

/** Locks the accounts of the batch in a fixed order, so that two nodes never deadlock. */
const lockAccounts = `SELECT FROM itemtape.accounts WHERE account_id = ANY ($1::text[]) ORDER BY account_id FOR NO KEY UPDATE`;
export const lockSlots = "SELECT FROM itemtape.export_slots FOR UPDATE";
/** Looks up accounts row by row, because a plain join could be planned to read whole tables. */
const accountOf = (of: string) =>
  `LATERAL (SELECT * FROM itemtape.accounts WHERE account_id = ${of}.account_id OFFSET 0) a ON true`;
const usedBy = (accountId: string, keyId: string) =>
  `(SELECT used FROM itemtape.usage_months m WHERE m.account_id = ${accountId} AND m.month = t.month),
      (SELECT day FROM itemtape.key_uses u WHERE u.key_id = ${keyId})`;
/**
 * Reads after the locks, so that earlier commits are visible. All instants use the database's clock. Also locks the row of this process, so
 * that a query for the outcome waits for a commit in transit.
 */
const load = `WITH node AS MATERIALIZED (SELECT epoch FROM itemtape.ledger_nodes WHERE epoch = $6 FOR NO KEY UPDATE),
  t AS MATERIALIZED (
    SELECT ${msOf("now")} AS at, to_char(now AT TIME ZONE 'UTC', 'YYYY-MM') AS month
    FROM (SELECT clock_timestamp() AS now) c)
  SELECT t.at, t.month, (SELECT epoch FROM node) AS epoch,
    (SELECT json_agg(json_build_array(k.key_id, encode(k.secret_hash, 'hex'), k.account_id, k.expires_at, k.revoked_at, a.disabled_at, a.plan, a.plan_ends_at, ${usedBy("k.account_id", "k.key_id")}))
     FROM itemtape.api_keys k JOIN ${accountOf("k")}
     WHERE k.key_id = ANY ($1::text[])) AS keys,
    (SELECT json_agg(json_build_array(encode(s.session_hash, 'hex'), s.account_id, s.expires_at, s.ended_at, a.disabled_at, a.plan, a.plan_ends_at, ${usedBy("s.account_id", "'pages_' || s.account_id")}))
     FROM itemtape.owner_sessions s JOIN ${accountOf("s")}
     WHERE s.session_hash = ANY ($5::bytea[]) AND s.ended_at IS NULL) AS pages,
    (SELECT json_agg(json_build_array(account_id, minute, used)) FROM itemtape.minute_uses WHERE account_id = ANY ($2::text[])) AS minutes,
    CASE WHEN $3 THEN (SELECT json_agg(json_build_object('leaseId', lease_id, 'accountId', l.account_id, 'slot', slot, 'state', state,
        'admittedAt', admitted_at, 'expiresAt', expires_at, 'endedAt', ended_at,
        'isOfDay', coalesce((SELECT operation = '${dayExport}' FROM itemtape.usage_events e WHERE e.request_id = l.lease_id), false)))
      FROM itemtape.snapshot_leases l
      WHERE state = 'reserved' OR lease_id = ANY ($4::text[])
        OR (l.account_id = ANY ($2::text[]) AND admitted_at > t.at - ${dayMs})) END AS leases,
    ${loadPermits} AS places
  FROM t`;
/**
 * Writes the charges of a batch in one statement, with the commit sent right behind it. It fails by a division by zero if a month's count
 * is not the locked one. A missing row of this process has the same effect.
 */
const write = `WITH
  events AS (INSERT INTO itemtape.usage_events (request_id, account_id, key_id, operation, month, at)
    SELECT *, $5, $6 FROM unnest($1::text[], $2::text[], $3::text[], $4::text[])),
  uses AS (INSERT INTO itemtape.key_uses (key_id, day) SELECT * FROM unnest($9::text[], $10::int[])
    ON CONFLICT (key_id) DO UPDATE SET day = excluded.day),
  minutes AS (INSERT INTO itemtape.minute_uses (account_id, minute, used) SELECT * FROM unnest($11::text[], $12::bigint[], $13::int[])
    ON CONFLICT (account_id) DO UPDATE SET minute = excluded.minute, used = excluded.used),
  node AS (UPDATE itemtape.ledger_nodes SET batch = $15 WHERE epoch = $14 RETURNING batch),
  months AS (INSERT INTO itemtape.usage_months (account_id, month, used) SELECT a, $5, n FROM unnest($7::text[], $8::bigint[]) AS m(a, n)
    ON CONFLICT (account_id, month) DO UPDATE SET used = usage_months.used + excluded.used RETURNING account_id, used)
  SELECT 1 / ((SELECT count(*) FROM node) = 1 AND cardinality($7) =
    (SELECT count(*) FROM months JOIN unnest($7::text[], $16::bigint[]) AS m(account_id, used) USING (account_id, used)))::int`;
const divisionByZero = "22012";
const oddCount = "another process changed a month of a locked account, or this node's row in ledger_nodes is missing";
const endLeases = `UPDATE itemtape.snapshot_leases l SET state = c.state, ended_at = c.ended_at
  FROM unnest($1::text[], $2::text[], $3::bigint[]) AS c(lease_id, state, ended_at) WHERE l.lease_id = c.lease_id AND l.state = 'reserved'`;
const addLeases = `INSERT INTO itemtape.snapshot_leases (lease_id, account_id, slot, admitted_at, expires_at, state, ended_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::int[], $4::bigint[], $5::bigint[], $6::text[], $7::bigint[])`;

/**
 * The rows of one batch in PostgreSQL. They are locked and read together, changed in memory and written together. No other transaction
 * changes them meanwhile. Not built by Drizzle: one statement reads all of a batch, one writes it.
 */
export class PostgresBatch {
  /** The database's clock after the locks, UTC ms. */
  readonly at: number;
  readonly places: PostgresPermits;
  readonly #month: string;
  readonly #keys: ReadonlyMap<string, KeyRow>;
  readonly #secrets: ReadonlyMap<string, string>;
  readonly #pages: ReadonlyMap<string, KeyRow>;
  readonly #minutes: Map<string, { minute: number; used: number; changed: boolean }>;
  readonly #leases: Lease[];
  readonly #before: ReadonlyMap<string, Lease["state"]>;
  readonly #events: ChargedRequest[] = [];
  readonly #used = new Map<string, { before: number; after: number }>();
  readonly #uses = new Map<string, number>();

  /**
   * Begins the transaction of a batch: locks, then reads. The statements are sent together.
   * @throws {ProcessRowMissing} when the row of this process in `ledger_nodes` is missing.
   */
  static async begin(client: Client, epoch: string, batch: readonly Asked[]): Promise<PostgresBatch> {
    const of = (name: "keyId" | "accountId" | "leaseId") => [...new Set(batch.flatMap((one) => one[name] ?? []))];
    const accountIds = of("accountId").sort();
    const needsSlots = batch.some(({ kind, ofPermit }) => kind !== "charge" && ofPermit !== true);
    const permitKinds = batch.flatMap(({ ofPermit, permit }) => (ofPermit === true ? [""] : (permit?.kind ?? [])));
    const needsAll = needsSlots || permitKinds.includes("changes");
    const sessions = batch.flatMap(({ session }) => (session == null ? [] : [Buffer.from(session, "hex")]));
    const values = [
      of("keyId"),
      accountIds,
      needsSlots,
      of("leaseId"),
      sessions,
      epoch,
      permitKinds.length === 0 ? null : permitKinds,
    ];
    const send = inOnePacket(client);
    // Each read must see commits before the locks, for every default isolation level.
    const sent: Promise<unknown>[] = [client.query("BEGIN ISOLATION LEVEL READ COMMITTED")];
    if (accountIds.length > 0) sent.push(client.query({ name: "lock", text: lockAccounts, values: [accountIds] }));
    if (needsAll) sent.push(client.query(lockSlots));
    const loading = client.query<LoadedRow>({ name: "load", text: load, values });
    send();
    await allAnswered([...sent, loading]);
    const row = (await loading).rows[0]!;
    if (row.epoch === null) throw new ProcessRowMissing("the row of this node's start is gone");
    return new PostgresBatch(row);
  }

  private constructor({ at, month, keys, pages, minutes, leases, places }: LoadedRow) {
    this.at = at;
    this.places = new PostgresPermits(places ?? [], at);
    this.#month = month;
    this.#keys = new Map((keys ?? []).map(([keyId, _hash, ...row]) => [keyId, row]));
    this.#secrets = new Map((keys ?? []).map(([keyId, secretHash]) => [keyId, secretHash]));
    this.#pages = new Map((pages ?? []).map(([session, ...row]) => [session, row]));
    this.#minutes = new Map((minutes ?? []).map(([id, minute, used]) => [id, { minute, used, changed: false }]));
    this.#leases = leases ?? [];
    this.#before = new Map(this.#leases.map(({ leaseId, state }) => [leaseId, state]));
  }

  clock(): { at: number; unitsChecksum: number } {
    return { at: this.at, unitsChecksum: 0 };
  }

  /** Does nothing: the clock and the checksums are PostgreSQL's own. */
  setClock(): void {}

  keyStatus(keyId: string): KeyRow | undefined {
    return this.#keys.get(keyId);
  }

  /** Returns whether the key still has this secret. Rotation keeps the id of a key. */
  hasSecret(keyId: string, secretHash: string): boolean {
    return this.#secrets.get(keyId) === secretHash;
  }

  /**
   * Returns the account of a page request with an open session. Undefined without one. Demo visits without a session exist only in the file
   * store.
   */
  pagesStatus({ accountId }: { accountId: string }, session: string | null): KeyRow | undefined {
    const row = session === null ? undefined : this.#pages.get(session);
    return row?.[0] === accountId ? row : undefined;
  }

  setMonthUsed(accountId: string, _month: string, used: number): void {
    const before = [...this.#keys.values(), ...this.#pages.values()].find(([id]) => id === accountId)?.[6] ?? 0;
    this.#used.set(accountId, { before, after: used });
  }

  setKeyUsed(keyId: string, day: number): void {
    this.#uses.set(keyId, day);
  }

  addEvent({ requestId, accountId, keyId, operation }: ChargedRequest): number {
    this.#events.push({ requestId, accountId, keyId, operation });
    const lease = this.#leases.find(({ leaseId }) => leaseId === requestId);
    if (lease !== undefined) lease.isOfDay = operation === dayExport;
    return 0;
  }

  /** Counts a request in the account's minute unless `limit` is reached. */
  take(accountId: string, limit: number, at: number): { admitted: boolean; remaining: number; retryAfterS: number } {
    const minute = Math.floor(at / minuteMs);
    const known = this.#minutes.get(accountId);
    // If a failover has set the clock back, counting continues in the last counted minute.
    const counted = known !== undefined && known.minute >= minute ? known : { minute, used: 0, changed: false };
    this.#minutes.set(accountId, counted);
    const admitted = counted.used < limit;
    if (admitted) {
      counted.used += 1;
      counted.changed = true;
    }
    const retryAfterS = Math.max(1, Math.ceil(((counted.minute + 1) * minuteMs - at) / secondMs));
    return { admitted, remaining: Math.max(0, limit - counted.used), retryAfterS };
  }

  live(): Lease[] {
    return this.#leases.filter(({ state }) => state === "reserved").sort((a, b) => a.slot - b.slot);
  }

  expire(at: number): void {
    for (const lease of this.live()) {
      if (lease.expiresAt > at) continue;
      lease.state = lease.isOfDay ? "released" : "expired";
      lease.endedAt = lease.expiresAt;
    }
  }

  nthNewestStart(accountId: string, after: number, until: number, nth: number): number | null {
    const starts = this.#leases.filter(
      ({ accountId: owner, admittedAt, state, isOfDay }) =>
        owner === accountId &&
        admittedAt > after &&
        admittedAt <= until &&
        state !== "released" &&
        !(state === "reserved" && isOfDay),
    );
    return starts.map(({ admittedAt }) => admittedAt).sort((a, b) => b - a)[nth - 1] ?? null;
  }

  add(leaseId: string, accountId: string, slot: number, admittedAt: number, expiresAt: number): void {
    const times = { admittedAt, expiresAt, endedAt: null };
    this.#leases.push({ leaseId, accountId, slot, state: "reserved", ...times, isOfDay: false });
  }

  end(leaseId: string, state: "finished" | "released", at: number): boolean {
    const lease = this.#leases.find((one) => one.leaseId === leaseId);
    if (lease === undefined || lease.state !== "reserved" || lease.expiresAt <= at) return false;
    lease.state = state;
    // A failover may have set the clock back.
    lease.endedAt = Math.max(at, lease.admittedAt);
    return true;
  }

  /**
   * Writes the batch and commits it as number `batch` of the process `epoch`. The statements are sent together. After any other error the
   * commit is uncertain.
   * @throws {CommitRefused} when the batch was not committed.
   */
  async commit(client: Client, epoch: string, batch: number): Promise<void> {
    const send = inOnePacket(client);
    const written = allAnswered([
      ...this.#writeLeases(client),
      ...this.places.write(client),
      this.#write(client, epoch, batch),
    ]);
    const failed = written.then(
      () => null,
      (error: unknown) => error,
    );
    const committing = client.query("COMMIT");
    send();
    const { command } = await committing;
    const cause = await failed;
    if (command !== "COMMIT") {
      const isOdd = (cause as { code?: unknown } | null)?.code === divisionByZero;
      throw new CommitRefused(isOdd ? oddCount : `the commit ended with ${command}`, { cause: isOdd ? null : cause });
    }
    if (cause !== null) throw cause;
  }

  #write(client: Client, epoch: string, batch: number): Promise<unknown> {
    const of = (name: keyof ChargedRequest) => this.#events.map((event) => event[name]);
    const months = [...this.#used];
    const minutes = [...this.#minutes].filter(([, { changed }]) => changed);
    const values = [
      of("requestId"),
      of("accountId"),
      of("keyId"),
      of("operation"),
      this.#month,
      this.at,
      months.map(([accountId]) => accountId),
      months.map(([, { before, after }]) => after - before),
      [...this.#uses.keys()],
      [...this.#uses.values()],
      minutes.map(([accountId]) => accountId),
      minutes.map(([, { minute }]) => minute),
      minutes.map(([, { used }]) => used),
      epoch,
      batch,
      months.map(([, { after }]) => after),
    ];
    return client.query({ name: "write", text: write, values });
  }

  #writeLeases(client: Client): Promise<unknown>[] {
    const sent: Promise<unknown>[] = [];
    const ended = this.#leases.filter(({ leaseId, state }) => (this.#before.get(leaseId) ?? state) !== state);
    if (ended.length > 0)
      sent.push(
        client.query(endLeases, [
          ended.map(({ leaseId }) => leaseId),
          ended.map(({ state }) => state),
          ended.map(({ endedAt }) => endedAt),
        ]),
      );
    const added = this.#leases.filter(({ leaseId }) => !this.#before.has(leaseId));
    if (added.length > 0)
      sent.push(
        client.query(addLeases, [
          added.map(({ leaseId }) => leaseId),
          added.map(({ accountId }) => accountId),
          added.map(({ slot }) => slot),
          added.map(({ admittedAt }) => admittedAt),
          added.map(({ expiresAt }) => expiresAt),
          added.map(({ state }) => state),
          added.map(({ endedAt }) => endedAt),
        ]),
      );
    return sent;
  }
}

/** Delays output on a connection until the returned function is called. A single packet wakes the server only once. */
function inOnePacket({ connection }: Client): () => void {
  connection?.stream.cork();
  return () => connection?.stream.uncork();
}

/**
 * Waits for statements that were sent together on one connection.
 * @throws {Error} the first failure, which causes the later ones.
 */
async function allAnswered(sent: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(sent)).find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}

/** Thrown when the row of this process in `ledger_nodes` was removed. */
export class ProcessRowMissing extends Error {}

/** Thrown when the server responded to a commit without committing. */
export class CommitRefused extends Error {}

/** Rolls back the transaction of an uncommitted batch. */
export async function undoBatch(client: Client): Promise<void> {
  await client.query("ROLLBACK");
}

/**
 * Plans each named statement once per connection, because planning `load` costs more than running it. Plans avoid scans of whole tables,
 * which may grow. `lockSlots` can only scan, and its resulting cost estimate would trigger JIT compilation each time.
 */
export async function keepPlans(client: Client): Promise<void> {
  await client.query("SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET jit = off");
}

/** Registers a process of a node, so that the outcome of its batches can be queried. */
export async function registerEpoch(client: Client, epoch: string, node: string): Promise<void> {
  const text = `INSERT INTO itemtape.ledger_nodes (epoch, node, started_at, batch)
    VALUES ($1, $2, ${msOf("clock_timestamp()")}, 0) ON CONFLICT (epoch) DO NOTHING`;
  await client.query(text, [epoch, node]);
}

/** Returns whether the batch was committed. Waits for a transaction in progress, which locks the same row before its first write. */
export async function isCommitted(client: Client, epoch: string, batch: number): Promise<boolean> {
  const text = "SELECT batch FROM itemtape.ledger_nodes WHERE epoch = $1 FOR UPDATE";
  const { rows } = await client.query<{ batch: number }>(text, [epoch]);
  return (rows[0]?.batch ?? -1) >= batch;
}
