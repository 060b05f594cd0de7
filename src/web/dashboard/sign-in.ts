import express, { type NextFunction, type Request, type Response, type Router } from "express";
import { OwnerRefusal, ownerRefusalTexts } from "../../access/owners/owner-refusal.ts";
import { sessionIdleMs, sessionMs } from "../../access/owners/sessions.ts";
import { hourMs } from "../../values/time/calendar.ts";
import { addSignInLink, enter, placeOf } from "./entering.ts";
import { csrfField, redirect, sendPage, sendRefusal } from "./page.ts";
import type { DashboardParts } from "./parts.ts";
import { type Refused, retryAfter } from "./password-attempts.ts";
import { contextOf, queryOf } from "./request-context.ts";
import { formOf, ownerOf, safeNextPath } from "./session-guard.ts";
import { notices, setPasswordForm, signInAgainForm, signInForm } from "./sign-in-pages.ts";
import { statusOf, unwritten } from "./statuses.ts";

/** Returns the routes for sign-in, sign-out and one-time links. */
export function signInRoutes(parts: DashboardParts): Router {
  const router = express.Router({ strict: true, caseSensitive: true });
  const { guard, writer, events } = parts;
  router.get("/sign-in", (req, res) => showSignIn(parts, req, res));
  router.post("/sign-in", guard.checkForm, (_req, res) => signIn(parts, res));
  router.get("/sign-in-again", guard.requireOwner, (req, res) => {
    showAgain(parts, res, safeNextPath(queryOf(req).get("next")));
  });
  router.post("/sign-in-again", guard.requireOwner, guard.checkForm, (_req, res) => signInAgain(parts, res));
  router.post("/sign-out", unlessSignedOut, guard.checkForm, async (_req, res) => {
    await leaveAfter(res, writer.signOut(ownerOf(res)), "signed-out");
  });
  router.post("/sign-out-everywhere", guard.requireOwner, guard.checkForm, async (_req, res) => {
    const owner = ownerOf(res);
    const ended = writer
      .signOutEverywhere(owner)
      .then(() => events.signedOutEverywhere({ account_id: owner.accountId }));
    await leaveAfter(res, ended, "signed-out-everywhere");
  });
  addSignInLink(router, parts);
  router.get("/invite/:token", (req, res) => showInvite(parts, res, String(req.params.token)));
  router.post("/invite/:token", guard.checkForm, (req, res) => setPassword(parts, res, String(req.params.token)));
  return router;
}

/** Messages for a sign-out that could not be stored. */
const unended = {
  "signed-out":
    "The service is too busy to end the session on its side. " +
    `It is no longer used: it ends by itself after ${sessionIdleMs / hourMs} hours.`,
  "signed-out-everywhere":
    "The service is too busy to end the other sessions. Each ends by itself " +
    `after ${sessionIdleMs / hourMs} hours without use, and ${sessionMs / hourMs} hours after its sign-in. ` +
    "To end them at once, sign in and try again in a moment.",
} as const;

function showSignIn({ pageReads }: DashboardParts, req: Request, res: Response): void {
  const query = queryOf(req);
  const next = safeNextPath(query.get("next"));
  const { session, at } = contextOf(res);
  if (session !== null && session.disabledAt === null) {
    redirect(res, next);
    return;
  }
  const notice = notices[query.get("notice") ?? ""];
  const demoAccountId = pageReads.visitor(req, at)?.accountId;
  const isLocal = pageReads.isOnThisMachine(req);
  const body = signInForm({ csrfField: csrfField(res), next, notice, demoAccountId, isLocal });
  sendPage(res, { title: "Sign in", body });
}

async function signIn(parts: DashboardParts, res: Response): Promise<void> {
  const form = formOf(res);
  const next = safeNextPath(form.one("next"));
  await openSession(parts, res, { login: form.one("login"), password: form.one("password"), next });
}

