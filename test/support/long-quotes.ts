import type { Database } from "../../src/store/database.ts";
import { BookReader, bookOf } from "../../src/store/read/books.ts";
import { encodeUntimedBook } from "../../src/wire/quotes.ts";
import { insertProvider } from "./providers.ts";

const url = "https://long.example/".padEnd(2000, "abcdefghijklmnopqrstuvwxyz");
/** Of an order with this address in a record of an export. */
const orderBytes = 2100;

/**
 * Gives each quoted item about `bytes` bytes of buy orders at one cent, from separate inactive providers. Pass 0 to remove them.
 * `condition` selects items by the columns of `best_asks`. Digests and states of the market do not change.
 */
export function lengthenQuotes(database: Database, bytes: number, condition = "true"): void {
  const { $client: client } = database;
  client.transaction(() => {
    removeOrders(database);
    const feed = client.prepare<[], string>("SELECT min(feed) FROM feeds").pluck().get()!;
    const order = client.prepare(
      `INSERT INTO quotes (provider_id, item_id, bid_cents)
       SELECT number, item_id, 1 FROM frame_providers, best_asks WHERE provider = ? AND ${condition}`,
    );
    for (let left = bytes; left > 0; left -= orderBytes) {
      const provider = `long-${Math.ceil(left / orderBytes)}`;
      insertProvider(database, { provider, feed, active: false });
      order.run(provider);
    }
    client.prepare(`INSERT INTO quote_urls SELECT provider_id, item_id, 'bid', ? ${ofOrders("quotes")}`).run(url);
    countBytes(database);
    // A server copies pages of exports that it has made as long as neither the catalog nor the generation changes.
    client.exec("UPDATE market_state SET catalog_version = catalog_version + 1");
  })();
}

const providers = "provider GLOB 'long-[0-9]*'";
const ofOrders = (table: string) =>
  `FROM ${table} WHERE provider_id IN (SELECT number FROM frame_providers WHERE ${providers})`;

function removeOrders({ $client: client }: Database): void {
  for (const table of ["quotes", "quote_urls"]) client.exec(`DELETE ${ofOrders(table)}`);
  for (const table of ["frame_providers", "providers"]) client.exec(`DELETE FROM ${table} WHERE ${providers}`);
}

function countBytes(database: Database): void {
  const { $client: client } = database;
  const upTo = client.prepare<[], number>("SELECT coalesce(max(item_id), 0) FROM best_asks").pluck().get()!;
  const setBytes = client.prepare("UPDATE best_asks SET quote_bytes = ? WHERE item_id = ?");
  for (const [itemId, rows] of new BookReader(database).within({ after: 0, upTo }))
    setBytes.run(Buffer.byteLength(encodeUntimedBook(bookOf(rows)!)), itemId);
}
