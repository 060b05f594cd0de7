import { Itemtape } from "../../client/index.ts";
import { shown } from "../../ingest/feeds/observation.ts";
import { secondMs } from "../../values/calendar.ts";
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
  if (apiKey !== undefined && base.includes(apiKey))
    throw usageError("--url: holds the key, which must never be in an address");
  const client = new Itemtape({
    baseUrl: base,
    apiKey,
    userAgent: "itemtape-cli",
    onRetry: ({ operationId, status, code, waitMs }) => {
      const said = shown(code ?? "no code");
      call.out.note(`${operationId}: HTTP ${status}, ${said}; waiting ${Math.ceil(waitMs / secondMs)} s`);
    },
    fetch,
  });
  return { client, base };
}

export function baseOf(call: Call): string {
  const flag = call.flag("url");
  const text = flag ?? call.url ?? defaultUrl;
  const base = URL.canParse(text) ? new URL(text) : null;
  const isPlain = base !== null && `${base.username}${base.password}${base.search}${base.hash}` === "";
  if (isPlain && (base.protocol === "http:" || base.protocol === "https:")) return base.href.replace(/\/+$/, "");
  throw usageError(
    `${flag === undefined ? "environment variable ITEMTAPE_URL" : "--url"}: takes the address of a service, such as ${defaultUrl}, without user, query or fragment`,
  );
}

/** Sent only where it is needed. */
function keyOf({ apiKey }: Call, isProtected: boolean): string | undefined {
  if (!isProtected) return undefined;
  if (apiKey === undefined || apiKey === "") {
    throw usageError("the environment variable ITEMTAPE_API_KEY has to hold a key; there is no flag for it");
  }
  if (!/^[!-~]{1,200}$/.test(apiKey)) throw usageError("environment variable ITEMTAPE_API_KEY: takes an API key");
  return apiKey;
}
