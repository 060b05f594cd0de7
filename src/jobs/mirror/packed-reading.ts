import { deserialize, serialize } from "node:v8";
import { type FeedReading, type ItemReference, type Observation, Refusals } from "../../import/quotes/observation.ts";

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

type PlainReading = Omit<FeedReading, "observations" | "references" | "refusals"> & {
  observations: readonly PlainObservation[];
  references: readonly PlainReference[];
  refusals: ReturnType<Refusals["list"]>;
};

/** Packs what was read of a body into few bytes, for another process. */
export function packReading({ observations, references, refusals, ...rest }: FeedReading): Buffer {
  const plain: PlainReading = {
    ...rest,
    observations: observations.map((one) => [
      ...plainReference(one),
      one.provider,
      one.side,
      one.amountCents,
      one.quantity,
      one.url,
      one.observedAt,
    ]),
    references: references.map(plainReference),
    refusals: refusals.list(),
  };
  return serialize(plain);
}

/** Returns the packed reading, anew each time: joining it counts more refusals. */
export function unpackReading(packed: Uint8Array): FeedReading {
  const { observations, references, refusals, ...rest } = deserialize(packed) as PlainReading;
  return {
    ...rest,
    observations: inPlace(
      observations,
      ([itemId, name, phase, provider, side, amountCents, quantity, url, observedAt]): Observation => {
        return { itemId, name, phase, provider, side, amountCents, quantity, url, observedAt };
      },
    ),
    references: inPlace(references, ([itemId, name, phase]): ItemReference => ({ itemId, name, phase })),
    refusals: Refusals.of(refusals),
  };
}

/** Turns every element into another one, so that not both are in memory. */
function inPlace<From, To>(elements: readonly From[], turn: (element: From) => To): To[] {
  const turned = elements as unknown as To[];
  for (const [index, element] of elements.entries()) turned[index] = turn(element);
  return turned;
}

function plainReference({ itemId, name, phase }: ItemReference): PlainReference {
  return [itemId, name, phase];
}
