import { FrameProviderNames } from "../../domain/frame-provider-names.ts";
import { unfinalizedRows } from "../../domain/unfinalized-days.ts";
import { type Ask, type ModeAsks, type ModeProviders, noAsks } from "../../roi/asks.ts";
import { type ValuationMode, valuationModes } from "../../roi/calculation.ts";
import { markAboveCeiling } from "../../roi/ceiling.ts";
import type { PricedOutcome } from "../../roi/valuation.ts";
import { MalformedBytes } from "../../store/codec/varint.ts";
import { beginRead, type Database } from "../../store/database.ts";
import { type DailyPriceRow, DailyPricesStore } from "../../store/read/daily-prices.ts";
import { FramesStore } from "../../store/read/frames.ts";
import { type OutcomeRow, type PoolRow, RoiInputsStore } from "../../store/read/roi-inputs.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import { type Progress, silent } from "../../values/progress.ts";
import { dayOf } from "../../values/time/calendar.ts";
import type { DayWindow } from "../../values/time/window.ts";

/** Inputs for one container in one mode. `container` is null if the container itself has no ask. */
export type RoiInput = {
  pool: PoolRow;
  valuationMode: ValuationMode;
  container: Ask | null;
  outcomes: readonly PricedOutcome[];
};

/**
 * A container that is skipped in a mode; its published calculation stays. `changed` means that its pool changed during the run, so the next
 * run calculates it. `damaged` means that its stored data must be repaired first.
 */
export type Skipped = { slug: string; valuationMode: ValuationMode; kind: "changed" | "damaged"; reason: string };

/** Inputs of one run. `ingestedAt` is the publication time of the generation in UTC ms. `pools` is the number of pools read. */
export type RoiInputs = {
  generationId: number | null;
  ingestedAt: number | null;
  pools: number;
  inputs: RoiInput[];
  skipped: Skipped[];
};

const damagedFrames = "recorded frames are damaged; `npx itemtape db check` gives the details";
/** Days of the highest ask that replaces a missing ask of an outcome. */
const highDays = 90;
const rowsMax = 1_000_000;

type Parts = { at: number; only: readonly string[] | undefined; progress?: Progress };

/**
 * Reads the pools in force, or the pools of `only`, with the prices of one generation. Uses one read transaction, which also ends when the
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

function* readAll(database: Database, { at, only, progress = silent }: Parts): Generator<void, RoiInputs> {
  const reads = new RoiInputsStore(database);
  const pools = poolsOf(reads, only);
  const { generationId, ingestedAt } = reads.generation() ?? { generationId: null, ingestedAt: null };
  const ofMode = reads.modeProviders();
  const ceilings = reads.priceCeilings();
  const highs = new RecentHighs(database, at, ofMode);
  const known = new Map<number, ModeAsks>();
  const asksOf = (itemId: number): ModeAsks => {
    let asks = known.get(itemId);
    if (asks === undefined) {
      asks = generationId === null ? noAsks : reads.asks(itemId, ofMode);
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
        const other = valuationModes.find((mode) => mode !== valuationMode)!;
        const elsewhere = (position: number) => askIn(other, rows[position]!, asksOf)?.cents ?? null;
        const marked = markAboveCeiling(outcomes, ceilings[valuationMode], elsewhere);
        inputs.push({ pool, valuationMode, container, outcomes: marked });
      } catch (error) {
        if (!(error instanceof MalformedBytes)) throw error;
        skipped.push({ slug: pool.slug, valuationMode, kind: "damaged", reason: damagedFrames });
      }
      yield;
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
    throw new OperatorError(
      `no published container is named \`${missing}\`; \`npx itemtape openables show\` lists them`,
    );
  return pools.filter(({ slug }) => only.includes(slug));
}

function valued(
  rows: readonly OutcomeRow[],
  valuationMode: ValuationMode,
  asksOf: (itemId: number) => ModeAsks,
  highs: RecentHighs,
): PricedOutcome[] {
  return rows.map((row) => {
    const [itemId, tier, digits, phased] = row;
    const numerator = BigInt(digits);
    const unpriced = { tier, numerator, phased: phased === 1, valueCents: null, valueProvider: null, valueAsOf: null };
    if (numerator === 0n) return { ...unpriced, recentHighCents: null };
    const ask = askIn(valuationMode, row, asksOf);
    if (ask === null) return { ...unpriced, recentHighCents: highs.of(itemId)[valuationMode] };
    const { cents: valueCents, provider: valueProvider, asOf: valueAsOf } = ask;
    return { ...unpriced, valueCents, valueProvider, valueAsOf, recentHighCents: null };
  });
}

/** Returns null for a phase on the main platform, which has one ask for all phases. */
function askIn(
  mode: ValuationMode,
  [itemId, , , phased]: OutcomeRow,
  asksOf: (itemId: number) => ModeAsks,
): Ask | null {
  return mode === "steam_gross" && phased === 1 ? null : asksOf(itemId)[mode];
}

