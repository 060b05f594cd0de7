import { FrameProviderNames } from "../../domain/frame-provider-names.ts";
import { unfinalizedRows } from "../../domain/unfinalized-days.ts";
import type { ModeProviders } from "../../roi/asks.ts";
import { type ValuationMode, valuationModes } from "../../roi/calculation.ts";
import { type DailyPriceRow, DailyPricesStore } from "../../store/daily-prices.ts";
import type { Database } from "../../store/database.ts";
import { FramesStore } from "../../store/frames.ts";
import { RoiInputsStore } from "../../store/roi-inputs.ts";
import { dayOf } from "../../values/calendar.ts";
import type { DayWindow } from "../../values/window.ts";

/** Highest daily ask of one item in each mode, in USD cents; null: none was recorded in the window. */
export type ModeHighs = Readonly<Record<ValuationMode, number | null>>;

const windowDays = 90;
const rowsMax = 1_000_000;

/**
 * Reads the highest daily asks of the 90 UTC days that were completed at `at`. Days that are not finalized yet are read from
 * their frames, as the API does. Keeps the highs of each item that was read.
 */
export class RecentHighs {
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
    this.#window = { from: today - windowDays, to: today - 1 };
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

  /** Merges stored rows with those of the frames. A row of the frames wins, unless the stored row is from a replacing import. */
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
