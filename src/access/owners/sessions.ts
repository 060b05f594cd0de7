import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { dayMs, hourMs, minuteMs } from "../../values/time/calendar.ts";

/** A browser that is signed in. `sessionHash` (hex) names it and opens nothing; instants are UTC ms. */
export type Session = {
  sessionHash: string;
  accountId: string;
  accountName: string;
  login: string;
  /** Instant of the last password or link, UTC ms. */
  signedInAt: number;
  expiresAt: number;
  disabledAt: number | null;
  /** A link opened it, no password. */
  byLink?: boolean;
};

/** The secret of a session's cookie, which is stored as its hash. */
export type NewSession = { accountId: string; cookie: string; expiresAt: number; byLink: boolean };

/** Milliseconds without use after which a session by a link ends. It has no other end. */
export const linkSessionIdleMs = 30 * dayMs;
/** A one-time link to sign in. */
export const signInLinkMs = 10 * minuteMs;
/** The end of a session by a password that is in use, and of one that is not. */
export const sessionMs = 12 * hourMs;
export const sessionIdleMs = 2 * hourMs;
/** Creating and rotating keys takes a sign-in that is no older. */
export const recentSignInMs = 30 * minuteMs;
/** A one-time link to set a password. */
export const inviteMs = 24 * hourMs;
/** The end of a session in use is moved on at most this often. */
const keepAliveStepMs = 5 * minuteMs;

/** Steps back of a clock that is being corrected. A session ends when the clock goes back further behind its last use. */
const clockStepMs = 5 * minuteMs;

/** 256 bits in base62: secrets of cookies and links. */
export const tokenDigits = 43;
const tokenForm = /^[0-9A-Za-z]{43}$/;

/** Returns whether the owner signed in at most 30 minutes before `at`, and not after it: the clock may have been set back. */
export function isRecentSignIn(session: Pick<Session, "signedInAt">, at: number): boolean {
  return at >= session.signedInAt && at - session.signedInAt <= recentSignInMs;
}

/**
 * Returns whether a session that nobody ended is open at `at` (UTC ms): before its end, and not before its last use, so that a clock
 * set back does not prolong it.
 */
export function isOpen({ expiresAt, byLink }: Pick<Session, "expiresAt" | "byLink">, at: number): boolean {
  return at < expiresAt && at >= expiresAt - (byLink ? linkSessionIdleMs : sessionIdleMs) - clockStepMs;
}

/** Returns the instant at which a session that is used at `at` ends, unless it is used again. UTC ms. */
export function sessionEnd({ signedInAt, byLink }: Pick<Session, "signedInAt" | "byLink">, at: number): number {
  if (byLink) return at + linkSessionIdleMs;
  return Math.min(at + sessionIdleMs, signedInAt + sessionMs);
}

/** Returns whether the end of a session used at `at` has moved so far that it is worth writing. */
export function isWorthKeepingAlive(
  session: Pick<Session, "signedInAt" | "expiresAt" | "byLink">,
  at: number,
): boolean {
  const end = sessionEnd(session, at);
  return (
    end - session.expiresAt >= keepAliveStepMs || (end > session.expiresAt && end === session.signedInAt + sessionMs)
  );
}

/** Returns the SHA-256 of the secret of a cookie or a link, the only part that is stored. null: it has not the form of one. */
export function hashToken(token: string): Buffer | null {
  return tokenForm.test(token) ? Buffer.from(hash("sha256", token, "hex"), "hex") : null;
}

/** Returns the token of a form, which shows that its page came from here, for the browser that holds the cookie's `secret`. */
export function formToken(secret: string): string {
  return createHmac("sha256", secret).update("form").digest("base64url");
}

/** Returns the token with which a page reads for the browser that holds the cookie's `secret`. It sends no form. */
export function readToken(secret: string): string {
  return createHmac("sha256", secret).update("read").digest("base64url");
}

/** Tells whether `given` is the form token of the session with this secret, in constant time. */
export function isFormToken(given: string, secret: string): boolean {
  return isSame(given, formToken(secret));
}

/** Tells whether `given` is the token of reads for this secret, in constant time. */
export function isReadToken(given: string, secret: string): boolean {
  return isSame(given, readToken(secret));
}

function isSame(given: string, token: string): boolean {
  const right = Buffer.from(token);
  const got = Buffer.from(given);
  return got.length === right.length && timingSafeEqual(got, right);
}
