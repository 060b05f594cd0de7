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

/** What was read of a body as another process sends it: small, and unchanged by what is made of it. */
export type PlainReading = Omit<FeedReading, "observations" | "references" | "refusals"> & {
  observations: readonly PlainObservation[];
  references: readonly PlainReference[];
  refusals: ReturnType<Refusals["list"]>;
};

export function plainReading({ observations, references, refusals, ...rest }: FeedReading): PlainReading {
  return {
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
}

/** Returns the reading anew: joining it counts more refusals. */
export function readingOf({ observations, references, refusals, ...rest }: PlainReading): FeedReading {
  return {
    ...rest,
    observations: observations.map(
      ([itemId, name, phase, provider, side, amountCents, quantity, url, observedAt]): Observation => ({
        itemId,
        name,
        phase,
        provider,
        side,
        amountCents,
        quantity,
        url,
        observedAt,
      }),
    ),
    references: references.map(([itemId, name, phase]): ItemReference => ({ itemId, name, phase })),
    refusals: Refusals.of(refusals),
  };
}

function plainReference({ itemId, name, phase }: ItemReference): PlainReference {
  return [itemId, name, phase];
}
