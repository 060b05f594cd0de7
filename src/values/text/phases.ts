/** All phases of the Doppler and Gamma Doppler finishes; no other finish has any. */
export const phases = [
  "Phase 1",
  "Phase 2",
  "Phase 3",
  "Phase 4",
  "Ruby",
  "Sapphire",
  "Black Pearl",
  "Emerald",
] as const;

/** Pattern of the words for phases, for any case of letters. */
export const phaseWords = String.raw`(?:phase\s*|p)[1-4]|(?:black\s*)?pearl|ruby|sapphire|emerald`;
/** A word for a phase, with the quotes if they hold nothing else. */
const phaseWord = new RegExp(`"\\s*(${phaseWords})\\s*"|(?<![\\p{L}\\p{N}])(${phaseWords})(?![\\p{L}\\p{N}])`, "iu");

/**
 * Splits the first word for a phase from the other words of a search: `karambit p2` is `karambit` in `Phase 2`. Null without such a word.
 * Names do not contain phases, so search the names first.
 */
export function phaseIn(text: string): { rest: string; phase: (typeof phases)[number] } | null {
  const [match, quoted, bare = quoted] = phaseWord.exec(text) ?? [];
  if (match === undefined || bare === undefined) return null;
  const last = /\d$|[a-z]+$/.exec(bare.toLowerCase())?.[0] ?? "";
  const phase = phases.find((name) => name.toLowerCase().replace(" ", "").endsWith(last));
  const rest = text.replace(match, " ").replace(/\s+/g, " ").trim();
  return phase === undefined ? null : { rest, phase };
}
