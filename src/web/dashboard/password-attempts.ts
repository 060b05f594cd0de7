import type { Response } from "express";
import { OwnerRefusal } from "../../access/owners/owner-refusal.ts";
import { type NewSession, normalLogin } from "../../access/owners/owners.ts";
import type { SignInThrottle } from "../../access/owners/sign-in-throttle.ts";
import type { Events } from "../../events.ts";
import { visitOf } from "./request-context.ts";

/** Whose password is tried. `accountId` null: who that is, is not known yet. */
export type Tried = { login: string; accountId: string | null };

type Reason = "invalid_credentials" | "account_disabled" | "throttled";

/** Why a try was refused, as the person is told; `retryAfterS` whole seconds. */
export type Refused = { reason: Reason; problem: string; status: 403 | 429; retryAfterS: number | null };

/** Tries at passwords, slowed down together and noted, whatever page they come from. */
export class PasswordTries {
  readonly #throttle: SignInThrottle;
  readonly #events: Events;

  constructor(throttle: SignInThrottle, events: Events) {
    this.#throttle = throttle;
    this.#events = events;
  }

  /** Does `work`, which opens a session for a password, unless too many before were wrong. Throws what is no matter of the password. */
  async make(
    res: Response,
    { login, accountId }: Tried,
    work: () => Promise<NewSession>,
  ): Promise<NewSession | Refused> {
    const { at, exchange } = visitOf(res);
    const who = [normalLogin(login), exchange.req.socket.remoteAddress ?? ""] as const;
    const attempt = this.#throttle.begin(...who, at);
    const { waitS } = attempt;
    if (waitS !== null) {
      this.#events.signInThrottled();
      const problem = `Too many wrong passwords. Try again in ${waitS} second${waitS === 1 ? "" : "s"}.`;
      return { reason: "throttled", problem, status: 429, retryAfterS: waitS };
    }
    try {
      const session = await work();
      this.#throttle.succeeded(...who, at);
      return session;
    } catch (error) {
      const code = error instanceof OwnerRefusal ? error.code : null;
      if (code === "account_disabled") this.#throttle.succeeded(...who, at);
      else if (code !== "invalid_credentials") {
        // Nothing is known of the password then: it is not to be held against whoever gave it.
        attempt.withdraw();
        throw error;
      }
      const { message } = error as OwnerRefusal;
      this.#events.signInFailed({ account_id: accountId, reason: code });
      return { reason: code, problem: message, status: 403, retryAfterS: null };
    }
  }
}

/** `Retry-After`, where there is something to wait for. */
export function retryAfter(seconds: number | null): [string, string][] {
  return seconds === null ? [] : [["Retry-After", String(seconds)]];
}
