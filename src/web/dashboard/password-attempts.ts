import type { Response } from "express";
import { OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import { normalLogin } from "../../access/owners/passwords.ts";
import type { NewSession } from "../../access/owners/sessions.ts";
import type { ThrottlesSignIns } from "../../access/owners/sign-in-throttle.ts";
import type { Events } from "../../log/events.ts";
import { contextOf } from "./request-context.ts";

/** The login whose password is given. `accountId` null: not known yet. */
type AttemptedLogin = { login: string; accountId: string | null };

type Reason = "invalid_credentials" | "account_disabled" | "throttled";

/** A refused attempt. `problem`: a sentence for the person; `retryAfterS`: whole seconds. */
export type Refused = { reason: Reason; problem: string; status: 403 | 429; retryAfterS: number | null };

/** Slows down and logs attempts at passwords, from whatever page they come. */
export class PasswordAttempts {
  readonly #throttle: ThrottlesSignIns;
  readonly #events: Events;

  constructor(throttle: ThrottlesSignIns, events: Events) {
    this.#throttle = throttle;
    this.#events = events;
  }

  /**
   * Does `work`, which opens a session for a password, unless too many before were wrong. `isKnown`: the login was signed in from the
   * client's address before.
   * @throws {Error} when `work` throws for another reason than the password; the same error.
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
        // The password was not checked, so the attempt must not count as failed.
        await attempt.withdraw();
        throw error;
      }
      const { message } = error as OwnerRefusal;
      this.#events.signInFailed({ account_id: accountId, reason: code });
      return { reason: code, problem: message, status: 403, retryAfterS: null };
    }
  }

  /** Forgets wrong passwords of a login at the client's address, which has used a one-time link. */
  async trust(res: Response, login: string): Promise<void> {
    const { at, exchange } = contextOf(res);
    await this.#throttle.trust(login, exchange.clientAddress, at);
  }
}

/** Returns the header `Retry-After`; none for null. */
export function retryAfter(seconds: number | null): [string, string][] {
  return seconds === null ? [] : [["Retry-After", String(seconds)]];
}
