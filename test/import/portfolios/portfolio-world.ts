import { createHash } from "node:crypto";
import { Accounts } from "../../../src/access/accounts.ts";
import { PortfolioManager } from "../../../src/import/portfolios/manage.ts";
import {
  importPortfolioFiles,
  type PortfolioFile,
  type PortfolioImportReport,
} from "../../../src/import/portfolios/portfolio-import.ts";
import {
  type Valuation,
  type ValuationOptions,
  valuePortfoliosInBatches,
} from "../../../src/jobs/valuation/valuation.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import type { Ids } from "../../../src/values/ids.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { dayMs } from "../../../src/values/time/calendar.ts";
import { instantOf, putDaily } from "../../jobs/indexes/index-world.ts";
import { MarketFile } from "../../support/market-file.ts";

/** Every table that a portfolio is stored in. */
const tables = [
  "portfolios",
  "holdings",
  "portfolio_transactions",
  "portfolio_valuations",
  "main_valuations",
  "removed_lots",
  "last_imports",
  "activity",
  "accounts",
];

/** A market file with portfolios and a clock stopped at noon. */
export class PortfolioWorld {
  readonly file = new MarketFile();
  readonly clock = { now: () => this.at, monotonicMs: () => 0 };
  readonly ids: Ids = systemIds();
  at = instantOf("2026-03-10") + dayMs / 2;
  readonly accountId: string;

  /** Items 1 to `items`, and the providers steam and other. */
  constructor(items = 4) {
    this.file.feed("steam", ["steam"], null);
    this.file.feed("other", ["other"], null);
    for (let itemId = 1; itemId <= items; itemId += 1) this.file.item(itemId);
    this.accountId = this.account("Owner");
  }

  get #parts() {
    return { database: this.file.writer, clock: this.clock, ids: this.ids };
  }

  get portfolios(): PortfolioManager {
    return new PortfolioManager(this.#parts);
  }

  account(name: string): string {
    return new Accounts(this.#parts).create(name).accountId;
  }

  /** A new portfolio that is valued at steam. */
  portfolio(accountId = this.accountId): string {
    return this.portfolios.create({ accountId, name: "Mine", priceSource: "steam" }).portfolioId;
  }

  importCsv(portfolioId: string, text: string | Buffer, dryRun = false): PortfolioImportReport {
    return this.#import(portfolioId, "csv", text, { dryRun });
  }

  importLines(portfolioId: string, ...records: object[]): PortfolioImportReport {
    return this.#import(portfolioId, "ndjson", linesOf(records));
  }

  /** The lots become these and the ledger gets these rows. */
  replaceLines(portfolioId: string, records: readonly object[], dryRun = false): PortfolioImportReport {
    return this.#import(portfolioId, "ndjson", linesOf(records), { replace: true, dryRun });
  }

  replaceCsv(portfolioId: string, text: string): PortfolioImportReport {
    return this.#import(portfolioId, "csv", text, { replace: true });
  }

  importNdjson(portfolioId: string, text: string): PortfolioImportReport {
    return this.#import(portfolioId, "ndjson", text);
  }

  /** The faults in the message of a refused file, without the file's name. */
  refusal(work: () => unknown): string[] {
    try {
      work();
    } catch (error) {
      return (error as Error).message.split("\n");
    }
    throw new Error("nothing was refused");
  }

  /** A daily ask of an item at steam. */
  ask(date: string, itemId: number, amount: number, observedAt: number | null = null, provider = "steam"): void {
    putDaily(this.file.writer, { itemId, date, provider, amount, recordedAt: this.at, observedAt });
  }

  /** Values as on noon of the day `today`. */
  value(today: string, options: ValuationOptions = {}): Valuation[] {
    this.at = instantOf(today) + dayMs / 2;
    return runAtOnce(valuePortfoliosInBatches(this.file.writer, { clock: this.clock }, options));
  }

  rows<Row>(query: string, ...values: unknown[]): Row[] {
    return this.file.writer.$client.prepare(query).all(...values) as Row[];
  }

  /** Digest of every row of all portfolio tables. Tests use it to check that nothing was written. */
  digest(): string {
    const hash = createHash("sha256");
    for (const table of tables) hash.update(JSON.stringify(this.rows(`SELECT * FROM ${table} ORDER BY 1, 2, 3`)));
    return hash.digest("hex");
  }

  /** Imports files together. */
  importFiles(
    portfolioId: string,
    files: readonly PortfolioFile[],
    options: Partial<Parameters<typeof importPortfolioFiles>[2]> = {},
  ): PortfolioImportReport {
    return importPortfolioFiles(this.file.writer, files, { portfolioId, ...options }, this.#parts);
  }

  #import(
    portfolioId: string,
    adapter: "csv" | "ndjson",
    text: string | Buffer,
    how: { replace?: boolean; dryRun?: boolean } = {},
  ): PortfolioImportReport {
    const file = { name: "rows", bytes: Buffer.from(text as string), adapter };
    return importPortfolioFiles(this.file.writer, [file], { portfolioId, removeMost: true, ...how }, this.#parts);
  }

  remove(): void {
    this.file.remove();
  }
}

function linesOf(records: readonly object[]): string {
  return records.map((record) => JSON.stringify(record)).join("\n");
}
