import type { ProviderFacts } from "../../store/write/feeds.ts";

export type ProviderKind = ProviderFacts["kind"];

/** Range of a ratio, both ends in it. */
export type Range = { low: number; high: number };

/** Lowest and highest ratio of one kind of provider to another, and of two of one kind: one beyond is named. */
const usual: readonly (Range & { kind: ProviderKind; of: ProviderKind })[] = [
  { kind: "cash", of: "main_platform", low: 0, high: 1.3 },
  { kind: "main_platform", of: "cash", low: 0.75, high: Number.POSITIVE_INFINITY },
  ...(["cash", "main_platform", "trade"] as const).map((kind) => ({ kind, of: kind, low: 0.5, high: 2 })),
];

/** Returns the kinds that providers of a kind are compared with, each with the ratios that are not named. */
export function usualRatios(own: ProviderKind): { of: ProviderKind; range: Range }[] {
  return usual.flatMap(({ kind, of, low, high }) => (kind === own ? [{ of, range: { low, high } }] : []));
}

/** Returns whether a ratio is in a range. */
export function isWithin(ratio: number, { low, high }: Range): boolean {
  return ratio >= low && ratio <= high;
}

/** Returns the unit that explains a ratio which `range` would be the truth of, as the end of a sentence; "": none does. */
export function unitHint(ratio: number, range: Range = { low: 0.9, high: 1.1 }): string {
  if (isWithin(ratio * 100, range)) return ": dollars where cents are expected, or cents divided by 100";
  return isWithin(ratio / 100, range) ? ": cents where dollars are expected, or cents multiplied by 100" : "";
}
