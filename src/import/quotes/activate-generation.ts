import { type Database, writeTransaction } from "../../store/database.ts";
import { type CurrentGeneration, type Totals, totalsOf } from "../../store/generations.ts";
import { type BatchStats, inShortTransactions } from "../../store/write/batches.ts";
import type { GenerationWriter, OrphanKey, QuoteRow } from "../../store/write/generations.ts";
import type { Clock } from "../../values/clock.ts";
import { exitCodes, OperatorError } from "../../values/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";

export type PublishParts = { clock: Clock; progress?: Progress };

/**
 * A generation to publish. `totals` are those of `rows` with `exported`, the items that are in the catalog once `alongside` has run:
 * it is part of the transaction that makes the generation the published one.
 */
export type Activation = {
  rows: readonly QuoteRow[];
  totals: Totals;
  exported: ReadonlySet<number>;
  alongside: (at: number) => void;
};

/**
 * Stages the rows, publishes them in place of `current` and removes what is superseded. Returns the new generation. A crash at
 * any point leaves the published generation whole.
 */
export function* activateGenerationInBatches(
  database: Database,
  store: GenerationWriter,
  current: CurrentGeneration | null,
  activation: Activation,
  parts: PublishParts,
): Generator<BatchStats, number> {
  const { clock, progress = silent } = parts;
  const generationId = yield* stage(database, store, activation, parts);
  progress.phase("publishing");
  yield once(database, clock, () => {
    if (store.current()?.generationId !== current?.generationId) {
      throw new OperatorError("another generation was published meanwhile; import the file again", exitCodes.temporary);
    }
    const at = clock.now();
    store.activate(generationId, activation.totals, at);
    activation.alongside(at);
  });
  yield* removeOrphansInBatches(database, store, generationId, parts);
  return generationId;
}

function* stage(
  database: Database,
  store: GenerationWriter,
  { rows, totals, exported }: Activation,
  { clock, progress = silent }: PublishParts,
): Generator<BatchStats, number> {
  let generationId = 0;
  yield once(database, clock, () => {
    generationId = store.startStaging(clock.now());
  });
  progress.phase("staging", rows.length);
  const write = (row: QuoteRow) => store.stage(generationId, row);
  for (const held of inShortTransactions(database, clock, rows, write, bytesOf)) {
    progress.advance(held.rows);
    yield held;
  }
  const staged = totalsOf(store.rows(generationId), exported);
  if (!staged.digest.equals(totals.digest) || !staged.delistedDigest.equals(totals.delistedDigest)) {
    throw new OperatorError(
      "what was staged does not read back as it was written; check the disk",
      exitCodes.unexpected,
    );
  }
  return generationId;
}

/** Removes the quotes of superseded generations and of imports that did not end. */
export function* removeOrphansInBatches(
  database: Database,
  store: GenerationWriter,
  currentId: number | null,
  { clock, progress = silent }: PublishParts,
): Generator<BatchStats> {
  for (;;) {
    const keys = store.orphanKeys(currentId);
    if (keys.length === 0) break;
    progress.phase("removing superseded quotes", keys.length);
    const remove = (key: OrphanKey) => store.removeQuotes(key);
    for (const held of inShortTransactions(database, clock, keys, remove, ({ bytes }) => bytes)) {
      progress.advance(held.rows);
      yield held;
    }
  }
  yield once(database, clock, () => store.removeStaging());
}

function bytesOf({ quotes, observed }: QuoteRow): number {
  return quotes.length + (observed?.length ?? 0);
}

/** One short transaction. */
export function once(database: Database, clock: Clock, work: () => void): BatchStats {
  let startedMs = 0;
  writeTransaction(database, () => {
    startedMs = clock.monotonicMs();
    work();
  });
  return { rows: 1, lockHeldMs: clock.monotonicMs() - startedMs };
}
