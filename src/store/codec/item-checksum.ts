import { crc32 } from "node:zlib";
import type { items } from "../../../db/schema/catalog.ts";

/** The facts of an item, without derived columns. */
export type ItemFacts = Omit<typeof items.$inferSelect, "searchText" | "checksum">;

/** Returns the CRC-32 of an item's facts. `db check` compares it, because a flipped bit of a text is another valid text. */
export function itemChecksum(item: ItemFacts): number {
  const { itemId, identityKey, marketHashName, slug, type, rarity, collection, phase, nameRu, imageUrl } = item;
  const { wear, statCounter, souvenir, wearMin, wearMax, identity, origin, inCatalog, firstSeenAt, updatedAt } = item;
  const names = [itemId, identityKey, marketHashName, slug, type, rarity, collection, phase, nameRu, imageUrl];
  const rest = [wear, statCounter, souvenir, wearMin, wearMax, identity, origin, inCatalog, firstSeenAt, updatedAt];
  return crc32(JSON.stringify([...names, ...rest]));
}
