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

/** The standard indexes by the first part of their id. */
const standardIndexes: readonly { id: string; name: string; type: ItemType }[] = [
  { id: "cases", name: "Cases", type: "Container" },
  { id: "knives", name: "Knives", type: "Knife" },
  { id: "gloves", name: "Gloves", type: "Gloves" },
  { id: "weapons", name: "Weapons", type: "Weapon" },
  { id: "stickers", name: "Stickers", type: "Sticker" },
  { id: "agents", name: "Agents", type: "Agent" },
];
const membersMax = 50;
/** An index of fewer members moves with one of them. */
const membersMin = 5;

/**
 * Defines the standard indexes over a provider whose quotes are published: of each kind of item the 50 with the most offers, equally
 * weighted, from today on. A provider without quantities gives the first 50 of the catalog. Ids are `cases-PROVIDER` and so on; names of
 * later providers have theirs. An index that exists stays as it is; one of fewer than 5 items is not made.
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
