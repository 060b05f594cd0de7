import { phaseMeant, splitPhase } from "../../values/text/phase-names.ts";
import { phases } from "../../values/text/phases.ts";
import type { Mapping } from "./mapping.ts";

/** Reads phases according to a mapping. It is apart from `mapped.ts` to keep both short. */
export class MappedPhaseReader {
  readonly #names: ReadonlyMap<string, string>;
  readonly #pattern: RegExp | null;

  constructor({ names = {}, pattern }: NonNullable<Mapping["phase"]> = {}) {
    this.#names = new Map(Object.entries(names));
    this.#pattern = pattern === undefined ? null : patternOf(pattern, [...this.#names.keys()]);
  }

  /** Returns the phase for a source's word or number. Null if unknown. */
  meant(text: string): string | null {
    return this.#names.get(text) ?? phaseMeant(text);
  }

  /** Splits a name that contains a phase. */
  split(written: string): { name: string; phase: string | null } {
    if (this.#pattern === null) return splitPhase(written);
    const { name, phase, wear } = this.#pattern.exec(written)?.groups ?? {};
    const meant = phase === undefined ? null : this.meant(phase);
    if (name === undefined || meant === null) return splitPhase(written);
    return { name: wear === undefined ? name : `${name} ${wear}`, phase: meant };
  }

  /**
   * Returns the phase of an item from a separate field. A finish with phases keeps an unknown phase, so that it does not join another item.
   */
  ofItem(name: string, text: string): string | null {
    return this.meant(text) ?? (name.includes("Doppler") && text.trim() !== "" ? text : null);
  }
}

/** Converts a template such as `{name} - {phase}` to a pattern. `words` are the source's words for phases. */
function patternOf(template: string, words: readonly string[]): RegExp {
  const literal = words.concat(phases).map(escaped);
  const known = [...literal, "phase\\s*[1-4]", "p[1-4]"].join("|");
  const parts: Readonly<Record<string, string>> = {
    "{name}": "(?<name>\\S.*?)",
    "{phase}": `(?<phase>${known})`,
    "{wear}": "(?<wear>\\([^()]+\\))",
  };
  const text = template.split(/(\{[a-z]+\})/).map((part) => parts[part] ?? escaped(part));
  return new RegExp(`^${text.join("")}$`, "iu");
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
