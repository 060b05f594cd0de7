import { contractVersion } from "../../generated/client-operations.ts";
import { systemChance } from "../values/chance.ts";
import { systemClock } from "../values/time/clock.ts";
import { checkOptions } from "./options.ts";
import { holdsKey } from "./redaction.ts";
import type { ClientParts, ItemtapeOptions, RetryNotice, RetryPolicy } from "./types.ts";

/** Validated options of a client. */
export type Settings = {
  readonly base: URL;
  readonly apiKey: string | null;
  readonly policy: RetryPolicy;
  readonly onRetry: (notice: RetryNotice) => void;
  readonly userAgent: string;
  readonly fetch: typeof globalThis.fetch;
  readonly parts: ClientParts;
};

const defaultBase = "http://127.0.0.1:8080";
/** The total permits the longest wait for the minute limit, its jitter and the response. */
const defaultPolicy: RetryPolicy = { attemptsMax: 5, totalMs: 90_000, answerMs: 30_000, waitMsMax: 60_000 };
const policyBounds: Readonly<Record<keyof RetryPolicy, number>> = {
  attemptsMax: 100,
  totalMs: 86_400_000,
  answerMs: 86_400_000,
  waitMsMax: 86_400_000,
};
const visible = /^[!-~]{1,200}$/;
const printable = /^[ -~]{1,200}$/;

/**
 * Validates the options of a client.
 * @throws {TypeError} which names the option and never contains the key.
 */
export function settingsOf(options: ItemtapeOptions): Settings {
  checkOptions("the client", options);
  const { apiKey = null, userAgent = `itemtape-client/${contractVersion}`, fetch, onRetry, parts = {} } = options;
  checkOptions("parts", parts);
  if (apiKey !== null && !(typeof apiKey === "string" && visible.test(apiKey))) {
    throw new TypeError("apiKey: must be 1 to 200 visible ASCII characters");
  }
  if (!(typeof userAgent === "string" && printable.test(userAgent)))
    throw new TypeError("userAgent: must be 1 to 200 ASCII characters");
  return {
    base: baseOf(options.baseUrl ?? defaultBase, apiKey),
    apiKey,
    policy: policyOf(defaultPolicy, options.retry),
    onRetry: onRetry ?? (() => undefined),
    userAgent,
    // Looked up at each call, so that a later replacement of the global `fetch` is used.
    fetch: fetch ?? ((input, init) => globalThis.fetch(input, init)),
    parts: {
      clock: parts.clock ?? systemClock,
      random: parts.random ?? systemChance,
      wait: parts.wait ?? wait,
    },
  };
}

/**
 * Returns `policy` with `changes` applied.
 * @throws {TypeError} if a limit is invalid.
 */
export function policyOf(policy: RetryPolicy, changes: Partial<RetryPolicy> | undefined): RetryPolicy {
  const merged = { ...policy };
  for (const [name, value] of Object.entries(changes ?? {}) as [keyof RetryPolicy, number | undefined][]) {
    if (value === undefined) continue;
    const max = Object.hasOwn(policyBounds, name) ? policyBounds[name] : undefined;
    if (max === undefined) throw new TypeError(`retry: has no setting ${name}`);
    if (!Number.isInteger(value) || value < 1 || value > max) {
      throw new TypeError(`retry.${name}: must be a whole number from 1 to ${max}`);
    }
    merged[name] = value;
  }
  return merged;
}

function baseOf(text: string, apiKey: string | null): URL {
  const base = URL.canParse(text) ? new URL(text) : null;
  const isHttp = base?.protocol === "http:" || base?.protocol === "https:";
  // The message omits the address, which may contain a password.
  if (base === null || !isHttp || `${base.username}${base.password}${base.search}${base.hash}` !== "") {
    throw new TypeError(
      `baseUrl: must be an http or https address such as ${defaultBase}, without user, query or fragment`,
    );
  }
  if (holdsKey(base.href, apiKey)) throw new TypeError("baseUrl: contains an API key, which must never be in a URL");
  return base;
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
