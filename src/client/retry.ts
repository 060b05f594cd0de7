import { backoffMs } from "../values/time/backoff.ts";
import { ItemtapeError, TransportError } from "./errors.ts";
import type { RetryPolicy } from "./types.ts";

/** First wait in ms if the server does not specify one. */
const firstMs = 500;
const exportRetry = { firstMs: 1000, maxMs: 30_000 };
const jitterMsLeast = 250;
const jitterShare = 0.1;
const secondMs = 1000;
const monthUsedUp = "monthly_quota_exceeded";

const datePatterns = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** Properties of a refusal that decide whether to retry. */
export type Refused = { readonly status: number; readonly code: string | null; readonly retryAfterMs: number | null };

/**
 * Returns the wait in ms before a retry; null if the request must not be retried. Jitter only extends the wait that the server asks for, so
 * that refused clients do not return together.
 */
export function waitMsFor(
  refused: Refused,
  attempt: number,
  leftMs: number,
  { policy, random }: { policy: Pick<RetryPolicy, "attemptsMax" | "waitMsMax">; random: () => number },
): number | null {
  if ((refused.status !== 429 && refused.status !== 503) || refused.code === monthUsedUp) return null;
  if (attempt >= policy.attemptsMax) return null;
  const askedMs = refused.retryAfterMs ?? 0;
  const leastMs = askedMs > 0 ? askedMs : backoffMs(attempt, { firstMs, maxMs: policy.waitMsMax });
  if (leastMs > policy.waitMsMax || leastMs >= leftMs) return null;
  const jitterMs = askedMs > 0 ? Math.max(jitterMsLeast, askedMs * jitterShare) : leastMs;
  // Half of the remaining time is left for the response.
  return Math.floor(leastMs + random() * Math.min(jitterMs, (leftMs - leastMs) / 2));
}

/** Returns whether the response is missing, or is from a proxy without its service. The service itself returns a code with each 5xx. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof ItemtapeError) return error.status >= 500 && error.code === null;
  return error instanceof TransportError && (error.reason === "unreachable" || error.reason === "timeout");
}

/** Returns the wait in ms before restarting an export, for which the server specifies none. */
export function pauseMsFor(attempt: number, random: () => number): number {
  const leastMs = backoffMs(attempt, exportRetry);
  return Math.floor(leastMs + random() * leastMs);
}

/**
 * Returns `Retry-After` in milliseconds from now. A date is compared with the server's own clock if known. Returns null for a missing or
 * invalid header.
 */
export function retryAfterMsOf(headers: Headers, nowMs: number): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * secondMs, Number.MAX_SAFE_INTEGER);
  const atMs = dateOf(text);
  if (atMs === null) return null;
  return Math.max(0, atMs - (dateOf(headers.get("date") ?? "") ?? nowMs));
}

/** Parses the three forms of an HTTP date to UTC ms. Returns null for an invalid date. */
function dateOf(text: string): number | null {
  const form = datePatterns.findIndex((pattern) => pattern.test(text));
  if (form === -1) return null;
  const atMs = Date.parse(form === 2 ? `${text} GMT` : text);
  return Number.isNaN(atMs) ? null : atMs;
}
