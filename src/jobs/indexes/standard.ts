import type { Database } from "../../store/database.ts";
import { mostOffered } from "../../store/read/catalog.ts";
import { ProvidersStore } from "../../store/read/providers.ts";
import type { BatchStats } from "../../store/write/batches.ts";
import { IndexWriter } from "../../store/write/indexes.ts";
import type { ItemType } from "../../values/text/item-names.ts";
import { dayOf } from "../../values/time/calendar.ts";
import type { Clock } from "../../values/time/clock.ts";
import { type Defined, defineIndexInBatches } from "./define.ts";
import { currentMethodology } from "./methodologies.ts";

/** The standard indexes. `id` is the first part of the index id. */
const standardIndexes: readonly { id: string; name: string; type: ItemType }[] = [
  { id: "cases", name: "Cases", type: "Container" },
  { id: "knives", name: "Knives", type: "Knife" },
  { id: "gloves", name: "Gloves", type: "Gloves" },
  { id: "weapons", name: "Weapons", type: "Weapon" },
  { id: "stickers", name: "Stickers", type: "Sticker" },
  { id: "agents", name: "Agents", type: "Agent" },
];
const membersMax = 50;
/** Minimum members of an index. With fewer, a single member would move it. */
const membersMin = 5;

/**
 * Defines the standard indexes over a provider with published quotes. Each index holds the 50 items of a type with the most offers, equally
 * weighted, from today on. For a provider without quantities it holds the first 50 of the catalog. Ids have the form `cases-PROVIDER`;
 * names of later providers include the provider. Existing indexes stay unchanged. An index with fewer than 5 items is not created.
 */
export function* defineStandardIndexesInBatches(
  database: Database,
  provider: string,
  { clock }: { clock: Clock },
): Generator<BatchStats, Defined[]> {
  const rows = new IndexWriter(database);
  const sourceName = new ProvidersStore(database).nameOf(provider) ?? provider;
  const names = new Set(rows.indexes().map((index) => index.name));
  const done: Defined[] = [];
  for (const { id, name, type } of standardIndexes) {
    const indexId = `${id}-${provider}`.slice(0, 60);
    if (rows.index(indexId) !== null) continue;
    const { itemIds, isCounted } = mostOffered(database, { type, provider, limit: membersMax });
    if (itemIds.length < membersMin) continue;
    const kind = name.toLowerCase();
    const chosen = isCounted
      ? `The ${itemIds.length} ${kind} with the most offers at ${sourceName} on the first day`
      : `The first ${itemIds.length} ${kind} of the catalog that ${sourceName} priced on the first day`;
    const definition = {
      indexId,
      name: names.has(name) ? `${name}, ${sourceName}` : name,
      description: `${chosen}, equally weighted.`,
      provider,
      weighting: "equal" as const,
      baseDay: dayOf(clock.now()),
      baseValue: "1000",
      methodologyVersion: currentMethodology,
      active: null,
      effectiveDay: null,
      members: itemIds.map((itemId) => ({ itemId, units: 1 })),
    };
    done.push(yield* defineIndexInBatches(database, definition, { clock }));
  }
  return done;
}
