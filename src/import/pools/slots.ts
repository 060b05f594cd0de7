import { OddsError, type OddsPhase, type OddsSlot, type OddsWear } from "../../roi/odds.ts";
import { wearWeightsPpm } from "../../roi/wear.ts";
import {
  type PoolCatalog,
  type PoolObject,
  variantKey,
  type WearCode,
  wearCodes,
} from "../../store/read/pool-catalog.ts";
import type { Edition } from "../../values/text/item-names.ts";
import { editionsOfType } from "../catalog/variants.ts";
import { chanceOf, itemName, type PoolDefinition, type PoolItem } from "./definition.ts";
import { type Block, type BlockKind, blocked } from "./pool-block.ts";

/** Entries of a pool for one object or one finish, in list order. */
export type ListedSlot = { items: PoolItem[]; objects: PoolObject[] };

type Chance = readonly [numerator: number, denominator: number];
type WearChance = readonly [wear: WearCode, ppm: number];

const never: Chance = [0, 1];
const ppmAll = 1_000_000;

/** Converts listed slots to slots for the odds. Adds a block for each slot that cannot be resolved. */
export class SlotReader {
  /** True if a finish without phase weights was divided equally among its phases. */
  hasAssumedPhases = false;
  /** Number of outcomes read, including impossible ones. */
  outcomes = 0;
  readonly #definition: PoolDefinition;
  readonly #catalog: PoolCatalog;
  readonly #blocks: Block[];
  readonly #counterChance: Chance;

  constructor(definition: PoolDefinition, catalog: PoolCatalog, blocks: Block[]) {
    this.#definition = definition;
    this.#catalog = catalog;
    this.#blocks = blocks;
    this.#counterChance = definition.counter_chance === null ? never : chanceOf(definition.counter_chance);
  }

  /** Reads one slot. Null if it is blocked. */
  read({ items, objects }: ListedSlot): OddsSlot | null {
    const [item, ...others] = items as [PoolItem, ...PoolItem[]];
    const [object] = objects as [PoolObject, ...PoolObject[]];
    const different = others.find((other) => factsOf(other) !== factsOf(item));
    if (different !== undefined) {
      return this.#block("phases_disagree", item, `and ${itemName(different)} are phases of one finish and differ`);
    }
    const { familyKey } = object;
    const phases = familyKey === null ? [object] : this.#catalog.phasesOf(familyKey);
    if (phases.length === 0) return this.#block("variant_missing", item, "has no phase in the catalog");
    if (familyKey !== null && item.phase_weights === undefined) this.hasAssumedPhases = true;
    if (!hasWeightPerPhase(item, phases)) {
      const known = phases.map(({ phase }) => phase ?? "none").join(", ");
      return this.#block("phases_disagree", item, `: its \`phase_weights\` must name the catalog's phases: ${known}`);
    }
    const read = phases.map((phase) => this.#phase(item, phase));
    return read.includes(null) ? null : { weight: item.weight ?? 1, phases: read as OddsPhase[] };
  }

  #phase(item: PoolItem, object: PoolObject): OddsPhase | null {
    const weight = object.phase === null ? 1 : (item.phase_weights?.[object.phase] ?? 1);
    const can = (edition: Edition) => object.type !== null && editionsOfType[object.type]?.includes(edition) === true;
    const wants = this.#definition.edition;
    const edition = wants === "souvenir" && can("souvenir") ? "souvenir" : "plain";
    const counterChance = can("counter") && wants === "plain" ? this.#counterChance : never;
    const chances = this.#wearsOf(item, object);
    if (chances === null) return null;
    const wears = chances.map(([wear, ppm]): OddsWear & { wear: WearCode } => {
      const idOf = (one: Edition) => object.variants.get(variantKey(wear, one)) ?? null;
      const isAlways = counterChance[0] === counterChance[1];
      return {
        wear,
        ppm,
        plainItemId: isAlways ? null : idOf(edition),
        counterItemId: counterChance[0] === 0 ? null : idOf("counter"),
      };
    });
    const missing = weight === 0 ? [] : wears.flatMap((wear) => missingIn(wear, edition, counterChance));
    if (missing.length > 0) {
      return this.#block("variant_missing", item, `has no variant ${missing.join(", ")} in the catalog`, object);
    }
    for (const { plainItemId, counterItemId } of wears)
      this.outcomes += Number(plainItemId !== null) + Number(counterItemId !== null);
    return { weight, counterChance, wears: wears.map(({ wear: _, ...odds }) => odds) };
  }

  /** Returns the wears that are possible or in the catalog. Null if their probabilities are unknown. */
  #wearsOf(item: PoolItem, object: PoolObject): WearChance[] | null {
    if (wearCodes.every((wear) => !hasWear(object, wear))) return [["-", ppmAll]];
    const { wear_ppm: given, wear_min: min = object.wearMin, wear_max: max = object.wearMax } = item;
    if (this.#definition.wear.model === "stated" && given === undefined)
      return this.#block("wear_unknown", item, "has wears but no `wear_ppm`");
    if (given === undefined && (min === null || max === null))
      return this.#block("wear_unknown", item, "has no wear range in the catalog", object);
    try {
      const ppm = given ?? wearWeightsPpm(min!, max!);
      return wearCodes
        .map((wear, index): WearChance => [wear, ppm[index]!])
        .filter(([wear, part]) => part > 0 || hasWear(object, wear));
    } catch (error) {
      if (!(error instanceof OddsError)) throw error;
      return this.#block("wear_unknown", item, `: ${error.message}`, object);
    }
  }

  #block(kind: BlockKind, item: PoolItem, reason: string, { phase }: { phase?: string | null } = {}): null {
    const named = `${itemName(item)}${phase === undefined || phase === null ? "" : `, ${phase}`}`;
    this.#blocks.push(blocked(kind, reason.startsWith(":") ? named + reason : `${named} ${reason}`));
    return null;
  }
}

function hasWear({ variants }: PoolObject, wear: WearCode): boolean {
  return [...variants.keys()].some((key) => key.startsWith(`${wear}/`));
}

/** Returns a text such as `counter (FN)` for each possible variant that the catalog lacks. */
function missingIn(
  { wear, ppm, plainItemId, counterItemId }: OddsWear & { wear: WearCode },
  edition: Edition,
  [numerator, denominator]: Chance,
): string[] {
  if (ppm === 0) return [];
  const inWear = wear === "-" ? "" : ` (${wear})`;
  return [
    ...(plainItemId === null && numerator < denominator ? [`${edition}${inWear}`] : []),
    ...(counterItemId === null && numerator > 0 ? [`counter${inWear}`] : []),
  ];
}

function hasWeightPerPhase({ phase_weights: weights }: PoolItem, phases: readonly PoolObject[]): boolean {
  if (weights === undefined) return true;
  const known = phases.map(({ phase }) => phase);
  return (
    Object.keys(weights).length === known.length &&
    known.every((phase) => phase !== null && Object.hasOwn(weights, phase))
  );
}

/** Returns the facts of a listed item, without its reference and name, as JSON. */
function factsOf({ item: _item, name: _name, ...facts }: PoolItem): string {
  return JSON.stringify(facts);
}
