import type { OddsPhase, OddsTier } from "../../src/roi/odds.ts";

/** One of equally likely ways in which an opening can go. */
export type State = { tier: string; itemId: number };

const slotTokens = 12;
const phaseTokens = 6;
const quarters = 4;

/**
 * All possible openings, one by one. There is a lot per unit of tier weight. Each then has twelve lots over the slots, six over the phases,
 * four over counter or plain and four over the wears. Slot weights must sum to a divisor of 12, phase weights to a divisor of 6. Counter
 * chances and wears must be quarters.
 */
export function statesOf(tiers: readonly OddsTier[]): State[] {
  const states: State[] = [];
  for (const tier of lots(tiers, total(tiers)))
    for (const slot of lots(tier.slots, slotTokens))
      for (const phase of lots(slot.phases, phaseTokens))
        for (let chance = 0; chance < quarters; chance++)
          for (const wear of lots(phase.wears.map(weighted), quarters)) {
            const { plainItemId, counterItemId } = wear.of;
            states.push({ tier: tier.tier, itemId: (chance < countedLots(phase) ? counterItemId : plainItemId)! });
          }
  return states;
}

function countedLots({ counterChance: [counter, of] }: OddsPhase): number {
  return counter * (quarters / of);
}

function weighted(wear: OddsPhase["wears"][number]) {
  return { weight: wear.ppm, of: wear };
}

/** Returns `count` lots, with each part repeated in proportion to its weight. */
function lots<Part extends { weight: number }>(parts: readonly Part[], count: number): Part[] {
  const all = total(parts);
  const drawn = parts.flatMap((part) => Array.from({ length: (part.weight * count) / all }, () => part));
  if (drawn.length !== count) throw new Error(`${count} lots cannot be drawn from weights that sum to ${all}`);
  return drawn;
}

function total(parts: readonly { weight: number }[]): number {
  return parts.reduce((sum, { weight }) => sum + weight, 0);
}
