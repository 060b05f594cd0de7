import { refuseSaleMedians } from "../daily/sale-medians.ts";
import type { FeedFile } from "../feed-file.ts";
import { buffAdapter } from "./buff.ts";
import { canonicalAdapter } from "./canonical.ts";
import { readMapped } from "./mapped.ts";
import type { Mapping } from "./mapping.ts";
import type { Adapter, FeedReading, LineReader, PriceSink } from "./observation.ts";
import { steamAdapter } from "./steam.ts";

/** All body formats of imports, by command-line name. */
export const adapters = {
  canonical: canonicalAdapter,
  steam: steamAdapter,
  buff: buffAdapter,
} as const satisfies Record<string, Adapter>;

export type AdapterName = keyof typeof adapters;

/** The name of an adapter, or a mapping for any JSON format. */
export type FeedAdapter = AdapterName | Mapping;

/** The word for a mapping on the command line and in a mirror's configuration. */
export const mappedAdapter = "mapped";

/** Returns whether an adapter has this name. */
export function isAdapterName(name: string): name is AdapterName {
  return Object.hasOwn(adapters, name);
}

/** The feeds of adapters for formats that do not name one. Each covers the provider with the same name. */
export const fixedFeeds: Partial<Record<AdapterName, string>> = { steam: "steam", buff: "buff163" };

/** Returns the only adapter that may import quotes of `provider`. Null if any adapter may. */
export function ownerOf(provider: string): AdapterName | null {
  const owner = Object.entries(fixedFeeds).find(([, feed]) => feed === provider);
  return owner === undefined ? null : (owner[0] as AdapterName);
}

/**
 * Reads a body of quotes. `at` (UTC ms) limits the times in it. `give` may receive prices during reading.
 * @throws {OperatorError} when the body has another format, or holds sales instead of quotes.
 */
export function readFeed(adapter: FeedAdapter, body: FeedFile, at: number, give?: PriceSink): FeedReading {
  refuseSaleMedians(body);
  if (typeof adapter !== "string") return readMapped(adapter, body, at);
  const { read }: Adapter = adapters[adapter];
  return read(body, at, give);
}

/** Returns a line reader for the body. Null if the format must be read as a whole. The reader does not reject sales. */
export function lineReaderOf(adapter: FeedAdapter, body: { name: string }, at: number): LineReader | null {
  if (typeof adapter !== "string") return null;
  const { lines }: Adapter = adapters[adapter];
  return lines?.(body, at) ?? null;
}
