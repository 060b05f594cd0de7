import type { Clock } from "../../values/time/clock.ts";
import { LazyThread } from "../../worker/thread.ts";
import type { PriceSources, ValuedPortfolio } from "./owner-reads.ts";
import { busyRefusal, OwnerRefusal, type RefusalFacts } from "./owner-refusal.ts";
import type { Session } from "./sessions.ts";

/** Name, display currency and price source of a portfolio, as its owner gives them. A source left out or "" stays, or is the default. */
export type PortfolioFacts = { name: string; displayCurrency: string; priceSource?: string };

/** A file that an owner sent. */
export type UploadedFile = { name: string; bytes: Uint8Array };

/**
 * Files for a portfolio. `replace`: its lots of the files' kinds become those of the files; `removeMost`: more than half of a kind may leave.
 * `account`: the name of the Steam account. `choices`: an item by the reference of a lot whose name means several. `state`: that of the
 * portfolio when its changes were shown; null: they were not. `write` false: it is only shown what the files would change.
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

/** Lots of one item at one cost for a unit in USD cents; null: unknown. */
export type UploadedLots = {
  itemId: number;
  /** Null: this node does not have the item yet. */
  marketHashName: string | null;
  phase: string | null;
  lots: number;
  quantity: number;
  unitCostCents: number | null;
};

/** A lot whose name means several items. */
export type AmbiguousLot = {
  ref: string;
  name: string;
  quantity: number;
  candidates: readonly { itemId: number; phase: string | null; inCatalog: boolean }[];
};

/** The beginning of a list, and the number of all its entries. */
export type Excerpt<Entry> = { first: readonly Entry[]; count: number };

/**
 * What files change, or would change. `most`: the kinds that lose more than half of their lots, in words; null: none. `cutOff`: what the files say
 * that they do not hold. `state`: that of the portfolio. `files`: the same files again, packed.
 */
export type UploadResult = {
  lots: number;
  changed: number;
  removed: number;
  /** Lots of which only the context changes. */
  moved: number;
  transactions: number;
  added: Excerpt<UploadedLots>;
  gone: Excerpt<UploadedLots>;
  ambiguous: Excerpt<AmbiguousLot>;
  unknown: Excerpt<{ name: string; lots: number }>;
  /** Lots of the file that stay out, ambiguous or unknown. */
  leftOut: number;
  /** Names of items with a cost far from their asks, and a sentence about it. */
  oddCosts: Excerpt<{ name: string; text: string }>;
  most: string | null;
  cutOff: string | null;
  state: string;
  files: readonly Uint8Array[];
};

/** Lots and ledger rows that the undo of an import took out, changed back or brought back. */
export type Undone = { added: number; transactions: number; changed: number; removed: number };

/** An item that an owner may mean. */
export type ItemSuggestion = { name: string; phase: string | null };

/** A portfolio on its page. `importedAt`: when its last import was, if that can be undone, UTC ms. */
export type OpenPortfolio = ValuedPortfolio & { importedAt: number | null };

/** The calls of the thread. Sessions are named by their hash (hex); a portfolio that is not the owner's is `unknown_portfolio`. */
export type PortfolioCalls = {
  list(accountId: string): ValuedPortfolio[];
  read(accountId: string, portfolioId: string, page: number): OpenPortfolio | null;
  suggest(accountId: string, text: string): ItemSuggestion[];
  undo(sessionHash: string, portfolioId: string): Undone;
  priceSources(accountId: string): PriceSources;
  create(sessionHash: string, facts: PortfolioFacts): string;
  change(sessionHash: string, portfolioId: string, facts: PortfolioFacts): void;
  upload(sessionHash: string, portfolioId: string, upload: Upload): UploadResult;
};

/** `databasePath`: the market, and the portfolios unless `privateUrl` names the database that they are in. */
export type OwnerPortfoliosSetup = { databasePath: string; privateUrl: string | null };

