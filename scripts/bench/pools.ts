import { openWriter } from "../../src/store/database.ts";
import { dayOf } from "../../src/values/calendar.ts";
import { systemClock } from "../../src/values/clock.ts";
import { addDailyAsks, flush } from "./history/market.ts";

const outcomesPerContainer = 100;
/** 400 containers in the 30,000 items that everything else is measured with. */
const itemsPerContainer = 75;
/** Every so many items have daily prices instead of quotes, which is what an upper bound is made of. */
const unquotedEvery = 20;
const daysOfHistory = 30;
const busyMs = 5000;

/** Adds containers with published pools to the file of a data set, and makes one of its providers the main platform. */
export function addPools(path: string, items: number): { containers: number; outcomes: number } {
  const containers = Math.max(1, Math.floor(items / itemsPerContainer));
  const outcomes = Math.min(outcomesPerContainer, items);
  const database = openWriter(path, busyMs);
  const { $client: client } = database;
  client.pragma("synchronous = OFF");
  client.pragma("foreign_keys = OFF");
  // Tiers with the standard weights of a case; the outcomes of one are of unequal chances, as wear makes them.
  client.exec(`
    UPDATE providers SET kind = 'main_platform' WHERE provider = 'bench-a';
    CREATE TEMP TABLE outcome AS
      WITH RECURSIVE place(position) AS (SELECT 0 UNION ALL SELECT position + 1 FROM place WHERE position + 1 < ${outcomes}),
        tier(number, tier, weight) AS (VALUES (0, 'mil_spec', 625), (1, 'restricted', 125), (2, 'classified', 25),
          (3, 'covert', 5), (4, 'rare_special', 2))
      SELECT position, tier, weight * (10000 + position * 7919 % 9973) AS numerator
      FROM place JOIN tier ON number = position * 5 / ${outcomes};
    CREATE TEMP TABLE container AS
      WITH RECURSIVE each(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM each WHERE number + 1 < ${containers})
      SELECT number, printf('bench-case-%03d', number) AS slug, printf('pr_%024x', number) AS revision FROM each;
    INSERT INTO openables SELECT slug, number + 1, 'active', 'case', NULL, NULL, 1, 249, revision, 1, 1 FROM container;
    INSERT INTO pool_revisions
      SELECT revision, slug, 1, '{}', '{}', 'community', 'wear-1',
        (SELECT json_group_array(json_object('tier', tier, 'weight', 1, 'itemCount', items))
         FROM (SELECT tier, count(*) AS items FROM outcome GROUP BY tier)),
        (SELECT sum(numerator) FROM outcome), ${outcomes}, 1 FROM container;
    INSERT INTO pool_outcomes
      SELECT revision, position, 1 + (number * ${itemsPerContainer} + position) % ${items}, tier, numerator
      FROM container JOIN outcome;
    DELETE FROM generation_quotes
      WHERE (quote_key & 0x7fffffff) > ${containers} AND ((quote_key & 0x7fffffff) - ${containers}) % ${unquotedEvery} = 1;`);
  const unquoted = { first: containers + 1, every: unquotedEvery, last: items };
  const window = { days: daysOfHistory, today: dayOf(systemClock.now()) };
  addDailyAsks(database, unquoted, ["bench-a", "bench-b"], window);
  flush(database);
  client.close();
  return { containers, outcomes: containers * outcomes };
}

/** Raises all costs by a cent, so that every calculation has new numbers. */
export function changeCosts(path: string): void {
  const { $client: client } = openWriter(path, busyMs);
  client.exec("UPDATE openables SET key_cost_cents = key_cost_cents + 1");
  client.close();
}
