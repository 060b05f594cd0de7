import { eq, sql } from "drizzle-orm";
import { items } from "../../db/schema/catalog.ts";
import { type Database, openReader, openWriter } from "../store/database.ts";
import { markReal } from "../store/demo-mark.ts";
import { refuseUnlessOurs } from "../store/file.ts";
import { holdLock } from "../store/lock.ts";
import type { Clock } from "../values/clock.ts";
import { OperatorError } from "../values/operator-error.ts";
import type { CatalogVariant } from "./catalog-sources/variants.ts";
import type { ImportReport } from "./feed-report.ts";
import { type AdapterName, adapters } from "./feeds/adapters.ts";
import type { FeedReading } from "./feeds/observation.ts";
import { type Body, brokenBody, readBody } from "./feeds/read-body.ts";
import { GenerationRows } from "./generation-rows.ts";
import { countCrossed, type ItemLookup, type Joined, joinObservations } from "./join.ts";
import { type Progress, silent } from "./progress.ts";
import { type Published, publishSteps, refuseForeignProviders } from "./publish.ts";
import { type Held, importBusyMs, pauseAfter } from "./short-transactions.ts";

export type ImportOptions = {
  adapter: AdapterName;
  /** Publishes a body although it lost more than half of the feed's items. */
  acceptShrink?: boolean;
  /** Reads and joins, writes nothing. */
  dryRun?: boolean;
};

/** What an import asks of the catalog: the item of a name, and new items for the variants that a body proves. */
export type ImportCatalog = {
  names(database: Database): Pick<ItemLookup, "resolve">;
  /** Makes the items in one short transaction; ids by identity key. */
  createFeedProven(database: Database, variants: readonly CatalogVariant[], at: number): ReadonlyMap<string, number>;
};

export type ImportParts = {
  clock: Clock;
  catalog: ImportCatalog;
  progress?: Progress;
  /** Waits between two transactions, so that other writers get in. */
  pause?: (held: Held) => Promise<void>;
};

const provenBatchRows = 32;

/**
 * Imports one file of quotes into the database at `databasePath` and publishes it. Beside a running server it never holds
 * the writer's lock for long. Throws `OperatorError` or `StoreRefusal`; then nothing was published and nothing recorded.
 */
export async function importQuotes(
  databasePath: string,
  bodyPath: string,
  options: ImportOptions,
  parts: ImportParts,
): Promise<ImportReport> {
  const { pause = pauseAfter, progress = silent } = parts;
  const startedMs = parts.clock.monotonicMs();
  refuseUnlessOurs(databasePath);
  const lock = options.dryRun === true ? null : holdLock(databasePath, "import");
  try {
    progress.phase("reading");
    const body = await readBody(bodyPath);
    const database = options.dryRun === true ? openReader(databasePath) : openWriter(databasePath, importBusyMs);
    try {
      if (options.dryRun !== true) database.$client.pragma("wal_autocheckpoint = 0");
      const steps = importSteps(database, body, options, parts);
      let holdMsMax = 0;
      let step = steps.next();
      for (; step.done !== true; step = steps.next()) {
        holdMsMax = Math.max(holdMsMax, step.value.heldMs);
        await pause(step.value);
      }
      if (options.dryRun !== true) markReal(database);
      return { ...step.value, holdMsMax, seconds: (parts.clock.monotonicMs() - startedMs) / 1000 };
    } finally {
      database.$client.close();
    }
  } finally {
    progress.end();
    lock?.release();
  }
}

