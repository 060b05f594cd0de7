import type { Schema } from "../../contract/types.ts";
import type { DayResolution, DayValue } from "./day-rows.ts";

export type ExportStart = Schema<"SnapshotStart">;
export type ExportItem = Schema<"SnapshotItemData">;
export type ExportQuote = Schema<"SnapshotQuote">;

/** Facts of a whole export. `digest` is the SHA-256 of its prices, 64 hexadecimal digits. */
export type ExportFacts = {
  start: ExportStart;
  items: number;
  quotes: number;
  digest: string;
  /** True: the server's own digest of the generation was requested and is equal. */
  digestChecked: boolean;
};

/** Facts of a day's export that a file keeps beside its rows. */
export type DayFacts = { date: string; revision: number; resolution: DayResolution; rows: number; digest: string };

/** Writes into one file that is there and empty. Whatever it throws, the file is of no use. */
type Writer<Facts> = {
  /** Takes the bytes of the answer as they come. */
  bytes?(chunk: Uint8Array): void;
  /** Once, last. All that was written is with the operating system when it returns, and the file is closed. */
  finish(facts: Facts): void;
  /** Lets go of the file, however far it is. Never throws. */
  abandon(): void;
};

/** Writes one export as it comes in: its start, then each item in the order of the export. */
export type ExportWriter = Writer<ExportFacts> & { start?(record: ExportStart): void; item?(item: ExportItem): void };

/** Writes the rows of one day. */
export type DayWriter = Writer<DayFacts> & { row?(values: readonly DayValue[]): void };

/** The sides of an item, asks first. */
export const sides = ["asks", "bids"] as const;
/** Names of the two sides in a row. */
export const sideNames = { asks: "ask", bids: "bid" } as const;
