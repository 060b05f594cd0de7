import { createHash } from "node:crypto";
import { OperatorError } from "../../values/failure/operator-error.ts";
import type { Progress } from "../../values/progress.ts";
import { encodePriceLine } from "../../wire/export-record.ts";
import { TimesChecksum } from "../codec/times-checksum.ts";
import { type Database, writeTransaction } from "../database.ts";
import { isSqliteError } from "../file/refusal.ts";
import { BookReader, bookOf } from "../read/books.ts";
import { encodedBook, MarketCount } from "../read/market-count.ts";
import { MarketItems } from "../read/market-items.ts";

/** The log holds pages with a header, and some of them twice. */
const logShare = 1.25;

type OldQuote = { provider: string; amount: number; quantity: number | null; url: string | null; as_of: string | null };
type OldBook = { asks: OldQuote[]; bids: OldQuote[] };
type OldRow = {
  itemId: number;
  text: string;
  bestAskProvider: string | null;
  bestAskChangedAt: number | null;
};
type Generation = { generationId: number; ingestedAt: number; digest: Buffer; delistedDigest: Buffer | null };

/** Values of a row of `quotes`, without its key. */
type Row = {
  ask: OldQuote | null;
  bid: OldQuote | null;
  askSince: number | null;
};

/**
 * Returns the maximum log size of the migration in bytes. It overwrites the pages of removed tables and writes pages for the items and the
 * new rows.
 */
export function diskSpaceForPlainQuotes({ $client: client }: Database): number {
  const bytes = client
    .prepare<[], number>(
      `SELECT coalesce(sum(s.pgsize), 0) FROM dbstat s JOIN sqlite_schema t ON t.name = s.name
       WHERE s.aggregate = TRUE AND t.tbl_name IN ('generation_quotes', 'export_pages', 'item_details', 'items')`,
    )
    .pluck()
    .get();
  return Math.ceil((bytes ?? 0) * logShare);
}

/**
 * Converts the published generation of an older file, stored as JSON texts, to plain rows. It runs in one transaction, so that the next
 * migration repeats it after a kill. Does nothing if the file is converted. Drizzle does not know the older tables, so this uses plain SQL.
 * @throws {OperatorError} when the rows do not match the published digest. The old rows remain.
 */
export function makePlainQuotes(database: Database, progress: Progress): void {
  const { $client: client } = database;
  const isOld = client.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'generation_quotes'").get() !== undefined;
  if (!isOld) return;
  writeTransaction(database, () => {
    client.exec("DELETE FROM quotes; DELETE FROM quote_urls; DELETE FROM best_asks");
    // Remains of an interrupted publication. Later releases never write such rows.
    client.exec("DELETE FROM generations WHERE state = 'staging'");
    client.exec(
      `INSERT INTO frame_providers (provider, number)
       SELECT provider, coalesce((SELECT max(number) FROM frame_providers), -1) + row_number() OVER (ORDER BY provider)
       FROM providers WHERE provider NOT IN (SELECT provider FROM frame_providers)`,
    );
    const generation = client
      .prepare<[], Generation>(
        `SELECT generation_id AS generationId, ingested_at AS ingestedAt, digest, rest_digest AS delistedDigest
         FROM generations WHERE state = 'published'`,
      )
      .get();
    if (generation === undefined) return;
    try {
      moveQuotes(database, generation, progress);
    } catch (error) {
      const isDamaged = error instanceof SyntaxError || error instanceof TypeError || isConstraint(error);
      throw isDamaged ? refusal() : error;
    }
    countQuotes(database, generation);
  });
}

