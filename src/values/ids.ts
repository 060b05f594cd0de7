import { randomBytes } from "node:crypto";

/** Identifiers and secrets. Tests inject their own. */
export type Ids = {
  /** `req_` + 26 of [0-9a-z]. Rises with time within a process, so that ledger rows are appended. */
  requestId(at: number): string;
  /** `prefix` + 20 random base62 characters. */
  handle(prefix: string): string;
  /** `length` random base62 characters with full entropy, for secrets. */
  secret(length: number): string;
};

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Makes ids and secrets from the random source of the system. */
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

/** Stands before every request id of `at` and later, and after those before it. */
export function requestIdFloor(at: number): string {
  return `req_${timeDigits(Math.max(0, at))}`;
}

function timeDigits(at: number): string {
  return at.toString(36).padStart(9, "0");
}

/** Uniform digits: bytes that would favour the first digits are thrown away. */
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
