import { moveQuotedInBatches } from "../../import/catalog/republish-quoted.ts";
import type { PoolDefinition } from "../../import/pools/definition.ts";
import { openableColumns } from "../../import/pools/draft.ts";
import type { Database } from "../../store/database.ts";
import type { ReplayRows } from "../../store/read/replay-rows.ts";
import {
  type BatchStats,
  inLargeTransactions,
  inOneTransaction,
  inShortTransactions,
} from "../../store/write/batches.ts";
import { CatalogWriter, type ItemRow, itemReader } from "../../store/write/catalog.ts";
import { DailyPriceWriter, dailyRowBytes } from "../../store/write/daily-prices.ts";
import { ExchangeRateWriter } from "../../store/write/exchange-rates.ts";
import { ExportStateWriter, publishedIdentity } from "../../store/write/export-states.ts";
import { FeedWriter } from "../../store/write/feeds.ts";
import { IndexWriter } from "../../store/write/indexes.ts";
import { type OpenableRow, PoolWriter, type RevisionRow } from "../../store/write/openables.ts";
import { dayOf } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";

// This module is apart from the replay, because it copies recorded rows, and the replay plays frames.

/** The file that a replay writes, the file that it reads, and the market's clock. */
export type ReplayFiles = { database: Database; source: Database; rows: ReplayRows; clock: Clock };

/** Writes items and publishes the generation that a moved item needs. */
export function* writeItemsInBatches(
  { database, rows, clock }: ReplayFiles,
  items: readonly ItemRow[],
): Generator<BatchStats, void> {
  const writer = new CatalogWriter(database);
  const stored = itemReader(database);
  const known = items.map(({ itemId }) => stored(itemId) as ItemRow | undefined);
  const moves = items.flatMap(({ inCatalog, updatedAt }, index) => {
    const before = known[index];
    return before === undefined || before.inCatalog === inCatalog ? [] : [{ ...before, inCatalog, updatedAt }];
  });
  yield* moveQuotedInBatches(database, moves, () => writer.raiseVersion(), { clock });
  const identity = publishedIdentity(database);
  const states = new ExportStateWriter(database);
  yield* inShortTransactions(
    database,
    clock,
    items,
    (row) => writer.write(row),
    undefined,
    (written) => {
      writer.raiseVersion();
      states.record(
        identity,
        written.map(({ itemId }) => itemId),
        clock.now(),
      );
    },
  );
  const sources = items.flatMap(({ itemId }) => rows.sourcesOf(itemId).map((key) => [key, itemId] as const));
  yield* inShortTransactions(database, clock, sources, ([key, itemId]) => writer.addSource(key, itemId));
}

export function* writeRatesInBatches({ database, rows, clock }: ReplayFiles, at: number): Generator<BatchStats, void> {
  for (const { rates, ...series } of rows.ratesOf(at)) {
    const writer = new ExchangeRateWriter(database, series);
    yield* inShortTransactions(database, clock, rates, (rate) => writer.write(rate, at));
  }
}

export function* writeImportInBatches(
  { database, rows, clock }: ReplayFiles,
  importId: number,
): Generator<BatchStats, void> {
  const { facts, values, rates } = rows.importOf(importId);
  const store = new DailyPriceWriter(database, dayOf(values.importedAt));
  const { importId: _, ...imported } = values;
  let id = 0;
  yield inOneTransaction(database, clock, () => {
    new FeedWriter(database).addInactive(facts);
    id = store.startImport(imported);
    for (const rate of rates) store.addRate({ ...rate, importId: id });
  });
  yield* inLargeTransactions(
    database,
    clock,
    rows.importedRows(importId),
    (row) => store[values.replaces ? "put" : "add"]({ ...row, importId: id }),
    () => dailyRowBytes,
  );
}

export function* writeIndexesInBatches(
  { database, source, rows, clock }: ReplayFiles,
  at: number,
): Generator<BatchStats, void> {
  const [from, to] = [new IndexWriter(source), new IndexWriter(database)];
  for (const record of rows.indexesOf(at))
    yield inOneTransaction(database, clock, () => to.putIndex({ ...record, calculatedAt: null }));
  for (const membership of rows.membershipsOf(at)) {
    const members = from.members(membership);
    yield inOneTransaction(database, clock, () => {
      for (const member of members) to.stageMember({ ...membership, ...member });
      to.putMembership(membership);
    });
  }
}

export function* writePoolsInBatches(
  { database, source, rows, clock }: ReplayFiles,
  at: number,
): Generator<BatchStats, void> {
  const [from, to] = [new PoolWriter(source), new PoolWriter(database)];
  const { published, changed } = rows.poolsOf(at);
  for (const revision of published) {
    const outcomes = from.outcomes(revision.revisionId);
    yield inOneTransaction(database, clock, () => {
      to.putOpenable(describedBy(rows.openable(revision.slug), revision, at));
      to.addRevision(revision, outcomes);
    });
  }
  for (const openable of changed) yield inOneTransaction(database, clock, () => to.putOpenable(openable));
}

/** Describes the containers that changed after `from` by their last revision until then. */
export function* describePoolsInBatches({ database, clock }: ReplayFiles, from: number): Generator<BatchStats, void> {
  const pools = new PoolWriter(database);
  for (const { slug } of pools.list()) {
    const openable = pools.openable(slug);
    if (openable === null || openable.changedAt <= from) continue;
    const revision = pools.revision(openable.revisionId)!;
    yield inOneTransaction(database, clock, () =>
      pools.putOpenable(describedBy(openable, revision, revision.publishedAt)),
    );
  }
}

function describedBy(openable: OpenableRow, revision: RevisionRow, changedAt: number): OpenableRow {
  const columns = openableColumns(JSON.parse(revision.definition) as PoolDefinition);
  return { ...openable, ...columns, revisionId: revision.revisionId, state: "active", changedAt };
}
