import { phases } from "./phases.ts";

export type Phase = (typeof phases)[number];

/** Wear names with their band of wear values, best first; the lower bound belongs to the band, the upper one to the next. */
export const wears = [
  { code: "FN", name: "Factory New", nameRu: "Прямо с завода", from: 0, to: 0.07 },
  { code: "MW", name: "Minimal Wear", nameRu: "Немного поношенное", from: 0.07, to: 0.15 },
  { code: "FT", name: "Field-Tested", nameRu: "После полевых испытаний", from: 0.15, to: 0.38 },
  { code: "WW", name: "Well-Worn", nameRu: "Поношенное", from: 0.38, to: 0.45 },
  { code: "BS", name: "Battle-Scarred", nameRu: "Закалённое в боях", from: 0.45, to: 1 },
] as const;
/** Wears as names end with them, best first. */
export const wearNames: readonly string[] = wears.map(({ name }) => name);
export type Wear = (typeof wears)[number];

/** Kind of an item. */
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

/** Edition of an object: the bare one, the one that counts, the one from a tournament. */
export type Edition = "plain" | "counter" | "souvenir";

type NameParts = { base: string; star: boolean; edition: Edition; wear: Wear | null };

/**
 * A character that no name or phase of an item has: controls, bidirectional controls, and halves of surrogate pairs, which UTF-8 cannot
 * write. U+0080 to U+009F are allowed: the market itself has a name with one of them, and names are kept exactly.
 */
export const impossibleInName = /[\u0000-\u001f\u007f\p{Cs}\p{Bidi_Control}]/u;

const star = "★ ";
const counter = "StatTrak™ ";
const souvenir = "Souvenir ";

/** Returns the name as the main platform writes it: `★ StatTrak™ Karambit | Doppler (Factory New)`. */
export function marketName({ base, star: hasStar, edition, wear }: NameParts): string {
  return inEdition(`${hasStar ? star : ""}${base}${wear === null ? "" : ` (${wear.name})`}`, edition);
}

/** Returns the Russian name of an item of these parts. */
export function russianName({ base, star: hasStar, edition, wear }: NameParts): string {
  return inRussianEdition(`${hasStar ? star : ""}${base}${wear === null ? "" : ` (${wear.nameRu})`}`, edition);
}

/** Returns the name of another edition of the item whose plain name is given. */
export function inEdition(plainName: string, edition: Edition): string {
  return prefixed(plainName, { plain: "", counter, souvenir }[edition]);
}

/** Returns a Russian name in another edition. */
export function inRussianEdition(plainName: string, edition: Edition): string {
  return prefixed(plainName, { plain: "", counter, souvenir: "Сувенирный " }[edition]);
}

/** Takes the edition off a market name: what remains is the name of the plain variant of the same wear. */
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

/** Types whose items have a weapon, a kind of knife or of gloves. */
export const weaponTypes = ["Weapon", "Knife", "Gloves"] as const satisfies readonly ItemType[];

/** Returns what stands before the finish of a market name: `AK-47`, `Karambit`, `Sport Gloves`; null for items of other types. */
export function weaponOf(name: string, type: string | null): string | null {
  if (!weaponTypes.some((one) => one === type)) return null;
  const bare = [star, counter, souvenir].reduce((rest, prefix) => rest.replaceAll(prefix, ""), name);
  return bare.split(" | ", 1)[0]!;
}

/** Returns the wears that a finish can have: those whose band its range reaches into. */
export function wearsWithin(range: { min: number; max: number }): readonly Wear[] {
  return wears.filter((wear) => range.min < wear.to && range.max > wear.from);
}

function prefixed(name: string, prefix: string): string {
  return name.startsWith(star) ? `${star}${prefix}${name.slice(star.length)}` : `${prefix}${name}`;
}

/** Returns the phase that `text` names exactly, else null. */
export function phaseOf(text: string | undefined): Phase | null {
  return phases.find((phase) => phase === text) ?? null;
}

/** A name that is its own comparable form: most are. */
const plainName = /^(?!.*StatTrak )[!-.0-~★™]+(?: [!-.0-~★™]+)*$/;

/**
 * Returns the form in which two names are compared. It undoes only what sources are known to write differently: Unicode composition,
 * runs of spaces, the slash of `Holo/Foil`, which market names replace by a hyphen, U+0080 to U+009F, which they drop, and the sign
 * behind `StatTrak`, which sources drop.
 */
export function comparableName(name: string): string {
  if (plainName.test(name)) return name;
  const plain = name.normalize("NFC").replace(/[\u0080-\u009f]/g, "");
  const marked = plain.replace(/\bStatTrak (?=\S)/, "StatTrak™ ");
  return marked.replace(/\s+/g, " ").trim().replaceAll("Holo/Foil", "Holo-Foil");
}

const slugCharsMax = 120;
const combiningMarks = /\p{M}+/gu;

/** Returns a readable short form of a name; names may share it, so it identifies nothing. */
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
