import { and, asc, between, eq, getTableColumns, gt, lte, type SQL, sql } from "drizzle-orm";
import { dailyImports, dailyPrices, dailyPricesPast } from "../../../db/schema/history.ts";
import type { Database } from "../database.ts";
import { jsonRows, objectRows, singleValues } from "../statement.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/**
 * The price of one item and side at one provider on one UTC day (days since 1970). `importId` is null if the row is derived from recorded
 * frames.
 */
export type DailyPriceRow = Omit<typeof dailyPrices.$inferSelect, "itemId" | "side" | "checksum">;

/** One side of one item. `provider` is null to select every provider. */
export type DailySelection = { itemId: number; side: "ask" | "bid"; provider: string | null };

type DailyKey = Pick<DailyPriceRow, "day" | "provider">;

/** Days from `from` to `to` (inclusive), as known at `at`, UTC ms. */
type KnownDays = { from: number; to: number; at: number };

/** Days `from` to `to` (inclusive), restricted to rows after `after`. */
type DailyRange = { from: number; to: number; after: { day: number; provider: string }; limit: number };

type Columns = [
  day: number,
  provider: string,
  amount: number,
  lowAmount: number,
  highAmount: number,
  observations: number,
  quantity: number | null,
  sourceObservedAt: number | null,
  recordedAt: number,
  importId: number | null,
];

/** Reads daily prices from `daily_prices`, which joins both tables. */
export class DailyPricesStore {
  readonly #statements: ReturnType<typeof prepare>;
  readonly #shared: SharedReadTransaction | undefined;
  /** Whether imports replace, by number. They do not change. */
  readonly #replacing = new Map<number, boolean>();

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#statements = prepare(database);
  }

  /** Returns at most `limit` rows in ascending day and provider. */
  page(selection: DailySelection, range: DailyRange): DailyPriceRow[] {
    return dailyRowsOf(this.pageText(selection, range));
  }

  /**
   * Returns the same rows as one text, which changes with any of them. `dailyRowsOf` parses it. With `knownAt`, UTC ms, it has only rows
   * recorded by then; `replacedAfter` returns the rows that were replaced since.
   */
  pageText(
    { itemId, side, provider }: DailySelection,
    { from, to, after, limit }: DailyRange,
    knownAt: number | null = null,
  ): string {
    this.#shared?.join();
    const { page, known } = this.#statements;
    const { ofAll, ofOne } = knownAt === null ? page : known.page;
    const range = [itemId, side, from, to, ...(knownAt === null ? [] : [knownAt])];
    const start = [after.day, after.provider, limit];
    return provider === null ? ofAll.get(...range, ...start)! : ofOne.get(...range, provider, ...start)!;
  }

  /** Returns the `days` that have a row, with `knownAt` a row recorded by then. */
  daysWithRows(
    { itemId, side, provider }: DailySelection,
    days: readonly number[],
    knownAt: number | null = null,
  ): number[] {
    this.#shared?.join();
    const { ofAll, ofOne } = knownAt === null ? this.#statements.days : this.#statements.known.days;
    const asked = [JSON.stringify(days), itemId, side, ...(knownAt === null ? [] : [knownAt])];
    return provider === null ? ofAll.all(...asked) : ofOne.all(...asked, provider);
  }

  /** Returns the rows that were replaced or removed after an instant, in ascending day and provider. Later rows may be among them. */
  replacedAfter({ itemId, side, provider }: DailySelection, { from, to, at }: KnownDays): DailyPriceRow[] {
    this.#shared?.join();
    const rows = dailyRowsOf(this.#statements.known.replaced.get(itemId, side, from, to, at)!);
    return provider === null ? rows : rows.filter((row) => row.provider === provider);
  }

  /** Returns days and providers of the stored rows that were recorded after an instant. */
  addedAfter({ itemId, side, provider }: DailySelection, { from, to, at }: KnownDays): DailyKey[] {
    this.#shared?.join();
    const keys = this.#statements.known.added.all(itemId, side, from, to, at);
    return provider === null ? keys : keys.filter((key) => key.provider === provider);
  }

  /** Returns whether the rows of this import override recorded rows. */
  isReplacing(importId: number): boolean {
    let isReplacing = this.#replacing.get(importId);
    if (isReplacing === undefined) {
      this.#shared?.join();
      isReplacing = this.#statements.replacing.get(importId) !== undefined;
      this.#replacing.set(importId, isReplacing);
    }
    return isReplacing;
  }
}

/** Parses the rows of a text from `pageText`. */
export function dailyRowsOf(text: string): DailyPriceRow[] {
  return (JSON.parse(text) as Columns[]).map(rowOf);
}

