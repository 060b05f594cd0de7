import type { Client } from "pg";

type Kind = "changes" | "waiting";
/** A held permit. `expiresAt` is in UTC ms. */
type Permit = { requestId: string; kind: Kind; accountId: string; expiresAt: number };
/** A row of `request_places`. */
export type LoadedPermit = readonly [requestId: string, kind: Kind, accountId: string, expiresAt: number];

/**
 * SQL to read the permits of a batch: permits of its accounts ($2) and released permits ($4). If it acquires a stream of changes,
 * all streams are included. `$7` has the kinds of acquired permits, or null if the batch concerns none.
 */
export const loadPermits = `CASE WHEN $7::text[] IS NOT NULL THEN
      (SELECT json_agg(json_build_array(request_id, kind, account_id, expires_at)) FROM itemtape.request_places
       WHERE account_id = ANY ($2::text[]) OR request_id = ANY ($4::text[]) OR (kind = 'changes' AND 'changes' = ANY ($7::text[]))) END`;
const endPermits = "DELETE FROM itemtape.request_places WHERE request_id = ANY ($1::text[])";
const addPermits = `INSERT INTO itemtape.request_places (request_id, kind, account_id, taken_at, expires_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])`;

/**
 * Permits of long requests, read and written with one batch. Unreleased permits expire, and the next batch that reads them removes them.
 * Not built by Drizzle, because the read is part of a single statement for the whole batch.
 */
export class PostgresPermits {
  readonly #at: number;
  #held: Permit[] = [];
  readonly #added: Permit[] = [];
  readonly #ended: string[] = [];

  /** `at` is the instant of the batch, UTC ms. */
  constructor(rows: readonly LoadedPermit[], at: number) {
    this.#at = at;
    for (const [requestId, kind, accountId, expiresAt] of rows)
      if (expiresAt > at) this.#held.push({ requestId, kind, accountId, expiresAt });
      else this.#ended.push(requestId);
  }

  held(kind: Kind): readonly Permit[] {
    return this.#held.filter((permit) => permit.kind === kind);
  }

  hold(requestId: string, kind: Kind, accountId: string, expiresAt: number): void {
    const permit = { requestId, kind, accountId, expiresAt };
    this.#held.push(permit);
    this.#added.push(permit);
  }

  /** Releases a permit. Returns whether it was still held. */
  leave(requestId: string): boolean {
    if (!this.#held.some((permit) => permit.requestId === requestId)) return false;
    this.#held = this.#held.filter((permit) => permit.requestId !== requestId);
    this.#ended.push(requestId);
    return true;
  }

  /** Sends the changes, releases first. */
  write(client: Client): Promise<unknown>[] {
    const sent: Promise<unknown>[] = [];
    if (this.#ended.length > 0) sent.push(client.query(endPermits, [this.#ended.toSorted()]));
    const added = this.#added.filter(({ requestId }) => !this.#ended.includes(requestId));
    if (added.length === 0) return sent;
    const values = [
      added.map(({ requestId }) => requestId),
      added.map(({ kind }) => kind),
      added.map(({ accountId }) => accountId),
      added.map(() => this.#at),
      added.map(({ expiresAt }) => expiresAt),
    ];
    return [...sent, client.query(addPermits, values)];
  }
}
