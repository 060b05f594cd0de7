import { SourceFailure } from "../source/source.ts";

/** Maximum total bytes of bodies that are being received or wait to be checked. Joining a body needs as much memory again. */
export const bodiesBytesMax = 96 * 1024 * 1024;

/** The same limit if bodies stay compressed and another process reads them. The compressed result replaces the body in the count. */
export const compressedBytesMax = 24 * 1024 * 1024;

/**
 * Limits the memory of all bodies together. If the limit is exceeded, the largest incomplete body is cut, so that one feed cannot block the
 * others.
 */
export class BodyBudget {
  readonly #bytesMax: number;
  readonly #bodies = new Set<BodySize>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  open(): BodySize {
    const body = new BodySize(this);
    this.#bodies.add(body);
    return body;
  }

  close(body: BodySize): void {
    this.#bodies.delete(body);
  }

  /** Cuts the largest incomplete bodies until the rest fits. */
  fit(): void {
    while (this.#bytes > this.#bytesMax) {
      let largest: BodySize | null = null;
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

/** The size of one body, from its first byte until it is checked. */
export class BodySize {
  bytes = 0;
  /** Ends the running fetch. Null if the body is complete or was cut. */
  cut: ((failure: SourceFailure) => void) | null = null;
  readonly #budget: BodyBudget;

  constructor(budget: BodyBudget) {
    this.#budget = budget;
  }

  /** Adds bytes to the count; a negative number subtracts. The budget may then cut this or another body. */
  add(bytes: number): void {
    this.bytes += bytes;
    this.#budget.fit();
  }

  release(): void {
    this.cut = null;
    this.#budget.close(this);
  }
}
