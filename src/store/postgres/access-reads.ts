import pg, { type Client, type Pool } from "pg";
import { dayMs } from "../../values/time/calendar.ts";
import { connectionOptions, FailoverClient, msOf } from "./connection.ts";

/** Read connections of one node. Few are enough, because concurrent key lookups share one query. */
const readConnectionsMax = 4;

/** Columns of a key, its account and its month, in the order of `CredentialReads.byHash`. */
type CredentialRow = [
  keyId: string,
  accountId: string,
  kind: "project" | "personal",
  scopes: string,
  expiresAt: number,
  revokedAt: number | null,
  plan: "free" | "builder" | "trader" | "quant",
  planEndsAt: number | null,
  disabledAt: number | null,
  monthUsed: number | null,
];

/** `at` is the database's clock at the lookup, UTC ms. */
type Found = { row: CredentialRow; at: number };
type Waiting = { hash: Buffer; resolve(found: Found | undefined): void; reject(error: unknown): void };

const month = "to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM')";
const byHashes = `SELECT k.secret_hash, ${msOf("now()")}, k.key_id, k.account_id, k.kind, k.scopes, k.expires_at, k.revoked_at, a.plan, a.plan_ends_at,
    a.disabled_at, m.used
  FROM itemtape.api_keys k JOIN itemtape.accounts a USING (account_id)
  LEFT JOIN itemtape.usage_months m ON m.account_id = k.account_id AND m.month = ${month}
  WHERE k.secret_hash = ANY ($1::bytea[])`;
const usage = `SELECT ${month} AS month, ${msOf("now()")} AS at,
  (SELECT used FROM itemtape.usage_months WHERE account_id = $1 AND month = ${month}) AS used,
  (SELECT array_agg(admitted_at ORDER BY admitted_at DESC) FROM itemtape.snapshot_leases l
   LEFT JOIN itemtape.usage_events e ON e.request_id = l.lease_id
   WHERE l.account_id = $1 AND admitted_at > ${msOf("now()")} - ${dayMs} AND state <> 'released'
     AND NOT (state = 'reserved' AND coalesce(e.operation = 'streamHistoryDay', false))) AS starts`;

/** Opens the pool of a node's read connections. Broken connections are reopened on demand. */
export function openReads(url: string): Pool {
  const pool = new pg.Pool({ ...connectionOptions(url), Client: FailoverClient, max: readConnectionsMax });
  pool.on("error", () => {});
  return pool;
}

/**
 * Looks up keys by the hash of their secret, without a cache. All lookups of one turn of the event loop share one query. Not built by
 * Drizzle, because it runs for every request.
 */
export class PostgresCredentialReads {
  readonly #pool: Pool;
  #waiting: Waiting[] = [];

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Finds a key by `secretHash`, the 32 bytes of SHA-256. Resolves to undefined if no key has this hash. */
  byHash(secretHash: Buffer): Promise<Found | undefined> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ hash: secretHash, resolve, reject });
      if (this.#waiting.length === 1) setImmediate(() => void this.#ask());
    });
  }

  async #ask(): Promise<void> {
    const asked = this.#waiting;
    this.#waiting = [];
    try {
      const values = [asked.map(({ hash }) => hash)];
      const found = await this.#pool.query<[Buffer, number, ...CredentialRow]>({
        name: "keys",
        text: byHashes,
        values,
        rowMode: "array",
      });
      const rows = new Map(found.rows.map(([hash, at, ...row]) => [hash.toString("hex"), { row, at }]));
      for (const { hash, resolve } of asked) resolve(rows.get(hash.toString("hex")));
    } catch (error) {
      for (const { reject } of asked) reject(error);
    }
  }
}

/**
 * Charged units of an account in the current month of the database's clock. `starts` are the export starts that count, newest first, UTC
 * ms.
 */
type UsageRow = { month: string; at: number; used: number | null; starts: number[] | null };

/** Reads the current usage of an account. */
export async function readUsage(pool: Pool, accountId: string): Promise<UsageRow> {
  const { rows } = await pool.query<UsageRow>({ name: "usage", text: usage, values: [accountId] });
  return rows[0]!;
}

/** Reads the key that signs the cursors of all nodes. */
export async function readCursorKey(client: Client): Promise<Buffer> {
  const { rows } = await client.query<{ key: Buffer }>("SELECT cursor_key AS key FROM itemtape.node_secrets");
  return rows[0]!.key;
}
