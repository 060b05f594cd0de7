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

/** Writes one export into one file as it comes in. Whatever it throws, the file is of no use. */
export type ExportWriter = {
  /** Once, first. */
  start(record: ExportStart): void;
  /** Takes the next item, in the order of the export. */
  item(item: ExportItem): void;
  /** Once, last. All that was written is with the operating system when it returns, and the file is closed. */
  finish(facts: ExportFacts): void;
  /** Lets go of the file, however far it is. Never throws. */
  abandon(): void;
};

/** The sides of an item, asks first. */
export const sides = ["asks", "bids"] as const;
/** Names of the two sides in a row. */
export const sideNames = { asks: "ask", bids: "bid" } as const;

/** Facts of a day's export that a file keeps beside its rows. */
export type DayFacts = { date: string; revision: number; resolution: DayResolution; rows: number; digest: string };

/** Writes one day into one file that is there and empty. Whatever it throws, the file is of no use. */
export type DayWriter = {
  /** Takes the bytes of the answer as they come. */
  bytes?(chunk: Uint8Array): void;
  /** Takes the next row. */
  row?(values: readonly DayValue[]): void;
  finish(facts: DayFacts): void;
  /** Lets go of the file. Never throws. */
  abandon(): void;
};
