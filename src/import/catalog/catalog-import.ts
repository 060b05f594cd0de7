import type { Database } from "../../store/database.ts";
import { isLocked } from "../../store/file/lock.ts";
import {
  type BatchStats,
  inOneTransaction,
  inShortTransactions,
  runAtOnce,
  runBatches,
  turnOfLoop,
} from "../../store/write/batches.ts";
import { CatalogWriter, type ItemRow, readItems, readSources } from "../../store/write/catalog.ts";
import { ExportStateWriter, publishedIdentity } from "../../store/write/export-states.ts";
import { spanKeeper } from "../../store/write/known-since.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { type Clock, clockAt } from "../../values/time/clock.ts";
import { importing } from "../run-import.ts";
import { itemRowOf } from "./feed-derived.ts";
import { MovedItems } from "./moved-items.ts";
import { type MoveParts, moveQuotedInBatches } from "./republish-quoted.ts";
import type { CatalogVariant } from "./variants.ts";

/**
 * Result of a catalog import, in items. `left` counts items that the source no longer lists; they are kept for their history. `generation`
 * is for example `g8`, published because a quoted item left or returned. It is null if none was needed.
 */
export type CatalogImportReport = {
  items: number;
  created: number;
  changed: number;
  left: number;
  returned: number;
  unchanged: number;
  generation: string | null;
};

type Planned = { row: ItemRow; isNew: boolean; isChanged: boolean; sourceKeys: readonly string[] };

/**
 * Updates the catalog to exactly these variants. A known identity keeps its id, and a new identity receives the next id. A missing identity
 * stays with `in_catalog` false. A feed-derived variant stays in the catalog as long as its base object.
 *
 * If a quoted item leaves or returns, a new generation with the same quotes is published first. Yields after every short transaction, when
 * rows and published digest agree. After an interruption, the next import finishes the work. `at` is UTC ms.
 */
export function* importCatalogInBatches(
  database: Database,
  variants: readonly CatalogVariant[],
  at: number,
  parts: MoveParts,
): Generator<BatchStats, CatalogImportReport> {
  const { clock, progress = silent } = parts;
  const before = readItems(database);
  const planned = plan(before, variants, at);
  const moves = movesOf(before, planned);
  const writer = new CatalogWriter(database);
  const keepSpan = spanKeeper(database, at);
  const log = new MovedItems(database, before.values(), at);
  // Raised in every transaction, because answers are cached by version and an interrupted import keeps its written rows.
  const changed = (written: readonly ItemRow[]) => {
    writer.raiseVersion();
    keepSpan(clock.now());
    log.add(written);
  };
  const { generationId, itemIds } = yield* moveQuotedInBatches(database, moves, changed, parts);
  const moved = new Map(moves.filter(({ itemId }) => itemIds.has(itemId)).map((row) => [row.itemId, row]));
  const needed = planned.flatMap(({ row, isNew, isChanged }) => {
    const move = moved.get(row.itemId);
    const isAsMoved = move !== undefined && sameRow(move, row);
    return isNew || (isChanged && !isAsMoved) ? [row] : [];
  });
  const identity = needed.length === 0 ? null : publishedIdentity(database);
  const states = new ExportStateWriter(database);
  progress.phase("writing the catalog", needed.length);
  yield* inShortTransactions(
    database,
    clock,
    needed,
    (row) => writer.write(row),
    undefined,
    (written) => {
      changed(written);
      const itemIds = written.map(({ itemId }) => itemId);
      states.record(identity, itemIds, clock.now());
      progress.advance(written.length);
    },
  );
  yield* inShortTransactions(database, clock, missingSources(database, planned), ([key, itemId]) =>
    writer.addSource(key, itemId),
  );
  if (needed.length > 0 || generationId !== null) {
    yield inOneTransaction(database, clock, () => {
      const now = clock.now();
      keepSpan(now);
      log.finish(now);
    });
  }
  return reportOf(before, planned, generationId);
}

/** Imports the catalog without pauses into a file that no other process has open yet. */
export function importCatalog(
  database: Database,
  variants: readonly CatalogVariant[],
  at: number,
): CatalogImportReport {
  return runAtOnce(importCatalogInBatches(database, variants, at, { clock: clockAt(at) }));
}

