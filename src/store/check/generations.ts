import { createHash } from "node:crypto";
import { asc, gt, sql } from "drizzle-orm";
import { exportStates } from "../../../db/schema/prices.ts";
import { decodeQuotes, encodeQuotes, quoteFacts, withoutTimes } from "../../wire/quotes.ts";
import { decodeChangedItems } from "../codec/changed-items.ts";
import type { Database } from "../database.ts";
import { type Totals, totalsOf } from "../read/generations.ts";
import { identityBlocks } from "../write/export-identity.ts";
import type { QuoteRow } from "../write/generations.ts";
import { type Finding, fact, fault, faultOfMany, type Pieces } from "./finding.ts";
import { pagesOf, unordered } from "./key-ranges.ts";

type GenerationRow = Omit<Totals, "digest" | "delistedDigest"> & {
  id: number;
  state: string;
  digest: Buffer | null;
  delistedDigest: Buffer | null;
};

type CheckedRow = Omit<QuoteRow, "bestAskChangedAt"> & { isExported: number };

/** Quoted items of one piece. */
const pageRows = 500;
/** States of the market of one piece. */
const pageStates = 20;
/** How often a market that changes meanwhile is begun anew. */
const triesMax = 3;
const generationIdMax = 2 ** 31 - 1;

/** Says that the market is not what it was when the check began. */
class MarketChanged extends Error {}

/**
 * Compares the published generation with its digest, totals and own columns; names what is left of others. A piece is some of its
 * items. Where the market changes between two pieces it begins anew, and where that goes on it reads all of it as one piece.
 */
export function checkGenerations(database: Database, pieces: Pieces = (read) => read()): Finding[] {
  const mark = marketMark(database);
  for (let tries = 0; tries < triesMax; tries += 1) {
    const before = pieces(mark);
    try {
      return checkMarket(database, (read) =>
        pieces(() => {
          if (mark() !== before) throw new MarketChanged();
          return read();
        }),
      );
    } catch (error) {
      if (!(error instanceof MarketChanged)) throw error;
    }
  }
  return pieces(() => checkMarket(database, (read) => read()));
}

/** Returns the read of a text that is another one where the published quotes or the items of their export are. */
function marketMark({ $client: client }: Database): () => string {
  const mark = client.prepare<[], { generationId: number | null; state: string | null }>(
    `SELECT (SELECT current_generation_id FROM market_state) AS generationId,
       (SELECT state_id || ' ' || hex(identity_digest) FROM export_states ORDER BY state_id DESC LIMIT 1) AS state`,
  );
  return () => JSON.stringify(mark.get());
}

function checkMarket(database: Database, pieces: Pieces): Finding[] {
  const { $client: client } = database;
  const current = pieces(() =>
    client.prepare<[], number | null>("SELECT current_generation_id FROM market_state").pluck().get(),
  );
  if (current === undefined) return [fault("the row of the market's state is missing")];
  const generations = client.prepare<[], GenerationRow>(
    "SELECT generation_id AS id, state, items, bytes, digest, rest_digest AS delistedDigest FROM generations ORDER BY generation_id",
  );
  const rows = pieces(() => generations.all());
  const published = rows.find(({ state }) => state === "published");
  const name = (id: number | null | undefined) => (id == null ? "none" : `g${id}`);
  const agreement =
    (published?.id ?? null) === current
      ? []
      : [fault(`${name(current)} is the current generation, ${name(published?.id)} the published one`)];
  return [
    ...agreement,
    ...(published === undefined ? [fact("nothing is published")] : checkPublished(database, pieces, published)),
    ...checkState(database, pieces, published?.id ?? null),
    ...orphans(database, pieces, current, rows),
  ];
}

/** Compares the present state of the market with what exports hold, and decodes what changed between the states. */
function checkState(database: Database, pieces: Pieces, published: number | null): Finding[] {
  const last = decodedStates(database, pieces);
  if (published === null || last === undefined) {
    return published === null ? [] : [fault(`g${published} is published, and the market has no state`)];
  }
  if (last.generationId !== published) {
    return [fault(`the market's state is of g${last.generationId}, and g${published} is published`)];
  }
  const blocks = pieces(() => identityBlocks(database, published));
  const hash = createHash("sha256");
  let exportBytes = 0;
  for (let index = 0; index < blocks.count; index += 1) {
    const { lines, recordBytes } = pieces(() => blocks.read(index));
    hash.update(lines);
    exportBytes += recordBytes;
  }
  return [
    ...(hash.digest().equals(last.identityDigest)
      ? []
      : [fault("names, phases and availabilities do not have the digest of the market's state")]),
    ...(exportBytes === last.exportBytes
      ? []
      : [fault(`the market's state tells ${last.exportBytes} bytes of an export, which has ${exportBytes}`)]),
  ];
}

/** Decodes what changed with each state. Returns the last one. */
function decodedStates(database: Database, pieces: Pieces) {
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
  for (const states of pagesOf(database, pieces, "export_states", paging)) {
    for (const { changedItems } of states) decodeChangedItems(changedItems, () => {});
    last = states.at(-1);
  }
  return last;
}

