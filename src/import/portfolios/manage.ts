import { type Database, writeTransaction } from "../../store/database.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import { type PortfolioRecord, type PortfolioSummary, PortfolioWriter } from "../../store/write/portfolios.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import type { Ids } from "../../values/ids.ts";
import { lowestAsk } from "../../values/price-source.ts";
import { dayOf } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { minorUnitsOn } from "../rates/iso-currencies.ts";
import { unstorable } from "./field-parsers.ts";
import { notesCharactersMax } from "./validate-rows.ts";

/**
 * A portfolio to create. Without `priceSource` the lowest ask of all providers applies. With `isFree` the main platform applies as soon as
 * it exists.
 */
type NewPortfolio = {
  accountId: string;
  isFree?: boolean;
  name: string;
  displayCurrency?: string | undefined;
  priceSource?: string | undefined;
  isPublic?: boolean;
  /** Never leaves the server. Empty means none. */
  notes?: string | undefined;
};

type Parts = { database: Database; clock: Clock; ids: Ids };

/** Creates and changes portfolios on a writing handle. Every method throws `OperatorError` for an unknown id. */
export class PortfolioManager {
  readonly #database: Database;
  readonly #store: PortfolioWriter;
  readonly #clock: Clock;
  readonly #ids: Ids;

  constructor({ database, clock, ids }: Parts) {
    this.#database = database;
    this.#store = new PortfolioWriter(database);
    this.#clock = clock;
    this.#ids = ids;
  }

  /** Creates a portfolio. `name` must be valid for display on one line. */
  create({ accountId, name, displayCurrency = "USD", ...facts }: NewPortfolio): PortfolioRecord {
    const { priceSource, isFree = false, isPublic = false, notes } = facts;
    const at = this.#clock.now();
    refuseUnknownCurrency(displayCurrency, at);
    const record: PortfolioRecord = {
      portfolioId: this.#ids.handle("pf_"),
      accountId,
      name,
      displayCurrency,
      isPublic,
      priceSource: priceSource === undefined ? this.#defaultSource(isFree) : this.#known(priceSource),
      notes: checkedNotes(notes),
      externalAccountId: null,
      integrationRef: null,
      createdAt: at,
      updatedAt: at,
      deletedAt: null,
    };
    return writeTransaction(this.#database, () => {
      this.#refuseUnknownAccount(accountId);
      this.#store.add(record);
      return record;
    });
  }

  /** Lists portfolios, oldest first. */
  list(accountId: string): PortfolioSummary[] {
    this.#refuseUnknownAccount(accountId);
    return this.#store.list(accountId);
  }

  /** Sets name (already checked), display currency and price source. An absent price source stays unchanged. */
  change(
    portfolioId: string,
    { name, displayCurrency, priceSource }: { name: string; displayCurrency: string; priceSource?: string | undefined },
  ): void {
    const at = this.#clock.now();
    refuseUnknownCurrency(displayCurrency, at);
    writeTransaction(this.#database, () => {
      knownPortfolio(this.#store, portfolioId);
      const source = priceSource === undefined ? {} : { priceSource: this.#known(priceSource) };
      this.#store.change(portfolioId, { name, displayCurrency, ...source, updatedAt: at });
    });
  }

  /** Sets whether the portfolio is public. This does not affect tokens. */
  share(portfolioId: string, isPublic: boolean): { wasPublic: boolean } {
    return writeTransaction(this.#database, () => {
      const before = knownPortfolio(this.#store, portfolioId);
      if (before.isPublic !== isPublic) {
        const at = this.#clock.now();
        this.#store.change(portfolioId, { isPublic, updatedAt: at });
        const state = isPublic ? "public" : "private";
        this.#store.addOwnerChange(before.accountId, at, `portfolio ${portfolioId} was made ${state}`);
      }
      return { wasPublic: before.isPublic };
    });
  }

  /**
   * Transfers the portfolio to another account. Tokens of the old owner keep their selection, but it grants no access under another owner.
   */
  transfer(portfolioId: string, accountId: string): { from: string } {
    return writeTransaction(this.#database, () => {
      const { accountId: from } = knownPortfolio(this.#store, portfolioId);
      this.#refuseUnknownAccount(accountId);
      if (from === accountId) throw new OperatorError(`portfolio ${portfolioId} belongs to ${accountId} already`);
      const at = this.#clock.now();
      this.#store.change(portfolioId, { accountId, updatedAt: at });
      this.#store.forgetSources(portfolioId);
      this.#store.forgetImport(portfolioId);
      // Neither account learns the other account's identity.
      this.#store.addOwnerChange(from, at, `portfolio ${portfolioId} was given away`);
      this.#store.addOwnerChange(accountId, at, `portfolio ${portfolioId} was received`);
      return { from };
    });
  }

  /** Deletes a portfolio, including the stored data of its removed lots. */
  remove(portfolioId: string): void {
    writeTransaction(this.#database, () => {
      const { accountId } = knownPortfolio(this.#store, portfolioId);
      const at = this.#clock.now();
      this.#store.change(portfolioId, { deletedAt: at, updatedAt: at });
      this.#store.forgetRemovedLots(portfolioId);
      this.#store.addOwnerChange(accountId, at, `portfolio ${portfolioId} was deleted`);
    });
  }

  #defaultSource(isFree: boolean): string {
    return (isFree ? new ProvidersStore(this.#database).mainPlatform() : null) ?? lowestAsk;
  }

  #known(priceSource: string): string {
    if (priceSource !== lowestAsk && !new ProvidersStore(this.#database).exists(priceSource))
      throw new OperatorError(`no feed has the provider \`${priceSource}\` yet`);
    return priceSource;
  }

  #refuseUnknownAccount(accountId: string): void {
    if (!this.#store.isAccount(accountId)) throw new OperatorError(`unknown account \`${accountId}\``);
  }
}

function refuseUnknownCurrency(currency: string, at: number): void {
  if (typeof minorUnitsOn(currency, dayOf(at)) === "number") return;
  throw new OperatorError(`unknown currency \`${currency}\`; use an ISO 4217 code such as EUR`, exitCodes.usage);
}

function checkedNotes(notes: string | undefined): string | null {
  if (notes === undefined || notes === "") return null;
  if (notes.length <= notesCharactersMax && !unstorable.test(notes)) return notes;
  const what = `the portfolio's notes have at most ${notesCharactersMax} characters, without NUL or half characters`;
  throw new OperatorError(what, exitCodes.usage);
}

/**
 * Returns the record of a portfolio.
 * @throws {OperatorError} when the portfolio does not exist or was deleted.
 */
export function knownPortfolio(store: PortfolioWriter, portfolioId: string): PortfolioRecord {
  const record = store.find(portfolioId);
  if (record === null)
    throw new OperatorError(
      `unknown portfolio \`${portfolioId}\`; \`npx itemtape portfolios list ACCOUNT\` lists them`,
    );
  return record;
}
