import { Itemtape, type ItemtapeOptions } from "../client/index.ts";
import { holdsKey } from "../client/redaction.ts";
import { displayText } from "../values/text/display-text.ts";
import { secondMs } from "../values/time/calendar.ts";
import { type Call, usageError } from "./command.ts";

/** Address of a service that was started without settings. */
export const defaultUrl = "http://127.0.0.1:8080";

/** A client of the service, and the address that messages name. */
export type Connection = { client: Itemtape; base: string };

/**
 * Makes a client of the service that the call names; waits that the service asks for are noted on standard error. The key is sent
 * where it is needed only, but kept out of every address.
 * @throws {OperatorError} when the address or the key cannot be used; its message never holds the key.
 */
export function connect(call: Call, isProtected: boolean, fetch?: typeof globalThis.fetch): Connection {
  const base = serviceAddress(call);
  const client = createClient({
    baseUrl: base,
    apiKey: isProtected ? requiredKey(call) : usableKey(call),
    userAgent: "itemtape-cli",
    onRetry: ({ operationId, status, code, waitMs, behind }) => {
      if (behind !== undefined) {
        call.out.note(`the service has ${displayText(behind)}, which is behind this copy; asking on`);
        return;
      }
      const seconds = Math.ceil(waitMs / secondMs);
      const answer = status === 0 ? "no answer" : `HTTP ${status}, ${displayText(code ?? "no code")}`;
      call.out.note(`${operationId}: ${answer}; waiting ${seconds} s`);
    },
    fetch,
  });
  return { client, base };
}

/**
 * Makes a client.
 * @throws {OperatorError} in the client's own words, which never hold the key, for options that it cannot use.
 */
export function createClient(options: ItemtapeOptions): Itemtape {
  try {
    return new Itemtape(options);
  } catch (error) {
    if (error instanceof TypeError) throw usageError(displayText(error.message));
    throw error;
  }
}

/**
 * Returns the address of the service without a slash at its end: that of `--url`, of ITEMTAPE_URL, or the default.
 * @throws {OperatorError} when it cannot be used or contains a key; the address is not repeated.
 */
export function serviceAddress(call: Call): string {
  const flag = call.flag("url");
  const name = flag === undefined ? "environment variable ITEMTAPE_URL" : "--url";
  const text = flag ?? (call.url || defaultUrl);
  // Also where none is sent: it would be in the path.
  if (holdsKey(text, call.apiKey || null)) throw usageError(`${name}: holds a key, which must never be in an address`);
  const base = URL.canParse(text) ? new URL(text) : null;
  const isPlain = base !== null && `${base.username}${base.password}${base.search}${base.hash}` === "";
  if (isPlain && (base.protocol === "http:" || base.protocol === "https:")) {
    // The paths of operations begin with `/v1`, and an address is often copied from one of them.
    return base.href.replace(/\/+$/, "").replace(/\/v1$/, "");
  }
  throw usageError(`${name}: must be the address of a service, such as ${defaultUrl}, without user, query or fragment`);
}

/**
 * Returns the key of the environment.
 * @throws {OperatorError} when there is none, or none that a header can carry; it is not repeated.
 */
export function requiredKey(call: Call): string {
  const key = usableKey(call);
  if (key !== undefined) return key;
  if ((call.apiKey ?? "") !== "") throw usageError("environment variable ITEMTAPE_API_KEY: must be an API key");
  throw usageError("the environment variable ITEMTAPE_API_KEY has to hold a key; there is no flag for it");
}

function usableKey({ apiKey }: Call): string | undefined {
  return /^[!-~]{1,200}$/.test(apiKey ?? "") ? apiKey : undefined;
}
