-- Written by hand. Views for people: an interface, described in the guide "Read the file with SQL". They use functions of SQLite 3.37 only
-- and name no private table. SQLite renames no table while a view names one that is missing: a migration that rebuilds a table drops the
-- views that name it first, and makes them again.
CREATE VIEW v_items AS
SELECT item_id, market_hash_name AS name, phase, in_catalog, slug, type, rarity, collection, wear, stat_counter, souvenir, name_ru,
  CAST(wear_min AS REAL) AS wear_min, CAST(wear_max AS REAL) AS wear_max, image_url,
  strftime('%Y-%m-%dT%H:%M:%fZ', first_seen_at / 1000.0, 'unixepoch') AS first_seen_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', updated_at / 1000.0, 'unixepoch') AS updated_at
FROM items;
--> statement-breakpoint
-- Without statistics SQLite scans quotes to find those of an item. CROSS JOIN makes it find each row by its provider and item. The two sides
-- are joined, not united, so that SQLite can merge the view with a join around it.
CREATE VIEW v_quotes AS
SELECT item_id, name, phase, in_catalog, provider, provider_active, side, cents, printf('%d.%02d', cents / 100, cents % 100) AS usd_text,
  quantity,
  strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(own_as_of, quotes_as_of) / 1000.0, 'unixepoch') AS as_of,
  strftime('%Y-%m-%dT%H:%M:%fZ', checked_at / 1000.0, 'unixepoch') AS checked_at,
  (SELECT u.url FROM quote_urls u WHERE u.provider_id = r.provider_id AND u.item_id = r.item_id AND u.side = r.side) AS url
FROM (
  SELECT q.item_id, i.market_hash_name AS name, i.phase, i.in_catalog, q.provider_id, n.provider, p.active AS provider_active, s.side,
    iif(s.side = 'ask', q.ask_cents, q.bid_cents) AS cents,
    iif(s.side = 'ask', q.ask_quantity, q.bid_quantity) AS quantity,
    iif(s.side = 'ask', q.ask_as_of, q.bid_as_of) AS own_as_of,
    p.quotes_as_of, f.checked_at
  FROM items i
    JOIN frame_providers n
    JOIN providers p ON p.provider = n.provider
    JOIN feeds f ON f.feed = p.feed
    CROSS JOIN quotes q ON q.provider_id = n.number AND q.item_id = i.item_id
    CROSS JOIN (SELECT 'ask' AS side UNION ALL SELECT 'bid') s
) r
WHERE cents IS NOT NULL;
--> statement-breakpoint
CREATE VIEW v_best AS
SELECT b.item_id, i.market_hash_name AS name, i.phase, i.in_catalog, n.provider, b.ask_cents AS cents,
  printf('%d.%02d', b.ask_cents / 100, b.ask_cents % 100) AS usd_text, q.ask_quantity AS quantity,
  strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(q.ask_as_of, p.quotes_as_of) / 1000.0, 'unixepoch') AS as_of,
  strftime('%Y-%m-%dT%H:%M:%fZ', f.checked_at / 1000.0, 'unixepoch') AS checked_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', b.changed_at / 1000.0, 'unixepoch') AS price_updated_at,
  (SELECT u.url FROM quote_urls u WHERE u.provider_id = b.provider_id AND u.item_id = b.item_id AND u.side = 'ask') AS url
FROM best_asks b
  JOIN items i ON i.item_id = b.item_id
  JOIN quotes q ON q.provider_id = b.provider_id AND q.item_id = b.item_id
  JOIN frame_providers n ON n.number = b.provider_id
  JOIN providers p ON p.provider = n.provider
  JOIN feeds f ON f.feed = p.feed
WHERE i.in_catalog = 1;
--> statement-breakpoint
-- Items first: the prices of one day are found by item, side, day and provider, and not by a scan of all days.
CREATE VIEW v_daily_prices AS
SELECT d.item_id, i.market_hash_name AS name, i.phase, i.in_catalog, d.day, date(d.day * 86400, 'unixepoch') AS date, d.provider, d.side,
  d.amount AS cents, printf('%d.%02d', d.amount / 100, d.amount % 100) AS usd_text,
  d.low_amount AS low_cents, printf('%d.%02d', d.low_amount / 100, d.low_amount % 100) AS low_usd_text,
  d.high_amount AS high_cents, printf('%d.%02d', d.high_amount / 100, d.high_amount % 100) AS high_usd_text,
  d.observations, d.quantity,
  strftime('%Y-%m-%dT%H:%M:%fZ', d.source_observed_at / 1000.0, 'unixepoch') AS source_observed_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', d.recorded_at / 1000.0, 'unixepoch') AS recorded_at
