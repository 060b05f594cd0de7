import { phaseIn, phases, phaseWords } from "./phases.ts";

/** Paint indexes of the phases, Doppler before Gamma Doppler. No other finish uses them. */
const paintIndexes: Readonly<Record<(typeof phases)[number], readonly number[]>> = {
  "Phase 1": [418, 852, 569, 1120],
  "Phase 2": [419, 618, 853, 570, 1121],
  "Phase 3": [420, 854, 571, 1122],
  "Phase 4": [421, 855, 572, 1123],
  Ruby: [415],
  Sapphire: [416, 619],
  "Black Pearl": [417, 617],
  Emerald: [568, 1119],
};

const wear = String.raw`\((?:Factory New|Minimal Wear|Field-Tested|Well-Worn|Battle-Scarred)\)`;
/** Matches a finish name with a phase before or after its wear. */
const phasedName = new RegExp(
  String.raw`^(?<finish>.* Doppler)(?: (?<wear>${wear}))?(?:\s*[-\u2013|:,]\s*|\s+)(?<phase>\((?:${phaseWords})\)|${phaseWords})(?:(?:\s*[-\u2013|:,])?\s*(?<last>${wear}))?$`,
  "iu",
);

/** Returns the phase that the whole text names: a word such as `p2`, or a paint index such as `419`. Returns null for any other text. */
export function phaseMeant(text: string): (typeof phases)[number] | null {
  const index = /^[0-9]{1,9}$/.test(text) ? Number(text) : null;
  if (index !== null) return phases.find((phase) => paintIndexes[phase].includes(index)) ?? null;
  const found = phaseIn(text);
  return found?.rest === "" ? found.phase : null;
}

/**
 * Splits the phase from a name, which contains it before or after its wear. `★ Karambit | Doppler Phase 2 (Factory New)` and
 * `★ Karambit | Doppler (Factory New) - Phase 2` both give `★ Karambit | Doppler (Factory New)` and `Phase 2`. `phase` is null if the name
 * contains none.
 */
export function splitPhase(written: string): { name: string; phase: (typeof phases)[number] | null } {
  if (!written.includes(" Doppler")) return { name: written, phase: null };
  const { finish = "", wear = "", phase = "", last = "" } = phasedName.exec(written)?.groups ?? {};
  const meant = phase === "" || (wear !== "" && last !== "") ? null : phaseMeant(phase.replace(/[()]/g, ""));
  return meant === null
    ? { name: written, phase: null }
    : { name: [finish, wear, last].filter(Boolean).join(" "), phase: meant };
}
