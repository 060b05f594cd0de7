import { phaseMeant, splitPhase } from "../../values/text/phase-names.ts";
import { phases } from "../../values/text/phases.ts";
import type { Mapping } from "./mapping.ts";

/** Reads phases as a mapping describes them. */
export class MappedPhaseReader {
  readonly #names: ReadonlyMap<string, string>;
  readonly #pattern: RegExp | null;

  constructor({ names = {}, pattern }: NonNullable<Mapping["phase"]> = {}) {
    this.#names = new Map(Object.entries(names));
    this.#pattern = pattern === undefined ? null : patternOf(pattern, [...this.#names.keys()]);
  }

  /** Returns the phase of a word or number of the source; null if unknown. */
  meant(text: string): string | null {
    return this.#names.get(text) ?? phaseMeant(text);
  }

  /** Splits a phase from a name that contains one. */
  split(written: string): { name: string; phase: string | null } {
    if (this.#pattern === null) return splitPhase(written);
    const { name, phase, wear } = this.#pattern.exec(written)?.groups ?? {};
    const meant = phase === undefined ? null : this.meant(phase);
    if (name === undefined || meant === null) return splitPhase(written);
    return { name: wear === undefined ? name : `${name} ${wear}`, phase: meant };
  }

  /** Returns the phase of an item by a word of its own field. A finish with phases keeps an unknown one, so that it joins no other item. */
  ofItem(name: string, text: string): string | null {
    return this.meant(text) ?? (name.includes("Doppler") && text.trim() !== "" ? text : null);
  }
}

/** Turns a template such as `{name} - {phase}` into a pattern; `words`: words of the source for phases. */
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
