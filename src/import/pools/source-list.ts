import type { ObjectReference } from "../../store/read/pool-catalog.ts";
import { OperatorError } from "../../values/failure/operator-error.ts";
import type { ItemType } from "../../values/text/item-names.ts";
import { rarityName } from "../catalog/rarities.ts";
import type { SourceDocument } from "../catalog/source-rows.ts";
import type { SourceTally } from "../catalog/source-tally.ts";
import {
  canonicalPool,
  type OddsSource,
  type PoolDraft,
  type PoolItem,
  type PoolTier,
  type PoolType,
  rareSpecial,
} from "./definition.ts";

/** An item in a source's list. `type` is null for an unknown type of the source. `colour` has the form `#eb4b4b`. */
export type ListedItem = {
  reference: ObjectReference;
  name: string | undefined;
  type: ItemType | null;
  colour: string | undefined;
};

/** A source's statement about counters in a music kit box: all kits, none, only implied by the box's name, or contradictory. */
export type KitCounters = "all" | "none" | "by_name" | "unknown";

export type ListedContainer = {
  reference: ObjectReference;
  name: string;
  kind: "weapon_case" | "souvenir_package" | "other";
  hasKey: boolean;
  counters: KitCounters;
  contents: readonly ListedItem[];
  specials: readonly ListedItem[];
};

type Kind = {
  type: PoolType;
  weights: readonly TierWeight[];
  odds: { source: OddsSource; reference: string };
  /** Null if no source states it. */
  counterChance: string | null;
  neverPublished?: string;
};
type TierWeight = readonly [colour: string, weight: number];

const rareSpecialWeight = 2;
const colours = ["#b0c3d9", "#5e98d9", "#4b69ff", "#8847ff", "#d32ce6", "#eb4b4b"] as const;
const weightsOf = (weights: readonly (number | null)[]): TierWeight[] =>
  weights.flatMap((weight, index) => (weight === null ? [] : [[colours[index]!, weight] as const]));

/** Weights of the rarities from consumer grade to covert, for weapon cases and for all other containers. */
const caseWeights = weightsOf([null, null, 625, 125, 25, 5]);
const stepWeights = weightsOf([3125, 625, 125, 25, 5, 1]);

const publishedOdds = "the game's published case odds: 79.92327, 15.98465, 3.19693, 0.63939 and 0.25575 %";
const communityOdds =
  "steps of 5 to 1 between rarities, as players found them; the game publishes none for this container";
const measured = "measured on opened items; the game publishes none";
const byName = "all items of this box count: only its name says so";
const terminals = "terminals sell offers, they are not opened";

const counterInName = "StatTrak™ ";
const capsuleContents: ReadonlySet<ItemType | null> = new Set<ItemType>(["Sticker", "Charm", "Patch", "Collectible"]);

/** Usual maximum lengths of lists in sources. */
const pageSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100, 200, 250, 500, 1000]);
/** Minimum number of lists with the same maximum length that indicates truncation. */
const listsAtMaximumMin = 3;

/** Returns one draft per container of a source, in its order. */
export function poolsOfList(containers: readonly ListedContainer[], provenance: PoolDraft["provenance"]): PoolDraft[] {
  const maximum = sharedMaximum(containers);
  return containers.map((container) => ({ definition: poolOf(container, maximum), provenance }));
}

/**
 * Reads the containers of a list. `read` returns a container, or its name and fault. Faulty containers are left out and counted.
 *
 * @throws {OperatorError} when all containers are faulty.
 */
export function soundContainers<Row, Container extends object>(
  rows: readonly Row[],
  document: SourceDocument,
  tally: SourceTally,
  read: (row: Row) => Container | string,
): Container[] {
  const faults: string[] = [];
  const sound = rows.flatMap((row): Container[] => {
    const container = read(row);
    if (typeof container !== "string") return [container];
    faults.push(container);
    return [];
  });
  if (sound.length === 0 && faults[0] !== undefined) throw refusal(document, faults[0]);
  for (const fault of faults) tally.skip("faulty_container", fault);
  return sound;
}

/** Creates the error that rejects a whole list. */
export function refusal({ file }: SourceDocument, fault: string): OperatorError {
  return new OperatorError(`${file}: ${fault}; nothing was drafted`);
}

type SharedMaximum = { entries: number; lists: number };

