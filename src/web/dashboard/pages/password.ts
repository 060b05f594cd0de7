import type { RequestHandler, Response } from "express";
import { OwnerRefusal } from "../../../access/owners/owner-refusal.ts";
import { checkNewPassword, passwordCharactersMax, passwordCharactersMin } from "../../../access/owners/passwords.ts";
import { type Html, html } from "../../html.ts";
import type { Form } from "../form.ts";
import { csrfField, redirect, sendPage } from "../page.ts";
import type { DashboardParts } from "../parts.ts";
import { retryAfter } from "../password-attempts.ts";
import { contextOf } from "../request-context.ts";
import { formOf, ownerOf } from "../session-guard.ts";
import { describedBy, errorSummary, fieldError } from "./credential-form.ts";

/** Name of the notice on the overview after a change. */
export const passwordChanged = "password-changed";

const title = "Change the password";

/** Error messages by field. */
type Errors = { current?: string; password?: string; again?: string };

/** Shows the page for changing the password. */
export function passwordPage(): RequestHandler {
  return (_req, res) => show(res);
}

/** Changes the password. Requires the current one, so no recent sign-in is needed. Typed passwords are never sent back. */
export function changePassword({ writer, attempts, events }: DashboardParts): RequestHandler {
  return async (_req, res) => {
    const form = formOf(res);
    const owner = ownerOf(res);
    const errors = errorsOf(form);
    if (Object.keys(errors).length > 0) return show(res, errors, 400);
    const work = () => writer.changePassword(owner, form.one("current"), form.one("password"));
    const opened = await attempts.make(res, owner, work);
    if ("cookie" in opened) {
      events.passwordSet({ account_id: opened.accountId, by: "password" });
      contextOf(res).setSession(opened);
      return redirect(res, `/dashboard?notice=${passwordChanged}`);
    }
    const { reason, problem, status, retryAfterS } = opened;
    const current = reason === "invalid_credentials" ? "This is not the current password" : problem;
    show(res, { current }, status, retryAfterS);
  };
}

function errorsOf(form: Form): Errors {
  const [current, password] = [form.one("current"), form.one("password")];
  const errors: Errors = {};
  if (current === "") errors.current = "Enter the current password";
  const wrong = wrongPasswordOf(password);
  if (wrong !== null) errors.password = wrong;
  else if (password === current) errors.password = "Choose another password than the current one";
  if (form.one("again") !== password) errors.again = "Type the new password the same both times";
  return errors;
}

function wrongPasswordOf(password: string): string | null {
  try {
    checkNewPassword(password);
    return null;
  } catch (error) {
    if (!(error instanceof OwnerRefusal)) throw error;
    return password === "" ? "Enter a new password" : error.message;
  }
}

function show(res: Response, errors: Errors = {}, status = 200, retryAfterS: number | null = null): void {
  const owner = ownerOf(res);
  const body = html`<h1>${title}</h1>
${errorSummary(errors, "The password was not changed")}
<p>Of the login <strong>${owner.login}</strong>. Every other session of this account ends, and so does a one-time link to set a
password. Keys go on working.</p>
<form method="post" action="/dashboard/password">
${csrfField(res)}<input type="hidden" name="username" value="${owner.login}" autocomplete="username">
${field("current", "Current password", errors.current, "current-password")}
${field("password", "New password", errors.password, "new-password", rule)}
${field("again", "The new password again", errors.again, "new-password")}
<p class="actions"><button>Change the password</button> <a href="/dashboard">Cancel</a></p>
</form>`;
  const headers = retryAfter(retryAfterS);
  sendPage(res, { title: status === 200 ? title : `Error: ${title}`, owner, body, status, headers });
}

const rule = html`<p id="password-hint" class="muted">${passwordCharactersMin} to ${passwordCharactersMax} characters; any character will do, spaces too.</p>
`;

function field(name: string, label: string, error: string | undefined, autocomplete: string, hint?: Html): Html {
  const described = describedBy(name, error, hint === undefined ? undefined : `${name}-hint`);
  return html`<div class="field"><label for="${name}">${label}</label>
${hint ?? ""}${fieldError(name, error)}
<input id="${name}" name="${name}" type="password" required maxlength="1000" autocomplete="${autocomplete}"${described}></div>`;
}
