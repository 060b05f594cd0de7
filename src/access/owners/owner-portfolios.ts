import type { Clock } from "../../values/time/clock.ts";
import { LazyThread } from "../../worker/thread.ts";
import type { PriceSources, ValuedPortfolio } from "./owner-reads.ts";
import { busyRefusal, OwnerRefusal, type RefusalFacts } from "./owner-refusal.ts";
import type { Session } from "./sessions.ts";

/**
 * Name, display currency and price source of a portfolio, entered by its owner. An absent or empty source keeps the current one, or the
 * default.
 */
export type PortfolioFacts = { name: string; displayCurrency: string; priceSource?: string };

/** A file uploaded by an owner. */
export type UploadedFile = { name: string; bytes: Uint8Array };

/**
 * Files for a portfolio. `replace`: the files replace all its lots of their kinds; `removeMost`: they may remove more than half of a kind.
 * `account`: name of the Steam account. `choices`: chosen item by reference of an ambiguous lot. `state`: state of the portfolio when its
 * changes were shown, null if they were not. With `write` false, the changes are only shown.
 */
export type Upload = {
  files: readonly UploadedFile[];
  replace: boolean;
  removeMost: boolean;
  account: string;
  choices: readonly (readonly [ref: string, itemId: number])[];
  state: string | null;
  write: boolean;
  /** The owner entered the rows in a form. */
  isForm?: boolean;
};

/** Lots of one item at one unit cost in USD cents, null if unknown. */
export type UploadedLots = {
  itemId: number;
  /** Null if this node does not have the item yet. */
  marketHashName: string | null;
  phase: string | null;
  lots: number;
  quantity: number;
  unitCostCents: number | null;
};

/** A lot with a name that matches several items. */
export type AmbiguousLot = {
  ref: string;
  name: string;
  quantity: number;
  candidates: readonly { itemId: number; phase: string | null; inCatalog: boolean }[];
};

/** The first entries of a list, and the number of all entries. */
export type Excerpt<Entry> = { first: readonly Entry[]; count: number };

/**
 * Changes that files make, or would make. `most`: in words, the kinds that lose more than half of their lots, else null. `cutOff`: parts
 * that the files report as missing. `state`: state of the portfolio. `files`: the same files again, packed.
 */
export type UploadResult = {
  lots: number;
  changed: number;
  removed: number;
  /** Lots that change only their context. */
  moved: number;
  transactions: number;
  added: Excerpt<UploadedLots>;
  gone: Excerpt<UploadedLots>;
  ambiguous: Excerpt<AmbiguousLot>;
  unknown: Excerpt<{ name: string; lots: number }>;
  /** Lots of the file that are excluded as ambiguous or unknown. */
  leftOut: number;
  /** Names of items with a cost far from their asks, and a sentence about it. */
  oddCosts: Excerpt<{ name: string; text: string }>;
  most: string | null;
  cutOff: string | null;
  state: string;
  files: readonly Uint8Array[];
};

/** Lots and ledger rows that the undo of an import removed, changed back or restored. */
export type Undone = { added: number; transactions: number; changed: number; removed: number };

/** A portfolio on its page. `importedAt`: instant of its last import if that can be undone (UTC ms). */
export type OpenPortfolio = ValuedPortfolio & { importedAt: number | null };

/** Calls of the thread. Sessions are named by their hash (hex). A portfolio of another owner is `unknown_portfolio`. */
export type PortfolioCalls = {
  list(accountId: string): ValuedPortfolio[];
  read(accountId: string, portfolioId: string, page: number): OpenPortfolio | null;
  undo(sessionHash: string, portfolioId: string): Undone;
  priceSources(accountId: string): PriceSources;
  create(sessionHash: string, facts: PortfolioFacts): string;
  change(sessionHash: string, portfolioId: string, facts: PortfolioFacts): void;
  upload(sessionHash: string, portfolioId: string, upload: Upload): UploadResult;
};

