import { Itemtape, type ItemtapeOptions } from "../client/index.ts";
import { holdsKey } from "../client/redaction.ts";
import { displayText } from "../values/text/display-text.ts";
import { secondMs } from "../values/time/calendar.ts";
import { type Call, usageError } from "./command.ts";

/** Address of a service with default settings. */
export const defaultUrl = "http://127.0.0.1:8080";

/** A client of the service, and its address for messages. */
export type Connection = { client: Itemtape; base: string };

/**
 * Creates a client of the service for the call. It reports waits that the service requests on standard error. The key is sent only to
 * protected operations, and refused in every address.
 * @throws {OperatorError} when the address or the key is invalid; its message never contains the key.
 */
export function connect(call: Call, isProtected: boolean, fetch?: typeof globalThis.fetch): Connection {
  const base = serviceAddress(call);
  const client = createClient({
    baseUrl: base,
    apiKey: isProtected ? requiredKey(call) : usableKey(call),
    userAgent: "itemtape-cli",
    onRetry: ({ operationId, status, code, waitMs, behind }) => {
      if (behind !== undefined) {
        call.out.note(`the service has ${displayText(behind)}, which is behind this copy; asking again`);
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
 * Creates a client.
 * @throws {OperatorError} with the client's own message, which never contains the key, for invalid options.
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
 * Returns the address of the service without a trailing slash: from `--url`, from ITEMTAPE_URL, or the default.
 * @throws {OperatorError} when it is invalid or contains a key; the address is not repeated.
 */
export function serviceAddress(call: Call): string {
  const flag = call.flag("url");
  const name = flag === undefined ? "environment variable ITEMTAPE_URL" : "--url";
  const text = flag ?? (call.url || defaultUrl);
  // Checked even for operations without a key, because the key would be in the path.
  if (holdsKey(text, call.apiKey || null))
    throw usageError(`${name}: contains a key, which must never be in an address`);
  const base = URL.canParse(text) ? new URL(text) : null;
  const isPlain = base !== null && `${base.username}${base.password}${base.search}${base.hash}` === "";
  if (isPlain && (base.protocol === "http:" || base.protocol === "https:")) {
    // The paths of operations begin with `/v1`, and users often copy an address from one of them.
    return base.href.replace(/\/+$/, "").replace(/\/v1$/, "");
  }
  throw usageError(`${name}: must be the address of a service, such as ${defaultUrl}, without user, query or fragment`);
}

/**
 * Returns the key of the environment.
 * @throws {OperatorError} when it is missing or invalid in a header; it is not repeated.
 */
export function requiredKey(call: Call): string {
  const key = usableKey(call);
  if (key !== undefined) return key;
  if ((call.apiKey ?? "") !== "") throw usageError("environment variable ITEMTAPE_API_KEY: must be an API key");
  throw usageError("the environment variable ITEMTAPE_API_KEY must hold a key; it has no flag");
}

function usableKey({ apiKey }: Call): string | undefined {
  return /^[!-~]{1,200}$/.test(apiKey ?? "") ? apiKey : undefined;
}
