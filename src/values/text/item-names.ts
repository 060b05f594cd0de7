import { phases } from "./phases.ts";

export type Phase = (typeof phases)[number];

/** Wear names with their ranges of wear values, best first. The lower bound is inclusive, the upper bound exclusive. */
export const wears = [
  { code: "FN", name: "Factory New", nameRu: "Прямо с завода", from: 0, to: 0.07 },
  { code: "MW", name: "Minimal Wear", nameRu: "Немного поношенное", from: 0.07, to: 0.15 },
  { code: "FT", name: "Field-Tested", nameRu: "После полевых испытаний", from: 0.15, to: 0.38 },
  { code: "WW", name: "Well-Worn", nameRu: "Поношенное", from: 0.38, to: 0.45 },
  { code: "BS", name: "Battle-Scarred", nameRu: "Закалённое в боях", from: 0.45, to: 1 },
] as const;
/** Names of the wears, best first. */
export const wearNames: readonly string[] = wears.map(({ name }) => name);
export type Wear = (typeof wears)[number];

export type ItemType =
  | "Weapon"
  | "Knife"
  | "Gloves"
  | "Sticker"
  | "Sticker Slab"
  | "Graffiti"
  | "Patch"
  | "Charm"
  | "Music Kit"
  | "Agent"
  | "Collectible"
  | "Container"
  | "Key"
  | "Tool";

/** Edition of an item: `counter` is StatTrak, which counts kills; `souvenir` is from a tournament. */
export type Edition = "plain" | "counter" | "souvenir";

type NameParts = { base: string; star: boolean; edition: Edition; wear: Wear | null };

/**
 * A character that no name or phase contains: control characters, bidirectional controls and lone surrogates, which UTF-8 cannot encode.
 * U+0080 to U+009F are allowed, because the market has a name with one of them and names are stored exactly.
 */
export const impossibleInName = /[\u0000-\u001f\u007f\p{Cs}\p{Bidi_Control}]/u;

const star = "★ ";
const counter = "StatTrak™ ";
const souvenir = "Souvenir ";

/** Returns the name in the spelling of the main platform: `★ StatTrak™ Karambit | Doppler (Factory New)`. */
export function marketName({ base, star: hasStar, edition, wear }: NameParts): string {
  return inEdition(`${hasStar ? star : ""}${base}${wear === null ? "" : ` (${wear.name})`}`, edition);
}

/** Returns the Russian name of an item with these parts. */
export function russianName({ base, star: hasStar, edition, wear }: NameParts): string {
  return inRussianEdition(`${hasStar ? star : ""}${base}${wear === null ? "" : ` (${wear.nameRu})`}`, edition);
}

/** Returns the name of the item `plainName` in another edition. */
export function inEdition(plainName: string, edition: Edition): string {
  return prefixed(plainName, { plain: "", counter, souvenir }[edition]);
}

/** Returns the Russian name of the item `plainName` in another edition. */
export function inRussianEdition(plainName: string, edition: Edition): string {
  return prefixed(plainName, { plain: "", counter, souvenir: "Сувенирный " }[edition]);
}

/** Splits a market name into its edition and the name of the plain variant with the same wear. */
export function withoutEdition(name: string): { plainName: string; edition: Edition } {
  const hasStar = name.startsWith(star);
  const rest = hasStar ? name.slice(star.length) : name;
  const found = rest.startsWith(counter) ? counter : rest.startsWith(souvenir) ? souvenir : null;
  if (found === null) return { plainName: name, edition: "plain" };
  return {
    plainName: `${hasStar ? star : ""}${rest.slice(found.length)}`,
    edition: found === counter ? "counter" : "souvenir",
  };
}

/** Types of items that belong to a weapon, a kind of knife or a kind of gloves. */
export const weaponTypes = ["Weapon", "Knife", "Gloves"] as const satisfies readonly ItemType[];

/** Returns the part of a market name before the finish: `AK-47`, `Karambit`, `Sport Gloves`. Returns null for other types. */
export function weaponOf(name: string, type: string | null): string | null {
  if (!weaponTypes.some((one) => one === type)) return null;
  const bare = [star, counter, souvenir].reduce((rest, prefix) => rest.replaceAll(prefix, ""), name);
  return bare.split(" | ", 1)[0]!;
}

/** Returns the wears that overlap the wear range of a finish. */
export function wearsWithin(range: { min: number; max: number }): readonly Wear[] {
  return wears.filter((wear) => range.min < wear.to && range.max > wear.from);
}

function prefixed(name: string, prefix: string): string {
  return name.startsWith(star) ? `${star}${prefix}${name.slice(star.length)}` : `${prefix}${name}`;
}

/** Returns the phase with exactly this name, else null. */
export function phaseOf(text: string | undefined): Phase | null {
  return phases.find((phase) => phase === text) ?? null;
}

/** Matches names that equal their comparable form, as most names do. */
const plainName = /^(?!.*StatTrak )[!-.0-~★™]+(?: [!-.0-~★™]+)*$/;

/**
 * Returns a normalised name for comparisons. It only removes known differences between sources: Unicode composition, repeated spaces, and
 * the slash of `Holo/Foil`, which is a hyphen in market names. It also removes U+0080 to U+009F and the trade mark of `StatTrak`, which
 * sources drop.
 */
export function comparableName(name: string): string {
  if (plainName.test(name)) return name;
  const plain = name.normalize("NFC").replace(/[\u0080-\u009f]/g, "");
  const marked = plain.replace(/\bStatTrak (?=\S)/, "StatTrak™ ");
  return marked.replace(/\s+/g, " ").trim().replaceAll("Holo/Foil", "Holo-Foil");
}

const slugCharsMax = 120;
const combiningMarks = /\p{M}+/gu;

/** Returns a readable short form of a name. Several names may share it, so it is not an identifier. */
export function slugOf(name: string, phase: string | null): string {
  const slug = (phase === null ? name : `${name} ${phase}`)
    .normalize("NFKD")
    .replace(combiningMarks, "")
    .toLowerCase()
    // The trademark sign decomposes into two letters.
    .replaceAll("stattraktm", "stattrak")
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, slugCharsMax)
    .replace(/-+$/, "");
  return slug === "" ? "item" : slug;
}
