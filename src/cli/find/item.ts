import { type FoundItem, findItems, type Meant, suggestSearches } from "../../client/find-items.ts";
import type { Itemtape } from "../../client/index.ts";
import type { Schema } from "../../contract/types.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { dayOf } from "../../values/time/calendar.ts";

const idPattern = /^[1-9][0-9]{0,9}$/;

/** Items that match a name or words, best first. */
export type Candidates = { items: readonly FoundItem[]; hasMore: boolean };

/**
 * Finds the id of the item that matches `text`: an id, which costs nothing, else as `findItems` does. Returns the candidates if several
 * match.
 *
 * @throws {OperatorError} when no item matches.
 */
export async function idOrCandidates(client: Itemtape, text: string): Promise<number | Candidates> {
  if (idPattern.test(text)) return Number(text);
  const found = await foundItems(client, text);
  return found.one === null ? found : found.one.item_id;
}

/**
 * Finds the id of the only item that matches `text`.
 *
 * @throws {OperatorError} when no item or more than one matches.
 */
export async function itemIdOf(client: Itemtape, text: string): Promise<number> {
  const found = await idOrCandidates(client, text);
  if (typeof found === "number") return found;
  throw ambiguous(text, found);
}

/**
 * Finds the only item that matches `text`. It needs one or two requests for a name, one for an id, three more without a match. `day`: today
 * by the service's clock, days since 1970.
 *
 * @throws {OperatorError} when no item or more than one matches.
 */
export async function itemOf(client: Itemtape, text: string): Promise<FoundItem & { day: number }> {
  if (idPattern.test(text)) {
    const { data, meta } = await client.getItem({ item_id: Number(text) });
    return { ...data, day: dayOf(Date.parse(meta.generated_at)) };
  }
  const found = await foundItems(client, text);
  if (found.one === null) throw ambiguous(text, found);
  return { ...found.one, day: dayOf(Date.parse(found.generatedAt)) };
}

/** @throws {OperatorError} when no item matches. */
async function foundItems(client: Itemtape, text: string): Promise<Meant> {
  const found = await findItems(client, text);
  if (found.items.length > 0) return found;
  const lines = await suggestSearches(client, text);
  const hints = lines.map((line) => `; ${displayText(line.replace(/\.$/, ""))}`).join("");
  throw new OperatorError(`no item name has all words of \`${displayText(text)}\`${hints}`, exitCodes.noInput);
}

/** Returns the name of an item with its phase, which is unique for a reader. */
export function nameOf({ market_hash_name, phase }: FoundItem): string {
  return displayText(phase === null ? market_hash_name : `${market_hash_name}, ${phase}`);
}

/** Builds the refusal of words that match several items. */
export function ambiguous(text: string, { items, hasMore }: Candidates): OperatorError {
  const [first] = items;
  const count = hasMore ? `more than ${items.length}` : items.length;
  const message = `\`${displayText(text)}\` means ${count} items; name one by its id, such as ${first!.item_id} (${nameOf(first!)}): \`search\` lists them`;
  return new OperatorError(message, exitCodes.usage);
}

/** Offers and buy orders of one item, now or at an instant. */
export type Quote = Schema<"KnownQuote">;
export type Quotes = { asks: readonly Quote[]; bids: readonly Quote[] };

/** Sorts by lowest ask and highest bid, because the contract does not guarantee an order. */
export function bestFirst({ asks, bids }: Quotes): Quotes {
  return { asks: asks.toSorted((a, b) => a.amount - b.amount), bids: bids.toSorted((a, b) => b.amount - a.amount) };
}
