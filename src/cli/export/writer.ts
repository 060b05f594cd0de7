import type { Schema } from "../../contract/types.ts";
import type { DayResolution, DayValue } from "./day-rows.ts";

export type ExportStart = Schema<"SnapshotStart">;
export type ExportItem = Schema<"SnapshotItemData">;
export type ExportQuote = Schema<"SnapshotQuote">;

/** The terms of a provider as the service states them. */
export type ProviderTerms = Pick<
  Schema<"Provider">,
  "provider" | "name" | "terms_url" | "terms_read_on" | "redistribution" | "attribution"
>;

/** Facts of a complete export. `digest` is the SHA-256 of its prices, 64 hexadecimal digits. */
export type ExportFacts = {
  start: ExportStart;
  items: number;
  quotes: number;
  digest: string;
  /** True if the server's digest of the generation was requested and is equal. */
  digestChecked: boolean;
};

/** Facts of a day's export that a file contains beside its rows. */
export type DayFacts = { date: string; revision: number; resolution: DayResolution; rows: number; digest: string };

/** Writes into one empty file. After an error the file is unusable. */
type Writer<Facts> = {
  /** Receives the bytes of the response. */
  bytes?(chunk: Uint8Array): void;
  /** Completes and closes the file. Called once, last. When it returns, the operating system has all bytes. */
  finish(facts: Facts, providers: readonly ProviderTerms[]): void;
  /** Closes the file in any state. Never throws. */
  abandon(): void;
};

/** Writes one export as it arrives: its start, then each item in the order of the export. */
export type ExportWriter = Writer<ExportFacts> & { start?(record: ExportStart): void; item?(item: ExportItem): void };

/** Writes the rows of one day. */
export type DayWriter = Writer<DayFacts> & { row?(values: readonly DayValue[]): void };

/** The sides of an item, asks first. */
export const sides = ["asks", "bids"] as const;
/** Names of the two sides in a row. */
export const sideNames = { asks: "ask", bids: "bid" } as const;