FROM items i CROSS JOIN daily_prices d ON d.item_id = i.item_id;
--> statement-breakpoint
-- `source_rank`: the order in which answers prefer the sources of one day.
CREATE VIEW v_exchange_rates AS
SELECT r.currency, date(r.day * 86400, 'unixepoch') AS date, r.source,
  CASE r.source WHEN 'ecb' THEN 1 WHEN 'currency-api' THEN 2 ELSE 3 END AS source_rank, CAST(r.rate_per_usd AS REAL) AS rate_per_usd,
  r.rate_per_usd AS rate_text, c.minor_units AS currency_minor_units, r.methodology_version,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.as_of / 1000.0, 'unixepoch') AS as_of,
  strftime('%Y-%m-%dT%H:%M:%fZ', r.recorded_at / 1000.0, 'unixepoch') AS recorded_at
FROM exchange_rates r JOIN currencies c ON c.currency = r.currency;
--> statement-breakpoint
-- Levels of the index's own methodology: those of others stay in the table. A capitalization that no integer holds has its text alone.
CREATE VIEW v_index_levels AS
SELECT l.index_id, x.name AS index_name, date(l.day * 86400, 'unixepoch') AS date, CAST(l.value AS REAL) AS value,
  CASE WHEN length(l.capitalization_cents) < 19 THEN CAST(l.capitalization_cents AS INTEGER) END AS cents,
  iif(length(l.capitalization_cents) < 3, printf('0.%02d', l.capitalization_cents),
    substr(l.capitalization_cents, 1, length(l.capitalization_cents) - 2) || '.' || substr(l.capitalization_cents, -2)) AS usd_text,
  l.constituent_count, l.priced_constituent_count, CAST(l.coverage_pct AS REAL) AS coverage_pct, l.methodology_version,
  l.membership_version,
  strftime('%Y-%m-%dT%H:%M:%fZ', l.as_of / 1000.0, 'unixepoch') AS as_of,
  strftime('%Y-%m-%dT%H:%M:%fZ', l.recorded_at / 1000.0, 'unixepoch') AS recorded_at
FROM indexes x JOIN index_levels l ON l.index_id = x.index_id AND l.methodology_version = x.methodology_version;
--> statement-breakpoint
-- The calculation in force of each published container and valuation mode: that of the methodology of the last run.
CREATE VIEW v_returns AS
SELECT item_id, name, phase, in_catalog, slug, active, valuation_mode,
  cost_cents, printf('%d.%02d', cost_cents / 100, cost_cents % 100) AS cost_usd_text,
  expected_value_cents,
  iif(expected_value_cents IS NULL, NULL, printf('%d.%02d', expected_value_cents / 100, expected_value_cents % 100))
    AS expected_value_usd_text,
  expected_profit_cents,
  iif(expected_profit_cents IS NULL, NULL, printf('%s%d.%02d', iif(expected_profit_cents < 0, '-', ''),
    abs(expected_profit_cents) / 100, abs(expected_profit_cents) % 100)) AS expected_profit_usd_text,
  return_pct, profit_chance_pct, priced_probability_mass_pct, revision_number, methodology_version,
  strftime('%Y-%m-%dT%H:%M:%fZ', price_as_of / 1000.0, 'unixepoch') AS price_as_of,
  strftime('%Y-%m-%dT%H:%M:%fZ', calculated_at / 1000.0, 'unixepoch') AS calculated_at
FROM (
  SELECT o.item_id, i.market_hash_name AS name, i.phase, i.in_catalog, o.slug, o.state = 'active' AS active, c.valuation_mode,
    json_extract(c.numbers, '$.cost_cents') AS cost_cents,
    json_extract(c.numbers, '$.expected_value_cents') AS expected_value_cents,
    json_extract(c.numbers, '$.expected_profit_cents') AS expected_profit_cents,
    CAST(json_extract(c.numbers, '$.return_pct') AS REAL) AS return_pct,
    CAST(json_extract(c.numbers, '$.profit_chance_pct') AS REAL) AS profit_chance_pct,
    CAST(json_extract(c.numbers, '$.priced_probability_mass_pct') AS REAL) AS priced_probability_mass_pct,
    v.revision_number, c.methodology_version, c.price_as_of, c.calculated_at
  FROM openables o
    JOIN items i ON i.item_id = o.item_id
    JOIN roi_calculations c ON c.slug = o.slug
    JOIN pool_revisions v ON v.revision_id = c.revision_id
  WHERE o.state <> 'draft'
    AND c.methodology_version = (SELECT r.methodology_version FROM roi_runs r ORDER BY r.run_id DESC LIMIT 1)
) r;
