import type { IncomingMessage } from "node:http";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { OpenSession, ReadsOwners } from "../../access/owners/owner-reads.ts";
import { busyRefusal, OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import type { OwnerWriter } from "../../access/owners/owner-writer.ts";
import { isRecentSignIn, isWorthKeepingAlive, type Session } from "../../access/owners/sessions.ts";
import type { ConcurrencyLimiter } from "../../api/concurrency-limiter.ts";
import { announcesBody } from "../../api/transport-guard.ts";
import type { Ids } from "../../values/ids.ts";
import { allReady, type MaybePromise, whenReady } from "../../values/maybe-promise.ts";
import { type Form, isForm, isUpload, readForm, readUpload } from "./form.ts";
import type { OriginPolicy } from "./origin-policy.ts";
import { redirect, sendRefusal } from "./page.ts";
import { contextOf, cookiesOf, keepContext, RequestContext } from "./request-context.ts";

/** Parts of the guard. `formMs` overrides the time limit for reading a form. */
type Parts = {
  reads: ReadsOwners;
  writer: OwnerWriter;
  ids: Ids;
  concurrency: ConcurrencyLimiter;
  origins: OriginPolicy;
  formMs?: number;
};

const uploadsMax = 4;
const methods = ["GET", "HEAD", "POST"];
/** Paths of the sign-in and of the repeated password check. Both redirect to `next`. */
const signInPath = "/dashboard/sign-in";
const signInAgainPath = "/dashboard/sign-in-again";
const nextForm =
  /^\/(?:dashboard(?:\/[A-Za-z0-9_-]+)*|(?:market|(?:openables|indexes)(?:\/[a-z0-9-]+)?|charts|items\/[0-9]+|docs\/operations\/[A-Za-z]+)(?:[?#][!-~]*)?)$/;
/** Maximum length of a `next` address. A market list with all its filters is shorter. */
const nextCharactersMax = 2_000;
/** Targets of forms, which are not pages to return to. */
const formsOnly: readonly string[] = ["/dashboard/sign-out", "/dashboard/sign-out-everywhere"];

/** Guards the pages: finds the session of a request, and refuses forms that this service did not make. */
export class SessionGuard {
  readonly #parts: Parts;
  /** Accounts with a running upload. */
  readonly #uploading = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Creates the context of a request. Only forms may have a body. */
  readonly begin: RequestHandler = (req, res, next) => {
    const context = new RequestContext(req, res, this.#parts);
    keepContext(res, context);
    const recognised = this.#recognise(req, context);
    if (recognised instanceof Promise) void recognised.then(() => this.#admit(req, res, next)).catch(next);
    else this.#admit(req, res, next);
  };

  #admit(req: Request, res: Response, next: NextFunction): void {
    if (!methods.includes(req.method)) {
      const text = "A page is read with GET and a form is sent with POST.";
      sendRefusal(res, 405, { title: "Not possible here", text }, [["Allow", methods.join(", ")]]);
      return;
    }
    if (req.method !== "POST" && announcesBody(req)) {
      sendRefusal(res, 400, { title: "Unexpected body", text: "Nothing is to be sent with this request." });
      return;
    }
    next();
  }

  /** Stores the live session of the request in its context. */
  #recognise(req: Request, context: RequestContext): MaybePromise<void> {
    const live = liveSession(req, context.at, this.#parts);
    const note = (found: LiveSession | null) => {
      if (found !== null) context.signIn(found.session, found.secret, found.at);
    };
    return live instanceof Promise ? live.then(note, (error: unknown) => context.cannotSignIn(error)) : note(live);
  }

  /** Refuses a request from a page of another origin. */
  readonly requireOwnOrigin: RequestHandler = (req, res, next) => {
    if (isSameOrigin(req, this.#parts.origins)) next();
    else sendRefusal(res, 403, { title: "Refused", text: "Only pages of this service may ask this." });
  };

  /** Admits signed-in owners and redirects others to the sign-in. Refuses disabled accounts. */
  readonly requireOwner: RequestHandler = (_req, res, next) => {
    const { session, at } = contextOf(res);
    if (session === null) {
      redirect(res, withNext(signInPath, contextOf(res).path));
      return;
    }
    if (session.disabledAt !== null) throw new OwnerRefusal("account_disabled");
    // The page is shown even if this write fails.
    if (isWorthKeepingAlive(session, at)) this.#parts.writer.keepAlive(session).catch(() => undefined);
    next();
  };

  /** Redirects owners to the password check if their last sign-in is older than 30 minutes. Runs after `requireOwner`. */
  readonly requireRecentSignIn: RequestHandler = (_req, res, next) => {
    const context = contextOf(res);
    if (isRecentSignIn(ownerOf(res), context.at)) next();
    else redirect(res, withNext(signInAgainPath, context.path));
  };

  /** Reads a form, and refuses it unless a page of this service made it for this browser. */
  readonly checkForm: RequestHandler = (req, res, next) => {
    void this.#checkForm(req, res, next).catch(next);
  };

  /** Reads a form with files as `checkForm`. Uploads are held in memory, so only one per owner and few in total are read at a time. */
  readonly checkUpload: RequestHandler = (req, res, next) => {
    const { accountId } = ownerOf(res);
    if (this.#uploading.has(accountId) || this.#uploading.size >= uploadsMax) throw busyRefusal();
    this.#uploading.add(accountId);
    res.once("close", () => this.#uploading.delete(accountId));
    void this.#checkUpload(req, res, next).catch(next);
  };

  async #checkForm(req: Request, res: Response, next: NextFunction): Promise<void> {
    if (!isForm(req)) {
      const text = "A form is sent as application/x-www-form-urlencoded in UTF-8.";
      sendRefusal(res, 415, { title: "Not a form", text });
      return;
    }
    const form = await this.#outsideOfLimit(res, () => readForm(contextOf(res).exchange, this.#parts.formMs));
    if (form === "too_long") sendRefusal(res, 413, { title: "Too much", text: "A form has at most 16 KiB." });
    else this.#take(req, res, next, form);
  }

  async #checkUpload(req: Request, res: Response, next: NextFunction): Promise<void> {
    if (!isForm(req) && !isUpload(req)) {
      sendRefusal(res, 415, { title: "Not a form", text: "A form with a file is sent as multipart/form-data." });
      return;
    }
    const form = await this.#outsideOfLimit(res, () => readUpload(contextOf(res).exchange, this.#parts.formMs));
    if (form === "too_long") sendRefusal(res, 413, { title: "Too much", text: "A file has at most 8 MiB." });
    else if (form === "broken") sendRefusal(res, 400, { title: "Not a form", text: "The form cannot be read." });
    else this.#take(req, res, next, form);
  }

  /** Reads a body without a permit, because a slow client decides how long it lasts. */
  async #outsideOfLimit<T>(res: Response, read: () => Promise<T>): Promise<T> {
    const { exchange } = contextOf(res);
    this.#parts.concurrency.release(exchange);
    const body = await read();
    await new Promise<void>((resolve, reject) => {
      const shed = () => reject(busyRefusal());
      this.#parts.concurrency.perform({ exchange, perform: resolve, shed });
    });
    return body;
  }

  #take(req: Request, res: Response, next: NextFunction, form: Form | "too_late"): void {
    const context = contextOf(res);
    if (form === "too_late") {
      const text = "The form was not received in time, and nothing was done. Go back and send it again.";
      sendRefusal(res, 408, { title: "Too slow", text });
      return;
    }
    if (!isSameOrigin(req, this.#parts.origins) || !context.takes(form.one("csrf"))) {
      const text =
        "This form was not made for this browser, or is too old. Go back, load the page again and send it once more.";
      sendRefusal(res, 403, { title: "The form was refused", text });
      return;
    }
    context.form = form;
    next();
  }
}

/**
 * Returns the session, after `requireOwner`.
 * @throws {OwnerRefusal} `session_ended`.
 */
export function ownerOf(res: Response): Session {
  const { session } = contextOf(res);
  if (session === null) throw new OwnerRefusal("session_ended");
  return session;
}

/** Returns the form, after `checkForm`. */
export function formOf(res: Response): Form {
  const { form } = contextOf(res);
  if (form === null) throw new Error("the form was not checked");
  return form;
}

/** An open session with the secret of its cookie, and the time of the clock that checked it, UTC ms. */
type LiveSession = OpenSession & { secret: string };

/**
 * Returns the session of the request's cookies that is live at `at` (UTC ms), with its secret. Returns null if none or several are live.
 */
export function liveSession(
  req: IncomingMessage,
  at: number,
  { reads, origins }: Pick<Parts, "reads" | "origins">,
): MaybePromise<LiveSession | null> {
  const found = cookiesOf(req, origins.sessionCookie).map((secret) =>
    whenReady(reads.openSession(secret, at), (open) => (open === null ? null : { ...open, secret })),
  );
  return whenReady(allReady(found), (all) => {
    const live = all.filter((one) => one !== null);
    return live.length === 1 ? (live[0] ?? null) : null;
  });
}

/**
 * Returns whether a page of this origin may have sent the request. A client without an origin is not a browser, and still needs the token.
 */
export function isSameOrigin(req: IncomingMessage, origins: OriginPolicy): boolean {
  const { origin, "sec-fetch-site": from, host } = req.headers;
  if (from !== undefined && from !== "same-origin") return false;
  return origin === undefined || origins.isOwnOrigin(origin, host);
}

/** Returns `path` with the page to open next in its query. */
export function withNext(path: string, next: string): string {
  return next === "/dashboard" ? path : `${path}?next=${encodeURIComponent(next)}`;
}

/** Returns a safe path for the next page: only pages of this service, never an address chosen by an attacker. */
export function safeNextPath(next: string | null): string {
  if (next === null || next.length > nextCharactersMax || formsOnly.includes(next)) return "/dashboard";
  return nextForm.test(next) ? next : "/dashboard";
}
