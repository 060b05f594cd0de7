-- Written by hand: the seal of a generation (see 0002) covers its second digest, and what is published already gets that and
-- its length in lines. Where a quoted item has left the catalog, its first digest is not that of its exports and cannot be
-- made here: the program does it next, and any publication would.
DROP INDEX generations_seal;
--> statement-breakpoint
UPDATE generations SET
  bytes = (SELECT coalesce(sum(octet_length(q.quotes) + length(q.quote_key & 2147483647) + 14), 0) FROM generation_quotes q
    WHERE q.quote_key >= (generation_id << 31) AND q.quote_key < ((generation_id + 1) << 31)),
  rest_digest = CASE WHEN NOT EXISTS (
    SELECT 1 FROM generation_quotes q JOIN items i ON i.item_id = q.quote_key & 2147483647
    WHERE q.quote_key >= (generation_id << 31) AND q.quote_key < ((generation_id + 1) << 31) AND i.in_catalog = 0
  ) THEN X'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855' END
WHERE state = 'published';
--> statement-breakpoint
CREATE INDEX generations_seal ON generations (json_array(state, created_at, ingested_at, items, bytes, hex(digest), hex(rest_digest)));
