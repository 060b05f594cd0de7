import type { SharedPostgres } from "./postgres.ts";

/** Sets the clock of the database that it is run in. */
export const setStandingClock = "UPDATE standing.clock SET at = $1";

/** Found before PostgreSQL's own functions by every connection that is opened from now on. */
const standingClock = `CREATE SCHEMA standing;
  CREATE TABLE standing.clock (at numeric NOT NULL);
  INSERT INTO standing.clock VALUES (0);
  CREATE FUNCTION standing.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS 'SELECT to_timestamp(at / 1000.0) FROM standing.clock';
  CREATE FUNCTION standing.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT to_timestamp(at / 1000.0) FROM standing.clock';
  DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = standing, pg_catalog, public', current_database()); END $$;`;

/** Stops the clock of the database at `url` at `at` (UTC ms), for new connections. */
export async function standClock(server: SharedPostgres, url: string, at: number): Promise<void> {
  await server.query(url, standingClock);
  await server.query(url, setStandingClock, [at]);
}
