import type { Request, Response } from "express";
import { formToken, isFormToken, type Session, sessionMs, tokenDigits } from "../../access/owners/sessions.ts";
import type { ConcurrencyLimiter } from "../../api/concurrency-limiter.ts";
import { type Exchange, exchangeOf } from "../../api/exchange.ts";
import { secondMs } from "../../values/calendar.ts";
import type { Ids } from "../../values/ids.ts";
import { type Html, html } from "../html.ts";
import type { Form } from "./form.ts";
import type { Site } from "./origin-policy.ts";

/** Values of one cookie that are looked at. */
const cookiesMax = 4;

/** One request to the dashboard: who it is from and what its forms are made with. */
export class Visit {
  readonly exchange: Exchange;
  /** The address without its query. */
  readonly path: string;
  /** What came with it, once it was checked. */
  form: Form | null = null;
  readonly #ids: Ids;
  readonly #concurrency: ConcurrencyLimiter;
  readonly #site: Site;
  #session: Session | null = null;
  #sessionSecret: string | null = null;
  /** Of the form cookies; the first makes the forms. */
  readonly #formSecrets: string[];
  readonly #newCookies: string[] = [];

  constructor(req: Request, res: Response, parts: { ids: Ids; concurrency: ConcurrencyLimiter; site: Site }) {
    this.exchange = exchangeOf(res);
    this.path = req.originalUrl.split("?")[0] ?? "";
    this.#ids = parts.ids;
    this.#concurrency = parts.concurrency;
    this.#site = parts.site;
    this.#formSecrets = cookiesOf(req, parts.site.formCookie);
  }

  /** Who is signed in; null: nobody. */
  get session(): Session | null {
    return this.#session;
  }

  get at(): number {
    return this.exchange.at;
  }

  /** Notes the session of the browser's cookie; null: it has ended, or never was one. */
  signIn(session: Session | null, secret: string): void {
    this.#session = session;
    this.#sessionSecret = session === null ? null : secret;
  }

  /**
   * Whether a form's token is right for this browser. A session takes its own alone: the other cookie may have been planted by
   * who knows its value. Before the sign-in that of any form cookie will do, so that one planted beside ours keeps nobody out.
   */
  takes(token: string): boolean {
    const secrets = this.#sessionSecret === null ? this.#formSecrets : [this.#sessionSecret];
    return secrets.some((secret) => isFormToken(token, secret));
  }

  /** `Set-Cookie` of the answer. */
  get cookies(): readonly string[] {
    return this.#newCookies;
  }

  /** What goes into every form that posts. */
  csrfField(): Html {
    let secret = this.#sessionSecret ?? this.#formSecrets[0];
    if (secret === undefined) {
      secret = this.#ids.secret(tokenDigits);
      this.#formSecrets.push(secret);
      this.#newCookies.push(`${this.#site.formCookie}=${secret}; ${this.#site.cookieRules}`);
    }
    return html`<input type="hidden" name="csrf" value="${formToken(secret)}">`;
  }

  /** Signs the browser in with the answer. */
  setSession(secret: string): void {
    this.#newCookies.push(
      `${this.#site.sessionCookie}=${secret}; Max-Age=${sessionMs / secondMs}; ${this.#site.cookieRules}`,
    );
  }

  /** Signs the browser out with the answer. Behind `checkForm` only, or any site could do it. */
  clearSession(): void {
    this.signIn(null, "");
    this.#newCookies.push(`${this.#site.sessionCookie}=; Max-Age=0; ${this.#site.cookieRules}`);
  }

  /** The answer is written: the next step is the client's. */
  answered(): void {
    this.#concurrency.release(this.exchange);
  }
}

const visits = new WeakMap<Response, Visit>();

export function keepVisit(res: Response, visit: Visit): void {
  visits.set(res, visit);
}

export function visitOf(res: Response): Visit {
  const visit = visits.get(res);
  if (visit === undefined) throw new Error("the response is not one of the dashboard's");
  return visit;
}

/**
 * The values of a cookie that could be ours, at most four. Several of one name come from different places: a browser keeps cookies
 * of all ports and paths of a host together and says of none which page has set it.
 */
export function cookiesOf(req: Request, name: string): string[] {
  const values = (req.headers.cookie ?? "")
    .split(";")
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1))
    .filter((value) => /^[0-9A-Za-z]{43}$/.test(value));
  return [...new Set(values)].slice(0, cookiesMax);
}

/** What follows `?`. */
export function queryOf(req: Request): URLSearchParams {
  const mark = req.originalUrl.indexOf("?");
  return new URLSearchParams(mark === -1 ? "" : req.originalUrl.slice(mark + 1));
}
