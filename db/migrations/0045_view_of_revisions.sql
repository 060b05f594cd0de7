DROP VIEW v_index_levels;
--> statement-breakpoint
CREATE VIEW v_index_levels AS
SELECT l.index_id, x.name AS index_name, date(l.day * 86400, 'unixepoch') AS date, CAST(l.value AS REAL) AS value,
  CASE WHEN length(l.capitalization_cents) < 19 THEN CAST(l.capitalization_cents AS INTEGER) END AS cents,
  iif(length(l.capitalization_cents) < 3, printf('0.%02d', l.capitalization_cents),
    substr(l.capitalization_cents, 1, length(l.capitalization_cents) - 2) || '.' || substr(l.capitalization_cents, -2)) AS usd_text,
  l.constituent_count, l.priced_constituent_count, CAST(l.coverage_pct AS REAL) AS coverage_pct, l.methodology_version,
  l.membership_version,
  strftime('%Y-%m-%dT%H:%M:%fZ', l.as_of / 1000.0, 'unixepoch') AS as_of,
  strftime('%Y-%m-%dT%H:%M:%fZ', l.recorded_at / 1000.0, 'unixepoch') AS recorded_at,
  l.revision
FROM indexes x JOIN index_levels l ON l.index_id = x.index_id AND l.methodology_version = x.methodology_version;
