import type { PoolCatalog } from "../../store/read/pool-catalog.ts";
import { completionsFile, type PoolCompletion } from "../pool-completions.ts";
import { canonicalPool, itemLabel, type PoolDefinition, type PoolItem, rareSpecial } from "./definition.ts";

/** Names of slots in one tier that only one of two lists has. An item in another tier counts in both tiers. */
export type ListDifference = { tier: string; onlyHere: string[]; onlyThere: string[] };

/** Compares two definitions of one container slot by slot. The phases of a finish are one slot. Empty if the lists are equal. */
export function compareLists(here: PoolDefinition, there: PoolDefinition, catalog: PoolCatalog): ListDifference[] {
  const [ours, theirs] = [here, there].map((definition) => slotsByTier(definition, catalog));
  const tiers = [...new Set([...ours!.keys(), ...theirs!.keys()])];
  return tiers.flatMap((tier) => {
    const onlyHere = without(ours!.get(tier), theirs!.get(tier));
    const onlyThere = without(theirs!.get(tier), ours!.get(tier));
    return onlyHere.length + onlyThere.length === 0 ? [] : [{ tier, onlyHere, onlyThere }];
  });
}

/** A definition after completion. `added` names the added items. `contradiction` is the difference that prevented completion, or null. */
type Completed = { definition: PoolDefinition; added: string[]; contradiction: ListDifference | null };

/**
 * Adds the missing rare specials from the shipped list of a container, which makes the odds inferred. A list with a special that the
 * shipped list lacks is not changed. A list equal to the shipped list is complete.
 */
export function completePool(
  definition: PoolDefinition,
  completion: PoolCompletion | undefined,
  catalog: PoolCatalog,
): Completed {
  const specials = definition.tiers.find(({ tier }) => tier === rareSpecial);
  if (completion === undefined || specials === undefined) return { definition, added: [], contradiction: null };
  const listed = new Map(specials.items.map((item) => [slotOf(item, catalog), item]));
  const missing = [...completion.specials].filter(([object]) => !listed.has(object));
  const unknown = [...listed].filter(([slot]) => !completion.specials.has(slot)).map(([, item]) => itemLabel(item));
  if (unknown.length > 0) {
    const onlyThere = missing.map(([, name]) => name);
    return { definition, added: [], contradiction: { tier: rareSpecial, onlyHere: unknown, onlyThere } };
  }
  const { shared_maximum: _, ...whole } = definition;
  if (missing.length === 0) return { definition: whole, added: [], contradiction: null };
  const added = missing.map(([item, name]): PoolItem => ({ item, name }));
  const { source, reference } = definition.odds;
  const note = `${missing.length} unlisted rare specials were added from ${completionsFile}`;
  return {
    definition: canonicalPool({
      ...whole,
      odds: { source: "inferred", reference: `${source} odds: ${reference}; ${note}` },
      tiers: definition.tiers.map((tier) => (tier === specials ? { ...tier, items: [...tier.items, ...added] } : tier)),
      completed: { items: added.map(({ item }) => item), reference: completion.reference },
    }),
    added: missing.map(([, name]) => name),
    contradiction: null,
  };
}

/** Returns the slot of an item: its canonical object, or the object for all phases of its finish. An unknown item is its own slot. */
function slotOf({ item }: PoolItem, catalog: PoolCatalog): string {
  const [object, other] = catalog.find(item);
  return object === undefined || other !== undefined ? String(item) : (object.familyKey ?? object.objectKey);
}

type Slots = ReadonlyMap<string, string>;

function slotsByTier({ tiers }: PoolDefinition, catalog: PoolCatalog): Map<string, Slots> {
  return new Map(
    tiers.map(({ tier, items }) => [tier, new Map(items.map((item) => [slotOf(item, catalog), itemLabel(item)]))]),
  );
}

function without(slots: Slots = new Map(), others: Slots = new Map()): string[] {
  return [...slots].filter(([slot]) => !others.has(slot)).map(([, name]) => name);
}
