import type { PriceMove, PriceRatios } from "./price-ratios.ts";

/** Names of the guards of quotes, for `--accept`. */
export const guardNames = [
  "future_time",
  "unreadable_prices",
  "joined_share",
  "shrink",
  "lost_quotes",
  "price_level",
  "price_jumps",
  "twins",
  "round_prices",
  "crossed_books",
  "first_body",
  "week_count",
  "week_price",
] as const;

export type GuardName = (typeof guardNames)[number];

/**
 * Thresholds by guard, in seconds, percent, percentage points or as a ratio. A body beyond a threshold is rejected; `round_prices` is only
 * reported.
 */
export type GuardThresholds = Readonly<Record<GuardName, number>>;

export const guardDefaults: GuardThresholds = {
  future_time: 300,
  unreadable_prices: 5,
  joined_share: 10,
  shrink: 50,
  lost_quotes: 50,
  price_level: 3,
  price_jumps: 10,
  twins: 10,
  round_prices: 50,
  crossed_books: 10,
  first_body: 20,
  week_count: 50,
  week_price: 3,
};

/**
 * A finding of a guard. `broken` means that the body exceeds the threshold. `named` means that it is unusual but accepted, or that a part
 * of it is left out. `not_judged` means that there was too little data.
 */
export type GuardFinding<Name extends string = GuardName, Threshold extends number | string = number> = {
  guard: Name;
  verdict: "broken" | "named" | "not_judged";
  /** The measured figure in words, such as `15307 of 16012 two-sided books of buff163 cross`, or the reason for `not_judged`. */
  figure: string;
  /** A number, or a text for people, such as `1/3 to 3`. */
  threshold: Threshold;
  /** Up to three example items, or ten price moves. */
  examples: readonly string[];
  /** The affected providers and sides; null for all of them. Absent if the whole body is affected. */
  of?: readonly { provider: string | null; side: "asks" | "bids" | null }[];
};

/** Minimum items for a comparison. With fewer, a guard reports `not_judged`. */
export const comparedMin = 200;
/** Percentage of lost quotes that needs no finding. */
export const goneUnnamed = 20;
/** Prices outside 1/100 to 100 times the earlier price: percentage that needs no finding, and minimum number for one. */
const leaps = { bound: 100, percent: 0.1, least: 5 };

/** Returns the number of prices that almost certainly have another unit. Null if too few for a finding. */
export function leapsOf(prices: PriceRatios): number | null {
  const count = prices.outside(leaps.bound);
  return count >= leaps.least && count * 100 > leaps.percent * prices.count ? count : null;
}

/** Range of median ratios to earlier prices that need no finding. */
export const levelNamed = { low: 0.7, high: 1.4 };
/** Minimum percentage of changed prices with one ratio, and its minimum distance from 1, for a finding. Real prices reach 15 %. */
const alike = { percent: 50, from: 0.02, least: 100 };

/** Describes prices that changed by one ratio, as after a change of currency. Null for other changes. */
export function alikeText(subject: string, prices: PriceRatios): { text: string; ratio: number } | null {
  const { count, of, ratio } = prices.alike(alike.least);
  if (of < comparedMin || count * 100 < alike.percent * of || Math.abs(Math.log(ratio)) < alike.from) return null;
  const share = `${count} of ${of} changed ${subject} from ${alike.least} cents on (${percentText(count, of)})`;
  return { text: `${share} are ${ratio.toFixed(3)} times the previous ones`, ratio };
}

/** Maximum price moves in a finding or a report. */
export const movesMax = 10;
/** Maximum other examples. */
export const examplesMax = 3;

/** Creates a finding. */
export function found<Name extends string, Threshold extends number | string>(
  guard: Name,
  verdict: "broken" | "named",
  figure: string,
  threshold: Threshold,
  examples: readonly string[] = [],
): GuardFinding<Name, Threshold> {
  return { guard, verdict, figure, threshold, examples };
}

/** Creates a finding with the verdict `not_judged`. */
export function notJudged<Name extends string, Threshold extends number | string>(
  guard: Name,
  figure: string,
  threshold: Threshold,
  examples: readonly string[] = [],
): GuardFinding<Name, Threshold> {
  return { guard, verdict: "not_judged", figure, threshold, examples };
}

/** Formats the reason for too few items. */
export function tooFew(figure: string): string {
  return `${figure}, ${comparedMin} are needed`;
}

/** Verdicts in reports of a completed import, in which a breach was accepted. */
export const verdictWords: Readonly<Record<GuardFinding["verdict"], string>> = {
  broken: "accepted",
  named: "named",
  not_judged: "unjudged",
};

/** Formats a finding: `guard price_level (threshold 3): …, such as …`. */
export function findingText({ guard, figure, threshold, examples }: GuardFinding<string, number | string>): string {
  const such = examples.length === 0 ? "" : `, such as ${examples.join("; ")}`;
  return `guard ${guard} (threshold ${threshold}): ${figure}${such}`;
}

/** Returns the findings of one verdict as sentences. */
export function findingTexts(findings: readonly GuardFinding[], verdict: GuardFinding["verdict"]): string[] {
  return findings.filter((finding) => finding.verdict === verdict).map(findingText);
}

/** Formats guards with the verdict `not_judged`, one text per reason: `price_level, lost_quotes not judged: …`. */
export function unjudgedTexts(findings: readonly GuardFinding[]): string[] {
  const unjudged = new Map<string, GuardName[]>();
  for (const { guard, verdict, figure } of findings) {
    if (verdict === "not_judged") unjudged.set(figure, [...(unjudged.get(figure) ?? []), guard]);
  }
  return Array.from(unjudged, ([why, guards]) => `${guards.join(", ")} not judged: ${why}`);
}

/** Formats a price move. */
export function moveText(name: string, { from, to }: Pick<PriceMove, "from" | "to">): string {
  return `${name}: ${from} to ${to} cents`;
}

/** Returns a share in percent. */
export function percentText(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

/** Returns a ratio with two significant digits. */
export function ratioText(ratio: number): string {
  return ratio >= 10 ? ratio.toFixed(0) : ratio.toPrecision(2);
}

/** Returns the range from the inverse of a ratio to it: `1/3 to 3`. */
export function boundText(ratio: number): string {
  return `1/${ratio} to ${ratio}`;
}

/** Returns whether a ratio is outside 1/`bound` to `bound`. */
export function isOutside(ratio: number, bound: number): boolean {
  return ratio > bound || ratio < 1 / bound;
}
