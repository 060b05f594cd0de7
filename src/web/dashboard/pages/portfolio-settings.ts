import type { Request, RequestHandler, Response } from "express";
import { nameCharactersMax } from "../../../access/accounts.ts";
import type { PortfolioFacts } from "../../../access/owners/owner-portfolios.ts";
import type { OwnerPortfolio, PriceSources } from "../../../access/owners/owner-reads.ts";
import { OwnerRefusal } from "../../../access/owners/owner-refusal.ts";
import { lowestAsk } from "../../../values/price-source.ts";
import { type Html, html } from "../../html.ts";
import { csrfField, redirect, sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { formOf, ownerOf } from "../session-guard.ts";
import { describedBy, errorSummary, fieldError } from "./credential-form.ts";

type Errors = Partial<Record<"name" | "currency" | "source", string>>;
/** Values of the form. `portfolio` is null for a new portfolio. `sources` is null if the owner cannot choose a source. */
type Shown = {
  portfolio: OwnerPortfolio | null;
  given: PortfolioFacts;
  sources: PriceSources;
  errors?: Errors;
  status?: number;
};

const currencyForm = /^[A-Za-z]{3}$/;

/** Shows the form for a new portfolio. */
export function newPortfolioPage({ portfolios }: DashboardParts): RequestHandler {
  return async (_req, res) => {
    const sources = await portfolios.priceSources(ownerOf(res));
    show(res, { portfolio: null, given: { name: "", displayCurrency: "USD", priceSource: lowestAsk }, sources });
  };
}

/** Creates a portfolio and redirects to it. */
export function createPortfolio(parts: DashboardParts): RequestHandler {
  return async (_req, res) => {
    const given = givenIn(res);
    const sources = await parts.portfolios.priceSources(ownerOf(res));
    const send = () => parts.portfolios.create(ownerOf(res), given);
    const portfolioId = await sent(res, { portfolio: null, given, sources }, send);
    if (portfolioId !== null) redirect(res, `/dashboard/portfolios/${portfolioId}?notice=made`);
  };
}

/** Shows the form for the settings of a portfolio. */
export function renamePortfolioPage(parts: DashboardParts): RequestHandler {
  return async (req, res) => {
    const portfolio = await ownPortfolio(parts, req, res);
    show(res, { portfolio, given: portfolio, sources: await parts.portfolios.priceSources(ownerOf(res)) });
  };
}

/** Saves the settings of a portfolio and redirects to it. */
export function renamePortfolio(parts: DashboardParts): RequestHandler {
  return async (req, res) => {
    const portfolio = await ownPortfolio(parts, req, res);
    const given = givenIn(res);
    const { portfolioId } = portfolio;
    const sources = await parts.portfolios.priceSources(ownerOf(res));
    const done = await sent(res, { portfolio, given, sources }, async () => {
      await parts.portfolios.change(ownerOf(res), portfolioId, given);
      return portfolioId;
    });
    if (done !== null) redirect(res, `/dashboard/portfolios/${portfolioId}?notice=renamed`);
  };
}

/**
 * Returns the portfolio in the address.
 * @throws {OwnerRefusal} `unknown_portfolio` if it does not belong to the owner.
 */
export async function ownPortfolio(
  { reads, clock }: DashboardParts,
  req: Request,
  res: Response,
): Promise<OwnerPortfolio> {
  const portfolio = await reads.portfolio(ownerOf(res).accountId, String(req.params.portfolioId), clock.now());
  if (portfolio === null) throw new OwnerRefusal("unknown_portfolio");
  return portfolio;
}

function givenIn(res: Response): PortfolioFacts {
  const form = formOf(res);
  return { name: form.one("name"), displayCurrency: form.one("currency"), priceSource: form.one("source") };
}

/** Resolves to the result of `send`; null if the form was shown again with errors. */
async function sent(res: Response, shown: Shown, send: () => Promise<string>): Promise<string | null> {
  const { name, displayCurrency } = shown.given;
  const errors: Errors = {};
  const trimmed = name.trim();
  if (trimmed === "" || trimmed.length > nameCharactersMax || /\p{C}/u.test(trimmed))
    errors.name = `Enter a name of 1 to ${nameCharactersMax} characters`;
  if (!currencyForm.test(displayCurrency.trim())) errors.currency = "Enter a code of three letters, such as EUR";
  if (Object.keys(errors).length === 0) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof OwnerRefusal) || !["bad_input", "conflict"].includes(error.code)) throw error;
      // Not the name, which was checked above.
      const isSource = error.message.includes("provider");
      errors[error.code === "conflict" ? "name" : isSource ? "source" : "currency"] = error.message;
    }
  }
  show(res, { ...shown, errors, status: 400 });
  return null;
}

function show(res: Response, { portfolio, given, sources, errors = {}, status = 200 }: Shown): void {
  const isNew = portfolio === null;
  const title = isNew ? "New portfolio" : "Settings";
  const path = isNew ? "/dashboard/portfolios/new" : `/dashboard/portfolios/${portfolio.portfolioId}/rename`;
  const back = isNew ? "/dashboard/portfolios" : `/dashboard/portfolios/${portfolio.portfolioId}`;
  const body = html`<h1>${isNew ? title : html`${title} of ${portfolio.name}`}</h1>
${errorSummary(errors, isNew ? "Nothing was made yet" : "Nothing was changed")}
<form method="post" action="${path}">
${csrfField(res)}<div class="field"><label for="name">Name</label>
${fieldError("name", errors.name)}
<input id="name" name="name" type="text" value="${given.name}" required maxlength="${nameCharactersMax}" autocomplete="off"${describedBy("name", errors.name)}></div>
<div class="field"><label for="currency">Display currency</label>
<p id="currency-hint" class="muted">A code such as EUR. Amounts are stored in US dollars.</p>
${fieldError("currency", errors.currency)}
<input id="currency" name="currency" type="text" value="${given.displayCurrency}" required maxlength="3" autocomplete="off"${describedBy("currency", errors.currency, "currency-hint")}></div>
${sources === null ? "" : sourceField(given.priceSource ?? lowestAsk, sources, errors.source)}<p class="actions"><button>${isNew ? "Create portfolio" : "Save"}</button> <a href="${back}">Cancel</a></p>
</form>`;
  const scripts = ["/dashboard/browser/send-once.js"];
  sendPage(res, { title: status === 200 ? title : `Error: ${title}`, owner: ownerOf(res), body, status, scripts });
}

function sourceField(chosen: string, sources: NonNullable<PriceSources>, error: string | undefined): Html {
  const all = [{ provider: lowestAsk, name: "Lowest price of all markets" }, ...sources];
  const options = all.map(
    ({ provider, name }) =>
      html`<option value="${provider}"${provider === chosen ? html` selected` : ""}>${name}</option>`,
  );
  // A provider with an ended feed stays selected until the owner chooses another.
  const ended = all.some(({ provider }) => provider === chosen)
    ? ""
    : html`<option value="" selected>${chosen}</option>`;
  return html`<div class="field"><label for="source">Valued at</label>
${fieldError("source", error)}
<select id="source" name="source"${describedBy("source", error)}>${ended}${options}</select></div>
`;
}
