-- Written by hand: price_updated_at is when the ask was first seen at its amount.
DROP VIEW v_best;
--> statement-breakpoint
CREATE VIEW v_best AS
SELECT b.item_id, i.market_hash_name AS name, i.phase, i.in_catalog, n.provider, b.ask_cents AS cents,
  printf('%d.%02d', b.ask_cents / 100, b.ask_cents % 100) AS usd_text, q.ask_quantity AS quantity,
  strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(q.ask_as_of, p.quotes_as_of) / 1000.0, 'unixepoch') AS as_of,
  strftime('%Y-%m-%dT%H:%M:%fZ', f.checked_at / 1000.0, 'unixepoch') AS checked_at,
  strftime('%Y-%m-%dT%H:%M:%fZ', coalesce(q.ask_since, b.changed_at) / 1000.0, 'unixepoch') AS price_updated_at,
  (SELECT u.url FROM quote_urls u WHERE u.provider_id = b.provider_id AND u.item_id = b.item_id AND u.side = 'ask') AS url
FROM best_asks b
  JOIN items i ON i.item_id = b.item_id
  JOIN quotes q ON q.provider_id = b.provider_id AND q.item_id = b.item_id
  JOIN frame_providers n ON n.number = b.provider_id
  JOIN providers p ON p.provider = n.provider
  JOIN feeds f ON f.feed = p.feed
WHERE i.in_catalog = 1;
--> statement-breakpoint
ALTER TABLE `providers` ADD `price_ceiling_cents` integer;
--> statement-breakpoint
UPDATE providers SET price_ceiling_cents = 180000 WHERE kind = 'main_platform';
--> statement-breakpoint
DROP INDEX providers_seal;
--> statement-breakpoint
CREATE INDEX providers_seal ON providers (json_array(provider, name, kind, feed, has_asks, has_bids, active, quotes_as_of, price_ceiling_cents));
