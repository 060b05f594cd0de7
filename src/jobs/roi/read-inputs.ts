import { type Ask, type ModeAsks, noAsks } from "../../roi/asks.ts";
import { type ValuationMode, valuationModes } from "../../roi/calculation.ts";
import type { PricedOutcome } from "../../roi/valuation.ts";
import { MalformedBytes } from "../../store/codec/varint.ts";
import { beginRead, type Database } from "../../store/database.ts";
import { type OutcomeRow, type PoolRow, RoiInputsStore } from "../../store/roi-inputs.ts";
import { OperatorError } from "../../values/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { type ModeHighs, RecentHighs } from "./recent-highs.ts";
import type { Slices } from "./slices.ts";

/** Inputs of the calculation of one container in one mode. `container` null: the container itself has no ask. */
export type RoiInput = {
  pool: PoolRow;
  valuationMode: ValuationMode;
  container: Ask | null;
  outcomes: readonly PricedOutcome[];
};

/**
 * A container that is not calculated in a mode, with the reason; its published calculation stays. `changed`: its pool changed during
 * the run, so the next run calculates it; `damaged`: its stored data must be repaired first.
 */
export type Skipped = { slug: string; valuationMode: ValuationMode; kind: "changed" | "damaged"; reason: string };

/** Inputs of one run. `ingestedAt`: UTC ms at which the generation was published. `pools`: count of the pools read. */
export type RoiInputs = {
  generationId: number | null;
  ingestedAt: number | null;
  pools: number;
  inputs: RoiInput[];
  skipped: Skipped[];
};

const damagedFrames = "recorded frames are damaged; `itemtape db check` gives the details";

type Parts = { at: number; only: readonly string[] | undefined; slices: Slices; progress?: Progress };

/**
 * Reads the pools in force, or those of `only`, with the prices of one generation, in one read transaction, which also ends when the
 * caller stops at a yield. Returns inputs in ascending slug and mode.
 *
 * @throws {OperatorError} when `only` names a slug without a published pool.
 */
export function* readInputs(database: Database, parts: Parts): Generator<void, RoiInputs> {
  const end = beginRead(database);
  try {
    return yield* readAll(database, parts);
  } finally {
    end();
  }
}

function* readAll(database: Database, { at, only, slices, progress = silent }: Parts): Generator<void, RoiInputs> {
  const reads = new RoiInputsStore(database);
  const pools = poolsOf(reads, only);
  const { generationId, ingestedAt } = reads.generation() ?? { generationId: null, ingestedAt: null };
  const ofMode = reads.modeProviders();
  const highs = new RecentHighs(database, at, ofMode);
  const known = new Map<number, ModeAsks>();
  const asksOf = (itemId: number): ModeAsks => {
    let asks = known.get(itemId);
    if (asks === undefined) {
      asks = generationId === null ? noAsks : reads.asks(generationId, itemId, ofMode);
      known.set(itemId, asks);
    }
    return asks;
  };
  const inputs: RoiInput[] = [];
  const skipped: Skipped[] = [];
  progress.phase("reading prices of openables", pools.length);
  for (const pool of pools) {
    const rows = reads.outcomes(pool.revisionId);
    for (const valuationMode of valuationModes.toSorted()) {
      const container = asksOf(pool.itemId)[valuationMode];
      try {
        const outcomes = container === null ? [] : valued(rows, valuationMode, asksOf, highs);
        inputs.push({ pool, valuationMode, container, outcomes });
      } catch (error) {
        if (!(error instanceof MalformedBytes)) throw error;
        skipped.push({ slug: pool.slug, valuationMode, kind: "damaged", reason: damagedFrames });
      }
      yield* slices.cut();
    }
    progress.advance(1);
  }
  return { generationId, ingestedAt, pools: pools.length, inputs, skipped };
}

function poolsOf(reads: RoiInputsStore, only: readonly string[] | undefined): PoolRow[] {
  const pools = reads.pools();
  if (only === undefined) return pools;
  const missing = only.find((slug) => !pools.some((pool) => pool.slug === slug));
  if (missing !== undefined)
    throw new OperatorError(`there is no published openable \`${missing}\`; \`itemtape openables show\` lists them`);
  return pools.filter(({ slug }) => only.includes(slug));
}

function valued(
  rows: readonly OutcomeRow[],
  valuationMode: ValuationMode,
  asksOf: (itemId: number) => ModeAsks,
  highs: { of(itemId: number): ModeHighs },
): PricedOutcome[] {
  return rows.map(([itemId, tier, digits, phased]) => {
    const numerator = BigInt(digits);
    const unpriced = { tier, numerator, phased: phased === 1, valueCents: null, valueProvider: null, valueAsOf: null };
    if (numerator === 0n) return { ...unpriced, recentHighCents: null };
    // The main platform does not distinguish phases: its ask for one is the price of any.
    const ask = valuationMode === "steam_gross" && phased === 1 ? null : asksOf(itemId)[valuationMode];
    if (ask === null) return { ...unpriced, recentHighCents: highs.of(itemId)[valuationMode] };
    const { cents: valueCents, provider: valueProvider, asOf: valueAsOf } = ask;
    return { ...unpriced, valueCents, valueProvider, valueAsOf, recentHighCents: null };
  });
}
