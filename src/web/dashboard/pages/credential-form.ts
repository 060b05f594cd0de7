import { nameCharactersMax } from "../../../access/accounts.ts";
import { keyDays } from "../../../access/keys.ts";
import { portfolioConsent } from "../../../access/owners/consent.ts";
import type { OwnerPortfolio } from "../../../access/owners/owner-reads.ts";
import { dayMs } from "../../../values/time/calendar.ts";
import { type Html, html } from "../../html.ts";
import { counted, instantText } from "./formatting.ts";

/** Submitted field values. */
export type Given = { readonly name: string; readonly days: string; readonly portfolioIds: readonly string[] };

/** Error messages by field. */
export type Errors = Partial<Record<"name" | "days" | "portfolio" | "consent", string>>;

export const nothingGiven: Given = { name: "", days: "30", portfolioIds: [] };

/** Renders all errors with links to their fields, and focuses the summary. */
export function errorSummary(errors: Readonly<Record<string, string>>, title = "Nothing was made yet"): Html | string {
  const entries = Object.entries(errors);
  if (entries.length === 0) return "";
  const links = entries.map(([field, problem]) => html`<li><a href="#${field}">${problem}</a></li>`);
  return html`<div class="notice problem" role="alert" tabindex="-1" autofocus aria-labelledby="problem">
<h2 id="problem">${title}</h2><ul>${links}</ul></div>`;
}

/** Renders the field for the name of a credential. */
export function nameField({ name }: Given, error: string | undefined): Html {
  return html`<div class="field"><label for="name">Name</label>
<p id="name-hint" class="muted">The purpose of the key, so that you recognize it: at most ${nameCharactersMax} characters.</p>
${fieldError("name", error)}
<input id="name" name="name" type="text" value="${name}" required maxlength="${nameCharactersMax}" autocomplete="off"${describedBy("name", error, "name-hint")}></div>
`;
}

/** Renders the choice of a credential's lifetime in days, with the end date of each. */
export function daysField({ days }: Given, error: string | undefined, at: number): Html {
  const choices = keyDays.map(
    (
      count,
      index,
    ) => html`<label class="choice"><input type="radio" name="days" value="${count}"${index === 0 ? html` id="days"` : ""}${
      days === String(count) ? html` checked` : ""
    } required><span>${counted(count, "day")} <span class="muted">until ${instantText(at + count * dayMs)}</span></span></label>
`,
  );
  return html`<fieldset class="field"${describedBy("days", error)}><legend>Expires after</legend>
${fieldError("days", error)}
${choices}</fieldset>
`;
}

/** Renders the choice of the portfolios that a token may read. */
export function portfolioField(
  { portfolioIds }: Given,
  error: string | undefined,
  portfolios: readonly OwnerPortfolio[],
): Html {
  const choices = portfolios.map(
    ({ portfolioId, name, holdingCount }, index) =>
      html`<label class="choice"><input type="checkbox" name="portfolio" value="${portfolioId}"${index === 0 ? html` id="portfolio"` : ""}${
        portfolioIds.includes(portfolioId) ? html` checked` : ""
      }><span>${name} <span class="muted">${counted(holdingCount, "holding")}</span></span></label>
`,
  );
  return html`<fieldset class="field"${describedBy("portfolio", error, "portfolio-hint")}><legend>Portfolios that it may read</legend>
<p id="portfolio-hint" class="muted">Only these. The selection cannot be changed later: make another token instead.</p>
${fieldError("portfolio", error)}
${choices}</fieldset>
`;
}

/** Renders the consent text, with its version in the form. The box is never checked beforehand. */
export function consentField(error: string | undefined): Html {
  return html`<fieldset class="field consent"><legend>Consent</legend>
${fieldError("consent", error)}
<label class="choice"><input id="consent" type="checkbox" name="consent" value="yes" required${describedBy("consent", error)}><span>${portfolioConsent.text}</span></label>
<input type="hidden" name="consent_version" value="${portfolioConsent.version}"></fieldset>
`;
}

/** Renders the error of a field. */
export function fieldError(field: string, error: string | undefined): Html | string {
  return error === undefined ? "" : html`<p id="${field}-error" class="error"><strong>Error:</strong> ${error}</p>`;
}

/** Links a field to its hint and its error. */
export function describedBy(field: string, error: string | undefined, hint?: string): Html | string {
  const ids = [...(hint === undefined ? [] : [hint]), ...(error === undefined ? [] : [`${field}-error`])];
  if (ids.length === 0) return "";
  const invalid = error === undefined || field === "days" || field === "portfolio" ? "" : html` aria-invalid="true"`;
  return html` aria-describedby="${ids.join(" ")}"${invalid}`;
}
