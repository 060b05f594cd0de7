import { rarityNames, weaponNames } from "./item-words.ts";
import { phaseIn } from "./phases.ts";
import { nearestOf } from "./suggestion.ts";

/** Values that a catalog most likely has, of parameters that take any text. */
const likely: Readonly<Record<string, readonly string[]>> = { rarity: rarityNames, weapon: weaponNames };

/**
 * Returns the value that a typed one means: one of the choices whatever its case and signs (`ak47` is `AK-47`), a phase by any word
 * for it (`pearl`), capitals for a currency, small letters for a provider. `choices` null: those that a catalog most likely has, if any.
 */
export function meantValue(name: string, text: string, choices: readonly string[] | null): string {
  if (name === "currency") return text.toUpperCase();
  if (name === "provider") return text.toLowerCase();
  const split = name === "phase" ? phaseIn(text) : null;
  if (split?.rest === "") return split.phase;
  const letters = (word: string) => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  const same = (choices ?? likely[name] ?? []).filter((choice) => letters(choice) === letters(text));
  return same.length === 1 ? same[0]! : text;
}

/** Returns the value that a catalog most likely has in the place of one that it most likely has not; null where none is near. */
export function likelierValue(name: string, text: string): string | null {
  const known = likely[name] ?? [];
  return known.includes(text) ? null : nearestOf(text, known);
}
