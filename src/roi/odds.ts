import { floorOf, lcm, reducedDenominator } from "./rational.ts";

/** Thrown for invalid odds. The message names the tier, item or interval and the error. */
export class OddsError extends Error {
  override readonly name = "OddsError";
}

export type OddsTier = { tier: string; weight: number; slots: readonly OddsSlot[] };

/** One weighted choice within a tier: an item with all its wears, or a (weapon, finish) pair with all its phases. */
export type OddsSlot = { weight: number; phases: readonly OddsPhase[] };

/** `counterChance` is the share of items with a counter, from 0 to 1. A phase of weight 0 has probability 0. */
export type OddsPhase = {
  weight: number;
  counterChance: readonly [numerator: number, denominator: number];
  wears: readonly OddsWear[];
};

/**
 * Probability of one wear. The ppm of a phase sum to 1,000,000; an item without wears has one entry. Null if the item does not exist. A
 * missing item must have probability 0.
 */
export type OddsWear = { ppm: number; plainItemId: number | null; counterItemId: number | null };

/** Exact odds of a pool. The numerators share `denominator` and sum to it. Impossible outcomes have numerator 0. */
export type PoolOdds = { denominator: bigint; outcomes: { itemId: number; tier: string; numerator: bigint }[] };

type Chance = { itemId: number; tier: string; numerator: bigint; denominator: bigint };

const ppmAll = 1_000_000;

/**
 * Calculates the exact odds of a pool. Outcomes keep the given order: by wear, the plain item before its counter variant.
 *
 * @throws {OddsError} for an empty pool or tier, or for a weight that is not a positive integer. A phase may have weight 0.
 * @throws {OddsError} for wears that do not sum to 1,000,000 ppm, or for a counter chance outside 0..1.
 * @throws {OddsError} for a probability without an item, or for a repeated item or tier.
 */
export function poolOdds(tiers: readonly OddsTier[]): PoolOdds {
  if (tiers.length === 0) throw new OddsError("the pool has no tier");
  refuseRepeated(
    tiers.map(({ tier }) => tier),
    (tier) => `tier "${tier}" is listed twice`,
  );
  for (const { tier, weight } of tiers) needWeight(weight, `tier "${tier}"`);
  const all = sumOf(tiers.map(({ weight }) => weight));
  const chances = tiers.flatMap((tier) => tierChances(tier, all));
  refuseRepeated(
    chances.map(({ itemId }) => itemId),
    (itemId) => `item ${itemId} is listed twice${tiersOf(chances, itemId)}`,
  );
  const denominator = chances.reduce((multiple, chance) => {
    return lcm(multiple, reducedDenominator(chance.numerator, chance.denominator));
  }, 1n);
  const outcomes = chances.map(({ itemId, tier, ...chance }) => {
    return { itemId, tier, numerator: floorOf(chance.numerator * denominator, chance.denominator) };
  });
  needMass(outcomes, denominator);
  return { denominator, outcomes };
}

/**
 * Checks that the numerators sum to the denominator.
 *
 * @throws {OddsError} when a numerator is negative or the sum is different.
 */
export function needMass(outcomes: readonly { numerator: bigint }[], denominator: bigint): void {
  let mass = 0n;
  for (const { numerator } of outcomes) {
    if (numerator < 0n) throw new OddsError(`the numerator ${numerator} is negative`);
    mass += numerator;
  }
  if (mass !== denominator || mass === 0n)
    throw new OddsError(`the numerators sum to ${mass}, which is not the denominator ${denominator}`);
}

function tierChances({ tier, weight, slots }: OddsTier, all: bigint): Chance[] {
  if (slots.length === 0) throw new OddsError(`tier "${tier}" is empty`);
  slots.forEach((slot, index) => {
    needWeight(slot.weight, slotName(tier, slot, index));
  });
  const slotsAll = sumOf(slots.map((slot) => slot.weight));
  return slots.flatMap((slot, index) => {
    const share = { numerator: BigInt(weight) * BigInt(slot.weight), denominator: all * slotsAll };
    return slotChances(slot, { tier, named: slotName(tier, slot, index), ...share });
  });
}

