import type { Request, Response, Router } from "express";
import { OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import type { NewSession } from "../../access/owners/sessions.ts";
import type { Events } from "../../log/events.ts";
import { html } from "../html.ts";
import { csrfField, redirect, sendPage, sendRefusal } from "./page.ts";
import type { DashboardParts } from "./parts.ts";
import { contextOf } from "./request-context.ts";
import { formOf } from "./session-guard.ts";
import { statusOf } from "./statuses.ts";

/** Page after signing in by a link. */
const firstPage = "/market";
const elsewhere = {
  title: "This link does not work here",
  text: "A sign-in link works only in a browser on the server's machine, without a proxy. `npx itemtape accounts invite` makes a link for other machines.",
};

/**
 * Adds the routes for signing in by a link. The secret is in the fragment of the link, which requests do not contain, and is sent by a
 * button. Previews, prefetches and logs therefore neither use nor store it.
 */
export function addSignInLink(router: Router, { guard, pageReads, writer, events }: DashboardParts): void {
  router.get("/sign-in-link", (req, res) => {
    if (!pageReads.isOnThisMachine(req)) return sendRefusal(res, 403, elsewhere);
    const scripts = ["/dashboard/browser/sign-in-link.js"];
    const body = html`<h1>Sign in</h1>
<form method="post" action="/dashboard/sign-in-link" class="stack">
${csrfField(res)}<input type="hidden" name="token" id="link-token">
<button id="link-button" disabled>Sign in on this browser</button>
</form>
<p class="muted" id="link-hint">The link works once, within ten minutes. It needs JavaScript.</p>`;
    sendPage(res, { title: "Sign in", body, scripts });
  });
  router.post("/sign-in-link", guard.checkForm, async (req: Request, res: Response) => {
    if (!pageReads.isOnThisMachine(req)) return sendRefusal(res, 403, elsewhere);
    const { session } = contextOf(res);
    try {
      const opened = await writer.useSignInLink(formOf(res).one("token"), session, placeOf(res));
      enter(events, res, opened, firstPage);
    } catch (error) {
      if (!(error instanceof OwnerRefusal)) throw error;
      sendRefusal(res, statusOf(error.code), { title: "This link does not work", text: error.message });
    }
  });
}

/** Signs the browser in. Each sign-in gets a new secret, so a cookie planted by an attacker is useless. */
export function enter(events: Events, res: Response, session: NewSession, next: string): void {
  events.signInSucceeded({ account_id: session.accountId });
  contextOf(res).setSession(session);
  redirect(res, next);
}

/** Returns address and browser of a request, for the activity log. */
export function placeOf(res: Response): string {
  return `${contextOf(res).exchange.clientAddress}, ${browserName(res.req.headers["user-agent"])}`;
}

/** Browsers and systems by a marker in `User-Agent`. The first match counts, because most browsers also name others. */
const browsers = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const systems = [
  ["Windows", "Windows"],
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** Returns a name for a `User-Agent`, such as "Firefox on Linux". */
function browserName(agent = ""): string {
  const named = (list: readonly (readonly [mark: string, name: string])[]) =>
    list.find(([mark]) => agent.includes(mark))?.[1];
  const system = named(systems);
  return `${named(browsers) ?? "another browser"}${system === undefined ? "" : ` on ${system}`}`;
}
