/** Keeps the largest of many values in descending order. Of equal values the earlier one precedes. A value of size 0 is ignored. */
export class Largest<Value> {
  readonly #max: number;
  readonly #sizeOf: (value: Value) => number;
  readonly #values: Value[] = [];

  constructor(max: number, sizeOf: (value: Value) => number) {
    this.#max = max;
    this.#sizeOf = sizeOf;
  }

  get values(): readonly Value[] {
    return this.#values;
  }

  /** Returns whether a value of this size would be among the largest. */
  takes(size: number): boolean {
    const isFull = this.#values.length === this.#max;
    return size > (isFull ? this.#sizeOf(this.#values.at(-1)!) : 0);
  }

  add(value: Value): void {
    const size = this.#sizeOf(value);
    if (!this.takes(size)) return;
    const place = this.#values.findIndex((other) => this.#sizeOf(other) < size);
    this.#values.splice(place === -1 ? this.#values.length : place, 0, value);
    this.#values.length = Math.min(this.#values.length, this.#max);
  }
}

/** Returns the `max` largest values. */
export function largestOf<Value>(
  values: Iterable<Value>,
  max: number,
  sizeOf: (value: Value) => number,
): readonly Value[] {
  const largest = new Largest(max, sizeOf);
  for (const value of values) largest.add(value);
  return largest.values;
}