// The next two queries are not built by Drizzle: its schema has no views.
/**
 * Returns the ask of an item's latest day with one, in USD cents. Uses the provider with the first name in order. Returns null without any
 * ask.
 */
export function lastAsk({ $client: client }: Database, itemId: number): number | null {
  const last = client.prepare<[number], number>(
    "SELECT amount FROM daily_prices WHERE item_id = ? AND side = 'ask' ORDER BY day DESC, provider LIMIT 1",
  );
  return last.pluck(true).get(itemId) ?? null;
}

/**
 * Returns the items of a type that have an ask of `provider` on `day`, in ascending id. `isPhased` selects items with or without a phase.
 */
export function itemsAsked(
  { $client: client }: Database,
  { type, isPhased, day, provider }: { type: string; isPhased: boolean; day: number; provider: string },
): number[] {
  const asked = client.prepare<[string, number, number, string], number>(
    `SELECT item_id FROM items JOIN daily_prices USING (item_id)
     WHERE type = ? AND (phase IS NOT NULL) = ? AND side = 'ask' AND day = ? AND provider = ? ORDER BY item_id`,
  );
  return asked.pluck(true).all(type, Number(isPhased), day, provider);
}

function rowOf(columns: Columns): DailyPriceRow {
  return {
    day: columns[0],
    provider: columns[1],
    amount: columns[2],
    lowAmount: columns[3],
    highAmount: columns[4],
    observations: columns[5],
    quantity: columns[6],
    sourceObservedAt: columns[7],
    recordedAt: columns[8],
    importId: columns[9],
  };
}

const { itemId, side, day, provider, amount, lowAmount, highAmount, observations, quantity } = dailyPrices;
const { sourceObservedAt, recordedAt, importId } = dailyPrices;
const columns = {
  day,
  provider,
  amount,
  lowAmount,
  highAmount,
  observations,
  quantity,
  sourceObservedAt,
  recordedAt,
  importId,
};
const place = sql.placeholder("");
const mine = and(eq(itemId, place), eq(side, place as never));
const ofProvider = eq(provider, place);
const isRecorded = lte(recordedAt, place);

function prepare(database: Database) {
  const replacing = database
    .select({ importId: dailyImports.importId })
    .from(dailyImports)
    .where(and(eq(dailyImports.importId, place), eq(dailyImports.replaces, sql`1`)));
  return {
    replacing: singleValues<number, [number]>(database, replacing),
    page: { ofAll: pageStatement(database), ofOne: pageStatement(database, ofProvider) },
    days: { ofAll: daysStatement(database), ofOne: daysStatement(database, ofProvider) },
    known: prepareKnown(database),
  };
}

function pageStatement(database: Database, ...filters: SQL[]) {
  const query = database
    .select(columns)
    .from(dailyPrices)
    .where(and(mine, between(day, place, place), ...filters, sql`(${day}, ${provider}) > (${place}, ${place})`))
    .orderBy(asc(day), asc(provider))
    .limit(place);
  return jsonRows(database, query, namesOf(columns));
}

function daysStatement(database: Database, ...filters: SQL[]) {
  const stored = database
    .select({ day })
    .from(dailyPrices)
    .where(and(mine, eq(day, sql`asked.value`), ...filters));
  const query = database
    .select({ day: sql<number>`asked.value` })
    .from(sql`json_each(${place}) AS asked`)
    .where(sql`EXISTS ${stored}`);
  return singleValues<number>(database, query);
}

function prepareKnown(database: Database) {
  const { supersededAt, ...past } = getTableColumns(dailyPricesPast);
  const shown = Object.fromEntries(Object.keys(columns).map((name) => [name, past[name as keyof typeof columns]]));
  const ofDays = and(eq(past.itemId, place), eq(past.side, place as never), between(past.day, place, place));
  const replaced = database
    .select(shown as never)
    .from(dailyPricesPast)
    .where(and(ofDays, gt(supersededAt, place)))
    .orderBy(asc(past.day), asc(past.provider));
  const added = database
    .select({ day, provider })
    .from(dailyPrices)
    .where(and(mine, between(day, place, place), gt(recordedAt, place)));
  return {
    page: { ofAll: pageStatement(database, isRecorded), ofOne: pageStatement(database, isRecorded, ofProvider) },
    days: { ofAll: daysStatement(database, isRecorded), ofOne: daysStatement(database, isRecorded, ofProvider) },
    added: objectRows<DailyKey>(database, added),
    replaced: jsonRows(database, replaced, namesOf(columns)),
  };
}

function namesOf(of: Record<string, { name: string }>): string[] {
  return Object.values(of).map(({ name }) => name);
}