/** `databasePath`: file of the market. It also contains the portfolios unless `privateUrl` names their PostgreSQL database. */
export type OwnerPortfoliosSetup = { databasePath: string; privateUrl: string | null };

/** `at`: the instant that counts, UTC ms. */
export type PortfolioRequest = { call: keyof PortfolioCalls; at: number; args: readonly unknown[] };
export type PortfolioAnswer = { value: unknown } | { refusal: RefusalFacts };

const runningMax = 12;
const runningMaxOfAccount = 3;

/** Values, creates and fills the portfolios of owners. Its thread starts with the first request. */
export class OwnerPortfolios {
  readonly #thread: LazyThread<PortfolioRequest, PortfolioAnswer>;
  readonly #clock: Clock;
  readonly #inProgress = new Map<string, number>();
  #isClosed = false;

  constructor(databasePath: string, clock: Clock, privateUrl: string | null = null) {
    const setup: OwnerPortfoliosSetup = { databasePath, privateUrl };
    this.#thread = new LazyThread({ entry: "src/jobs/owner-portfolios/worker.ts", setup });
    this.#clock = clock;
  }

  /** Lists the portfolios of an account with their totals, without rows. */
  list({ accountId }: Session): Promise<ValuedPortfolio[]> {
    return this.#ask(accountId, "list", accountId);
  }

  /** Reads a portfolio with a page (from 1) of its holdings. Returns null for an unknown portfolio. */
  read({ accountId }: Session, portfolioId: string, page: number): Promise<OpenPortfolio | null> {
    return this.#ask(accountId, "read", accountId, portfolioId, page);
  }

  /**
   * Undoes the last import.
   * @throws {OwnerRefusal} `conflict` when the portfolio has changed since.
   */
  undo({ accountId, sessionHash }: Session, portfolioId: string): Promise<Undone> {
    return this.#ask(accountId, "undo", sessionHash, portfolioId);
  }

  /** Lists the providers that an owner may choose. */
  priceSources({ accountId }: Session): Promise<PriceSources> {
    return this.#ask(accountId, "priceSources", accountId);
  }

  /** Creates a portfolio and returns its id. */
  create({ accountId, sessionHash }: Session, facts: PortfolioFacts): Promise<string> {
    return this.#ask(accountId, "create", sessionHash, facts);
  }

  change({ accountId, sessionHash }: Session, portfolioId: string, facts: PortfolioFacts): Promise<void> {
    return this.#ask(accountId, "change", sessionHash, portfolioId, facts);
  }

  /**
   * Imports all rows of the files, or none.
   * @throws {OwnerRefusal} `conflict` when a file is refused; its message has one line per error.
   */
  upload({ accountId, sessionHash }: Session, portfolioId: string, upload: Upload): Promise<UploadResult> {
    return this.#ask(accountId, "upload", sessionHash, portfolioId, upload);
  }

  /** Waits for pending requests and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
  }

  async #ask<Call extends keyof PortfolioCalls>(
    accountId: string,
    call: Call,
    ...args: Parameters<PortfolioCalls[Call]>
  ): Promise<ReturnType<PortfolioCalls[Call]>> {
    const own = this.#inProgress.get(accountId) ?? 0;
    const all = [...this.#inProgress.values()].reduce((sum, count) => sum + count, 0);
    if (this.#isClosed || own >= runningMaxOfAccount || all >= runningMax) throw busyRefusal();
    this.#inProgress.set(accountId, own + 1);
    try {
      const answer = await this.#thread.ask({ call, at: this.#clock.now(), args });
      if ("value" in answer) return answer.value as ReturnType<PortfolioCalls[Call]>;
      const { code, message, retryAfterS } = answer.refusal;
      throw new OwnerRefusal(code, message, retryAfterS);
    } finally {
      const left = this.#inProgress.get(accountId)! - 1;
      if (left > 0) this.#inProgress.set(accountId, left);
      else this.#inProgress.delete(accountId);
    }
  }
}
