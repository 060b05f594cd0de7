import type { IncomingMessage } from "node:http";
import type { Request, Response } from "express";
import {
  formToken,
  isFormToken,
  type NewSession,
  readToken,
  type Session,
  sessionMs,
  tokenDigits,
} from "../../access/owners/sessions.ts";
import type { ConcurrencyLimiter } from "../../api/concurrency-limiter.ts";
import { type Exchange, exchangeOf } from "../../api/exchange.ts";
import type { Ids } from "../../values/ids.ts";
import { dayMs, secondMs } from "../../values/time/calendar.ts";
import { type Html, html } from "../html.ts";
import type { Form } from "./form.ts";
import type { OriginPolicy } from "./origin-policy.ts";

/** Lifetime in seconds of the cookie of a session opened by a link. The session's end is extended by each use. */
const linkCookieS = (400 * dayMs) / secondMs;
/** Maximum number of values per cookie name that are checked. */
const cookiesMax = 4;

/** Session, cookies and form of one request to the dashboard. */
export class RequestContext {
  readonly exchange: Exchange;
  /** Path of the address without its query. */
  readonly path: string;
  /** Form of the request, after it was checked. */
  form: Form | null = null;
  readonly #ids: Ids;
  readonly #concurrency: ConcurrencyLimiter;
  readonly #origins: OriginPolicy;
  #at: number;
  #session: Session | null = null;
  /** Error that prevented finding the session; null without an error. */
  #unknown: unknown = null;
  #sessionSecret: string | null = null;
  /** Secrets of the form cookies. The first one makes the form tokens. */
  readonly #formSecrets: string[];
  readonly #newCookies: string[] = [];

  constructor(
    req: Request,
    res: Response,
    parts: { ids: Ids; concurrency: ConcurrencyLimiter; origins: OriginPolicy },
  ) {
    this.exchange = exchangeOf(res);
    this.#at = this.exchange.at;
    this.path = req.originalUrl.split("?")[0] ?? "";
    this.#ids = parts.ids;
    this.#concurrency = parts.concurrency;
    this.#origins = parts.origins;
    this.#formSecrets = cookiesOf(req, parts.origins.formCookie);
  }

  /**
   * Session of the request; null before a sign-in.
   * @throws {OwnerRefusal} `unavailable` if the session could not be read.
   */
  get session(): Session | null {
    if (this.#unknown !== null) throw this.#unknown;
    return this.#session;
  }

  /** Session of the request; null before a sign-in, and if the session could not be read. */
  get knownSession(): Session | null {
    return this.#session;
  }

  /** Time of the request, UTC ms. With a session it is by the clock that checked the session. */
  get at(): number {
    return this.#at;
  }

  /** Stores the error of a failed session lookup. Pages without a session still work. */
  cannotSignIn(error: unknown): void {
    this.#unknown = error;
  }

  /** Stores the session of the browser's cookie; null if it has ended or is unknown. */
  signIn(session: Session | null, secret: string, at = this.#at): void {
    this.#at = at;
    this.#unknown = null;
    this.#session = session;
    this.#sessionSecret = session === null ? null : secret;
  }

  /**
   * Returns whether a form token belongs to this browser. With a session, only its own secret counts, because an attacker may have planted
   * the form cookie. Before a sign-in, each form cookie counts, so that a planted cookie cannot lock users out.
   */
  takes(token: string): boolean {
    const secrets = this.session === null || this.#sessionSecret === null ? this.#formSecrets : [this.#sessionSecret];
    return secrets.some((secret) => isFormToken(token, secret));
  }

  /** `Set-Cookie` values of the response. */
  get cookies(): readonly string[] {
    return this.#newCookies;
  }

  /** Renders the hidden CSRF field for a form. */
  csrfField(): Html {
    return html`<input type="hidden" name="csrf" value="${formToken(this.#secret())}">`;
  }

  /** Returns the token for reads from pages of this browser. */
  readToken(): string {
    return readToken(this.#secret());
  }

  /** Returns the secret of the browser's session, else of its form cookie, which is created if missing. */
  #secret(): string {
    let secret = (this.session === null ? null : this.#sessionSecret) ?? this.#formSecrets[0];
    if (secret === undefined) {
      secret = this.#ids.secret(tokenDigits);
      this.#formSecrets.push(secret);
      this.#newCookies.push(`${this.#origins.formCookie}=${secret}; ${this.#origins.cookieRules}`);
    }
    return secret;
  }

  /** Adds the session cookie to the response. */
  setSession({ cookie, byLink }: Pick<NewSession, "cookie" | "byLink">): void {
    const lastsS = byLink ? linkCookieS : sessionMs / secondMs;
    this.#newCookies.push(`${this.#origins.sessionCookie}=${cookie}; Max-Age=${lastsS}; ${this.#origins.cookieRules}`);
  }

  /** Removes the session cookie with the response. Only call it after `checkForm`, otherwise any site could sign users out. */
  clearSession(): void {
    this.signIn(null, "");
    this.#newCookies.push(`${this.#origins.sessionCookie}=; Max-Age=0; ${this.#origins.cookieRules}`);
  }

  /** Releases the permit of the request after its response was written. */
  answered(): void {
    this.#concurrency.release(this.exchange);
  }
}

const contexts = new WeakMap<Response, RequestContext>();

/** Stores the context of a request by its response. */
export function keepContext(res: Response, context: RequestContext): void {
  contexts.set(res, context);
}

/** Returns the context that `keepContext` stored. */
export function contextOf(res: Response): RequestContext {
  const context = contexts.get(res);
  if (context === undefined) throw new Error("the response is not one of the dashboard's");
  return context;
}

/**
 * Returns at most four well-formed values of a cookie. Several values are possible: browsers share cookies between all ports of a host, and
 * do not report the page that set them.
 */
export function cookiesOf(req: Pick<IncomingMessage, "headers">, name: string): string[] {
  const values = (req.headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .filter((value) => /^[0-9A-Za-z]{43}$/.test(value));
  return [...new Set(values)].slice(0, cookiesMax);
}

/** Returns the query of the address. */
export function queryOf(req: Request): URLSearchParams {
  const mark = req.originalUrl.indexOf("?");
  return new URLSearchParams(mark === -1 ? "" : req.originalUrl.slice(mark + 1));
}
