import type { ItemType } from "../../values/item-names.ts";
import { rarityName } from "../catalog/rarities.ts";
import { type Cs2LibPools, type ListContainer, type ListItem, listContainers, type NamedItem } from "./cs2-lib-list.ts";
import {
  canonicalPool,
  type OddsSource,
  type PoolDraft,
  type PoolItem,
  type PoolTier,
  type PoolType,
  type SourceFile,
} from "./definition.ts";

/**
 * Makes one draft per container, in the order of the list.
 *
 * @throws {OperatorError} when the list is faulty, as `listContainers`.
 */
export function cs2LibPools(documents: Cs2LibPools, files: readonly SourceFile[] = []): PoolDraft[] {
  return listContainers(documents).map((container) => ({
    definition: poolOf(container),
    provenance: { source: "cs2-lib", files },
  }));
}

type Kind = {
  type: PoolType;
  weights: readonly TierWeight[];
  odds: { source: OddsSource; reference: string };
  /** Null: no source gives it. */
  counterChance: string | null;
  neverPublished?: string;
};
type TierWeight = readonly [colour: string, weight: number];

const rareSpecial = "rare_special";
const rareSpecialWeight = 2;
const colours = ["#b0c3d9", "#5e98d9", "#4b69ff", "#8847ff", "#d32ce6", "#eb4b4b"] as const;
const weightsOf = (weights: readonly (number | null)[]): TierWeight[] =>
  weights.flatMap((weight, index) => (weight === null ? [] : [[colours[index]!, weight] as const]));

/** Weights of the rarities from consumer grade to covert, for weapon cases and for everything else. */
const caseWeights = weightsOf([null, null, 625, 125, 25, 5]);
const stepWeights = weightsOf([3125, 625, 125, 25, 5, 1]);

const publishedOdds = "the game's published case odds: 79.92327, 15.98465, 3.19693, 0.63939 and 0.25575 %";
const communityOdds =
  "steps of 5 to 1 between rarities, as players found them; the game publishes none for this container";
const measured = "measured on opened items; the game publishes none";
const byName = "all items of this box count: only its name says so";
const terminals = "terminals sell offers, they are not opened";

const weaponCase = 0;
const souvenirPackage = 3;
const counterInName = "StatTrak™ ";
const capsuleContents: ReadonlySet<string> = new Set(["sticker", "keychain", "patch", "collectible"]);

const itemTypes: ReadonlyMap<string, ItemType> = new Map([
  ["weapon", "Weapon"],
  ["melee", "Knife"],
  ["glove", "Gloves"],
  ["sticker", "Sticker"],
  ["keychain", "Charm"],
  ["graffiti", "Graffiti"],
  ["patch", "Patch"],
  ["musickit", "Music Kit"],
  ["agent", "Agent"],
  ["collectible", "Collectible"],
]);

function poolOf(container: ListContainer) {
  const { row, name, specials } = container;
  const kind = kindOf(container);
  // The published case odds give the weight of this tier; for other containers it is unknown.
  const specialWeight = kind.weights === caseWeights ? rareSpecialWeight : null;
  const special = { tier: rareSpecial, weight: specialWeight, items: specials.map(itemOf) };
  return canonicalPool({
    container: `cs2-lib:${row.id}`,
    name,
    type: kind.type,
    requires_key: hasKey(row),
    counter_chance: kind.counterChance,
    edition: kind.type === "souvenir_package" ? "souvenir" : "plain",
    odds: kind.odds,
    wear: { model: "wear-1", reference: measured },
    never_published: kind.neverPublished ?? null,
    tiers: [...tiersOf(container, kind.weights), ...(specials.length === 0 ? [] : [special])],
  });
}

function kindOf({ row, name, contents }: ListContainer): Kind {
  const community: Omit<Kind, "type"> = {
    weights: stepWeights,
    counterChance: "0",
    odds: { source: "community", reference: communityOdds },
  };
  if (row.containerType === weaponCase && hasKey(row)) {
    const odds = { source: "published" as const, reference: publishedOdds };
    return { type: "case", weights: caseWeights, counterChance: "1/10", odds };
  }
  if (row.containerType === weaponCase && name.endsWith(" Terminal"))
    return { ...community, type: "other", neverPublished: terminals };
  if (row.containerType === souvenirPackage) return { ...community, type: "souvenir_package" };
  const types = new Set(contents.map(({ type }) => type));
  if (types.has("musickit")) return { ...community, type: "other", ...musicKitBox(row, name, community.odds) };
  return { ...community, type: [...types].every((type) => capsuleContents.has(type)) ? "capsule" : "other" };
}

/** Returns the counter chance of a music kit box, from its flags or, as an inference, from its name. */
function musicKitBox({ statTrakOnly, statTrakless }: ListItem, name: string, odds: Kind["odds"]) {
  if (statTrakOnly === true && statTrakless !== true) return { counterChance: "1", odds };
  if (statTrakless === true && statTrakOnly !== true) return { counterChance: "0", odds };
  const isNamed = statTrakOnly === undefined && statTrakless === undefined && name.startsWith(counterInName);
  return { counterChance: isNamed ? "1" : null, odds: { source: "inferred" as const, reference: byName } };
}

function hasKey({ keys = [] }: ListItem): boolean {
  return keys.length > 0;
}

/** Returns one tier per rarity, commonest first. The weight of a tier is null where it is unknown. */
function tiersOf({ contents }: ListContainer, weights: readonly TierWeight[]): PoolTier[] {
  const tiers = new Map<string, { rank: number; weight: number | null; items: PoolItem[] }>();
  const isMixed = new Set(contents.map(({ type }) => type)).size > 1;
  for (const item of contents) {
    const tier = tierOf(item);
    const colour = item.rarity?.toLowerCase();
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

/** Returns the name of the item's rarity in the scale of its type, such as `mil_spec`. */
function tierOf({ type, rarity }: ListItem): string {
  const itemType = itemTypes.get(type);
  const word = itemType === undefined ? null : rarityName(itemType, rarity);
  if (word === null) return `rarity_${rarity?.replace(/[^0-9a-z]/gi, "").toLowerCase() ?? "unknown"}`.slice(0, 40);
  const name = word.toLowerCase().replace(/[^a-z]+/g, "_");
  return name === "mil_spec_grade" ? "mil_spec" : name;
}

function itemOf({ id, name }: NamedItem): PoolItem {
  return name === undefined ? { item: `cs2-lib:${id}` } : { item: `cs2-lib:${id}`, name };
}
