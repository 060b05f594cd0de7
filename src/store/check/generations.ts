import { asc, gt, sql } from "drizzle-orm";
import { exportStates } from "../../../db/schema/prices.ts";
import { plural } from "../../values/text/counted.ts";
import type { Book } from "../../wire/quotes.ts";
import { decodeChangedItems } from "../codec/changed-items.ts";
import { type QuoteTimes, TimesChecksum } from "../codec/times-checksum.ts";
import type { Database } from "../database.ts";
import { BookReader, bookOf } from "../read/books.ts";
import { encodedBook, type IdentityTotals, MarketCount, type Totals } from "../read/market-count.ts";
import { MarketItems } from "../read/market-items.ts";
import { type Chunks, type Finding, fact, fault, faultOfMany } from "./finding.ts";
import { pagesOf, unordered } from "./key-ranges.ts";

type GenerationRow = Omit<Totals, "delistedDigest"> & {
  id: number;
  state: string;
  timesChecksum: number;
  /** Null in a damaged file. */
  delistedDigest: Buffer | null;
};

/** A row of `best_asks`, with the slug of its provider. */
type BestAskRow = { itemId: number; askCents: number | null; provider: string | null; changedAt: number | null };

/** Totals computed from the market's rows. `unlike` lists items with a best ask or byte count that differs from their quotes. */
type Market = { totals: Totals & IdentityTotals; timesChecksum: number; unlike: number[] };

/** Items per chunk. */
const pageItems = 500;
/** Market states per chunk. */
const pageStates = 20;
/** Maximum number of attempts in chunks when the market changes meanwhile. */
const triesMax = 3;

/** Thrown when the market changed after the check began. */
class MarketChanged extends Error {}

/**
 * Compares the published generation with its digests, totals and best asks, in chunks of items. If the market changes between chunks, the
 * check starts again. After several attempts it reads the whole market as one chunk.
 */
export function checkGenerations(database: Database, chunks: Chunks = (read) => read()): Finding[] {
  const mark = marketFingerprint(database);
  for (let tries = 0; tries < triesMax; tries += 1) {
    const before = chunks(mark);
    try {
      return checkMarket(database, (read) =>
        chunks(() => {
          if (mark() !== before) throw new MarketChanged();
          return read();
        }),
      );
    } catch (error) {
      if (!(error instanceof MarketChanged)) throw error;
    }
  }
  return chunks(() => checkMarket(database, (read) => read()));
}

/** Returns a function that reads a text which changes with the published quotes or the items of their export. */
function marketFingerprint({ $client: client }: Database): () => string {
  const mark = client.prepare<[], { generationId: number | null; state: string | null }>(
    `SELECT (SELECT current_generation_id FROM market_state) AS generationId,
       (SELECT state_id || ' ' || hex(identity_digest) FROM export_states ORDER BY state_id DESC LIMIT 1) AS state`,
  );
  return () => JSON.stringify(mark.get());
}

function checkMarket(database: Database, chunks: Chunks): Finding[] {
  const { $client: client } = database;
  const current = chunks(() =>
    client.prepare<[], number | null>("SELECT current_generation_id FROM market_state").pluck().get(),
  );
  if (current === undefined) return [fault("the row of the market's state is missing")];
  const generations = client.prepare<[], GenerationRow>(
    `SELECT generation_id AS id, state, items, bytes, digest, rest_digest AS delistedDigest, quotes, times_checksum AS timesChecksum
     FROM generations WHERE state = 'published'`,
  );
  const published = chunks(() => generations.get());
  const name = (id: number | null | undefined) => (id == null ? "none" : `g${id}`);
  const agreement =
    (published?.id ?? null) === current
      ? []
      : [fault(`${name(current)} is the current generation, ${name(published?.id)} the published one`)];
  const market = readMarket(database, chunks);
  return [
    ...agreement,
    ...(published === undefined ? [fact("nothing is published")] : checkPublished(published, market)),
    ...checkState(database, chunks, published?.id ?? null, market.totals),
    ...chunks(() => strays(database)),
  ];
}

/** Reads all items with their quotes, in chunks. */
function readMarket(database: Database, chunks: Chunks): Market {
  const items = new MarketItems(database);
  const books = new BookReader(database);
  const { bestAsks, times } = prepare(database);
  const count = new MarketCount();
  const sum = new TimesChecksum();
  const unlike: number[] = [];
  const upTo = chunks(() => {
    for (const [provider, quotesAsOf] of books.sharedTimes()) sum.addShared(provider, quotesAsOf);
    return items.maxItemId();
  });
  for (let after = 0; after < upTo; ) {
    after = chunks(() => {
      const page = items.within(after, upTo, pageItems);
      const range = { after, upTo: page.at(-1)?.itemId ?? upTo };
      if (range.upTo <= after) throw unordered("items");
      const quoted = new Map(books.within(range));
      const best = new Map(bestAsks.all(range).map((row) => [row.itemId, row]));
      for (const row of times.all(range)) sum.addQuote(row.provider, row.itemId, row);
      for (const item of page) {
        const { itemId, inCatalog } = item;
        const book = bookOf(quoted.get(itemId) ?? []);
        const { quoteBytes } = count.add(item, inCatalog, encodedBook(book));
        sum.addBestAsk(itemId, item.changedAt);
        if (!isBestAsk(best.get(itemId), book) || item.quoteBytes !== quoteBytes) unlike.push(itemId);
      }
      return range.upTo;
    });
  }
  return { totals: count.end(), timesChecksum: sum.value, unlike };
}

