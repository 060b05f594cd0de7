import type { Database } from "../database.ts";

type Side = "asks" | "bids";

/**
 * Quote counts and levels of one provider and side in the accepted bodies of one hour (since 1970). `count` is the greatest number of
 * quotes. The levels of the first and last body are in millionths of a natural logarithm.
 */
export type LevelRow = {
  hour: number;
  provider: string;
  side: Side;
  count: number;
  firstLevel: number;
  lastLevel: number;
};

/** Quote count and level of one provider and side in an accepted body. */
type NewLevel = { provider: string; side: Side; count: number; level: number };

/** Guards do not use rows older than this number of hours. */
const keptHours = 8 * 24;

/** Reads and writes the levels of accepted bodies. Callers hold the transactions. */
export class QuoteLevels {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Returns the rows of some providers for the hours `from` to `to` (inclusive), in ascending hour. */
  between(from: number, to: number, providers: readonly string[]): LevelRow[] {
    return this.#statements.between.all({ from, to, providers: JSON.stringify(providers) });
  }

  /** Records an accepted body of existing providers in its hour. `restarted` lists sides with earlier hours that no longer count. */
  record(hour: number, levels: readonly NewLevel[], restarted: readonly Pick<NewLevel, "provider" | "side">[]): void {
    const { remove, forget, put } = this.#statements;
    remove.run(hour - keptHours);
    for (const { provider, side } of restarted) forget.run({ hour, provider, side });
    for (const { provider, side, count, level } of levels) put.run({ hour, provider, side, count, level });
  }

  /** Removes the levels of a feed in one hour, except the last level of each side. The next body is compared with that one. */
  retract(feed: string, hour: number): void {
    this.#statements.retract.run({ feed, hour });
  }
}

/** Not built by Drizzle: an upsert by the slug of a provider. */
function prepare({ $client: client }: Database) {
  return {
    between: client.prepare<[{ from: number; to: number; providers: string }], LevelRow>(
      `SELECT hour, provider, side, count, first_level AS firstLevel, last_level AS lastLevel
       FROM quote_levels CROSS JOIN frame_providers ON number = provider_id
       WHERE hour BETWEEN (SELECT @from) AND (SELECT @to) AND provider IN (SELECT value FROM json_each(@providers))
       ORDER BY hour`,
    ),
    remove: client.prepare<[number]>("DELETE FROM quote_levels WHERE hour < (SELECT ?)"),
    forget: client.prepare<[{ hour: number } & Pick<NewLevel, "provider" | "side">]>(
      `DELETE FROM quote_levels WHERE hour <= (SELECT @hour) AND side = @side
       AND provider_id = (SELECT number FROM frame_providers WHERE provider = @provider)`,
    ),
    retract: client.prepare<[{ feed: string; hour: number }]>(
      `DELETE FROM quote_levels AS gone WHERE hour = @hour
       AND provider_id IN (SELECT number FROM providers CROSS JOIN frame_providers USING (provider) WHERE feed = @feed)
       AND EXISTS (SELECT 1 FROM quote_levels AS later
         WHERE later.hour > gone.hour AND later.provider_id = gone.provider_id AND later.side = gone.side)`,
    ),
    put: client.prepare<[{ hour: number } & NewLevel]>(
      `INSERT INTO quote_levels (hour, provider_id, side, count, first_level, last_level)
       SELECT @hour, number, @side, @count, @level, @level FROM frame_providers WHERE provider = @provider
       ON CONFLICT DO UPDATE SET count = max(count, excluded.count), last_level = excluded.last_level`,
    ),
  };
}
