import type { PoolCatalog, PoolObject } from "../../store/read/pool-catalog.ts";
import { wears, withoutEdition } from "../../values/text/item-names.ts";
import { unpainted } from "../pool-completions.ts";
import { type PoolDefinition, rareSpecial } from "./definition.ts";
import { type Block, blocked } from "./pool-block.ts";

type TierObjects = { tier: string; slots: readonly { objects: readonly PoolObject[] }[] };

type Finishes = Map<string, Set<string>>;

/** Maximum missing names in the reason of a block. */
const namesShown = 30;

/**
 * Yields a block if the rare specials of a definition seem truncated.
 *
 * There are three indications. The list is as long as the longest lists of its source. A knife lacks finishes of the other knives. Feeds
 * name knives outside all pools with exactly the finishes of this list. A completed list is not checked, and neither is a definition with a
 * source for its completeness.
 */
export function* cutBlocks(
  { list_reference, shared_maximum: maximum, completed }: PoolDefinition,
  tiers: readonly TierObjects[],
  catalog: PoolCatalog,
): Generator<Block> {
  if (list_reference !== undefined || completed !== undefined) return;
  const specials = tiers.find(({ tier }) => tier === rareSpecial)?.slots ?? [];
  const listed = finishesOf(specials.flatMap(({ objects }) => objects.filter(isKnife).flatMap(({ names }) => names)));
  const holes = holesIn(listed);
  const unheld = listed.size < 2 ? [] : unheldIn(listed, catalog.feedDerivedKnives(), maximum !== undefined);
  if (maximum === undefined && holes.length === 0 && unheld.length === 0) return;
  const signs = [
    ...(maximum === undefined
      ? []
      : [`${maximum.lists} lists of its source end at ${maximum.entries} rare specials and none is longer`]),
    ...(holes.length === 0 ? [] : [`knives beside them have the finishes of ${nameList(holes)}`]),
    ...(unheld.length === 0 ? [] : [`feeds name ${nameList(unheld)}, which no pool holds`]),
  ];
  yield blocked("list_looks_cut", `its list of rare specials looks cut off: ${signs.join("; ")}`);
}

function isKnife({ type }: PoolObject): boolean {
  return type === "Knife";
}

/** Groups market names by knife: `M9 Bayonet` to `Fade`, `Night`, … */
function finishesOf(names: readonly string[]): Finishes {
  const knives: Finishes = new Map();
  for (const name of names) {
    const [knife = "", finish = unpainted] = bareName(name).split(" | ");
    knives.set(knife, (knives.get(knife) ?? new Set()).add(finish));
  }
  return knives;
}

const wearSuffixes = wears.map(({ name }) => ` (${name})`);

function bareName(name: string): string {
  const plain = withoutEdition(name).plainName.replace(/^★ /, "");
  const wear = wearSuffixes.find((suffix) => plain.endsWith(suffix)) ?? "";
  return plain.slice(0, plain.length - wear.length);
}

/** Returns the knives that lack a finish of most other knives, but share at least half of these finishes. */
function holesIn(listed: Finishes): string[] {
  return [...listed].flatMap(([knife, own]) => {
    const family = commonFinishes([...listed].filter(([other]) => other !== knife).map(([, finishes]) => finishes));
    const missing = [...family].filter((finish) => !own.has(finish));
    return missing.length * 2 > family.size ? [] : missing.map((finish) => nameOf(knife, finish));
  });
}

/** Returns the finishes of more than half of the knives. */
function commonFinishes(knives: readonly ReadonlySet<string>[]): Set<string> {
  const counts = new Map<string, number>();
  for (const finish of knives.flatMap((finishes) => [...finishes])) counts.set(finish, (counts.get(finish) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count * 2 > knives.length).map(([finish]) => finish));
}

/**
 * Returns the names of knives that only feeds know and that match the list. A knife matches if feeds name it in every painted finish of the
 * list and in no other. In a list that ends at a shared maximum, half of the finishes are enough.
 */
function unheldIn(listed: Finishes, feedNames: readonly string[], isAtMaximum: boolean): string[] {
  const family = commonFinishes([...listed.values()]);
  const painted = [...family].filter((finish) => finish !== unpainted);
  return [...finishesOf(feedNames)].flatMap(([knife, finishes]) => {
    const own = listed.get(knife);
    const missing = [...finishes].filter((finish) => !own?.has(finish));
    const fits = missing.length > 0 && missing.every((finish) => family.has(finish));
    const shared = painted.filter((finish) => finishes.has(finish)).length;
    const isProven = own !== undefined || shared === painted.length || (isAtMaximum && shared * 2 >= painted.length);
    return fits && isProven ? missing.map((finish) => nameOf(knife, finish)) : [];
  });
}

function nameOf(knife: string, finish: string): string {
  return finish === unpainted ? knife : `${knife} | ${finish}`;
}

function nameList(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).join(", ");
  return names.length > namesShown ? `${shown} and ${names.length - namesShown} more` : shown;
}
