import { randomBytes } from "node:crypto";

/** Identifiers and secrets. Tests inject their own. */
export type Ids = {
  /** Returns `req_` and 26 characters of [0-9a-z]. Ids of a process increase with time, so that ledger rows are appended. */
  requestId(at: number): string;
  /** Returns `prefix` and 20 random base62 characters. */
  handle(prefix: string): string;
  /** Returns `length` random base62 characters with full entropy. */
  secret(length: number): string;
};

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Makes ids and secrets from the system's random source. */
export function systemIds(): Ids {
  const nonce = randomDigits("0123456789abcdefghijklmnopqrstuvwxyz", 10);
  let lastAt = 0;
  let timePart = "";
  let count = 0;
  return {
    requestId(at) {
      if (at > lastAt) {
        lastAt = at;
        timePart = timeDigits(at);
        count = 0;
      }
      count += 1;
      return `req_${timePart}${count.toString(36).padStart(7, "0")}${nonce}`;
    },
    handle: (prefix) => prefix + randomDigits(base62, 20),
    secret: (length) => randomDigits(base62, length),
  };
}

/** Returns a text that sorts before all request ids from `at` (UTC ms) on, and after all earlier ids. */
export function requestIdFloor(at: number): string {
  return `req_${timeDigits(Math.max(0, at))}`;
}

function timeDigits(at: number): string {
  return at.toString(36).padStart(9, "0");
}

/** Returns uniformly distributed digits. Bytes that would favour the first digits are discarded. */
function randomDigits(alphabet: string, length: number): string {
  const limit = 256 - (256 % alphabet.length);
  let digits = "";
  while (digits.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < limit && digits.length < length) digits += alphabet[byte % alphabet.length];
    }
  }
  return digits;
}
