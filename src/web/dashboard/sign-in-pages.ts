import type { InviteState } from "../../access/owners/owner-reads.ts";
import { passwordCharactersMax, passwordCharactersMin } from "../../access/owners/passwords.ts";
import { type Html, html } from "../html.ts";

/** Notices that a redirect can show on the sign-in page, by name. */
export const notices: Readonly<Record<string, string>> = {
  "signed-out": "You are signed out.",
  "signed-out-everywhere": "You are signed out everywhere.",
};

/**
 * Content of the sign-in page. `demoAccountId` is the account of a demo that visitors may read. `isLocal` means that the browser runs on
 * the server's machine, so sign-in links work.
 */
type SignIn = {
  csrfField: Html;
  next: string;
  login?: string;
  notice?: string | undefined;
  problem?: string | undefined;
  demoAccountId?: string | undefined;
  isLocal: boolean;
};

/** Renders the sign-in form, with the problem of the last attempt. */
export function signInForm({ csrfField, next, login = "", notice, problem, demoAccountId, isLocal }: SignIn): Html {
  return html`<h1>Sign in</h1>
${notes(notice, problem)}
${demoAccountId === undefined ? html`` : demoNote(demoAccountId)}
<form method="post" action="/dashboard/sign-in" class="stack">
${csrfField}<input type="hidden" name="next" value="${next}">
<label for="login">Login</label>
<input id="login" name="login" type="text" value="${login}" required maxlength="254" autocomplete="username" autocapitalize="none" spellcheck="false">
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="1000" autocomplete="current-password">
<button>Sign in</button>
</form>
${
  isLocal
    ? linkHint
    : html`<p class="muted">No password yet, or lost it? The operator makes a one-time link with
<code>npx itemtape accounts invite</code>.</p>`
}`;
}

const linkHint = html`<p class="muted">No password? <code>npx itemtape sign-in</code> prints a link that signs you in.</p>`;

function demoNote(accountId: string): Html {
  return html`<p class="notice" id="demo">This is a demo: <a href="/market">the market</a> can be read without a sign-in.
The dashboard belongs to the login <strong>demo</strong>. Set its password with the link that was printed when the demo was made;
<code>npx itemtape accounts invite ${accountId}</code> makes another link.</p>`;
}

/** Renders the form for repeating the password before an action that needs a recent sign-in. */
export function signInAgainForm({ csrfField, next, login = "", problem, isLocal }: SignIn): Html {
  return html`<h1>Enter your password again</h1>
<p>Creating and rotating keys needs a sign-in within the last 30 minutes. Revoking does not.</p>
${notes(undefined, problem)}
<form method="post" action="/dashboard/sign-in-again" class="stack">
${csrfField}<input type="hidden" name="next" value="${next}">
<input type="hidden" name="username" value="${login}" autocomplete="username">
<label for="password">Password of ${login}</label>
<input id="password" name="password" type="password" required maxlength="1000" autocomplete="current-password">
<button>Go on</button>
</form>
${isLocal ? linkHint : html``}
<p><a href="/dashboard">Not now</a></p>`;
}

type SetPassword = { csrfField: Html; token: string; invite: InviteState; problem?: string | undefined };

/** Renders the form of an invitation or reset link. */
export function setPasswordForm({ csrfField, token, invite, problem }: SetPassword): Html {
  return html`<h1>Set a password</h1>
<p>For the login <strong>${invite.login}</strong> of the account ${invite.accountName}. The link works once and
signs out all sessions with an older password.</p>
${notes(undefined, problem)}
<form method="post" action="/dashboard/invite/${token}" class="stack">
${csrfField}<input type="hidden" name="username" value="${invite.login}" autocomplete="username">
<label for="password">New password</label>
<input id="password" name="password" type="password" required maxlength="1000" autocomplete="new-password" aria-describedby="rule">
<p id="rule" class="muted">${passwordCharactersMin} to ${passwordCharactersMax} characters; any character will do, spaces too.</p>
<label for="again">The same again</label>
<input id="again" name="again" type="password" required maxlength="1000" autocomplete="new-password">
<button>Set the password</button>
</form>`;
}

function notes(notice: string | undefined, problem: string | undefined): Html {
  if (problem !== undefined) return html`<p class="problem" role="alert">${problem}</p>`;
  return notice === undefined ? html`` : html`<p class="notice" role="status">${notice}</p>`;
}