async function openSession(
  { writer, attempts, events, pageReads }: DashboardParts,
  res: Response,
  { login, password, next }: { login: string; password: string; next: string },
): Promise<void> {
  const opened = await attempts.make(res, { login, accountId: null }, (isKnown) =>
    writer.signIn(login, password, contextOf(res).session, { isKnown, from: placeOf(res) }),
  );
  if ("cookie" in opened) return enter(events, res, opened, next);
  const { problem, status, retryAfterS } = opened;
  const isLocal = pageReads.isOnThisMachine(res.req);
  const body = signInForm({ csrfField: csrfField(res), next, login, problem, isLocal });
  sendPage(res, { title: "Sign in", body, status, headers: retryAfter(retryAfterS) });
}

async function signInAgain(parts: DashboardParts, res: Response): Promise<void> {
  const { writer, attempts, events } = parts;
  const form = formOf(res);
  const owner = ownerOf(res);
  const password = form.one("password");
  const next = safeNextPath(form.one("next"));
  const opened = await attempts.make(res, owner, () => writer.signInAgain(owner, password, placeOf(res)));
  if ("cookie" in opened) enter(events, res, opened, next);
  else showAgain(parts, res, next, opened);
}

/**
 * Redirects a browser without a session to the sign-in. Cookies are kept: requests from other sites arrive without them, and clearing would
 * sign the owner out.
 */
function unlessSignedOut(_req: Request, res: Response, next: NextFunction): void {
  if (contextOf(res).session === null) redirect(res, "/dashboard/sign-in");
  else next();
}

/** Signs the browser out, even if the session could not be ended on the server: the owner is about to leave. */
async function leaveAfter(res: Response, ended: Promise<void>, notice: keyof typeof unended): Promise<void> {
  try {
    await ended;
  } catch (error) {
    contextOf(res).clearSession();
    if (!(error instanceof OwnerRefusal) || statusOf(error.code) !== unwritten) throw error;
    sendRefusal(
      res,
      unwritten,
      { title: "This browser is signed out", text: unended[notice] },
      retryAfter(error.retryAfterS),
    );
    return;
  }
  leave(res, notice);
}

function leave(res: Response, notice: string): void {
  contextOf(res).clearSession();
  redirect(res, `/dashboard/sign-in?notice=${notice}`);
}

function showAgain({ pageReads }: DashboardParts, res: Response, next: string, refused?: Refused): void {
  const owner = ownerOf(res);
  const isLocal = pageReads.isOnThisMachine(res.req);
  const { login } = owner;
  const body = signInAgainForm({ csrfField: csrfField(res), next, login, problem: refused?.problem, isLocal });
  const headers = retryAfter(refused?.retryAfterS ?? null);
  sendPage(res, { title: "Give your password again", body, status: refused?.status ?? 200, owner, headers });
}

/** Shows the form of a link, without using the link up. */
async function showInvite({ reads }: DashboardParts, res: Response, token: string, problem?: string): Promise<void> {
  const invite = await reads.invite(token, contextOf(res).at);
  if (invite?.state === "open") {
    const body = setPasswordForm({ csrfField: csrfField(res), token, invite, problem });
    sendPage(res, { title: "Set a password", body, status: problem === undefined ? 200 : 400 });
    return;
  }
  const code = invite === null ? "invite_unknown" : (`invite_${invite.state}` as "invite_used" | "invite_expired");
  sendRefusal(res, invite === null ? 404 : 410, { title: "This link does not work", text: ownerRefusalTexts[code] });
}

async function setPassword(parts: DashboardParts, res: Response, token: string): Promise<void> {
  const form = formOf(res);
  const password = form.one("password");
  if (password !== form.one("again")) {
    await showInvite(parts, res, token, "The two passwords are not the same.");
    return;
  }
  try {
    const invite = await parts.reads.invite(token, contextOf(res).at);
    const invited = invite?.state === "open" ? invite.login : null;
    const set = await parts.writer.setPassword(token, password, { login: invited });
    await parts.attempts.trust(res, set.login);
    parts.events.passwordSet({ account_id: set.accountId, by: "link" });
    await openSession(parts, res, { login: set.login, password, next: "/dashboard" });
  } catch (error) {
    if (!(error instanceof OwnerRefusal) || error.code !== "bad_input") throw error;
    await showInvite(parts, res, token, error.message);
  }
}
