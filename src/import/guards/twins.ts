import { wearNames, withoutEdition } from "../../values/text/item-names.ts";
import { examplesMax, percentText } from "./findings.ts";
import type { PriceRatios } from "./price-ratios.ts";

/** Kinds of twins: phases of one name, the counter edition and the plain one, two adjacent wears of one finish. */
const kinds = ["phases", "editions", "wears"] as const;
type TwinKind = (typeof kinds)[number];

/** Pairs of item ids. Pair n is at positions 2n and 2n + 1. */
export type TwinPairs = Readonly<Record<TwinKind, Uint32Array>>;

/** Items by name, each with its phase. */
type NamedItems = ReadonlyMap<string, readonly { itemId: number; phase: string | null }[]>;

/** Twins with prices before and now. `turned` counts the twins with a reversed order. */
type Turned = { kind: TwinKind; turned: number; pairs: number; examples: readonly [number, number][] };

/** Minimum ratio of two prices that defines an order. */
const margin = 1.2;
/** Minimum pairs for a meaningful share. */
const pairsMin = 50;
const ofIndex = new WeakMap<NamedItems, TwinPairs>();

const twinTexts: Readonly<Record<TwinKind, string>> = {
  phases: "pairs of phases",
  editions: "pairs of StatTrak and plain items",
  wears: "pairs of neighbouring wears",
};

/** Returns whether more than `percent` % of enough pairs have a reversed order. */
export function isBeyond({ turned, pairs }: Turned, percent: number): boolean {
  return pairs >= pairsMin && turned * 100 > percent * pairs;
}

/** Formats a count: `10 of 336 pairs of phases (3.0 %)`. */
export function turnedText({ kind, turned, pairs }: Turned): string {
  return `${turned} of ${pairs} ${twinTexts[kind]} (${percentText(turned, pairs)})`;
}

/** Returns the twins among the items of an index, cached by index. */
export function twinsOf(items: NamedItems): TwinPairs {
  const known = ofIndex.get(items);
  if (known !== undefined) return known;
  const pairs: Record<TwinKind, number[]> = { phases: [], editions: [], wears: [] };
  for (const [name, named] of items) {
    for (const one of named) {
      const later = named.filter(({ itemId, phase }) => itemId > one.itemId && phase !== null);
      if (one.phase !== null) for (const { itemId } of later) pairs.phases.push(one.itemId, itemId);
      addTwin(pairs.editions, one, items.get(plainNameOf(name)));
      addTwin(pairs.wears, one, items.get(nextWearOf(name)));
    }
  }
  const made = { phases: Uint32Array.from(pairs.phases), editions: Uint32Array.from(pairs.editions) };
  const twins = { ...made, wears: Uint32Array.from(pairs.wears) };
  ofIndex.set(items, twins);
  return twins;
}

/** Counts the twins with a reversed price order, by kind. */
export function turnedTwins(twins: TwinPairs, prices: PriceRatios): Turned[] {
  const index = prices.byItem();
  return kinds.map((kind) => {
    const ids = twins[kind];
    const found = { kind, turned: 0, pairs: 0, examples: [] as [number, number][] };
    for (let at = 0; at < ids.length; at += 2) {
      const [one, other] = [index.at(ids[at]!), index.at(ids[at + 1]!)];
      if (one === null || other === null) continue;
      found.pairs += 1;
      if (orderOf(one.from, other.from) * orderOf(one.to, other.to) >= 0) continue;
      found.turned += 1;
      if (found.examples.length < examplesMax) found.examples.push([ids[at]!, ids[at + 1]!]);
    }
    return found;
  });
}

function addTwin(
  pairs: number[],
  { itemId, phase }: { itemId: number; phase: string | null },
  others: NamedOnes,
): void {
  const twin = others?.find((other) => other.phase === phase);
  if (twin !== undefined) pairs.push(itemId, twin.itemId);
}

type NamedOnes = ReturnType<NamedItems["get"]>;

/** Returns the plain name of a counter edition. Empty for other names. */
function plainNameOf(name: string): string {
  const { plainName, edition } = withoutEdition(name);
  return edition === "counter" ? plainName : "";
}

/** Returns the same name in the next wear. Empty if it is the last wear. */
function nextWearOf(name: string): string {
  if (!name.endsWith(")")) return "";
  const index = wearNames.findIndex((wear) => name.endsWith(`(${wear})`));
  const next = wearNames[index + 1];
  return index < 0 || next === undefined ? "" : `${name.slice(0, -wearNames[index]!.length - 1)}${next})`;
}

/** Returns 1 if the first price is higher, -1 if the second price is, and 0 if they are about equal. */
function orderOf(one: number, other: number): number {
  if (one > margin * other) return 1;
  return other > margin * one ? -1 : 0;
}