/** `at`: the instant that counts, UTC ms. */
export type PortfolioRequest = { call: keyof PortfolioCalls; at: number; args: readonly unknown[] };
export type PortfolioAnswer = { value: unknown } | { refusal: RefusalFacts };

const underWayMax = 12;
const underWayMaxOfAccount = 3;

/** Values, makes and fills the portfolios of owners, in a thread of its own that is started with the first of these requests. */
export class OwnerPortfolios {
  readonly #thread: LazyThread<PortfolioRequest, PortfolioAnswer>;
  readonly #clock: Clock;
  readonly #underWay = new Map<string, number>();
  #isClosed = false;

  constructor(databasePath: string, clock: Clock, privateUrl: string | null = null) {
    const setup: OwnerPortfoliosSetup = { databasePath, privateUrl };
    this.#thread = new LazyThread({ entry: "src/jobs/owner-portfolios/worker.ts", setup });
    this.#clock = clock;
  }

  /** Lists the portfolios of an account with what they hold, rows left out. */
  list({ accountId }: Session): Promise<ValuedPortfolio[]> {
    return this.#ask(accountId, "list", accountId);
  }

  /** Reads one portfolio with a page (from 1) of what it holds; null: the account has no such one. */
  read({ accountId }: Session, portfolioId: string, page: number): Promise<OpenPortfolio | null> {
    return this.#ask(accountId, "read", accountId, portfolioId, page);
  }

  /** Lists items whose names have all words of a text, at most ten. */
  suggest({ accountId }: Session, text: string): Promise<ItemSuggestion[]> {
    return this.#ask(accountId, "suggest", accountId, text);
  }

  /**
   * Takes the last import back.
   * @throws {OwnerRefusal} `conflict` when the portfolio was changed since.
   */
  undo({ accountId, sessionHash }: Session, portfolioId: string): Promise<Undone> {
    return this.#ask(accountId, "undo", sessionHash, portfolioId);
  }

  /** Lists the providers that an owner may choose. */
  priceSources({ accountId }: Session): Promise<PriceSources> {
    return this.#ask(accountId, "priceSources", accountId);
  }

  /** Makes a portfolio and returns its id. */
  create({ accountId, sessionHash }: Session, facts: PortfolioFacts): Promise<string> {
    return this.#ask(accountId, "create", sessionHash, facts);
  }

  change({ accountId, sessionHash }: Session, portfolioId: string, facts: PortfolioFacts): Promise<void> {
    return this.#ask(accountId, "change", sessionHash, portfolioId, facts);
  }

  /**
   * Imports files: all that they name, or nothing.
   * @throws {OwnerRefusal} `conflict` when a file is refused; its message has a line for each fault.
   */
  upload({ accountId, sessionHash }: Session, portfolioId: string, upload: Upload): Promise<UploadResult> {
    return this.#ask(accountId, "upload", sessionHash, portfolioId, upload);
  }

  /** Finishes what is under way and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
  }

  async #ask<Call extends keyof PortfolioCalls>(
    accountId: string,
    call: Call,
    ...args: Parameters<PortfolioCalls[Call]>
  ): Promise<ReturnType<PortfolioCalls[Call]>> {
    const own = this.#underWay.get(accountId) ?? 0;
    const all = [...this.#underWay.values()].reduce((sum, count) => sum + count, 0);
    if (this.#isClosed || own >= underWayMaxOfAccount || all >= underWayMax) throw busyRefusal();
    this.#underWay.set(accountId, own + 1);
    try {
      const answer = await this.#thread.ask({ call, at: this.#clock.now(), args });
      if ("value" in answer) return answer.value as ReturnType<PortfolioCalls[Call]>;
      const { code, message, retryAfterS } = answer.refusal;
      throw new OwnerRefusal(code, message, retryAfterS);
    } finally {
      const left = this.#underWay.get(accountId)! - 1;
      if (left > 0) this.#underWay.set(accountId, left);
      else this.#underWay.delete(accountId);
    }
  }
}
