import { type Database, writeTransaction } from "../../store/database.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import { type PortfolioRecord, type PortfolioSummary, PortfolioWriter } from "../../store/write/portfolios.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import type { Ids } from "../../values/ids.ts";
import { dayOf } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { minorUnitsOn } from "../rates/iso-currencies.ts";
import { unstorable } from "./field-parsers.ts";
import { notesCharactersMax } from "./validate-rows.ts";

/** A portfolio to create. `priceSource` left out: the main platform. */
type NewPortfolio = {
  accountId: string;
  name: string;
  displayCurrency?: string | undefined;
  priceSource?: string | undefined;
  isPublic?: boolean;
  /** Stays on the server; empty is none. */
  notes?: string | undefined;
};

type Parts = { database: Database; clock: Clock; ids: Ids };

/** Creates and changes portfolios, on a writing handle. Every method throws `OperatorError` for an unknown id. */
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

  /** `name` has been checked: it can be shown on a line. */
  create({ accountId, name, displayCurrency = "USD", ...facts }: NewPortfolio): PortfolioRecord {
    const { priceSource, isPublic = false, notes } = facts;
    const at = this.#clock.now();
    refuseUnknownCurrency(displayCurrency, at);
    const record: PortfolioRecord = {
      portfolioId: this.#ids.handle("pf_"),
      accountId,
      name,
      displayCurrency,
      isPublic,
      priceSource: this.#provider(priceSource),
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

  /** Lists the oldest first. */
  list(accountId: string): PortfolioSummary[] {
    this.#refuseUnknownAccount(accountId);
    return this.#store.list(accountId);
  }

  /** Sets name, which has been checked, and display currency. */
  change(portfolioId: string, { name, displayCurrency }: { name: string; displayCurrency: string }): void {
    const at = this.#clock.now();
    refuseUnknownCurrency(displayCurrency, at);
    writeTransaction(this.#database, () => {
      knownPortfolio(this.#store, portfolioId);
      this.#store.change(portfolioId, { name, displayCurrency, updatedAt: at });
    });
  }

  /** Sets whether the portfolio is public, which grants no token anything. */
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

  /** Gives it to another account. What tokens of the old owner selected stays written down and opens nothing while it is another's. */
  transfer(portfolioId: string, accountId: string): { from: string } {
    return writeTransaction(this.#database, () => {
      const { accountId: from } = knownPortfolio(this.#store, portfolioId);
      this.#refuseUnknownAccount(accountId);
      if (from === accountId) throw new OperatorError(`portfolio ${portfolioId} belongs to ${accountId} already`);
      const at = this.#clock.now();
      this.#store.change(portfolioId, { accountId, updatedAt: at });
      this.#store.forgetSources(portfolioId);
      // Neither account learns who the other one is.
      this.#store.addOwnerChange(from, at, `portfolio ${portfolioId} was given away`);
      this.#store.addOwnerChange(accountId, at, `portfolio ${portfolioId} was received`);
      return { from };
    });
  }

  /** Deletes a portfolio with the kept data of its removed lots. */
  remove(portfolioId: string): void {
    writeTransaction(this.#database, () => {
      const { accountId } = knownPortfolio(this.#store, portfolioId);
      const at = this.#clock.now();
      this.#store.change(portfolioId, { deletedAt: at, updatedAt: at });
      this.#store.forgetRemovedLots(portfolioId);
      this.#store.addOwnerChange(accountId, at, `portfolio ${portfolioId} was deleted`);
    });
  }

  #provider(asked: string | undefined): string {
    const providers = new ProvidersStore(this.#database);
    const provider = asked ?? providers.mainPlatform();
    if (provider === null) throw new OperatorError("no feed has brought the main platform yet; name a provider");
    if (!providers.exists(provider)) throw new OperatorError(`no feed has brought a provider \`${provider}\` yet`);
    return provider;
  }

  #refuseUnknownAccount(accountId: string): void {
    if (!this.#store.isAccount(accountId)) throw new OperatorError(`there is no account \`${accountId}\``);
  }
}

function refuseUnknownCurrency(currency: string, at: number): void {
  if (typeof minorUnitsOn(currency, dayOf(at)) === "number") return;
  throw new OperatorError(
    `there is no currency \`${currency}\`; it is a code of ISO 4217, such as EUR`,
    exitCodes.usage,
  );
}

function checkedNotes(notes: string | undefined): string | null {
  if (notes === undefined || notes === "") return null;
  if (notes.length <= notesCharactersMax && !unstorable.test(notes)) return notes;
  const what = `the portfolio's notes have at most ${notesCharactersMax} characters, no NUL and no half of a character`;
  throw new OperatorError(what, exitCodes.usage);
}

/** @throws {OperatorError} where there is no such portfolio, or no more. */
export function knownPortfolio(store: PortfolioWriter, portfolioId: string): PortfolioRecord {
  const record = store.find(portfolioId);
  if (record === null)
    throw new OperatorError(
      `there is no portfolio \`${portfolioId}\`; \`itemtape portfolios list ACCOUNT\` lists them`,
    );
  return record;
}
