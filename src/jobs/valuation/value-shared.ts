import type { Client } from "pg";
import { closeDatabase, type Database, openWithEmptyPrivateTables, writeTransaction } from "../../store/database.ts";
import { refuseUnlessDurable, refuseUnlessPrivate, withClient } from "../../store/postgres/connection.ts";
import {
  clockOf,
  emptyPortfolio,
  fillPortfolio,
  portfoliosToValue,
  valuationStatementMs,
  whileValuing,
  writeValuations,
} from "../../store/postgres/valuations.ts";
import { type BatchStats, runAtOnce } from "../../store/write/batches.ts";
import { marketAt } from "../../store/write/valuations.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { silent } from "../../values/progress.ts";
import { dayOf } from "../../values/time/calendar.ts";
import { type Clock, systemClock } from "../../values/time/clock.ts";
import { type Valuation, type ValuationOptions, type ValuationParts, valuePortfoliosInBatches } from "./valuation.ts";

/** `pause` is called after each portfolio. An exception in it ends the run. */
type SharedParts = Partial<ValuationParts> & { pause?: (batch: BatchStats) => Promise<void> };
type RunParts = SharedParts & Pick<Clock, "monotonicMs">;

/**
 * Values the portfolios of the private database at `url` with the market of `marketPath`, at the time of the database's clock. Resolves to
 * null if another node is running the job.
 * @throws {OperatorError} when the database cannot be used.
 */
export function valueShared(
  url: string,
  marketPath: string,
  { monotonicMs, ...parts }: RunParts,
  options: Omit<ValuationOptions, "untilDay"> = {},
): Promise<Valuation[] | null> {
  const value = async (client: Client) => {
    await refuseUnlessDurable(client, url);
    await refuseUnlessPrivate(client, url);
    return whileValuing(client, async () => {
      const at = await clockOf(client);
      return valuePrivate(client, marketPath, { ...parts, clock: { now: () => at, monotonicMs } }, options);
    });
  };
  return withClient(url, value, { statementMs: valuationStatementMs });
}

/**
 * Runs `valuePortfoliosInBatches` on the portfolios of a private database, one after another. Each portfolio is read at one point in time,
 * and one statement writes its values. Days that ended after the last check of the market in `marketPath` wait.
 * @throws {OperatorError} when a portfolio is unknown.
 */
export async function valuePrivate(
  client: Client,
  marketPath: string,
  { clock, progress = silent, pause }: SharedParts & Pick<ValuationParts, "clock">,
  { portfolioId, again = false }: Omit<ValuationOptions, "untilDay"> = {},
): Promise<Valuation[]> {
  const chosen = await portfoliosToValue(client, portfolioId ?? null);
  if (portfolioId !== undefined && chosen.length === 0) throw new OperatorError(`unknown portfolio \`${portfolioId}\``);
  const copy = openWithEmptyPrivateTables(marketPath);
  const valuations: Valuation[] = [];
  progress.phase("valuing portfolios", chosen.length);
  try {
    for (const id of chosen) {
      const startedMs = systemClock.monotonicMs();
      valuations.push(...(await valueOne(client, copy, id, { clock, again })));
      progress.advance(1);
      await pause?.({ rows: 1, lockHeldMs: systemClock.monotonicMs() - startedMs });
    }
    return valuations;
  } finally {
    closeDatabase(copy);
  }
}

async function valueOne(
  client: Client,
  copy: Database,
  portfolioId: string,
  { clock, again }: { clock: Clock; again: boolean },
): Promise<Valuation[]> {
  const before = await fillPortfolio(client, copy, portfolioId);
  const at = marketAt(copy);
  const untilDay = at === null ? {} : { untilDay: dayOf(at) };
  try {
    // One transaction, so that the market is consistent.
    const valued = writeTransaction(copy, () =>
      runAtOnce(valuePortfoliosInBatches(copy, { clock }, { again, ...untilDay })),
    );
    await writeValuations(client, copy, before);
    return valued;
  } finally {
    emptyPortfolio(copy);
  }
}
