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

/** Seconds for which a browser may keep the cookie of a session by a link, whose end moves on with each use. */
const linkCookieS = (400 * dayMs) / secondMs;
/** Values of one cookie that are looked at. */
const cookiesMax = 4;

/** Holds the session, cookies and form of one request to the dashboard. */
export class RequestContext {
  readonly exchange: Exchange;
  /** The address without its query. */
  readonly path: string;
  /** Form of the request, once it was checked. */
  form: Form | null = null;
  readonly #ids: Ids;
  readonly #concurrency: ConcurrencyLimiter;
  readonly #origins: OriginPolicy;
  #at: number;
  #session: Session | null = null;
  /** Why it is not known who is signed in; null: it is known. */
  #unknown: unknown = null;
  #sessionSecret: string | null = null;
  /** Secrets of the form cookies; the first makes the forms. */
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
   * Returns the session; null: nobody is signed in.
   * @throws {OwnerRefusal} `unavailable` when that could not be asked.
   */
  get session(): Session | null {
    if (this.#unknown !== null) throw this.#unknown;
    return this.#session;
  }

  /** The session as far as it is known. */
  get knownSession(): Session | null {
    return this.#session;
  }

  /** The instant of the request, UTC ms: by the clock that the session goes by, where there is one. */
  get at(): number {
    return this.#at;
  }

  /** Notes that it could not be asked who is signed in. What needs no session is answered all the same. */
  cannotSignIn(error: unknown): void {
    this.#unknown = error;
  }

  /** Notes the session of the browser's cookie; null: it has ended, or never was one. */
  signIn(session: Session | null, secret: string, at = this.#at): void {
    this.#at = at;
    this.#unknown = null;
    this.#session = session;
    this.#sessionSecret = session === null ? null : secret;
  }

  /**
   * Returns whether a form's token is right for this browser. A session takes its own alone: the other cookie may have been planted
   * by somebody who knows its value. Before the sign-in that of any form cookie will do, so that one planted beside ours keeps nobody out.
   */
  takes(token: string): boolean {
    const secrets = this.session === null || this.#sessionSecret === null ? this.#formSecrets : [this.#sessionSecret];
    return secrets.some((secret) => isFormToken(token, secret));
  }

  /** Returns the `Set-Cookie` values of the answer. */
  get cookies(): readonly string[] {
    return this.#newCookies;
  }

  /** Renders the hidden field of every form that posts. */
  csrfField(): Html {
    return html`<input type="hidden" name="csrf" value="${formToken(this.#secret())}">`;
  }

  /** Returns the token with which pages of this browser read. */
  readToken(): string {
    return readToken(this.#secret());
  }

  /** Returns the secret of the browser's session, or of its form cookie, which is made where there is none. */
  #secret(): string {
    let secret = (this.session === null ? null : this.#sessionSecret) ?? this.#formSecrets[0];
    if (secret === undefined) {
      secret = this.#ids.secret(tokenDigits);
      this.#formSecrets.push(secret);
      this.#newCookies.push(`${this.#origins.formCookie}=${secret}; ${this.#origins.cookieRules}`);
    }
    return secret;
  }

  /** Signs the browser in with the answer. */
  setSession({ cookie, byLink }: Pick<NewSession, "cookie" | "byLink">): void {
    const lastsS = byLink ? linkCookieS : sessionMs / secondMs;
    this.#newCookies.push(`${this.#origins.sessionCookie}=${cookie}; Max-Age=${lastsS}; ${this.#origins.cookieRules}`);
  }

  /** Signs the browser out with the answer. Behind `checkForm` only, or any site could do it. */
  clearSession(): void {
    this.signIn(null, "");
    this.#newCookies.push(`${this.#origins.sessionCookie}=; Max-Age=0; ${this.#origins.cookieRules}`);
  }

  /** Gives the permit of the request back: its answer is written. */
  answered(): void {
    this.#concurrency.release(this.exchange);
  }
}

const contexts = new WeakMap<Response, RequestContext>();

/** Keeps what is known of a request with its answer. */
export function keepContext(res: Response, context: RequestContext): void {
  contexts.set(res, context);
}

/** Returns what `keepContext` kept. */
export function contextOf(res: Response): RequestContext {
  const context = contexts.get(res);
  if (context === undefined) throw new Error("the response is not one of the dashboard's");
  return context;
}

/**
 * Returns the values of a cookie that could be ours, at most four. Several of one name come from different places: a browser keeps cookies
 * of all ports and paths of a host together and shows of none which page has set it.
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
