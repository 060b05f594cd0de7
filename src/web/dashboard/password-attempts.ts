import type { Response } from "express";
import { OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import { normalLogin } from "../../access/owners/passwords.ts";
import type { NewSession } from "../../access/owners/sessions.ts";
import type { ThrottlesSignIns } from "../../access/owners/sign-in-throttle.ts";
import type { Events } from "../../log/events.ts";
import { contextOf } from "./request-context.ts";

/** The login of an attempt. `accountId` is null if still unknown. */
type AttemptedLogin = { login: string; accountId: string | null };

type Reason = "invalid_credentials" | "account_disabled" | "throttled";

/** A refused attempt. `problem` is a sentence for the user; `retryAfterS` is whole seconds, null without a wait. */
export type Refused = { reason: Reason; problem: string; status: 403 | 429; retryAfterS: number | null };

/** Throttles and logs password attempts from all pages. */
export class PasswordAttempts {
  readonly #throttle: ThrottlesSignIns;
  readonly #events: Events;

  constructor(throttle: ThrottlesSignIns, events: Events) {
    this.#throttle = throttle;
    this.#events = events;
  }

  /**
   * Runs `work`, which opens a session after checking a password, unless too many attempts failed before. `isKnown` is true if the login
   * has signed in from this address before.
   * @throws {Error} the error of `work`, unless it refuses the password or the account.
   */
  async make(
    res: Response,
    { login, accountId }: AttemptedLogin,
    work: (isKnown: boolean) => Promise<NewSession>,
  ): Promise<NewSession | Refused> {
    const { at, exchange } = contextOf(res);
    const who = [normalLogin(login), exchange.clientAddress] as const;
    const attempt = await this.#throttle.begin(...who, at);
    const { waitS } = attempt;
    if (waitS !== null) {
      this.#events.signInThrottled();
      const problem = `Too many wrong passwords. Try again in ${waitS} second${waitS === 1 ? "" : "s"}.`;
      return { reason: "throttled", problem, status: 429, retryAfterS: waitS };
    }
    try {
      const session = await work(attempt.isKnown);
      await this.#throttle.succeeded(...who, at);
      return session;
    } catch (error) {
      const code = error instanceof OwnerRefusal ? error.code : null;
      if (code === "account_disabled") await this.#throttle.succeeded(...who, at);
      else if (code !== "invalid_credentials") {
        // The password was not checked, so the attempt must not count.
        await attempt.withdraw();
        throw error;
      }
      const { message } = error as OwnerRefusal;
      this.#events.signInFailed({ account_id: accountId, reason: code });
      return { reason: code, problem: message, status: 403, retryAfterS: null };
    }
  }

  /** Forgets failed attempts of a login from this address, after a one-time link was used. */
  async trust(res: Response, login: string): Promise<void> {
    const { at, exchange } = contextOf(res);
    await this.#throttle.trust(login, exchange.clientAddress, at);
  }
}

/** Returns a `Retry-After` header; none for null. */
export function retryAfter(seconds: number | null): [string, string][] {
  return seconds === null ? [] : [["Retry-After", String(seconds)]];
}
