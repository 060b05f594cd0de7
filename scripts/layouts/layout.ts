import type { Progress } from "../../src/ingest/progress.ts";
import type { Held } from "../../src/ingest/short-transactions.ts";
import type { Market } from "./market.ts";

/** One row of a window as a reader needs it: hours from 0, an ask. */
export type WindowRow = {
  hour: number;
  provider: number;
  amount: number;
  quantity: number | null;
  observedAt: number | null;
};

/** A way to store hourly quotes in a file of its own. */
export type Layout = {
  readonly name: string;
  /** Stores the first `hours` of the market as quickly as it can; yields often. */
  build(market: Market, hours: number, progress: Progress): Generator<void>;
  /** Writes one more frame in short transactions. */
  writeFrame(market: Market, hour: number): Generator<Held, unknown>;
  /** The asks of an item in these hours, both inclusive, by hour and provider. */
  window(item: number, from: number, to: number): WindowRow[];
};
