import { OddsError, type OddsSlot, type OddsTier, type PoolOdds, poolOdds } from "../../roi/odds.ts";
import type { ObjectReference, PoolCatalog, PoolObject } from "../../store/read/pool-catalog.ts";
import { cutBlocks } from "./cut-lists.ts";
import { itemName, type OddsSource, type PoolDefinition, type PoolItem } from "./definition.ts";
import { type Block, blocked } from "./pool-block.ts";
import { type ListedSlot, SlotReader } from "./slots.ts";

/**
 * A published tier with the number of its listed items; the phases of a finish count as one. `addedCount` counts items that the source does
 * not list; absent for none.
 */
export type TierCount = { tier: string; weight: number | null; itemCount: number; addedCount?: number };

/** A definition resolved with a catalog. `odds` is null if `blocks` is not empty. */
export type ResolvedPool = { tiers: TierCount[]; oddsSource: OddsSource; odds: PoolOdds | null; blocks: Block[] };

/** Maximum outcomes, because one transaction publishes a pool. The largest container of the game has 598. */
const outcomesMax = 5000;
/** Maximum digits of a probability's denominator in the contract. */
const digitsMax = 1000;

/** Resolves a definition and calculates its odds. Collects all blocks of its publication and does not throw. */
export function resolvePool(definition: PoolDefinition, catalog: PoolCatalog): ResolvedPool {
  const blocks: Block[] = [...definitionBlocks(definition)];
  const itemsListed = definition.tiers.reduce((sum, { items }) => sum + items.length, 0);
  if (itemsListed > outcomesMax) return withoutLookup(definition, [...blocks, tooMany(`lists ${itemsListed} items`)]);
  const reader = new SlotReader(definition, catalog, blocks);
  const listed = listedTiers(definition, catalog, blocks);
  blocks.push(...cutBlocks(definition, listed, catalog));
  const tiers = listed.map(({ tier, weight, slots }) => ({ tier, weight, slots: inOrder(slots, reader) }));
  if (reader.outcomes > outcomesMax) blocks.push(tooMany(`has ${reader.outcomes} outcomes`));
  const isInferred =
    definition.odds.source === "inferred" || definition.completed !== undefined || reader.hasAssumedPhases;
  return {
    tiers: listed.map((tier) => tierCount(tier, definition.completed?.items ?? [])),
    oddsSource: isInferred ? "inferred" : definition.odds.source,
    odds: blocks.length > 0 ? null : oddsOf(tiers, blocks),
    blocks,
  };
}

function tierCount({ tier, weight, slots }: ListedTier, added: readonly ObjectReference[]): TierCount {
  const addedCount = slots.filter(({ items }) => items.some(({ item }) => added.includes(item))).length;
  return { tier, weight, itemCount: slots.length, ...(addedCount === 0 ? {} : { addedCount }) };
}

/** Returns a resolved definition without odds, for too many items to look up. */
function withoutLookup({ odds, tiers }: PoolDefinition, blocks: Block[]): ResolvedPool {
  const counts = tiers.map(({ tier, weight, items }) => ({ tier, weight, itemCount: items.length }));
  return { tiers: counts, oddsSource: odds.source, odds: null, blocks };
}

function tooMany(what: string): Block {
  return blocked("too_many_outcomes", `it ${what}, but a pool has at most ${outcomesMax} outcomes`);
}

/** Yields the blocks that do not depend on the catalog. */
function* definitionBlocks({ never_published, counter_chance, tiers }: PoolDefinition): Generator<Block> {
  if (never_published !== null) yield blocked("never_published", never_published);
  if (counter_chance === null) yield blocked("counter_chance_unknown", "its counter chance is unknown");
  for (const { tier, weight } of tiers) {
    if (weight === null) yield blocked("tier_without_weight", `the weight of the tier ${tier} is unknown`);
  }
}

type ListedTier = { tier: string; weight: number | null; slots: ListedSlot[] };

/** Groups the listed items into slots: one object, or one finish with its listed phases. */
function listedTiers({ container, tiers }: PoolDefinition, catalog: PoolCatalog, blocks: Block[]): ListedTier[] {
  const all = new Map<string, ListedSlot & { tier: string }>();
  const own = catalog.find(container);
  return tiers.map(({ tier, weight, items }) => {
    const slots: ListedSlot[] = [];
    for (const item of items) {
      const object = objectOf(item, catalog, blocks);
      if (object === null) continue;
      // Otherwise the price of the container would depend on itself.
      if (own.includes(object)) blocks.push(blocked("lists_itself", `${itemName(item)} is the container itself`));
      const key = object.familyKey ?? object.objectKey;
      const known = all.get(key);
      if (known === undefined) {
        const slot = { tier, items: [item], objects: [object] };
        all.set(key, slot);
        slots.push(slot);
      } else if (known.tier !== tier || object.familyKey === null || known.objects.includes(object)) {
        const also = known.tier === tier ? "" : `, in ${known.tier} and ${tier}`;
        blocks.push(blocked("item_twice", `${itemName(item)} is the same item as ${itemName(known.items[0]!)}${also}`));
      } else {
        known.items.push(item);
        known.objects.push(object);
      }
    }
    return { tier, weight, slots };
  });
}

function objectOf(item: PoolItem, catalog: PoolCatalog, blocks: Block[]): PoolObject | null {
  const [object, other] = catalog.find(item.item);
  if (object !== undefined && other === undefined) return object;
  const why = other === undefined ? "the catalog has no item" : "the catalog has several items";
  blocks.push(blocked("unknown_item", `${why} ${itemName(item)}`));
  return null;
}

/** Sorts slots by their lowest item id, so that the order of the source does not matter. */
function inOrder(slots: readonly ListedSlot[], reader: SlotReader): OddsSlot[] {
  return slots
    .flatMap((slot) => reader.read(slot) ?? [])
    .map((slot) => ({ slot, first: Math.min(...itemIdsOf(slot)) }))
    .sort((one, other) => one.first - other.first)
    .map(({ slot }) => slot);
}

function itemIdsOf({ phases }: OddsSlot): number[] {
  return phases.flatMap(({ wears }) =>
    wears.flatMap(({ plainItemId, counterItemId }) => [plainItemId, counterItemId].filter((id) => id !== null)),
  );
}

function oddsOf(tiers: readonly { tier: string; weight: number | null; slots: OddsSlot[] }[], blocks: Block[]) {
  try {
    const odds = poolOdds(
      tiers.flatMap(({ weight, ...tier }): OddsTier[] => (weight === null ? [] : [{ ...tier, weight }])),
    );
    const digits = String(odds.denominator).length;
    if (digits <= digitsMax) return odds;
    const reason = `its common denominator has ${digits} digits, but at most ${digitsMax} can be served`;
    blocks.push(blocked("denominator_too_long", reason));
    return null;
  } catch (error) {
    if (!(error instanceof OddsError)) throw error;
    blocks.push(blocked("odds", error.message));
    return null;
  }
}
