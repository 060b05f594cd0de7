import type { Itemtape } from "../../client/index.ts";
import type { Schema } from "../../contract/types.ts";
import { dayOf } from "../../values/calendar.ts";
import { displayText } from "../../values/display-text.ts";
import { exitCodes, OperatorError } from "../../values/operator-error.ts";

/** An item that words were found to mean. */
type FoundItem = Pick<Schema<"CatalogItem">, "item_id" | "market_hash_name" | "phase">;
/** Items that have all words, best first. `hasMore`: the service has further ones, which were not loaded. */
type FoundItems = { items: Schema<"CatalogItem">[]; hasMore: boolean };

const loadedMax = 100;
const listedMax = 8;

/** Searches by words, one request. Ranks what was loaded: an exact name first, then a known price, then a shorter name. */
export async function searchItems(client: Itemtape, text: string): Promise<FoundItems> {
  const { data, meta } = await client.call("listItems", { q: text, limit: loadedMax });
  const exact = text.toLowerCase();
  const rank = ({ market_hash_name, best_ask_cents }: FoundItems["items"][number]) =>
    market_hash_name.toLowerCase() === exact ? 0 : best_ask_cents === null ? 2 : 1;
  const items = [...data].sort(
    (a, b) => rank(a) - rank(b) || a.market_hash_name.length - b.market_hash_name.length || a.item_id - b.item_id,
  );
  return { items, hasMore: meta.next_cursor !== null };
}

/**
 * Finds the one item that `text` means: an id, else the exact name of one item, else words that one item alone has. One or two requests
 * for a name, one for an id. `day`: today by the clock of the service, days since 1970.
 *
 * @throws {OperatorError} when no item or more than one is meant; it lists them with their ids.
 */
export async function itemOf(client: Itemtape, text: string): Promise<FoundItem & { day: number }> {
  if (/^[1-9][0-9]{0,9}$/.test(text)) {
    const { data, meta } = await client.getItem({ item_id: Number(text) });
    return { ...data, day: dayOf(Date.parse(meta.generated_at)) };
  }
  const { data, meta } = await client.call("resolveItemNames", { names: [text] });
  const day = dayOf(Date.parse(meta.generated_at));
  // The name alone, without a phase, is that of the items of all its phases.
  const exact = data[0]!.candidates.filter(({ identity, in_catalog }) => identity === "exact" && in_catalog);
  if (exact.length === 1) return { item_id: exact[0]!.item_id, phase: exact[0]!.phase, market_hash_name: text, day };
  if (exact.length > 1) {
    throw ambiguous(
      text,
      exact.map(({ item_id, phase }) => ({ item_id, phase, market_hash_name: text })),
      false,
    );
  }
  const { items, hasMore } = await searchItems(client, text);
  if (items.length === 1 && !hasMore) return { ...items[0]!, day };
  if (items.length > 1) throw ambiguous(text, items, hasMore);
  throw new OperatorError(`no item has all of \`${displayText(text)}\` in one of its names`, exitCodes.noInput);
}

/** Returns the name of an item with its phase, as a person tells it apart. */
export function nameOf({ market_hash_name, phase }: FoundItem): string {
  return displayText(phase === null ? market_hash_name : `${market_hash_name}, ${phase}`);
}

function ambiguous(text: string, items: readonly FoundItem[], hasMore: boolean): OperatorError {
  const some = items.slice(0, listedMax).map((item) => `${item.item_id} (${nameOf(item)})`);
  const rest = hasMore
    ? ` and more than ${items.length - some.length} others`
    : ` and ${items.length - some.length} others`;
  const others = items.length > some.length || hasMore ? rest : "";
  return new OperatorError(
    `\`${displayText(text)}\` means more than one item; name one by its id: ${some.join(", ")}${others}`,
    exitCodes.usage,
  );
}
