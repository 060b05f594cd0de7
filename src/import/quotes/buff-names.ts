import { wearNames } from "../../values/text/item-names.ts";
import { phases } from "../../values/text/phases.ts";

/** A name that ends with its wear, then a phase. Ranks such as `Fire&Ice 1st` and `Tier2` are no phases and stay a part of the name. */
const phased = new RegExp(`^(?<name>.*\\((?:${wearNames.join("|")})\\)) (?<suffix>[A-Z][A-Za-z0-9 ]*)$`);
const phaseOfSuffix: ReadonlyMap<string, string> = new Map(
  phases.map((phase) => [phase.replace(/^Phase /, "Phase"), phase]),
);

/** Splits a name: `★ Karambit | Doppler (Factory New) Phase2` is the phase `Phase 2` of the name before it; other endings are no phases. */
export function splitBuffName(written: string): { name: string; phase: string | null } {
  const { name = "", suffix = "" } = phased.exec(written)?.groups ?? {};
  const phase = phaseOfSuffix.get(suffix);
  return phase === undefined ? { name: written, phase: null } : { name, phase };
}
