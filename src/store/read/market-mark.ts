import type { Database } from "../database.ts";

/** Not built by Drizzle: one row of numbers from many tables. Each is found by an index or in a small table. */
const markSql = `
  SELECT json_array(
    (SELECT json_array(current_generation_id, catalog_version) FROM market_state),
    (SELECT json_group_array(json_array(checked_at, ingested_at, changed_at, item_count)) FROM feeds),
    (SELECT json_group_array(json_array(redistribution, terms_url, terms_read_on, attribution)) FROM providers),
    (SELECT max(hour) FROM frames),
    (SELECT count(*) FROM frames WHERE hour = (SELECT max(hour) FROM frames)),
    (SELECT count(*) + count(replaced_at) FROM frame_retractions),
    (SELECT max(day) FROM sealed_days),
    (SELECT json_group_array(day) FROM unsealed_days),
    (SELECT max(import_id) FROM daily_imports),
    (SELECT max(run_id) FROM roi_runs),
    (SELECT json_array(count(*), max(changed_at)) FROM openables),
    (SELECT max(calculated_at) FROM indexes))`;

/**
 * Returns a function that reads a text which changes with each publication, verification, recording, sealing, calculation or change of
 * terms. Exchange rates alone do not change it. It is cheap enough to read every second.
 */
export function marketFingerprint(database: Database): () => string {
  const statement = database.$client.prepare<[], string>(markSql).pluck();
  return () => statement.get() ?? "";
}
