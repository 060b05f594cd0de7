CREATE TABLE `export_pages` (
	`page_key` integer PRIMARY KEY NOT NULL,
	`last_item_id` integer NOT NULL,
	`items` integer NOT NULL,
	`bytes` integer NOT NULL,
	`crc32` integer NOT NULL,
	`deflated_crc32` integer NOT NULL,
	`deflated` blob NOT NULL,
	CONSTRAINT "export_pages_items" CHECK(last_item_id >= page_key & 2147483647 AND items BETWEEN 1 AND 1 + last_item_id - (page_key & 2147483647)),
	CONSTRAINT "export_pages_crc32" CHECK(crc32 BETWEEN 0 AND 4294967295 AND deflated_crc32 BETWEEN 0 AND 4294967295),
	CONSTRAINT "export_pages_bytes" CHECK(bytes > 0 AND length(deflated) > 0)
) STRICT;
--> statement-breakpoint
-- Written by hand: the line of an item is in one page of the current generation at most, which goes with the line.
CREATE TRIGGER items_take_their_export_page AFTER UPDATE OF market_hash_name, phase, in_catalog ON items
WHEN OLD.market_hash_name <> NEW.market_hash_name OR OLD.phase IS NOT NEW.phase OR OLD.in_catalog <> NEW.in_catalog
BEGIN
  DELETE FROM export_pages WHERE last_item_id >= NEW.item_id AND page_key = (
    SELECT p.page_key FROM export_pages p
    WHERE p.page_key > ((SELECT current_generation_id FROM market_state WHERE one = 1) << 31)
      AND p.page_key <= ((SELECT current_generation_id FROM market_state WHERE one = 1) << 31) + NEW.item_id
    ORDER BY p.page_key DESC LIMIT 1);
END;
--> statement-breakpoint
CREATE TRIGGER new_items_take_their_export_page AFTER INSERT ON items WHEN NEW.in_catalog = 1
BEGIN
  DELETE FROM export_pages WHERE last_item_id >= NEW.item_id AND page_key = (
    SELECT p.page_key FROM export_pages p
    WHERE p.page_key > ((SELECT current_generation_id FROM market_state WHERE one = 1) << 31)
      AND p.page_key <= ((SELECT current_generation_id FROM market_state WHERE one = 1) << 31) + NEW.item_id
    ORDER BY p.page_key DESC LIMIT 1);
END;