function slotChances({ phases }: OddsSlot, { named, ...share }: Omit<Chance, "itemId"> & { named: string }): Chance[] {
  const weights = phases.map(({ weight }) => weight);
  if (!weights.every((weight) => Number.isSafeInteger(weight) && weight >= 0))
    throw new OddsError(`${named}: the weight of a phase must be a whole number, 0 or more`);
  const phasesAll = sumOf(weights);
  if (phasesAll === 0n) throw new OddsError(`${named}: no phase has a chance`);
  return phases.flatMap((phase) => {
    needCounterChance(phase, named);
    needWears(phase, named);
    const [counter, of] = phase.counterChance.map(BigInt) as [bigint, bigint];
    const denominator = share.denominator * phasesAll * of * BigInt(ppmAll);
    return phase.wears.flatMap(({ ppm, plainItemId, counterItemId }) => {
      const both = share.numerator * BigInt(phase.weight) * BigInt(ppm);
      const plain = { itemId: plainItemId, tier: share.tier, numerator: both * (of - counter), denominator };
      const counted = { itemId: counterItemId, tier: share.tier, numerator: both * counter, denominator };
      return [
        ...itemChance(plain, `${named}: item ${counterItemId} has no plain variant`),
        ...itemChance(counted, `${named}: item ${plainItemId} has no counter variant`),
      ];
    });
  });
}

function itemChance(chance: Omit<Chance, "itemId"> & { itemId: number | null }, missing: string): Chance[] {
  const { itemId, ...odds } = chance;
  if (itemId !== null) return [{ ...odds, itemId }];
  if (odds.numerator > 0n) throw new OddsError(`${missing}, which has a chance`);
  return [];
}

function needWeight(weight: number, named: string): void {
  if (!Number.isSafeInteger(weight) || weight <= 0)
    throw new OddsError(`${named}: the weight ${weight} must be a positive whole number`);
}

function needCounterChance({ counterChance: [counter, of] }: OddsPhase, named: string): void {
  if (!Number.isSafeInteger(counter) || !Number.isSafeInteger(of) || counter < 0 || of <= 0 || counter > of)
    throw new OddsError(`${named}: the counter chance ${counter}/${of} must be a fraction between 0 and 1`);
}

function needWears({ wears }: OddsPhase, named: string): void {
  if (!wears.every(({ ppm }) => Number.isSafeInteger(ppm) && ppm >= 0))
    throw new OddsError(`${named}: the chance of a wear must be a whole number of ppm, 0 or more`);
  const sum = sumOf(wears.map(({ ppm }) => ppm));
  if (sum !== BigInt(ppmAll))
    throw new OddsError(`${named}: the chances of its wears sum to ${sum} ppm, not ${ppmAll}`);
}

/** Returns a label with the slot's tier, number and first item. */
function slotName(tier: string, { phases }: OddsSlot, index: number): string {
  const ids = phases.flatMap(({ wears }) =>
    wears.flatMap(({ plainItemId, counterItemId }) => [plainItemId, counterItemId]),
  );
  const first = ids.find((id) => id !== null);
  return `tier "${tier}", slot ${index + 1}${first === undefined ? "" : ` (item ${first})`}`;
}

function refuseRepeated<Key>(keys: readonly Key[], message: (key: Key) => string): void {
  const seen = new Set<Key>();
  for (const key of keys) {
    if (seen.has(key)) throw new OddsError(message(key));
    seen.add(key);
  }
}

function tiersOf(chances: readonly Chance[], itemId: number): string {
  const tiers = new Set(chances.filter((chance) => chance.itemId === itemId).map(({ tier }) => `"${tier}"`));
  return ` in ${tiers.size === 1 ? "tier" : "tiers"} ${[...tiers].join(" and ")}`;
}

function sumOf(weights: readonly number[]): bigint {
  return weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
}
