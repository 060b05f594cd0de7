/** All phases of the Doppler and Gamma Doppler finishes. No other finish has phases. */
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

/** Pattern source for the words that name phases. Use it with the `i` flag. */
export const phaseWords = String.raw`(?:phase\s*|p)[1-4]|(?:black\s*)?pearl|ruby|sapphire|emerald`;
/** A word for a phase, including quotes that enclose only the word. */
const phaseWord = new RegExp(`"\\s*(${phaseWords})\\s*"|(?<![\\p{L}\\p{N}])(${phaseWords})(?![\\p{L}\\p{N}])`, "iu");

/**
 * Splits the first word for a phase from a search: `karambit p2` gives `karambit` and `Phase 2`. Returns null without such a word.
 * Names contain no phases, so search the names first.
 */
export function phaseIn(text: string): { rest: string; phase: (typeof phases)[number] } | null {
  const [match, quoted, bare = quoted] = phaseWord.exec(text) ?? [];
  if (match === undefined || bare === undefined) return null;
  const last = /\d$|[a-z]+$/.exec(bare.toLowerCase())?.[0] ?? "";
  const phase = phases.find((name) => name.toLowerCase().replace(" ", "").endsWith(last));
  const rest = text.replace(match, " ").replace(/\s+/g, " ").trim();
  return phase === undefined ? null : { rest, phase };
}
