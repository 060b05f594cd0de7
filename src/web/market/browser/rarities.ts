/** Rarities in ascending order, with the class of their colour in the game. */
const ranks: readonly (readonly [rarity: string, colour: string])[] = [
  ["Base Grade", "consumer"],
  ["Consumer Grade", "consumer"],
  ["Industrial Grade", "industrial"],
  ["High Grade", "mil-spec"],
  ["Mil-Spec Grade", "mil-spec"],
  ["Distinguished", "mil-spec"],
  ["Remarkable", "restricted"],
  ["Restricted", "restricted"],
  ["Exceptional", "restricted"],
  ["Exotic", "classified"],
  ["Classified", "classified"],
  ["Superior", "classified"],
  ["Extraordinary", "covert"],
  ["Covert", "covert"],
  ["Master", "covert"],
  ["Contraband", "special"],
];
const specialTypes = new Set(["Knife", "Gloves"]);

/** Returns the rank of a rarity; null if unknown. */
export function rarityRank(rarity: string | null): number | null {
  const rank = ranks.findIndex(([name]) => name === rarity);
  return rank < 0 ? null : rank;
}

/** Returns the colour class of an item. Knives and gloves have the gold of special items. */
export function rarityClass({ rarity, type }: { rarity: string | null; type: string | null }): string {
  if (specialTypes.has(type ?? "")) return "tier-special";
  return `tier-${ranks.find(([name]) => name === rarity)?.[1] ?? "consumer"}`;
}
