import type { RequestHandler, Response } from "express";
import { checkedName } from "../../../access/accounts.ts";
import { keyDays, type NewSecret } from "../../../access/keys.ts";
import { portfolioConsent } from "../../../access/owners/consent.ts";
import type { OwnerPortfolio } from "../../../access/owners/owner-reads.ts";
import { OwnerRefusal } from "../../../access/owners/owner-refusal.ts";
import { OperatorError } from "../../../values/failure/operator-error.ts";
import { type Html, html } from "../../html.ts";
import type { Form } from "../form.ts";
import { csrfField, sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { formOf, ownerOf } from "../session-guard.ts";
import {
  consentField,
  daysField,
  type Errors,
  errorSummary,
  type Given,
  nameField,
  nothingGiven,
  portfolioField,
} from "./credential-form.ts";
import { instant, notice } from "./formatting.ts";
import { sendSecret } from "./secret.ts";

type Kind = "project" | "personal";

const texts = {
  project: {
    title: "New project key",
    path: "/dashboard/keys/new",
    description: "It reads market data with the plan of your account, and no portfolio.",
    make: "Make the key",
  },
  personal: {
    title: "New personal token",
    path: "/dashboard/tokens/new",
    description: "It reads the portfolios that you select, and no market data. It changes nothing.",
    make: "Make the token",
  },
} as const;

/** Shows the page for creating a key or token. */
export function newCredentialPage(parts: DashboardParts, kind: Kind): RequestHandler {
  return (_req, res) => show(parts, kind, res, {});
}

/**
 * Creates a key and shows its secret in the response. The form contains the newest key at its creation, so that a repeated form creates no
 * second key.
 */
export function createCredential(parts: DashboardParts, kind: Kind): RequestHandler {
  return async (_req, res) => {
    const form = formOf(res);
    const owner = ownerOf(res);
    const given: Given = { name: form.one("name"), days: form.one("days"), portfolioIds: form.all("portfolio") };
    const after = form.one("after");
    const newer = () => newerKey(parts, owner.accountId, after);
    const warning = await newer();
    if (warning !== null) return show(parts, kind, res, { given, status: 409, warning });
    const portfolios = await parts.reads.portfolios(owner.accountId, parts.clock.now());
    const owned = portfolios.map(({ portfolioId }) => portfolioId);
    const errors = errorsOf(given, form, kind, owned);
    if (Object.keys(errors).length > 0) return show(parts, kind, res, { given, errors, status: 400 });
    let made: NewSecret;
    try {
      made = await make(parts, kind, res, given, after);
    } catch (error) {
      if (!(error instanceof OwnerRefusal) || !["bad_input", "conflict"].includes(error.code)) throw error;
      const status = error.code === "conflict" ? 409 : 400;
      return show(parts, kind, res, { given, status, warning: (await newer()) ?? html`${error.message}` });
    }
    sendSecret(res, made, "created");
  };
}

/** Returns a warning about a newer key; null if `after` is still the newest. */
async function newerKey({ reads }: DashboardParts, accountId: string, after: string): Promise<Html | null> {
  const newest = await reads.newestKey(accountId);
  if (after === (newest?.keyId ?? "")) return null;
  const made = newest === null ? "" : html`: <strong>${newest.name}</strong> was created ${instant(newest.createdAt)}`;
  return html`Nothing was made. Another key was made since this form was opened${made}.
If you sent the form twice, use that key: rotate it if you do not have its secret. Otherwise send the form again.`;
}

async function make(
  { writer }: DashboardParts,
  kind: Kind,
  res: Response,
  given: Given,
  after: string,
): Promise<NewSecret> {
  const owner = ownerOf(res);
  const wanted = { name: given.name, days: Number(given.days), after };
  if (kind === "project") return writer.createKey(owner, wanted);
  return writer.createPersonalToken(owner, { ...wanted, portfolioIds: [...given.portfolioIds], consent: true });
}

function errorsOf({ name, days, portfolioIds }: Given, form: Form, kind: Kind, owned: readonly string[]): Errors {
  const errors: Errors = {};
  const wrongName = wrongNameOf(name);
  if (wrongName !== null) errors.name = wrongName;
  if (!keyDays.some((count) => String(count) === days)) errors.days = `Choose ${keyDays.join(", ")} days`;
  if (kind === "project") return errors;
  if (portfolioIds.length === 0) errors.portfolio = "Select at least one portfolio";
  else if (!portfolioIds.every((id) => owned.includes(id))) {
    errors.portfolio = "Select again: not all of these portfolios belong to this account";
  }
  const isSameText = form.one("consent_version") === portfolioConsent.version;
  if (form.one("consent") !== "yes") errors.consent = "Consent by the checkbox, or make no token";
  else if (!isSameText) errors.consent = "The text has changed: read it again and consent to it";
  return errors;
}

function wrongNameOf(name: string): string | null {
  try {
    checkedName("key", name);
    return null;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return name.trim() === "" ? "Enter a name" : `Enter another name: ${error.message}`;
  }
}

type Shown = { given?: Given; errors?: Errors; status?: number; warning?: Html };

async function show(
  { clock, reads }: DashboardParts,
  kind: Kind,
  res: Response,
  { given = nothingGiven, errors = {}, status = 200, warning }: Shown,
): Promise<void> {
  const owner = ownerOf(res);
  const { title, path, description, make } = texts[kind];
  const portfolios = kind === "personal" ? await reads.portfolios(owner.accountId, clock.now()) : [];
  const newest = (await reads.newestKey(owner.accountId))?.keyId ?? "";
  const form = html`<form method="post" action="${path}">
${csrfField(res)}<input type="hidden" name="after" value="${newest}">
${nameField(given, errors.name)}${daysField(given, errors.days, clock.now())}
${kind === "personal" ? personalFields(given, errors, portfolios) : ""}
<p class="actions"><button>${make}</button> <a href="/dashboard/keys">Cancel</a></p>
</form>`;
  const body = html`<h1>${title}</h1>
${errorSummary(errors)}${warning === undefined ? "" : notice(warning, "warning")}
<p>${description} Its secret is shown once, on the next page.</p>
${kind === "personal" && portfolios.length === 0 ? noPortfolios : form}`;
  const isWrong = status >= 400;
  const scripts = ["/dashboard/browser/send-once.js"];
  sendPage(res, { title: isWrong ? `Error: ${title}` : title, owner, body, status, scripts });
}

function personalFields(given: Given, errors: Errors, portfolios: readonly OwnerPortfolio[]): Html {
  return html`${portfolioField(given, errors.portfolio, portfolios)}${consentField(errors.consent)}`;
}

const noPortfolios = html`<p>This account has no portfolio yet, so there is nothing that a token could read.</p>
<p><a href="/dashboard/keys">Back to the keys</a></p>`;
