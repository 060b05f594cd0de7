import { asc } from "drizzle-orm";
import { exportStates } from "../../../db/schema/prices.ts";
import { decodeQuotes, encodeQuotes, quoteFacts, withoutTimes } from "../../wire/quotes.ts";
import { exportedItems } from "../catalog.ts";
import { decodeChangedItems } from "../codec/changed-items.ts";
import type { Database } from "../database.ts";
import { type Totals, totalsOf } from "../generations.ts";
import { ExportIdentity } from "../write/export-identity.ts";
import type { QuoteRow } from "../write/generations.ts";
import { type Finding, fact, fault, faultOfMany } from "./finding.ts";

type GenerationRow = Omit<Totals, "digest" | "delistedDigest"> & {
  id: number;
  state: string;
  digest: Buffer | null;
  delistedDigest: Buffer | null;
};

type CheckedRow = Omit<QuoteRow, "bestAskChangedAt">;

/** Compares the published generation with its digest, totals and own columns; names what is left of others. */
export function checkGenerations(database: Database): Finding[] {
  const current = database.$client.prepare("SELECT current_generation_id FROM market_state").pluck().get() as
    | number
    | null
    | undefined;
  if (current === undefined) return [fault("the row of the market's state is missing")];
  const rows = database.$client
    .prepare(
      "SELECT generation_id AS id, state, items, bytes, digest, rest_digest AS delistedDigest FROM generations ORDER BY generation_id",
    )
    .all() as GenerationRow[];
  const published = rows.find(({ state }) => state === "published");
  const name = (id: number | null | undefined) => (id == null ? "none" : `g${id}`);
  const agreement =
    (published?.id ?? null) === current
      ? []
      : [fault(`${name(current)} is the current generation, ${name(published?.id)} the published one`)];
  return [
    ...agreement,
    ...(published === undefined ? [fact("nothing is published")] : checkPublished(database, published)),
    ...checkState(database, published?.id ?? null),
    ...orphans(database, current, rows),
  ];
}

/** Compares the present state of the market with what exports hold, and decodes what changed between the states. */
function checkState(database: Database, published: number | null): Finding[] {
  const rows = database.select().from(exportStates).orderBy(asc(exportStates.stateId)).all();
  for (const { changedItems } of rows) decodeChangedItems(changedItems, () => {});
  const last = rows.at(-1);
  if (published === null || last === undefined) {
    return published === null ? [] : [fault(`g${published} is published, and the market has no state`)];
  }
  if (last.generationId !== published) {
    return [fault(`the market's state is of g${last.generationId}, and g${published} is published`)];
  }
  const identity = new ExportIdentity(database, published);
  return [
    ...(identity.digest().equals(last.identityDigest)
      ? []
      : [fault("names, phases and availabilities do not have the digest of the market's state")]),
    ...(identity.exportBytes === last.exportBytes
      ? []
      : [fault(`the market's state tells ${last.exportBytes} bytes of an export, which has ${identity.exportBytes}`)]),
  ];
}

function checkPublished(database: Database, row: GenerationRow): Finding[] {
  const rows = database.$client
    .prepare(
      `SELECT quote_key & 2147483647 AS itemId, quotes, observed, best_ask_cents AS bestAskCents, best_ask_provider AS bestAskProvider,
         observed_at AS observedAt, providers
       FROM generation_quotes WHERE quote_key >= (@id << 31) AND quote_key < ((@id + 1) << 31) ORDER BY quote_key`,
    )
    .iterate({ id: row.id }) as Iterable<CheckedRow>;
  const unlike: number[] = [];
  // An older release counted all quotes.
  const exported = row.delistedDigest === null ? { has: () => true } : exportedItems(database);
  const totals = totalsOf(
    watched(rows, (row) => {
      if (!hasOwnQuotes(row)) unlike.push(row.itemId);
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
function hasOwnQuotes(row: CheckedRow): boolean {
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
function orphans({ $client: client }: Database, current: number | null, rows: readonly GenerationRow[]): Finding[] {
  const counts = client
    .prepare(
      "SELECT quote_key >> 31 AS id, count(*) AS items FROM generation_quotes WHERE quote_key >> 31 IS NOT ? GROUP BY 1 ORDER BY 1",
    )
    .all(current) as { id: number; items: number }[];
  const left = new Map(counts.map(({ id, items }) => [id, items]));
  for (const { id, state } of rows) if (state === "staging" && !left.has(id)) left.set(id, 0);
  return [...left].map(([id, items]) => {
    const state = rows.find((row) => row.id === id)?.state ?? "unknown";
    return fact(`g${id} is ${state} with ${items} items left; the next import removes it`);
  });
}
