import type { Database } from "../database.ts";

type Side = "asks" | "bids";

/**
 * What the accepted bodies of one hour (since 1970) had of one provider and side: the most quotes, and the levels of the first and the last
 * body in millionths of a natural logarithm.
 */
export type LevelRow = {
  hour: number;
  provider: string;
  side: Side;
  count: number;
  firstLevel: number;
  lastLevel: number;
};

/** What an accepted body has of one provider and side. */
type NewLevel = { provider: string; side: Side; count: number; level: number };

/** Rows of more hours before are of no use to any guard. */
const keptHours = 8 * 24;

/** Reads and writes the levels of accepted bodies. Callers hold the transactions. */
export class QuoteLevels {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /** Returns the rows of some providers and the hours `from` to `to`, both inclusive, in ascending hour. */
  between(from: number, to: number, providers: readonly string[]): LevelRow[] {
    return this.#statements.between.all({ from, to, providers: JSON.stringify(providers) });
  }

  /** Records an accepted body of known providers in its hour. `restarted`: sides of which the hours before do not count any more. */
  record(hour: number, levels: readonly NewLevel[], restarted: readonly Pick<NewLevel, "provider" | "side">[]): void {
    const { remove, forget, put } = this.#statements;
    remove.run(hour - keptHours);
    for (const { provider, side } of restarted) forget.run({ hour, provider, side });
    for (const { provider, side, count, level } of levels) put.run({ hour, provider, side, count, level });
  }

  /** Removes what an hour had of a feed, except the last of its levels: the next body is measured from there. */
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