/** Highest daily ask of one item in each mode, in USD cents. Null if the window has no ask. */
type ModeHighs = Readonly<Record<ValuationMode, number | null>>;

/**
 * Reads the highest daily asks of the last 90 completed UTC days before `at`. Days that are not finalized yet are read from their frames,
 * as in the API. Caches the highs of each item.
 */
class RecentHighs {
  readonly #window: DayWindow;
  readonly #ofMode: ModeProviders;
  readonly #prices: DailyPricesStore;
  readonly #reads: RoiInputsStore;
  readonly #frames: FramesStore;
  readonly #names: FrameProviderNames;
  readonly #known = new Map<number, ModeHighs>();
  readonly #isFinalized: boolean;

  constructor(database: Database, at: number, ofMode: ModeProviders) {
    const today = dayOf(at);
    this.#window = { from: today - highDays, to: today - 1 };
    this.#ofMode = ofMode;
    this.#prices = new DailyPricesStore(database);
    this.#reads = new RoiInputsStore(database);
    this.#frames = new FramesStore(database);
    this.#names = new FrameProviderNames(this.#frames);
    this.#isFinalized = this.#frames.unfinalized(this.#window.from, this.#window.to).length === 0;
  }

  /**
   * Returns the highs of an item in each mode.
   *
   * @throws {MalformedBytes} when the recorded frames of the item are damaged.
   */
  of(itemId: number): ModeHighs {
    let highs = this.#known.get(itemId);
    if (highs === undefined) {
      highs = this.#highsOf(this.#isFinalized ? this.#reads.highestAsks(itemId, this.#window) : this.#merged(itemId));
      this.#known.set(itemId, highs);
    }
    return highs;
  }

  #highsOf(rows: readonly (readonly [provider: string, high: number])[]): ModeHighs {
    const highs: Record<ValuationMode, number | null> = { steam_gross: null, cash_ask: null };
    for (const [provider, high] of rows) {
      for (const mode of valuationModes)
        if (this.#ofMode[mode].has(provider)) highs[mode] = Math.max(high, highs[mode] ?? high);
    }
    return highs;
  }

  /** Merges stored rows with rows from the frames. A frame row has precedence, unless a replacing import stored the row. */
  #merged(itemId: number): (readonly [provider: string, high: number])[] {
    const selection = { itemId, side: "ask", provider: null } as const;
    const derived = unfinalizedRows(this.#frames, this.#names, selection, this.#window);
    if (derived.length === 0) return this.#reads.highestAsks(itemId, this.#window);
    const rows = new Map(derived.map((row) => [keyOf(row), row]));
    const after = { day: this.#window.from, provider: "" };
    for (const row of this.#prices.page(selection, { ...this.#window, after, limit: rowsMax })) {
      const isKept = !rows.has(keyOf(row)) || (row.importId !== null && this.#prices.isReplacing(row.importId));
      if (isKept) rows.set(keyOf(row), row);
    }
    return Array.from(rows.values(), ({ provider, highAmount }) => [provider, highAmount]);
  }
}

function keyOf({ day, provider }: DailyPriceRow): string {
  return `${day} ${provider}`;
}
