import {
  type FeedReading,
  type ItemReference,
  type Listed,
  type ListedReading,
  type Observation,
  type ReadPrices,
  Refusals,
} from "../../../import/quotes/observation.ts";
import { packRows, unpackRows } from "./packed-rows.ts";

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
export type ReadPiece = { kind: keyof ReadPrices; rows: number; packed: Buffer };

/** The result of reading a body, without its prices. */
export type ReadingEnd = Omit<FeedReading, keyof ReadPrices | "refusals"> & { refusals: ReturnType<Refusals["list"]> };

/** Keeps a chunk at about one megabyte. */
export const pieceRows = 1024;

/** Compresses prices into chunks of at most `pieceRows` rows. */
export function* packPrices({ observations, references }: ReadPrices): Generator<ReadPiece> {
  yield* piecesOf("observations", observations, plainObservation);
  yield* piecesOf("references", references, plainReference);
}

function* piecesOf<Row>(kind: keyof ReadPrices, rows: Listed<Row>, plain: (row: Row) => unknown): Generator<ReadPiece> {
  let piece: unknown[] = [];
  const pack = () => ({ kind, rows: piece.length, packed: packRows(piece) });
  for (const row of rows) {
    piece.push(plain(row));
    if (piece.length < pieceRows) continue;
    yield pack();
    piece = [];
  }
  if (piece.length > 0) yield pack();
}

/** The compressed result of reading a body. Only one chunk is decompressed at a time. */
export class PackedReading {
  readonly #pieces: readonly ReadPiece[];
  readonly #end: ReadingEnd;

  constructor(pieces: readonly ReadPiece[], end: ReadingEnd) {
    this.#pieces = pieces;
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
    const pieces = this.#pieces.filter((piece) => piece.kind === kind);
    return {
      length: pieces.reduce((sum, { rows }) => sum + rows, 0),
      *[Symbol.iterator]() {
        for (const { packed } of pieces) {
          for (const plain of unpackRows<Plain>(packed)) yield turn(plain);
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