function moveQuotes({ $client: client }: Database, generation: Generation, progress: Progress): void {
  const { generationId, ingestedAt } = generation;
  const put = client.prepare(
    `INSERT INTO quotes (provider_id, item_id, ask_cents, ask_quantity, ask_as_of, ask_since, bid_cents, bid_quantity, bid_as_of)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const putUrl = client.prepare("INSERT INTO quote_urls (provider_id, item_id, side, url) VALUES (?, ?, ?, ?)");
  const putBest = client.prepare(
    "INSERT INTO best_asks (item_id, ask_cents, provider_id, changed_at, quote_bytes) VALUES (?, ?, ?, ?, 1)",
  );
  const numbers = new Map(
    client.prepare<[], [string, number]>("SELECT provider, number FROM frame_providers").raw().all(),
  );
  const shared = sharedTimes(oldRows(client, generationId));
  const setShared = client.prepare("UPDATE providers SET quotes_as_of = ? WHERE provider = ?");
  for (const [provider, time] of shared) setShared.run(time, provider);
  const items = client
    .prepare<[], number>(
      "SELECT count(*) FROM generation_quotes WHERE quote_key >> 31 = (SELECT current_generation_id FROM market_state)",
    )
    .pluck()
    .get();
  progress.phase("making rows of quotes", items);
  for (const { itemId, text, bestAskProvider, bestAskChangedAt } of oldRows(client, generationId)) {
    const changedAt = bestAskChangedAt ?? ingestedAt;
    const book = bookOfText(text);
    for (const [provider, { ask, bid, askSince }] of rowsOf(book, bestAskProvider, changedAt)) {
      const number = numbers.get(provider)!;
      const own = (quote: OldQuote | null) => ((shared.get(provider) ?? null) === null ? timeOf(quote) : null);
      const ofAsk = [ask?.amount ?? null, ask?.quantity ?? null, own(ask), askSince];
      put.run(number, itemId, ...ofAsk, bid?.amount ?? null, bid?.quantity ?? null, own(bid));
      if (ask?.url != null) putUrl.run(number, itemId, "ask", ask.url);
      if (bid?.url != null) putUrl.run(number, itemId, "bid", bid.url);
    }
    const [best] = book.asks;
    putBest.run(
      itemId,
      best?.amount ?? null,
      best === undefined ? null : numbers.get(best.provider)!,
      best === undefined ? null : changedAt,
    );
    progress.advance(1);
  }
}

/** Returns whether a text violated a constraint of the new rows. */
function isConstraint(error: unknown): boolean {
  return isSqliteError(error) && error.code.startsWith("SQLITE_CONSTRAINT");
}

function refusal(): OperatorError {
  return new OperatorError(
    "the quotes of the file do not have their published digest, so nothing was migrated; `npx itemtape db check` of the release that wrote the file explains more, and a backup may be intact",
  );
}

/** Compares the rows with the published digest, and stores the new totals. */
function countQuotes(database: Database, { generationId, digest, delistedDigest }: Generation): void {
  const { $client: client } = database;
  const items = new MarketItems(database);
  const books = new BookReader(database);
  const setBytes = client.prepare("UPDATE best_asks SET quote_bytes = ? WHERE item_id = ?");
  const count = new MarketCount();
  // Earlier releases also counted the items that had left the catalog.
  const all = createHash("sha256");
  const quoted = books.within({ after: 0, upTo: items.maxItemId() });
  let next = quoted.next();
  for (const item of items.all()) {
    const rows = next.done !== true && next.value[0] === item.itemId ? next.value[1] : [];
    if (rows.length > 0) next = quoted.next();
    const book = encodedBook(bookOf(rows));
    const { quoteBytes } = count.add(item, item.inCatalog, book);
    if (quoteBytes !== null) setBytes.run(quoteBytes, item.itemId);
    if (book !== null) all.update(encodePriceLine(item.itemId, book.text));
  }
  const { identityDigest: _, exportBytes: __, ...totals } = count.end();
  const isSame =
    delistedDigest === null
      ? all.digest().equals(digest)
      : totals.digest.equals(digest) && totals.delistedDigest.equals(delistedDigest);
  if (!isSame) throw refusal();
  client
    .prepare(
      `UPDATE generations SET items = @items, bytes = @bytes, digest = @digest, rest_digest = @delistedDigest, quotes = @quotes,
         times_checksum = @timesChecksum WHERE generation_id = @generationId`,
    )
    .run({ ...totals, timesChecksum: checksumOf(database, books), generationId });
}

function checksumOf({ $client: client }: Database, books: BookReader): number {
  const sum = new TimesChecksum();
  for (const [provider, quotesAsOf] of books.sharedTimes()) sum.addShared(provider, quotesAsOf);
  const quotes = client.prepare<
    [],
    { provider: string; itemId: number; askAsOf: number | null; askSince: number | null; bidAsOf: number | null }
  >(
    `SELECT n.provider, q.item_id AS itemId, q.ask_as_of AS askAsOf, q.ask_since AS askSince, q.bid_as_of AS bidAsOf
     FROM quotes q JOIN frame_providers n ON n.number = q.provider_id`,
  );
  for (const row of quotes.iterate()) sum.addQuote(row.provider, row.itemId, row);
  const best = client.prepare<[], [number, number | null]>("SELECT item_id, changed_at FROM best_asks").raw();
  for (const [itemId, changedAt] of best.iterate()) sum.addBestAsk(itemId, changedAt);
  return sum.value;
}

/** Yields the rows of a generation in ascending item id. */
function* oldRows(client: Database["$client"], generationId: number): Generator<OldRow> {
  const page = client.prepare<[{ generationId: number; after: number }], OldRow>(
    `SELECT quote_key & 2147483647 AS itemId, coalesce(observed, quotes) AS text, best_ask_provider AS bestAskProvider,
       best_ask_changed_at AS bestAskChangedAt
     FROM generation_quotes WHERE quote_key > (@generationId << 31) + @after AND quote_key < ((@generationId + 1) << 31)
     ORDER BY quote_key LIMIT 256`,
  );
  for (let after = 0; ; ) {
    const rows = page.all({ generationId, after });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.itemId;
  }
}

function bookOfText(text: string): OldBook {
  return JSON.parse(`{${text}}`) as OldBook;
}

/** Returns by provider the time that all its quotes share, UTC ms. The time is null if they share none. */
function sharedTimes(rows: Iterable<OldRow>): Map<string, number | null> {
  const shared = new Map<string, number | null>();
  for (const { text } of rows) {
    const { asks, bids } = bookOfText(text);
    for (const quote of [...asks, ...bids]) {
      const known = shared.get(quote.provider);
      const time = timeOf(quote);
      if (known === undefined) shared.set(quote.provider, time);
      else if (known !== time) shared.set(quote.provider, null);
    }
  }
  return shared;
}

/** Returns the rows of an item by provider. Only the best ask has a known `askSince`. */
function rowsOf({ asks, bids }: OldBook, bestAskProvider: string | null, changedAt: number): Map<string, Row> {
  const rows = new Map<string, Row>();
  for (const ask of asks) {
    const askSince = ask.provider === bestAskProvider ? changedAt : null;
    rows.set(ask.provider, { ask, bid: null, askSince });
  }
  for (const bid of bids) rows.set(bid.provider, { ...(rows.get(bid.provider) ?? { ask: null, askSince: null }), bid });
  return rows;
}

function timeOf(quote: OldQuote | null): number | null {
  return quote === null || quote.as_of === null ? null : Date.parse(quote.as_of);
}
