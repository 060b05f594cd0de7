import { displayText } from "../../values/text/display-text.ts";

/** The reason why a row of a source did not become an item. */
export type SkipReason =
  /** Neither the row nor the English name list has a name. */
  | "no_name"
  /** The row describes a slot or a default. */
  | "not_an_item"
  /** Default equipment of every player, which is never sold. */
  | "default_equipment"
  /** A token of the game's shop that is used up when bought, so it is never traded. */
  | "used_when_bought"
  /** A finish without a wear range, or with an empty range, has no known exact variant. */
  | "no_wear_range"
  /** The item is named in a collection, but no given source describes it. */
  | "only_in_collection"
  /** A field of the row is missing or has another shape. */
  | "malformed_row"
  /** The list of a container contradicts itself or is empty. */
  | "faulty_container"
  /** A second row of the same object in one source. The first row counts. */
  | "duplicate_object";

export type SkipCount = { reason: SkipReason; count: number; examples: string[] };

const examplesMax = 5;

/** Counts skipped rows of a source by reason, and rows of unknown types. */
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

/** Formats skipped rows as lines for people. */
export function skipLines(skips: readonly SkipCount[]): string[] {
  return skips.map(({ reason, count, examples }) => `  skipped   ${count} ${reason}, such as ${examples.join("; ")}`);
}
