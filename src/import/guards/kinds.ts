import type { ProviderFacts } from "../../store/write/feeds.ts";

export type ProviderKind = ProviderFacts["kind"];

/** A range of ratios, both ends inclusive. */
export type Range = { low: number; high: number };

/** Usual ratios between two kinds of providers, or within one kind. Other ratios are reported. */
const usual: readonly (Range & { kind: ProviderKind; of: ProviderKind })[] = [
  { kind: "cash", of: "main_platform", low: 0, high: 1.3 },
  { kind: "main_platform", of: "cash", low: 0.75, high: Number.POSITIVE_INFINITY },
  ...(["cash", "main_platform", "trade"] as const).map((kind) => ({ kind, of: kind, low: 0.5, high: 2 })),
];

/** Returns the kinds to compare a provider with, each with its usual ratios. */
export function usualRatios(own: ProviderKind): { of: ProviderKind; range: Range }[] {
  return usual.flatMap(({ kind, of, low, high }) => (kind === own ? [{ of, range: { low, high } }] : []));
}

/** Returns whether a ratio is in a range. */
export function isWithin(ratio: number, { low, high }: Range): boolean {
  return ratio >= low && ratio <= high;
}

/**
 * Returns the unit error that explains a ratio, as the end of a sentence. Empty if neither cents nor dollars do. `range` holds the correct
 * ratios.
 */
export function unitHint(ratio: number, range: Range = { low: 0.9, high: 1.1 }): string {
  if (isWithin(ratio * 100, range)) return ": dollars instead of cents, or cents divided by 100";
  return isWithin(ratio / 100, range) ? ": cents instead of dollars, or cents multiplied by 100" : "";
}
