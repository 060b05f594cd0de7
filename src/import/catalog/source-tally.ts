import { displayText } from "../../values/text/display-text.ts";

/** Reason for which a row of a source became no item. */
export type SkipReason =
  /** No name, in the row or in the English names. */
  | "no_name"
  /** Stands for a slot or a default. */
  | "not_an_item"
  /** Equipment that everybody has, never an item of the market. */
  | "default_equipment"
  /** A token of the game's shop that is used up when bought: nobody owns or sells one. */
  | "used_when_bought"
  /** A finish without a wear range, or with an empty one: no exact variant is known. */
  | "no_wear_range"
  /** Named as part of a collection, and described by no source that was given. */
  | "only_in_collection"
  /** A row with a field of another shape, or without one that it needs. */
  | "malformed_row"
  /** A container whose list contradicts itself or is empty. */
  | "faulty_container"
  /** A second row of the same object in one source; the first one counts. */
  | "duplicate_object";

export type SkipCount = { reason: SkipReason; count: number; examples: string[] };

const examplesMax = 5;

/** Counts the rows of a source that were left out, by reason, and those of unknown types. */
export class SourceTally {
  readonly #skips = new Map<SkipReason, SkipCount>();
  readonly #unknownTypes = new Map<string, number>();

  skip(reason: SkipReason, example: string): void {
    const found = this.#skips.get(reason) ?? { reason, count: 0, examples: [] };
    found.count += 1;
    const safe = displayText(example);
    if (found.examples.length < examplesMax && !found.examples.includes(safe)) found.examples.push(safe);
    this.#skips.set(reason, found);
  }

  unknownType(type: string): void {
    this.#unknownTypes.set(type, (this.#unknownTypes.get(type) ?? 0) + 1);
  }

  get skips(): SkipCount[] {
    return [...this.#skips.values()];
  }

  get unknownTypes(): Record<string, number> {
    return Object.fromEntries(this.#unknownTypes);
  }
}

/** Formats skipped rows, in lines for people. */
export function skipLines(skips: readonly SkipCount[]): string[] {
  return skips.map(({ reason, count, examples }) => `  skipped   ${count} ${reason}, such as ${examples.join("; ")}`);
}