/** Imports a body into a file that nobody else has open yet: the same steps without pauses. */
export function importQuotesAtOnce(
  database: Database,
  body: Body,
  options: ImportOptions,
  parts: Omit<ImportParts, "pause">,
): ImportReport {
  const steps = importSteps(database, body, options, parts);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

function* importSteps(
  database: Database,
  body: Body,
  options: ImportOptions,
  parts: ImportParts,
): Generator<Held, ImportReport> {
  const { clock, catalog, progress = silent } = parts;
  const at = clock.now();
  const startedMs = clock.monotonicMs();
  const reading = adapters[options.adapter].read(body, at);
  progress.phase("joining");
  const lookup = lookupIn(database, catalog.names(database));
  const joined = joinObservations(reading.observations, lookup, reading.refusals);
  const quoted = joined.items.size + joined.provable.size;
  refuseUnlessUsable(new GenerationRows(database), body, reading, quoted, options);
  const books = [...joined.items.values(), ...Array.from(joined.provable.values(), ({ quotes }) => quotes)];
  const report = { ...reportOf(body, reading, joined), crossed: countCrossed(books) };
  let published: Published | null = null;
  if (options.dryRun !== true) {
    yield* createProven(database, joined, catalog, at, clock);
    published = yield* publishSteps(database, { facts: reading.facts, items: joined.items }, parts);
    for (const itemId of published.tooLarge)
      reading.refusals.add("record_too_large", lookup.nameOf(itemId) ?? `${itemId}`);
  }
  const seconds = (clock.monotonicMs() - startedMs) / 1000;
  return { ...report, ...outcomeOf(published), items: quoted, refused: reading.refusals.list(), seconds };
}

function refuseUnlessUsable(
  store: GenerationRows,
  body: Body,
  { facts, refusals }: FeedReading,
  quoted: number,
  { acceptShrink = false }: ImportOptions,
): void {
  if (quoted === 0) {
    const why = refusals.list().map(({ reason, count }) => `${count} ${reason}`);
    throw brokenBody(body.name, `no price joins an item of the catalog (${why.join(", ") || "it holds none"})`);
  }
  refuseForeignProviders(store, facts);
  const before = store.feedItemCount(facts.feed);
  if (before !== null && quoted * 2 < before && !acceptShrink) {
    throw brokenBody(
      body.name,
      `feed ${facts.feed} shrinks from ${before} items to ${quoted}; say --accept-shrink if that is true`,
    );
  }
}

/** Makes the proven items a few at a time and adds their quotes to the joined ones. */
function* createProven(
  database: Database,
  joined: Joined,
  catalog: ImportCatalog,
  at: number,
  clock: Clock,
): Generator<Held> {
  const proven = [...joined.provable.values()];
  for (let first = 0; first < proven.length; first += provenBatchRows) {
    const batch = proven.slice(first, first + provenBatchRows);
    const startedMs = clock.monotonicMs();
    const ids = catalog.createFeedProven(
      database,
      batch.map(({ variant }) => variant),
      at,
    );
    for (const { variant, quotes } of batch) {
      const itemId = ids.get(variant.identityKey);
      if (itemId === undefined) throw new OperatorError(`the catalog made no item for ${variant.identityKey}`);
      joined.items.set(itemId, quotes);
    }
    yield { rows: batch.length, heldMs: clock.monotonicMs() - startedMs };
  }
}

function reportOf({ name }: Body, { facts, absent }: FeedReading, { asks, bids, provable }: Joined) {
  return {
    body: name,
    feed: facts.feed,
    adapter: facts.adapter,
    asks,
    bids,
    provenItems: provable.size,
    absent,
    holdMsMax: 0,
  };
}

function outcomeOf(published: Published | null): Pick<ImportReport, "outcome" | "generation" | "published"> {
  if (published === null) return { outcome: "dry_run", generation: null, published: null };
  const { outcome, generationId, items, bytes, digest } = published;
  return { outcome, generation: `g${generationId}`, published: { items, bytes, digest: digest.toString("hex") } };
}

function lookupIn(database: Database, names: Pick<ItemLookup, "resolve">) {
  const statement = database
    .select({ name: items.marketHashName })
    .from(items)
    .where(eq(items.itemId, sql.placeholder("itemId")))
    .prepare();
  const nameOf = (itemId: number) => statement.get({ itemId })?.name;
  return {
    resolve: (name: string, phase: string | null) => names.resolve(name, phase),
    has: (itemId: number) => nameOf(itemId) !== undefined,
    nameOf,
  };
}
