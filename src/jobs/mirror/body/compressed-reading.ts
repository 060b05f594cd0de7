import {
  type FeedReading,
  type ItemReference,
  type Listed,
  type ListedReading,
  type Observation,
  type ReadPrices,
  Refusals,
} from "../../../import/quotes/observation.ts";
import { compressRows, decompressRows } from "./compressed-rows.ts";

type PlainReference = readonly [itemId: number | null, name: string | null, phase: string | null];
type PlainObservation = readonly [
  ...PlainReference,
  provider: string,
  side: Observation["side"],
  amountCents: number,
  quantity: number | null,
  url: string | null,
  observedAt: number | null,
];

/** A compressed chunk of prices, or of items without a price. */
export type ReadChunk = { kind: keyof ReadPrices; rows: number; compressed: Buffer };

/** The result of reading a body, without its prices. */
export type ReadingEnd = Omit<FeedReading, keyof ReadPrices | "refusals"> & { refusals: ReturnType<Refusals["list"]> };

/** Keeps a chunk at about one megabyte. */
export const chunkRows = 1024;

/** Compresses prices into chunks of at most `chunkRows` rows. */
export function* packPrices({ observations, references }: ReadPrices): Generator<ReadChunk> {
  yield* chunksOf("observations", observations, plainObservation);
  yield* chunksOf("references", references, plainReference);
}

function* chunksOf<Row>(kind: keyof ReadPrices, rows: Listed<Row>, plain: (row: Row) => unknown): Generator<ReadChunk> {
  let chunk: unknown[] = [];
  const pack = () => ({ kind, rows: chunk.length, compressed: compressRows(chunk) });
  for (const row of rows) {
    chunk.push(plain(row));
    if (chunk.length < chunkRows) continue;
    yield pack();
    chunk = [];
  }
  if (chunk.length > 0) yield pack();
}

/** The compressed result of reading a body. Only one chunk is decompressed at a time. */
export class CompressedReading {
  readonly #chunks: readonly ReadChunk[];
  readonly #end: ReadingEnd;

  constructor(chunks: readonly ReadChunk[], end: ReadingEnd) {
    this.#chunks = chunks;
    this.#end = end;
  }

  /** Returns the reading with a separate count of refusals, because joining adds to it. */
  open(): ListedReading {
    return {
      ...this.#end,
      observations: this.#listed("observations", observationOf),
      references: this.#listed("references", referenceOf),
      refusals: Refusals.of(this.#end.refusals),
    };
  }

  #listed<Plain, Row>(kind: keyof ReadPrices, turn: (plain: Plain) => Row): Listed<Row> {
    const chunks = this.#chunks.filter((chunk) => chunk.kind === kind);
    return {
      length: chunks.reduce((sum, { rows }) => sum + rows, 0),
      *[Symbol.iterator]() {
        for (const { compressed } of chunks) {
          for (const plain of decompressRows<Plain>(compressed)) yield turn(plain);
        }
      },
    };
  }
}

function plainReference({ itemId, name, phase }: ItemReference): PlainReference {
  return [itemId, name, phase];
}

function plainObservation(one: Observation): PlainObservation {
  const { provider, side, amountCents, quantity, url, observedAt } = one;
  return [...plainReference(one), provider, side, amountCents, quantity, url, observedAt];
}

function referenceOf([itemId, name, phase]: PlainReference): ItemReference {
  return { itemId, name, phase };
}

function observationOf(plain: PlainObservation): Observation {
  const [itemId, name, phase, provider, side, amountCents, quantity, url, observedAt] = plain;
  return { itemId, name, phase, provider, side, amountCents, quantity, url, observedAt };
}
