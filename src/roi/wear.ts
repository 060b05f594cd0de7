import { type Decimal, parseDecimal } from "../values/money/decimal.ts";
import { OddsError } from "./odds.ts";
import { floorOf, lcm } from "./rational.ts";

export const wearModel = "wear-1";

type FiveWears<Part> = readonly [Part, Part, Part, Part, Part];

/** Distribution of the wear float before it is mapped to an item's range. Weights are percent; bounds are hundredths of [0, 1]. */
const buckets = [
  { weight: 3n, from: 0n, to: 7n },
  { weight: 24n, from: 8n, to: 15n },
  { weight: 33n, from: 16n, to: 38n },
  { weight: 24n, from: 39n, to: 45n },
  { weight: 16n, from: 46n, to: 100n },
];

/** Boundaries between the wear names on an item's own range, in hundredths. */
const cuts = [0n, 7n, 15n, 38n, 45n, 100n];
const widthsMultiple = buckets.map(({ from, to }) => to - from).reduce(lcm);
const ppmPerCent = 10_000n;
const ppmAll = 1_000_000n;

/**
 * Returns the probabilities of FN, MW, FT, WW and BS in ppm for an item with wear `min`..`max` (decimal texts). They sum to 1,000,000.
 *
 * @throws {OddsError} when the range is not a pair of numbers, is reversed or empty, or is outside 0..1.
 */
export function wearWeightsPpm(min: string, max: string): FiveWears<number> {
  const { from, to, one } = rangeOf(min, max);
  const range = to - from;
  // On the unmapped range a cut is at (cut - min) / (max - min). Multiplying by 100 * range * one keeps it an integer.
  const edges = cuts.map((cut) => cut * one - 100n * from);
  const shares = edges.slice(1).map((edge, wear) => massBetween(edges[wear]!, edge, range));
  return largestRemainder(shares, widthsMultiple * range);
}

function rangeOf(min: string, max: string): { from: bigint; to: bigint; one: bigint } {
  const [low, high] = [parseDecimal(min), parseDecimal(max)];
  const named = `wear range ${min}..${max}`;
  if (low === null || high === null) throw new OddsError(`${named}: must be two decimal numbers`);
  const scale = low.scale > high.scale ? low.scale : high.scale;
  const [from, to, one] = [unitsAt(low, scale), unitsAt(high, scale), 10n ** BigInt(scale)];
  if (from > to) throw new OddsError(`${named}: is reversed`);
  if (from === to) throw new OddsError(`${named}: is empty`);
  if (from < 0n || to > one) throw new OddsError(`${named}: must be within 0..1`);
  return { from, to, one };
}

function unitsAt({ units, scale }: Decimal, wanted: number): bigint {
  return units * 10n ** BigInt(wanted - scale);
}

/** Returns the ppm between two edges, multiplied by `widthsMultiple * range`. */
function massBetween(low: bigint, high: bigint, range: bigint): bigint {
  return buckets.reduce((sum, { weight, from, to }) => {
    const start = from * range > low ? from * range : low;
    const end = to * range < high ? to * range : high;
    const perWidth = floorOf(widthsMultiple, to - from);
    return end > start ? sum + ppmPerCent * weight * (end - start) * perWidth : sum;
  }, 0n);
}

/** Rounds the shares to whole ppm by the largest-remainder method. Ties go to the better wear. */
function largestRemainder(shares: readonly bigint[], whole: bigint): FiveWears<number> {
  const floors = shares.map((share) => floorOf(share, whole));
  const remainders = shares.map((share, wear) => ({ wear, rest: share - floors[wear]! * whole }));
  // Sorting is stable: equal remainders keep the order of the wears.
  remainders.sort((a, b) => (a.rest === b.rest ? 0 : a.rest > b.rest ? -1 : 1));
  const left = ppmAll - floors.reduce((sum, ppm) => sum + ppm, 0n);
  for (const { wear } of remainders.slice(0, Number(left))) floors[wear]! += 1n;
  return floors.map(Number) as unknown as FiveWears<number>;
}
