import { type FoundItem, findItems, whatWouldMatch } from "../../client/find-items.ts";
import type { Itemtape } from "../../client/index.ts";
import type { Schema } from "../../contract/types.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayOf } from "../../values/time/calendar.ts";

const listedMax = 8;
const idPattern = /^[1-9][0-9]{0,9}$/;

/**
 * Finds the id of the one item that `text` means: an id, which costs nothing, else as `itemOf`.
 *
 * @throws {OperatorError} when no item or more than one is meant; it lists them with their ids.
 */
export async function itemIdOf(client: Itemtape, text: string): Promise<number> {
  return idPattern.test(text) ? Number(text) : (await itemOf(client, text)).item_id;
}

/**
 * Finds the one item that `text` means: an id, else the exact name of one item, else words that one item alone has. One or two requests
 * for a name, one for an id, three more where nothing is found. `day`: today by the clock of the service, days since 1970.
 *
 * @throws {OperatorError} when no item or more than one is meant; it lists them with their ids.
 */
export async function itemOf(client: Itemtape, text: string): Promise<FoundItem & { day: number }> {
  if (idPattern.test(text)) {
    const { data, meta } = await client.getItem({ item_id: Number(text) });
    return { ...data, day: dayOf(Date.parse(meta.generated_at)) };
  }
  const { items, hasMore, generatedAt } = await findItems(client, text);
  if (items.length === 1 && !hasMore) return { ...items[0]!, day: dayOf(Date.parse(generatedAt)) };
  if (items.length > 1) throw ambiguous(text, items, hasMore);
  const lines = await whatWouldMatch(client, text);
  const hints = lines.map((line) => `; ${displayText(line.replace(/\.$/, ""))}`).join("");
  throw new OperatorError(`no item has all of \`${displayText(text)}\` in one of its names${hints}`, exitCodes.noInput);
}

/** Returns the name of an item with its phase, as a person tells it apart. */
export function nameOf({ market_hash_name, phase }: FoundItem): string {
  return displayText(phase === null ? market_hash_name : `${market_hash_name}, ${phase}`);
}

function ambiguous(text: string, items: readonly FoundItem[], hasMore: boolean): OperatorError {
  const some = items.slice(0, listedMax).map((item) => `${item.item_id} (${nameOf(item)})`);
  const left = items.length - some.length;
  const others = left > 0 || hasMore ? ` and ${hasMore ? "more than " : ""}${left} others` : "";
  const message = `\`${displayText(text)}\` means more than one item; name one by its id: ${some.join(", ")}${others}`;
  return new OperatorError(message, exitCodes.usage);
}

/** Offers and buy orders of one item. */
export type Quotes = Pick<Schema<"MarketPrices">, "asks" | "bids">;
export type Quote = Schema<"Quote">;

/** Returns the lowest asks and the highest bids first: the contract promises no order. */
export function bestFirst({ asks, bids }: Quotes): Quotes {
  return { asks: asks.toSorted((a, b) => a.amount - b.amount), bids: bids.toSorted((a, b) => b.amount - a.amount) };
}
