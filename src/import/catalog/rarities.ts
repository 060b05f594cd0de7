import type { ItemType } from "../../values/text/item-names.ts";

const gradeOfColour = new Map<string, Grade>([
  ["#b0c3d9", "common"],
  ["#5e98d9", "uncommon"],
  ["#4b69ff", "rare"],
  ["#8847ff", "mythical"],
  ["#d32ce6", "legendary"],
  ["#eb4b4b", "ancient"],
  ["#e4ae39", "immortal"],
]);

type Grade = "common" | "uncommon" | "rare" | "mythical" | "legendary" | "ancient" | "immortal";
type Scale = Partial<Record<Grade, string>>;

const finishScale: Scale = {
  common: "Consumer Grade",
  uncommon: "Industrial Grade",
  rare: "Mil-Spec Grade",
  mythical: "Restricted",
  legendary: "Classified",
  ancient: "Covert",
  immortal: "Contraband",
};
const agentScale: Scale = { rare: "Distinguished", mythical: "Exceptional", legendary: "Superior", ancient: "Master" };
const generalScale: Scale = {
  common: "Base Grade",
  rare: "High Grade",
  mythical: "Remarkable",
  legendary: "Exotic",
  ancient: "Extraordinary",
  immortal: "Contraband",
};

/** Returns the name of a rarity colour for this item type. Null if the colour is unknown. */
export function rarityName(type: ItemType, colour: string | undefined): string | null {
  const grade = gradeOfColour.get(colour?.toLowerCase() ?? "");
  if (grade === undefined) return null;
  const scale = type === "Weapon" || type === "Knife" ? finishScale : type === "Agent" ? agentScale : generalScale;
  return scale[grade] ?? null;
}