/** Returns the length of the longest lists of rare specials. Null unless several lists have it and it is a usual page size. */
function sharedMaximum(containers: readonly ListedContainer[]): SharedMaximum | null {
  const entries = containers.reduce((most, { specials }) => Math.max(most, specials.length), 0);
  const lists = containers.filter(({ specials }) => specials.length === entries).length;
  return pageSizes.has(entries) && lists >= listsAtMaximumMin ? { entries, lists } : null;
}

function poolOf(container: ListedContainer, maximum: SharedMaximum | null) {
  const { reference, name, hasKey, specials } = container;
  const kind = kindOf(container);
  // The published case odds include the weight of this tier. For other containers it is unknown.
  const specialWeight = kind.weights === caseWeights ? rareSpecialWeight : null;
  const special = { tier: rareSpecial, weight: specialWeight, items: specials.map(itemOf) };
  return canonicalPool({
    container: reference,
    name,
    type: kind.type,
    requires_key: hasKey,
    counter_chance: kind.counterChance,
    edition: kind.type === "souvenir_package" ? "souvenir" : "plain",
    odds: kind.odds,
    wear: { model: "wear-1", reference: measured },
    never_published: kind.neverPublished ?? null,
    tiers: [...tiersOf(container, kind.weights), ...(specials.length === 0 ? [] : [special])],
    ...(maximum?.entries === specials.length ? { shared_maximum: maximum } : {}),
  });
}

function kindOf({ kind, hasKey, name, contents, counters }: ListedContainer): Kind {
  const community: Omit<Kind, "type"> = {
    weights: stepWeights,
    counterChance: "0",
    odds: { source: "community", reference: communityOdds },
  };
  if (kind === "weapon_case" && hasKey) {
    const odds = { source: "published" as const, reference: publishedOdds };
    return { type: "case", weights: caseWeights, counterChance: "1/10", odds };
  }
  if (kind === "weapon_case" && name.endsWith(" Terminal"))
    return { ...community, type: "other", neverPublished: terminals };
  if (kind === "souvenir_package") return { ...community, type: "souvenir_package" };
  const types = new Set(contents.map(({ type }) => type));
  if (types.has("Music Kit")) return { ...community, type: "other", ...musicKitBox(name, counters, community.odds) };
  return { ...community, type: [...types].every((type) => capsuleContents.has(type)) ? "capsule" : "other" };
}

/** Returns the counter chance of a music kit box, from the source's flags or, as an inference, from its name. */
function musicKitBox(name: string, counters: KitCounters, odds: Kind["odds"]) {
  if (counters === "all" || counters === "none") return { counterChance: counters === "all" ? "1" : "0", odds };
  return {
    counterChance: counters === "by_name" && name.startsWith(counterInName) ? "1" : null,
    odds: { source: "inferred" as const, reference: byName },
  };
}

/** Returns one tier per rarity, the most common first. An unknown weight is null. */
function tiersOf({ contents }: ListedContainer, weights: readonly TierWeight[]): PoolTier[] {
  const tiers = new Map<string, { rank: number; weight: number | null; items: PoolItem[] }>();
  const isMixed = new Set(contents.map(({ type }) => type)).size > 1;
  for (const item of contents) {
    const tier = tierOf(item);
    const colour = item.colour?.toLowerCase();
    const weight = isMixed ? null : (weights.find(([other]) => other === colour)?.[1] ?? null);
    const rank = (colours as readonly string[]).indexOf(colour ?? "");
    const known = tiers.get(tier) ?? { rank: rank === -1 ? colours.length : rank, weight, items: [] };
    known.items.push(itemOf(item));
    tiers.set(tier, known);
  }
  return [...tiers]
    .sort(([, one], [, other]) => one.rank - other.rank)
    .map(([tier, { weight, items }]) => ({ tier, weight, items }));
}

/** Returns the name of the item's rarity on its type's scale, for example `mil_spec`. */
function tierOf({ type, colour }: ListedItem): string {
  const word = type === null ? null : rarityName(type, colour);
  if (word === null) return `rarity_${colour?.replace(/[^0-9a-z]/gi, "").toLowerCase() ?? "unknown"}`.slice(0, 40);
  const name = word.toLowerCase().replace(/[^a-z]+/g, "_");
  return name === "mil_spec_grade" ? "mil_spec" : name;
}

function itemOf({ reference, name }: ListedItem): PoolItem {
  return name === undefined ? { item: reference } : { item: reference, name };
}
