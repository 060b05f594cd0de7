/** Rarities in their order, with the class of the colour that players know. */
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

/** Returns the place of a rarity among all; null if it is unknown. */
export function rarityRank(rarity: string | null): number | null {
  const rank = ranks.findIndex(([name]) => name === rarity);
  return rank < 0 ? null : rank;
}

/** Returns the class of an item's colour; knives and gloves have the gold of special items. */
export function rarityClass({ rarity, type }: { rarity: string | null; type: string | null }): string {
  if (specialTypes.has(type ?? "")) return "tier-special";
  return `tier-${ranks.find(([name]) => name === rarity)?.[1] ?? "consumer"}`;
}
