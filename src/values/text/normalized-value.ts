import { rarityNames, weaponNames } from "./item-words.ts";
import { phaseIn } from "./phases.ts";
import { nearestOf } from "./suggestion.ts";

/** Usual values of parameters that accept any text. */
const likely: Readonly<Record<string, readonly string[]>> = { rarity: rarityNames, weapon: weaponNames };

/**
 * Returns the parameter value that a typed text means. A choice matches without regard to case and punctuation (`ak47` is `AK-47`), a phase
 * by any of its names (`pearl`). A currency becomes upper case, a provider lower case. Pass null as `choices` to use the usual values of a
 * catalog.
 */
export function normalizedValue(name: string, text: string, choices: readonly string[] | null): string {
  if (name === "currency") return text.toUpperCase();
  if (name === "provider") return text.toLowerCase();
  const split = name === "phase" ? phaseIn(text) : null;
  if (split?.rest === "") return split.phase;
  const letters = (word: string) => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
  const same = (choices ?? likely[name] ?? []).filter((choice) => letters(choice) === letters(text));
  return same.length === 1 ? same[0]! : text;
}

/** Returns the usual value nearest to `text`; null if `text` is a usual value itself, or none is near. */
export function likelierValue(name: string, text: string): string | null {
  const known = likely[name] ?? [];
  return known.includes(text) ? null : nearestOf(text, known);
}
