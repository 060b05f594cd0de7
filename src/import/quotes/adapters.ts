import { refuseSaleMedians } from "../daily/sale-medians.ts";
import type { FeedFile } from "../feed-file.ts";
import { buffAdapter } from "./buff.ts";
import { canonicalAdapter } from "./canonical.ts";
import { readMapped } from "./mapped.ts";
import type { Mapping } from "./mapping.ts";
import type { Adapter, FeedReading, GivePrices, LineReader } from "./observation.ts";
import { steamAdapter } from "./steam.ts";

/** Every shape of body that an import reads, by the name that the command line takes. */
export const adapters = {
  canonical: canonicalAdapter,
  steam: steamAdapter,
  buff: buffAdapter,
} as const satisfies Record<string, Adapter>;

export type AdapterName = keyof typeof adapters;

/** The name of an adapter, or the mapping of one that reads any JSON. */
export type FeedAdapter = AdapterName | Mapping;

/** Word by which the command line and the configuration of a mirror ask for a mapping. */
export const mappedAdapter = "mapped";

/** Tells whether there is an adapter of this name. */
export function isAdapterName(name: string): name is AdapterName {
  return Object.hasOwn(adapters, name);
}

/** The feeds of the adapters whose shape names none. Each covers the one provider of its own name. */
export const fixedFeeds: Partial<Record<AdapterName, string>> = { steam: "steam", buff: "buff163" };

/** Returns the adapter that alone may bring quotes of `provider`; null: any may. */
export function ownerOf(provider: string): AdapterName | null {
  const owner = Object.entries(fixedFeeds).find(([, feed]) => feed === provider);
  return owner === undefined ? null : (owner[0] as AdapterName);
}

/**
 * Reads a body of quotes. `at`, UTC ms, bounds the times in it; `give` may take prices as they come.
 * @throws {OperatorError} when it is not of the shape, or holds sales instead of quotes.
 */
export function readFeed(adapter: FeedAdapter, body: FeedFile, at: number, give?: GivePrices): FeedReading {
  refuseSaleMedians(body);
  if (typeof adapter !== "string") return readMapped(adapter, body, at);
  const { read }: Adapter = adapters[adapter];
  return read(body, at, give);
}

/** Returns the reader of a body by its lines; null: the shape has to be there as a whole. Sales instead of quotes are not refused by it. */
export function lineReaderOf(adapter: FeedAdapter, body: { name: string }, at: number): LineReader | null {
  if (typeof adapter !== "string") return null;
  const { lines }: Adapter = adapters[adapter];
  return lines?.(body, at) ?? null;
}
