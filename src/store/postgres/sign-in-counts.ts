import pg, { type Client, type QueryResult } from "pg";
import { msOf } from "./connection.ts";

/** Number of consecutive failures, and the instant of the last one, UTC ms. */
export type StoredSignInCount = { readonly failures: number; readonly lastAt: number };

/** A count before and after an attempt. `key` is the SHA-256 of the counted login or address (hex). Null if it has no row. */
export type SignInCountChange = {
  readonly key: string;
  readonly kind: string;
  readonly was: StoredSignInCount | null;
  readonly now: StoredSignInCount | null;
};

// Not built by Drizzle: one statement handles rows of several keys.

const read = `SELECT encode(key_hash, 'hex') AS key, failures, last_at AS "lastAt",
    ${msOf("clock_timestamp()")} AS at
  FROM (SELECT decode(k, 'hex') AS key_hash FROM unnest($1::text[]) k) asked LEFT JOIN itemtape.sign_in_counts USING (key_hash)`;

/**
 * READ COMMITTED, so that the comparison after the locks sees earlier commits, for every default isolation level. Commits do not wait for
 * the disk: a server crash may lose counts, like a restart of a single node.
 */
const begin = "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL synchronous_commit = off";
/** Also locks keys without a row. The lock key is the first 64 bits of a hash. */
const lock = "SELECT pg_advisory_xact_lock(('x' || left(k, 16))::bit(64)::bigint) FROM unnest(%::text[]) k";
const replace = `WITH
  sent AS (SELECT decode(key, 'hex') AS key_hash, * FROM json_to_recordset(%::json)
    s(key text, kind text, "wasFailures" int, "wasAt" bigint, failures int, "lastAt" bigint)),
  same AS (SELECT FROM (SELECT count(*) AS others FROM sent LEFT JOIN itemtape.sign_in_counts c USING (key_hash)
    WHERE (c.failures, c.last_at) IS DISTINCT FROM (sent."wasFailures", sent."wasAt")) compared WHERE others = 0),
  changed AS (SELECT sent.* FROM sent, same WHERE (failures, "lastAt") IS DISTINCT FROM ("wasFailures", "wasAt")),
  removed AS (DELETE FROM itemtape.sign_in_counts c USING changed
    WHERE c.key_hash = changed.key_hash AND changed.failures IS NULL),
  put AS (INSERT INTO itemtape.sign_in_counts (key_hash, kind, failures, last_at)
    SELECT key_hash, kind, failures, "lastAt" FROM changed WHERE failures IS NOT NULL
    ON CONFLICT (key_hash) DO UPDATE SET failures = excluded.failures, last_at = excluded.last_at)
  SELECT count(*) > 0 AS done FROM same`;
/** Skips rows that an attempt has locked; a later call removes them. */
const prune = `DELETE FROM itemtape.sign_in_counts WHERE key_hash IN (
  SELECT key_hash FROM itemtape.sign_in_counts WHERE key_hash IN (
    SELECT key_hash FROM itemtape.sign_in_counts WHERE kind = $1 ORDER BY last_at DESC OFFSET $2)
  FOR UPDATE SKIP LOCKED)`;

/** Reads the counts of `keys`. The count of a key without a row is null. `at` is the database's clock, UTC ms. */
export async function readSignIns(
  client: Client,
  keys: readonly string[],
): Promise<{ counts: Map<string, StoredSignInCount | null>; at: number }> {
  type Row = { key: string; failures: number | null; lastAt: number | null; at: number };
  const { rows } = await client.query<Row>(read, [keys]);
  const counts = rows.map(
    ({ key, failures, lastAt }) => [key, failures === null || lastAt === null ? null : { failures, lastAt }] as const,
  );
  return { counts: new Map(counts), at: rows[0]!.at };
}

/**
 * Changes all counts if each still has its previous value, otherwise none. The statements are one message, so that no lock waits for this
 * node. Returns whether the counts were changed.
 */
export async function replaceSignIns(client: Client, changes: readonly SignInCountChange[]): Promise<boolean> {
  const sent = changes.map(({ key, kind, was, now }) => ({
    key,
    kind,
    wasFailures: was?.failures ?? null,
    wasAt: was?.lastAt ?? null,
    failures: now?.failures ?? null,
    lastAt: now?.lastAt ?? null,
  }));
  // A fixed order, so that two nodes never deadlock.
  const keys = pg.escapeLiteral(
    `{${sent
      .map(({ key }) => key)
      .sort()
      .join()}}`,
  );
  const texts = [
    begin,
    lock.replace("%", keys),
    replace.replace("%", pg.escapeLiteral(JSON.stringify(sent))),
    "COMMIT",
  ];
  const answers = (await client.query(texts.join(";\n"))) as unknown as QueryResult<{ done: boolean }>[];
  return answers.some(({ rows }) => rows[0]?.done === true);
}

/** Removes the oldest counts of each kind beyond `rowsMax`. */
export async function pruneSignIns(client: Client, kinds: readonly string[], rowsMax: number): Promise<void> {
  for (const kind of kinds) await client.query(prune, [kind, rowsMax]);
}