function plan(before: ReadonlyMap<string, ItemRow>, variants: readonly CatalogVariant[], at: number): Planned[] {
  let lastId = Math.max(0, ...Array.from(before.values(), (row) => row.itemId));
  const listed = new Map(variants.map((variant) => [variant.identityKey, variant]));
  const objects = new Set(variants.map((variant) => objectOf(variant.identityKey)));
  const planned: Planned[] = [];
  for (const variant of listed.values()) {
    const old = before.get(variant.identityKey);
    if (old === undefined) lastId += 1;
    const itemId = old?.itemId ?? lastId;
    const row = itemRowOf(variant, {
      itemId,
      origin: "catalog",
      firstSeenAt: old?.firstSeenAt ?? at,
      updatedAt: old?.updatedAt ?? null,
    });
    const isChanged = old !== undefined && !sameRow(old, row);
    const { sourceKeys } = variant;
    planned.push({ row: isChanged ? { ...row, updatedAt: at } : row, isNew: old === undefined, isChanged, sourceKeys });
  }
  for (const old of before.values()) {
    if (listed.has(old.identityKey)) continue;
    const inCatalog = old.origin === "feed_proven" && objects.has(objectOf(old.identityKey));
    const isChanged = inCatalog !== old.inCatalog;
    const row = isChanged ? { ...old, inCatalog, updatedAt: at } : old;
    planned.push({ row, isNew: false, isChanged, sourceKeys: [] });
  }
  return planned;
}

/** Returns the canonical object of an identity: its key without wear, edition and phase. */
function objectOf(identityKey: string): string {
  return identityKey.split("/").slice(0, -3).join("/");
}

function sameRow(old: ItemRow, row: ItemRow): boolean {
  return (Object.keys(row) as (keyof ItemRow)[]).every((key) => old[key] === row[key]);
}

/** Returns the known items that leave or return. Only `inCatalog` and `updatedAt` of the row change. */
function movesOf(before: ReadonlyMap<string, ItemRow>, planned: readonly Planned[]): ItemRow[] {
  return planned.flatMap(({ row: { identityKey, inCatalog, updatedAt } }) => {
    const old = before.get(identityKey);
    return old === undefined || old.inCatalog === inCatalog ? [] : [{ ...old, inCatalog, updatedAt }];
  });
}

function missingSources(database: Database, planned: readonly Planned[]): [string, number][] {
  const known = new Set(readSources(database).map(({ sourceKey, itemId }) => `${itemId} ${sourceKey}`));
  return planned.flatMap(({ row, sourceKeys }) =>
    sourceKeys.filter((key) => !known.has(`${row.itemId} ${key}`)).map((key): [string, number] => [key, row.itemId]),
  );
}

function reportOf(
  before: ReadonlyMap<string, ItemRow>,
  planned: readonly Planned[],
  generationId: number | null,
): CatalogImportReport {
  const inBefore = ({ row }: Planned) => before.get(row.identityKey)?.inCatalog ?? false;
  const created = planned.filter(({ isNew }) => isNew).length;
  const left = planned.filter((one) => inBefore(one) && !one.row.inCatalog).length;
  const returned = planned.filter((one) => !one.isNew && !inBefore(one) && one.row.inCatalog).length;
  const changed = planned.filter(({ isChanged }) => isChanged).length - left - returned;
  return {
    items: planned.length,
    created,
    changed,
    left,
    returned,
    unchanged: planned.length - created - changed - left - returned,
    generation: generationId === null ? null : `g${generationId}`,
  };
}

/**
 * Updates the catalog of the file at `databasePath` to these variants. Uses short transactions, with pauses beside a running server.
 * @throws {StoreRefusal} when the file cannot be used or another import is running.
 */
export async function importCatalogFile(
  databasePath: string,
  variants: readonly CatalogVariant[],
  { clock, progress = silent, acceptShrink = false }: { clock: Clock; progress?: Progress; acceptShrink?: boolean },
): Promise<CatalogImportReport> {
  try {
    return await importing(databasePath, async (database) => {
      if (!acceptShrink) refuseShrink(database, variants);
      const batches = importCatalogInBatches(database, variants, clock.now(), { clock, progress });
      // Without a server, no charges wait for the write lock.
      return (await runBatches(batches, isLocked(databasePath, "serve") ? undefined : turnOfLoop)).value;
    });
  } finally {
    progress.end();
  }
}

/** If the command omits a source, most of the catalog seems to be gone. */
function refuseShrink(database: Database, variants: readonly CatalogVariant[]): void {
  const listed = new Set(variants.map(({ identityKey }) => identityKey));
  const before = [...readItems(database).values()].filter((row) => row.inCatalog && row.origin === "catalog");
  const left = before.filter((row) => !listed.has(row.identityKey)).length;
  if (left * 2 <= before.length) return;
  throw new OperatorError(
    `the sources leave out ${left} of ${before.length} items of the catalog; name all sources in one command, or accept it with --accept-shrink; nothing was changed`,
  );
}
