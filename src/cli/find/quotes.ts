import type { Schema } from "../../contract/types.ts";

/** Offers and buy orders of one item. */
export type Quotes = Pick<Schema<"MarketPrices">, "asks" | "bids">;

/** Returns the lowest asks and the highest bids first: the contract promises no order. */
export function bestFirst({ asks, bids }: Quotes): Quotes {
  return { asks: asks.toSorted((a, b) => a.amount - b.amount), bids: bids.toSorted((a, b) => b.amount - a.amount) };
}
