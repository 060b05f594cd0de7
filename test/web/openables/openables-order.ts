import type { Schema } from "../../../src/contract/types.ts";

/** The highest return first, then returns with bounds only, then containers without a calculation. Each group is sorted by name. */
export function byReturn(openables: readonly Schema<"Openable">[]): string[] {
  const returnOf = ({ current }: Schema<"Openable">) => Number(current?.return_pct ?? Number.NEGATIVE_INFINITY);
  const order = openables.toSorted((a, b) => {
    const [first, second] = [returnOf(a), returnOf(b)];
    if (first !== second) return second - first;
    if ((a.current === null) !== (b.current === null)) return a.current === null ? 1 : -1;
    return a.name < b.name ? -1 : 1;
  });
  return order.map(({ slug }) => slug);
}

/** Item ids: the largest contribution first, then unpriced outcomes by chance, then impossible ones. */
export function byContribution(outcomes: readonly Schema<"OpenableOutcome">[]): number[] {
  const ranks = ["priced", "unpriced", "excluded"];
  const weight = (one: Schema<"OpenableOutcome">) => BigInt(one.probability_numerator) * BigInt(one.value_cents ?? 1);
  const order = outcomes.toSorted((a, b) => {
    const rank = ranks.indexOf(a.status) - ranks.indexOf(b.status);
    if (rank !== 0) return rank;
    return weight(a) === weight(b) ? 0 : weight(a) > weight(b) ? -1 : 1;
  });
  return order.map(({ item_id }) => item_id);
}
