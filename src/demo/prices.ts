import { wearNames } from "../values/text/item-names.ts";
import {
  knifeCents,
  knifeFinishPct,
  knownContainers,
  knownFinishes,
  knownKnives,
  otherContainers,
  phasePct,
} from "./known-prices.ts";

/** The item attributes that determine its demo price. */
export type DemoItem = {
  itemId: number;
  marketHashName: string;
  phase: string | null;
  rarity: string | null;
  type: string | null;
  collection: string | null;
  wear: string | null;
  statCounter: boolean | null;
  souvenir: boolean | null;
};

/** Price of each wear, in percent of the reference price: for finishes without a listed price, for knives, and for gloves. */
const wearPct = {
  weapon: [235, 138, 100, 94, 88],
  knife: [100, 88, 78, 74, 70],
  gloves: [620, 230, 100, 80, 66],
};

/** Median price by rarity of a finish in Field-Tested, or by type of other items, in USD cents. */
const weaponCents: Readonly<Record<string, number>> = {
  "Consumer Grade": 4,
  "Industrial Grade": 8,
  "Mil-Spec Grade": 24,
  Restricted: 130,
  Classified: 520,
  Covert: 2_600,
};
const typeCents: Readonly<Record<string, number>> = {
  Gloves: 14_000,
  Container: 120,
  Key: 249,
  Sticker: 60,
  "Sticker Slab": 70,
  Graffiti: 5,
  Patch: 90,
  Charm: 80,
  Agent: 400,
  "Music Kit": 350,
};

/** Some contents of this collection's case have no offer, so its return has low confidence. */
const thinCollection = "The Recoil Collection";

/** Returns whether the demo world has a long history of the item. This holds for about 150 well-known items in their most traded wears. */
export function isKnown({ marketHashName, collection, wear, statCounter, souvenir, type }: DemoItem): boolean {
  if (type === "Container") return knownContainers[marketHashName] !== undefined;
  if (statCounter === true || souvenir === true || wear === null || collection === thinCollection) return false;
  const base = baseName(marketHashName);
  if (knownKnives.includes(base)) return wear === "Factory New" || wear === "Field-Tested";
  const prices = knownFinishes[base];
  if (prices === undefined) return false;
  return (
    wear === "Field-Tested" || (type === "Weapon" && prices.findIndex((cents) => cents > 0) === wearNames.indexOf(wear))
  );
}

/** Returns the item's current price at a cash marketplace, in USD cents. Marketplace differences are not applied. */
export function baseCents(item: DemoItem): number {
  const cents = plainCents(item);
  if (item.souvenir === true) return cents * 2.6;
  if (item.statCounter !== true) return cents;
  // A counter adds less to a more expensive finish.
  return cents * (item.type === "Knife" ? 1.12 : cents < 500 ? 2.4 : cents < 10_000 ? 2 : 1.6);
}

function plainCents(item: DemoItem): number {
  const { marketHashName, wear, type, rarity, phase } = item;
  const base = baseName(marketHashName);
  const wearIndex = wear === null ? -1 : wearNames.indexOf(wear);
  const ofPhase = phase === null ? 1 : (phasePct[phase] ?? 100) / 100;
  if (type === "Container") return knownContainers[base] ?? otherContainers[base] ?? typeCents.Container!;
  if (type === "Knife") return knifePrice(base, wearIndex) * ofPhase;
  const known = knownFinishes[base]?.[wearIndex] ?? 0;
  if (known > 0) return known * ofPhase;
  if (type === "Key") return typeCents.Key!;
  if (type === "Gloves") return spread(base, typeCents.Gloves!, 0.5) * share(wearPct.gloves, wearIndex) * ofPhase;
  if (type === "Weapon")
    return spread(base, weaponCents[rarity ?? ""] ?? 300, 0.5) * share(wearPct.weapon, wearIndex) * ofPhase;
  return spread(base, typeCents[type ?? ""] ?? 300, 1.6);
}

function knifePrice(base: string, wearIndex: number): number {
  const [model = "", finish] = base.split(" | ");
  const cents = knifeCents[model] ?? 15_000;
  return finish === undefined
    ? cents
    : cents * ((knifeFinishPct[finish] ?? 100) / 100) * share(wearPct.knife, wearIndex);
}

/** Returns the median moved up or down at random, seeded by the name. The maximum factor is 10 ** (`width` / 2). */
function spread(base: string, medianCents: number, width: number): number {
  return medianCents * 10 ** ((demoChance(`${base} worth`) - 0.5) * width);
}

function share(percents: readonly number[], index: number): number {
  return (percents[index] ?? 100) / 100;
}

/** Returns the name without star, edition and wear. */
export function baseName(marketHashName: string): string {
  return marketHashName
    .replace(/^(?:★ )?(?:StatTrak™ |Souvenir )?/, "")
    .replace(/ \([A-Z][a-z]+[- ][A-Z][a-z]+\)$/, "");
}

/** Returns a number in [0, 1) that depends only on `question`: FNV-1a with a final mix. */
export function demoChance(question: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < question.length; index += 1)
    hash = Math.imul(hash ^ question.charCodeAt(index), 0x01000193);
  return mixed(hash);
}

/** Returns a number in [0, 1) that depends only on the seed and the position. */
export function demoDraw(seed: number, position: number): number {
  return mixed(Math.imul(seed ^ Math.imul(position + 1, 0x9e3779b1), 0x85ebca6b) ^ (position * 0x01000193));
}

function mixed(start: number): number {
  let hash = Math.imul(start ^ (start >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32;
}