function checkPublished(database: Database, pieces: Pieces, row: GenerationRow): Finding[] {
  const unlike: number[] = [];
  const exported = new Set<number>();
  const totals = totalsOf(
    watched(quotesOf(database, pieces, row.id), ({ isExported, ...quoted }) => {
      // An older release counted all quotes.
      if (isExported === 1 || row.delistedDigest === null) exported.add(quoted.itemId);
      if (!hasOwnQuotes(quoted)) unlike.push(quoted.itemId);
    }),
    exported,
  );
  const name = `g${row.id}`;
  const faults = [
    ...totalsFaults(name, row, totals),
    ...faultOfMany(unlike, `items of ${name} whose best ask, times or providers are not those of their quotes`),
  ];
  const digest = totals.digest.toString("hex").slice(0, 16);
  return faults.length > 0
    ? faults
    : [fact(`${name} is published and whole: ${totals.items} items, ${totals.bytes} bytes, digest ${digest}…`)];
}

/** Returns the quotes of a generation in ascending item id, with what its items are in the catalog now. */
function* quotesOf(database: Database, pieces: Pieces, id: number): Generator<CheckedRow> {
  const page = database.$client.prepare<[{ id: number; after: number; limit: number }], CheckedRow>(
    `SELECT quote_key & 2147483647 AS itemId, quotes, observed, best_ask_cents AS bestAskCents, best_ask_provider AS bestAskProvider,
       observed_at AS observedAt, providers,
       coalesce((SELECT in_catalog FROM items WHERE item_id = quote_key & 2147483647), 0) AS isExported
     FROM generation_quotes WHERE quote_key > (@id << 31) + @after AND quote_key < ((@id + 1) << 31)
     ORDER BY quote_key LIMIT @limit`,
  );
  const paging = {
    after: -1,
    read: (after: number) => page.all({ id, after, limit: pageRows }),
    keyOf: ({ itemId }: CheckedRow) => itemId,
  };
  for (const rows of pagesOf(database, pieces, "generation_quotes", paging)) yield* rows;
}

function totalsFaults(name: string, row: GenerationRow, actual: Totals): Finding[] {
  return [
    ...(row.digest?.equals(actual.digest) === true ? [] : [fault(`the quotes of ${name} do not have its digest`)]),
    ...(row.delistedDigest?.equals(actual.delistedDigest) === false
      ? [fault(`the quotes of ${name} that are of no item in the catalog do not have its second digest`)]
      : []),
    ...(["items", "bytes"] as const)
      .filter((what) => row[what] !== actual[what])
      .map((what) => fault(`${name} states ${row[what]} ${what} and has ${actual[what]}`)),
  ];
}

function* watched<T>(rows: Iterable<T>, look: (row: T) => void): Generator<T> {
  for (const row of rows) {
    look(row);
    yield row;
  }
}

/** Tells whether the columns that repeat a row's quotes agree with them: best ask, the same quotes with times, and their facts. */
function hasOwnQuotes(row: Omit<CheckedRow, "isExported">): boolean {
  const { quotes, observed } = row;
  const sides = decodeQuotes(observed ?? quotes);
  const [best] = sides.asks;
  if ((best?.amount ?? null) !== row.bestAskCents || (best?.provider ?? null) !== row.bestAskProvider) return false;
  if (observed !== null && encodeQuotes(withoutTimes(sides)) !== quotes) return false;
  // An older release stored no facts.
  if (row.providers === null) return row.observedAt === null;
  const facts = quoteFacts([...sides.asks, ...sides.bids]);
  return facts.observedAt === row.observedAt && facts.providers === row.providers;
}

/** Names leftovers. They are harmless, no reader sees them, and the next import removes them. */
function orphans(
  { $client: client }: Database,
  pieces: Pieces,
  current: number | null,
  rows: readonly GenerationRow[],
): Finding[] {
  const counts = new Map<number, number>();
  const ranges =
    current === null
      ? [[0, generationIdMax]]
      : [
          [0, current],
          [current + 1, generationIdMax],
        ];
  for (const [from, to] of ranges) {
    for (const id of generationsOfQuotes(client, pieces, from!, to!)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  for (const { id, state } of rows) if (state === "staging" && !counts.has(id)) counts.set(id, 0);
  return [...counts].map(([id, items]) => {
    const state = rows.find((row) => row.id === id)?.state ?? "unknown";
    return fact(`g${id} is ${state} with ${items} items left; the next import removes it`);
  });
}

/** Returns the generation of each stored row of the generations from `from` to before `to`, ascending. */
function* generationsOfQuotes(
  client: Database["$client"],
  pieces: Pieces,
  from: number,
  to: number,
): Generator<number> {
  type Key = { id: number; itemId: number };
  const page = client.prepare<[Key & { to: number; limit: number }], Key>(
    `SELECT quote_key >> 31 AS id, quote_key & 2147483647 AS itemId FROM generation_quotes
     WHERE quote_key > (@id << 31) + @itemId AND quote_key < (@to << 31) ORDER BY quote_key LIMIT @limit`,
  );
  for (let last: Key = { id: from, itemId: -1 }; ; ) {
    const keys = pieces(() => page.all({ ...last, to, limit: pageRows }));
    for (const { id } of keys) yield id;
    if (keys.length < pageRows) return;
    const { id, itemId } = keys.at(-1)!;
    if (id < last.id || (id === last.id && itemId <= last.itemId)) throw unordered("generation_quotes");
    last = { id, itemId };
  }
}
