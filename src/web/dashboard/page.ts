import type { Response } from "express";
import type { Session } from "../../access/owners/sessions.ts";
import { announcesBody } from "../../api/transport-guard.ts";
import { withExpiredNotice } from "../expired-notice.ts";
import { type Html, html } from "../html.ts";
import { policyOf } from "../send-page.ts";
import { shell } from "../shell.ts";
import { contextOf } from "./request-context.ts";

/** A page of the dashboard. `styles` and `scripts` are paths of this origin; scripts are modules. Without `owner` it has no navigation. */
type DashboardPage = {
  title: string;
  body: Html;
  status?: number;
  owner?: Session | null;
  styles?: readonly string[];
  scripts?: readonly string[];
  headers?: readonly (readonly [name: string, value: string])[];
};

/** Policy for files of this origin only, without inline code, frames or foreign form targets. */
const dashboardPolicy = policyOf({ "script-src": "'self'", "connect-src": "'self'", "form-action": "'self'" });

/** Sends a page. Its forms contain the token from `csrfField(res)`. */
export function sendPage(res: Response, page: DashboardPage): void {
  const context = contextOf(res);
  const { title, body, status = 200, owner = null, styles = [], scripts = [], headers = [] } = page;
  const csrfField = owner === null ? html`` : context.csrfField();
  const text = layout({ title, body, owner, csrfField, path: context.path, styles, scripts });
  send(
    res,
    status,
    [["Content-Type", "text/html; charset=utf-8"], ...headers],
    withExpiredNotice(text, context.exchange),
  );
}

/** Sends a page with one sentence about the reason for a refusal. */
export function sendRefusal(
  res: Response,
  status: number,
  { title, text, more = html`` }: { title: string; text: string; more?: Html },
  headers: readonly (readonly [string, string])[] = [],
): void {
  const session = contextOf(res).knownSession;
  const owner = session === null || session.disabledAt !== null ? null : session;
  const way = owner === null ? html`<a href="/dashboard/sign-in">Sign in</a>` : html`<a href="/dashboard">Overview</a>`;
  const body = html`<h1>${title}</h1>
<p role="alert">${text}</p>
${more}
<p>${way}</p>
<p class="muted">If you ask for help, quote <code>${contextOf(res).exchange.requestId}</code>.</p>`;
  sendPage(res, { title, body, status, owner, headers });
}

/** Sends a style sheet, script or picture, equal for all visitors. */
export function sendFile(res: Response, { mediaType, body }: { mediaType: string; body: string | Buffer }): void {
  send(res, 200, [["Content-Type", mediaType]], body);
}

/** Sends an object as JSON to a script of this origin. */
export function sendJson(res: Response, value: object): void {
  send(res, 200, [["Content-Type", "application/json"]], JSON.stringify(value));
}

/** Redirects with 303, so that the next request is always a GET. */
export function redirect(res: Response, path: string): void {
  send(res, 303, [["Location", path]], "");
}

/** Returns the hidden CSRF field for a form. */
export function csrfField(res: Response): Html {
  return contextOf(res).csrfField();
}

function send(
  res: Response,
  status: number,
  headers: readonly (readonly [string, string])[],
  body: string | Buffer,
): void {
  const context = contextOf(res);
  if (context.exchange.isDisconnected) return;
  const unread = announcesBody(res.req) && !res.req.complete;
  if (unread) res.shouldKeepAlive = false;
  const all: [string, string][] = [
    ["Content-Length", String(Buffer.byteLength(body))],
    ["X-Request-Id", context.exchange.requestId],
    ["X-Content-Type-Options", "nosniff"],
    ["X-Frame-Options", "DENY"],
    ["Cross-Origin-Opener-Policy", "same-origin"],
    ["Cross-Origin-Resource-Policy", "same-origin"],
    ["Cache-Control", "no-store"],
    // Never compressed: with text chosen by an attacker, the compressed length would reveal a secret in the page.
    ["Vary", "Cookie"],
    // With `no-referrer`, browsers would send forms without an origin.
    ["Referrer-Policy", "same-origin"],
    ["Content-Security-Policy", dashboardPolicy],
    ...context.cookies.map((cookie): [string, string] => ["Set-Cookie", cookie]),
  ];
  res.writeHead(status, [...headers, ...all].flat());
  res.end(res.req.method === "HEAD" ? undefined : body);
  if (unread) res.req.resume();
  context.answered();
}

/**
 * Parts of a page of the dashboard. `owner` is null before a sign-in; the page then has no navigation. `path` is the page's own. Styles and
 * scripts are as in `Shell`.
 */
type Layout = {
  title: string;
  body: Html;
  owner: Session | null;
  csrfField: Html;
  path: string;
  styles: readonly string[];
  scripts: readonly string[];
};

const places: readonly { path: string; name: string; within: readonly string[] }[] = [
  { path: "/dashboard", name: "Overview", within: ["/dashboard/password"] },
  { path: "/dashboard/keys", name: "Keys", within: ["/dashboard/keys/", "/dashboard/tokens/"] },
  { path: "/dashboard/portfolios", name: "Portfolios", within: ["/dashboard/portfolios/"] },
  { path: "/dashboard/activity", name: "Activity", within: [] },
];

/** Renders a whole page of the dashboard. */
function layout({ title, body, owner, csrfField, path, styles, scripts }: Layout): string {
  return shell({
    title: `${title} · Itemtape`,
    current: "/dashboard",
    styles: ["/dashboard/base.css", ...styles],
    scripts,
    ...(owner === null ? {} : { bar: ownerBar(owner, csrfField, path) }),
    main: body,
  });
}

function ownerBar(owner: Session, csrfField: Html, path: string): Html {
  const links = places.map(
    ({ path: place, name, within }) => html`<li><a href="${place}"${currentOf(place, within, path)}>${name}</a></li>
`,
  );
  return html`<section class="bar" aria-label="Your account"><div class="bar-in">
<nav aria-label="Dashboard"><ul>
${links}</ul></nav>
<p class="who">${owner.accountName} <span class="muted">(${owner.login})</span></p>
<form method="post" action="/dashboard/sign-out">${csrfField}<button class="quiet">Sign out</button></form>
</div></section>`;
}

function currentOf(place: string, within: readonly string[], path: string): Html {
  if (place === path) return html` aria-current="page"`;
  return within.some((start) => path.startsWith(start)) ? html` aria-current="true"` : html``;
}
