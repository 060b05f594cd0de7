import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { dayMs, hourMs, minuteMs } from "../../values/time/calendar.ts";

/** A signed-in browser. `sessionHash` (hex) identifies it but cannot open a session. Instants are UTC ms. */
export type Session = {
  sessionHash: string;
  accountId: string;
  accountName: string;
  login: string;
  /** Instant of the last sign-in by password or link, UTC ms. */
  signedInAt: number;
  expiresAt: number;
  disabledAt: number | null;
  /** The session was opened by a link, without a password. */
  byLink?: boolean;
};

/** The secret of a session's cookie. Only its hash is stored. */
export type NewSession = { accountId: string; cookie: string; expiresAt: number; byLink: boolean };

/** Milliseconds without use after which a session by a link ends. It has no other end. */
export const linkSessionIdleMs = 30 * dayMs;
/** Lifetime of a one-time sign-in link. */
export const signInLinkMs = 10 * minuteMs;
/** Maximum lifetimes of a session by password: in use, and without use. */
export const sessionMs = 12 * hourMs;
export const sessionIdleMs = 2 * hourMs;
/** Maximum age of a sign-in for creating and rotating keys. */
export const recentSignInMs = 30 * minuteMs;
/** Lifetime of a one-time link to set a password. */
export const inviteMs = 24 * hourMs;
/** Minimum time between two extensions of a session. */
const keepAliveStepMs = 5 * minuteMs;

/** Tolerated step back of a clock under correction. A larger step behind its last use ends a session. */
const clockStepMs = 5 * minuteMs;

/** 256 bits in base62, for the secrets of cookies and links. */
export const tokenDigits = 43;
const tokenForm = /^[0-9A-Za-z]{43}$/;

/**
 * Returns whether the owner signed in at most 30 minutes before `at`. A sign-in after `at` does not count, because the clock may have been
 * set back.
 */
export function isRecentSignIn(session: Pick<Session, "signedInAt">, at: number): boolean {
  return at >= session.signedInAt && at - session.signedInAt <= recentSignInMs;
}

/**
 * Returns whether a session without a recorded end is open at `at` (UTC ms). It is closed after its end and before its last use, so that a
 * clock set back does not extend it.
 */
export function isOpen({ expiresAt, byLink }: Pick<Session, "expiresAt" | "byLink">, at: number): boolean {
  return at < expiresAt && at >= expiresAt - (byLink ? linkSessionIdleMs : sessionIdleMs) - clockStepMs;
}

/** Returns the instant (UTC ms) at which a session used at `at` ends without further use. */
export function sessionEnd({ signedInAt, byLink }: Pick<Session, "signedInAt" | "byLink">, at: number): number {
  if (byLink) return at + linkSessionIdleMs;
  return Math.min(at + sessionIdleMs, signedInAt + sessionMs);
}

/** Returns whether the end of a session used at `at` has moved far enough to be written. */
export function isWorthKeepingAlive(
  session: Pick<Session, "signedInAt" | "expiresAt" | "byLink">,
  at: number,
): boolean {
  const end = sessionEnd(session, at);
  return (
    end - session.expiresAt >= keepAliveStepMs || (end > session.expiresAt && end === session.signedInAt + sessionMs)
  );
}

/** Returns the SHA-256 of the secret of a cookie or link. Only this hash is stored. Returns null for a malformed secret. */
export function hashToken(token: string): Buffer | null {
  return tokenForm.test(token) ? Buffer.from(hash("sha256", token, "hex"), "hex") : null;
}

/** Returns the form token for the browser with the cookie's `secret`. It proves that a page of this service sent the form. */
export function formToken(secret: string): string {
  return createHmac("sha256", secret).update("form").digest("base64url");
}

/** Returns the read token for the browser with the cookie's `secret`. It is not valid for forms. */
export function readToken(secret: string): string {
  return createHmac("sha256", secret).update("read").digest("base64url");
}

/** Returns whether `given` is the form token for this secret, in constant time. */
export function isFormToken(given: string, secret: string): boolean {
  return isSame(given, formToken(secret));
}

/** Returns whether `given` is the read token for this secret, in constant time. */
export function isReadToken(given: string, secret: string): boolean {
  return isSame(given, readToken(secret));
}

function isSame(given: string, token: string): boolean {
  const right = Buffer.from(token);
  const got = Buffer.from(given);
  return got.length === right.length && timingSafeEqual(got, right);
}