function isBestAsk(row: BestAskRow | undefined, book: Book | null): boolean {
  const best = book?.asks[0];
  return (
    (row === undefined) === (book === null) &&
    (row?.askCents ?? null) === (best?.amountCents ?? null) &&
    (row?.provider ?? null) === (best?.provider ?? null)
  );
}

/** Compares the current state of the market with the content of exports, and decodes the changed items of all states. */
function checkState(
  database: Database,
  chunks: Chunks,
  published: number | null,
  { identityDigest, exportBytes }: IdentityTotals,
): Finding[] {
  const last = decodedStates(database, chunks);
  if (published === null || last === undefined) {
    return published === null ? [] : [fault(`g${published} is published, but the market's state is missing`)];
  }
  if (last.generationId !== published) {
    return [fault(`g${published} is published, but the market's state is of g${last.generationId}`)];
  }
  return [
    ...(identityDigest.equals(last.identityDigest)
      ? []
      : [fault("names, phases and availabilities do not have the digest of the market's state")]),
    ...(exportBytes === last.exportBytes
      ? []
      : [fault(`the market's state has ${last.exportBytes} bytes of an export, but the export has ${exportBytes}`)]),
  ];
}

/** Decodes the changed items of all states. Returns the last state. */
function decodedStates(database: Database, chunks: Chunks) {
  const page = database
    .select()
    .from(exportStates)
    .where(gt(exportStates.stateId, sql.placeholder("after")))
    .orderBy(asc(exportStates.stateId))
    .limit(pageStates)
    .prepare();
  type State = ReturnType<typeof page.all>[number];
  const paging = {
    after: -1,
    read: (after: number) => page.all({ after }),
    keyOf: ({ stateId }: State) => stateId,
  };
  let last: State | undefined;
  for (const states of pagesOf(database, chunks, "export_states", paging)) {
    for (const { changedItems } of states) decodeChangedItems(changedItems, () => {});
    last = states.at(-1);
  }
  return last;
}

function checkPublished(row: GenerationRow, { totals, timesChecksum, unlike }: Market): Finding[] {
  const name = `g${row.id}`;
  const faults = [
    ...totalsFaults(name, row, totals),
    ...(row.timesChecksum === timesChecksum
      ? []
      : [fault(`the times of the quotes of ${name} do not have its checksum`)]),
    ...faultOfMany(unlike, `items of ${name} with a best ask that differs from their quotes`),
  ];
  const digest = totals.digest.toString("hex").slice(0, 16);
  return faults.length > 0
    ? faults
    : [
        fact(
          `${name} is published and complete: ${plural(totals.items, "item")}, ${totals.bytes} bytes, digest ${digest}…`,
        ),
      ];
}

function totalsFaults(name: string, row: GenerationRow, actual: Totals): Finding[] {
  return [
    ...(row.digest.equals(actual.digest) ? [] : [fault(`the quotes of ${name} do not have its digest`)]),
    ...(row.delistedDigest?.equals(actual.delistedDigest)
      ? []
      : [fault(`the quotes of ${name} without an item in the catalog do not have its second digest`)]),
    ...(["items", "bytes", "quotes"] as const)
      .filter((what) => row[what] !== actual[what])
      .map((what) => fault(`${name} states ${row[what]} ${what} and has ${actual[what]}`)),
  ];
}

/**
 * Finds rows that refer to missing items, providers or quotes. Readers never see them, and read-only connections do not check constraints.
 */
function strays({ $client: client }: Database): Finding[] {
  const count = (text: string) => client.prepare<[], number>(text).pluck().get()!;
  const found = {
    "quotes without an item": `SELECT count(*) FROM quotes q WHERE NOT EXISTS (SELECT 1 FROM items i WHERE i.item_id = q.item_id)`,
    "quotes without a provider": `SELECT count(*) FROM quotes q WHERE NOT EXISTS (
      SELECT 1 FROM frame_providers n JOIN providers p USING (provider) WHERE n.number = q.provider_id)`,
    "best asks without an item": `SELECT count(*) FROM best_asks b WHERE NOT EXISTS (SELECT 1 FROM items i WHERE i.item_id = b.item_id)`,
    "quantities without a quote": `SELECT count(*) FROM quotes
      WHERE (ask_cents IS NULL AND ask_quantity IS NOT NULL) OR (bid_cents IS NULL AND bid_quantity IS NOT NULL)`,
    "pages without a quote": `SELECT count(*) FROM quote_urls u WHERE NOT EXISTS (
      SELECT 1 FROM quotes q WHERE q.provider_id = u.provider_id AND q.item_id = u.item_id
        AND CASE u.side WHEN 'ask' THEN q.ask_cents ELSE q.bid_cents END IS NOT NULL)`,
  };
  return Object.entries(found).flatMap(([what, text]) => {
    const rows = count(text);
    return rows === 0 ? [] : [fault(`${rows} ${what}`)];
  });
}

function prepare({ $client: client }: Database) {
  type Range = { after: number; upTo: number };
  return {
    bestAsks: client.prepare<[Range], BestAskRow>(
      `SELECT b.item_id AS itemId, b.ask_cents AS askCents, n.provider, b.changed_at AS changedAt
       FROM best_asks b LEFT JOIN frame_providers n ON n.number = b.provider_id
       WHERE b.item_id > @after AND b.item_id <= @upTo`,
    ),
    times: client.prepare<[Range], QuoteTimes & { provider: string; itemId: number }>(
      `SELECT n.provider, q.item_id AS itemId, q.ask_as_of AS askAsOf, q.ask_since AS askSince, q.bid_as_of AS bidAsOf
       FROM frame_providers n CROSS JOIN quotes q ON q.provider_id = n.number
       WHERE q.item_id > @after AND q.item_id <= @upTo`,
    ),
  };
}
