import type { Client } from "pg";

type Kind = "changes" | "waiting";
/** A place that is held. `expiresAt`: UTC ms. */
type Place = { requestId: string; kind: Kind; accountId: string; expiresAt: number };
/** A row as it is read. */
export type LoadedPlace = readonly [requestId: string, kind: Kind, accountId: string, expiresAt: number];

/**
 * Part of the statement that reads a batch: places of its accounts ($2) and those that it leaves ($4); all streams of changes where one is
 * taken. `$7`: kinds of the places that it takes, null where it neither takes nor leaves any.
 */
export const loadPlaces = `CASE WHEN $7::text[] IS NOT NULL THEN
      (SELECT json_agg(json_build_array(request_id, kind, account_id, expires_at)) FROM itemtape.request_places
       WHERE account_id = ANY ($2::text[]) OR request_id = ANY ($4::text[]) OR (kind = 'changes' AND 'changes' = ANY ($7::text[]))) END`;
const endPlaces = "DELETE FROM itemtape.request_places WHERE request_id = ANY ($1::text[])";
const addPlaces = `INSERT INTO itemtape.request_places (request_id, kind, account_id, taken_at, expires_at)
  SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bigint[])`;

/**
 * Places of long requests, read for one batch and written with it. One that nobody left ends by itself, and is removed by who looks next.
 * Not built by Drizzle: what is read is part of the one statement that reads a batch.
 */
export class PostgresPlaces {
  readonly #at: number;
  #held: Place[] = [];
  readonly #added: Place[] = [];
  readonly #ended: string[] = [];

  /** `at`: the instant of the batch, UTC ms. */
  constructor(rows: readonly LoadedPlace[], at: number) {
    this.#at = at;
    for (const [requestId, kind, accountId, expiresAt] of rows)
      if (expiresAt > at) this.#held.push({ requestId, kind, accountId, expiresAt });
      else this.#ended.push(requestId);
  }

  held(kind: Kind): readonly Place[] {
    return this.#held.filter((place) => place.kind === kind);
  }

  hold(requestId: string, kind: Kind, accountId: string, expiresAt: number): void {
    const place = { requestId, kind, accountId, expiresAt };
    this.#held.push(place);
    this.#added.push(place);
  }

  /** Returns whether the place was still held. */
  leave(requestId: string): boolean {
    if (!this.#held.some((place) => place.requestId === requestId)) return false;
    this.#held = this.#held.filter((place) => place.requestId !== requestId);
    this.#ended.push(requestId);
    return true;
  }

  /** Sends what has changed, first what ended. */
  write(client: Client): Promise<unknown>[] {
    const sent: Promise<unknown>[] = [];
    if (this.#ended.length > 0) sent.push(client.query(endPlaces, [this.#ended.toSorted()]));
    const added = this.#added.filter(({ requestId }) => !this.#ended.includes(requestId));
    if (added.length === 0) return sent;
    const values = [
      added.map(({ requestId }) => requestId),
      added.map(({ kind }) => kind),
      added.map(({ accountId }) => accountId),
      added.map(() => this.#at),
      added.map(({ expiresAt }) => expiresAt),
    ];
    return [...sent, client.query(addPlaces, values)];
  }
}
