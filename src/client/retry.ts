import { backoffMs } from "../values/time/backoff.ts";
import { ItemtapeError, TransportError } from "./errors.ts";
import type { RetryPolicy } from "./types.ts";

/** First wait if the server names none. */
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

/** Facts of a refusal that decide on another attempt. */
export type Refused = { readonly status: number; readonly code: string | null; readonly retryAfterMs: number | null };

/**
 * Returns how many ms to wait before the same request is sent again; null: never. Jitter makes the wait longer than what the server asks for,
 * never shorter, so that clients that were refused together do not come back together.
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
  // Half of what is left stays for the answer.
  return Math.floor(leastMs + random() * Math.min(jitterMs, (leftMs - leastMs) / 2));
}

/** Returns whether the answer is missing or from a proxy without its service. The service itself explains each 5xx. */
export function isAway(error: unknown): boolean {
  if (error instanceof ItemtapeError) return error.status >= 500 && error.code === null;
  return error instanceof TransportError && (error.reason === "unreachable" || error.reason === "timeout");
}

/** Returns how many ms to wait before a whole export is begun again: the server named no time. */
export function pauseMsFor(attempt: number, random: () => number): number {
  const leastMs = backoffMs(attempt, exportRetry);
  return Math.floor(leastMs + random() * leastMs);
}

/** Returns `Retry-After` as milliseconds from now on, by the server's own clock where it tells its time; null: absent or no such value. */
export function retryAfterMsOf(headers: Headers, nowMs: number): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text) * secondMs, Number.MAX_SAFE_INTEGER);
  const atMs = dateOf(text);
  if (atMs === null) return null;
  return Math.max(0, atMs - (dateOf(headers.get("date") ?? "") ?? nowMs));
}

/** Parses the three forms of an HTTP date to UTC ms. */
function dateOf(text: string): number | null {
  const form = datePatterns.findIndex((pattern) => pattern.test(text));
  if (form === -1) return null;
  const atMs = Date.parse(form === 2 ? `${text} GMT` : text);
  return Number.isNaN(atMs) ? null : atMs;
}
