import { SourceFailure } from "../source/source.ts";

/** Maximum bytes of the bodies of all feeds together that are received or wait to be checked. Joining a body takes as much again. */
export const bodiesBytesMax = 96 * 1024 * 1024;

/** The same where bodies stay packed and another process reads them; what was read of a body, packed, counts instead of it. */
export const packedBytesMax = 24 * 1024 * 1024;

/** Bounds the memory of all bodies together. The largest one that is still received gives way, so that no feed costs the others theirs. */
export class BodyBudget {
  readonly #bytesMax: number;
  readonly #bodies = new Set<HeldBody>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  open(): HeldBody {
    const body = new HeldBody(this);
    this.#bodies.add(body);
    return body;
  }

  close(body: HeldBody): void {
    this.#bodies.delete(body);
  }

  /** Cuts the largest bodies under way until all fit. */
  fit(): void {
    while (this.#bytes > this.#bytesMax) {
      let largest: HeldBody | null = null;
      for (const body of this.#bodies) {
        if (body.cut !== null && (largest === null || body.bytes > largest.bytes)) largest = body;
      }
      if (largest === null) return;
      const { cut } = largest;
      largest.release();
      cut?.(new SourceFailure(`the bodies of all feeds are larger than ${this.#bytesMax} bytes, this one most of all`));
    }
  }

  get #bytes(): number {
    let bytes = 0;
    for (const body of this.#bodies) bytes += body.bytes;
    return bytes;
  }
}

/** The bytes of one body, from its first until it is checked. */
export class HeldBody {
  bytes = 0;
  /** Ends the fetch under way; null: the body is whole, or was given up. */
  cut: ((failure: SourceFailure) => void) | null = null;
  readonly #budget: BodyBudget;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  /** Counts bytes that are kept of it; below 0: fewer than before. Another body, or this one, may be cut for them. */
  add(bytes: number): void {
    this.bytes += bytes;
    this.#budget.fit();
  }

  release(): void {
    this.cut = null;
    this.#budget.close(this);
  }
}
