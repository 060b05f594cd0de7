import type { Database } from "../../src/store/database.ts";
import { BookReader, bookOf } from "../../src/store/read/books.ts";
import { encodeUntimedBook } from "../../src/wire/quotes.ts";

/**
 * Gives one quote of each item an address of so many bytes, which then is in its record of an export. `condition`: of the items, over the
 * columns of `quotes`. Digests stay as they are. Returns what undoes it, if no such quote had an address.
 */
export function lengthenQuotes(database: Database, bytes: number, condition = "true"): (database: Database) => void {
  const url = "https://long.example/".padEnd(bytes, "abcdefghijklmnopqrstuvwxyz");
  change(
    database,
    `INSERT OR REPLACE INTO quote_urls (provider_id, item_id, side, url)
     SELECT min(provider_id), item_id, iif(ask_cents IS NULL, 'bid', 'ask'), ? FROM quotes WHERE ${condition} GROUP BY item_id`,
    url,
  );
  return (later) => change(later, "DELETE FROM quote_urls WHERE url = ?", url);
}

function change(database: Database, sql: string, url: string): void {
  const { $client: client } = database;
  client.transaction(() => {
    client.prepare(sql).run(url);
    countBytes(database);
    // A server copies pages of exports that it has made as long as neither the catalog nor the generation changes.
    client.exec("UPDATE market_state SET catalog_version = catalog_version + 1");
  })();
}

function countBytes(database: Database): void {
  const { $client: client } = database;
  const upTo = client.prepare<[], number>("SELECT coalesce(max(item_id), 0) FROM best_asks").pluck().get()!;
  const setBytes = client.prepare("UPDATE best_asks SET quote_bytes = ? WHERE item_id = ?");
  for (const [itemId, rows] of new BookReader(database).within({ after: 0, upTo }))
    setBytes.run(Buffer.byteLength(encodeUntimedBook(bookOf(rows)!)), itemId);
}
