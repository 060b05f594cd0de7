import { Itemtape, type ItemtapeOptions } from "../../client/index.ts";
import { holdsKey } from "../../client/redaction.ts";
import { secondMs } from "../../values/calendar.ts";
import { displayText } from "../../values/display-text.ts";
import { type Call, usageError } from "../command.ts";

const defaultUrl = "http://127.0.0.1:8080";

/** How a command asks: the client, and the address that its messages name. */
export type Connection = { client: Itemtape; base: string };

/**
 * A client of the service that the call names. Waits that the service asks for are told on standard error. `fetch` instead of
 * the global one. Throws a usage error for an address or a key that cannot be used; the key is never echoed.
 */
export function connect(call: Call, isProtected: boolean, fetch?: typeof globalThis.fetch): Connection {
  const base = baseOf(call);
  const apiKey = keyOf(call, isProtected);
  const client = clientOf({
    baseUrl: base,
    apiKey,
    userAgent: "itemtape-cli",
    onRetry: ({ operationId, status, code, waitMs }) => {
      const said = displayText(code ?? "no code");
      call.out.note(`${operationId}: HTTP ${status}, ${said}; waiting ${Math.ceil(waitMs / secondMs)} s`);
    },
    fetch,
  });
  return { client, base };
}

/** The client's own words for what it cannot use; they never repeat the key. */
function clientOf(options: ItemtapeOptions): Itemtape {
  try {
    return new Itemtape(options);
  } catch (error) {
    if (error instanceof TypeError) throw usageError(displayText(error.message));
    throw error;
  }
}

/** The address of the service. Throws a usage error for one that cannot be used or holds a key, and never repeats it. */
export function baseOf(call: Call): string {
  const flag = call.flag("url");
  const name = flag === undefined ? "environment variable ITEMTAPE_URL" : "--url";
  const text = flag ?? call.url ?? defaultUrl;
  // Also where none is sent: it would be in the path.
  if (holdsKey(text, call.apiKey || null)) throw usageError(`${name}: holds a key, which must never be in an address`);
  const base = URL.canParse(text) ? new URL(text) : null;
  const isPlain = base !== null && `${base.username}${base.password}${base.search}${base.hash}` === "";
  if (isPlain && (base.protocol === "http:" || base.protocol === "https:")) return base.href.replace(/\/+$/, "");
  throw usageError(`${name}: takes the address of a service, such as ${defaultUrl}, without user, query or fragment`);
}

/** The client sends it only where it is needed, but keeps it out of every address. */
function keyOf({ apiKey }: Call, isProtected: boolean): string | undefined {
  const isKey = /^[!-~]{1,200}$/.test(apiKey ?? "");
  if (!isProtected) return isKey ? apiKey : undefined;
  if (apiKey === undefined || apiKey === "") {
    throw usageError("the environment variable ITEMTAPE_API_KEY has to hold a key; there is no flag for it");
  }
  if (!isKey) throw usageError("environment variable ITEMTAPE_API_KEY: takes an API key");
  return apiKey;
}
