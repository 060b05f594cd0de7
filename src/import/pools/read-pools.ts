import type { ValidateFunction } from "ajv/dist/2020.js";
import { OddsError } from "../../roi/odds.ts";
import { wearWeightsPpm } from "../../roi/wear.ts";
import { fileOfProgram } from "../../values/root.ts";
import { displayText } from "../../values/text/display-text.ts";
import { type Json, toPlain } from "../../values/text/strict-json.ts";
import { parseDay } from "../../values/time/calendar.ts";
import { type FeedFile, fileJson, fileLines, refusedFile } from "../feed-file.ts";
import { shapeFault, validatorOf } from "../written-json.ts";
import {
  canonicalPool,
  chanceOf,
  itemName,
  type ParsedPool,
  type PoolDefinition,
  type PoolItem,
  poolName,
} from "./definition.ts";

type ParsedFilePool = ParsedPool & { weight_total?: number };

const shape = validatorOf<ParsedFilePool>(fileOfProgram("src/import/pools/pool-definition.schema.json"));
const ppmAll = 1_000_000;

/**
 * Reads pool definitions: one, an array of them, or one per line.
 *
 * @throws {OperatorError} when a pool is invalid. The message names the pool and the fault, and the whole file is rejected.
 */
export function readPools(body: FeedFile): PoolDefinition[] {
  const found = [...valuesOf(body)];
  if (found.length === 0) throw refusedFile(body.name, "it has no pool");
  const pools = found.map(([place, value]) => poolOf(body, place, value));
  const seen = new Set<PoolDefinition["container"]>();
  for (const pool of pools) {
    if (seen.has(pool.container)) throw refusedFile(body.name, `${poolName(pool)}: a container is given twice`);
    seen.add(pool.container);
  }
  return pools;
}

function* valuesOf(body: FeedFile): Generator<[place: string, value: Json]> {
  if (isLines(body)) {
    for (const { line, value } of fileLines(body)) yield [`line ${line}: `, value];
    return;
  }
  const value = fileJson(body);
  if (Array.isArray(value)) yield* value.map((pool, index): [string, Json] => [`pools[${index}]: `, pool]);
  else yield ["", value];
}

/** Returns whether the first line is a complete object and another line follows. */
function isLines({ bytes }: FeedFile): boolean {
  const end = bytes.indexOf("\n");
  if (end === -1) return false;
  const [first, rest] = [bytes.toString("utf8", 0, end).trim(), bytes.toString("utf8", end).trimStart()];
  return first.startsWith("{") && first.endsWith("}") && rest.startsWith("{");
}

function poolOf(body: FeedFile, place: string, value: Json): PoolDefinition {
  const parsed = toPlain(value);
  const validate = shape();
  if (!validate(parsed)) throw refusedFile(body.name, place + complaint(validate, parsed));
  const pool = canonicalPool(parsed);
  const fault = faultOf(pool, parsed);
  if (fault !== null) throw refusedFile(body.name, `${place}${poolName(pool)}: ${fault}`);
  return pool;
}

/** Checks the rules that a schema cannot express. Returns the fault, or null. */
function faultOf(pool: PoolDefinition, { weight_total: total }: ParsedFilePool): string | null {
  const sum = pool.tiers.reduce((weights, { weight }) => weights + (weight ?? 0), 0);
  if (total !== undefined && sum !== total) return `the weights of the tiers sum to ${sum}, not to ${total}`;
  return (
    datesFault(pool) ??
    chancesFault(pool) ??
    tiersFault(pool) ??
    firstOf(itemsOf(pool), (item) => itemFault(pool, item))
  );
}

function datesFault({ released_on: released, retired_on: retired }: PoolDefinition): string | null {
  for (const [name, date] of [["released_on", released] as const, ["retired_on", retired] as const]) {
    if (date !== null && parseDay(date) === null) return `\`${name}\`: the date does not exist: ${date}`;
  }
  if (released !== null && retired !== null && retired < released) return "`retired_on` is before `released_on`";
  return null;
}

function chancesFault({ requires_key: key, key_cost_cents: cents, counter_chance: text, edition }: PoolDefinition) {
  if (!key && cents > 0) return "`key_cost_cents`: must be 0 for a container without a key";
  if (text === null) return null;
  const [numerator, denominator] = chanceOf(text);
  if (text.includes("/") && numerator >= denominator) return `\`counter_chance\`: ${text} is not below 1`;
  if (edition === "souvenir" && numerator > 0) return "`counter_chance`: a souvenir has no counter variant";
  return null;
}

function tiersFault(pool: PoolDefinition): string | null {
  const tiers = new Set<string>();
  for (const { tier } of pool.tiers) {
    if (tiers.has(tier)) return `the tier ${tier} is given twice`;
    tiers.add(tier);
  }
  const items = new Set<PoolItem["item"]>();
  for (const item of itemsOf(pool)) {
    if (items.has(item.item)) return `${itemName(item)} is listed twice`;
    items.add(item.item);
  }
  return null;
}

function itemFault({ wear }: PoolDefinition, item: PoolItem): string | null {
  const { wear_min: min, wear_max: max, wear_ppm: ppm, phase_weights: phases } = item;
  const named = itemName(item);
  if ((min === undefined) !== (max === undefined)) return `${named}: give \`wear_min\` and \`wear_max\` together`;
  if (min !== undefined && max !== undefined && rangeFault(min, max) !== null)
    return `${named}: ${rangeFault(min, max)}`;
  if (ppm !== undefined && wear.model !== "stated") return `${named}: \`wear_ppm\` needs the wear model \`stated\``;
  if (ppm !== undefined && min !== undefined) return `${named}: give either \`wear_ppm\` or a wear range`;
  const sum = ppm?.reduce((parts, part) => parts + part, 0);
  if (sum !== undefined && sum !== ppmAll) return `${named}: its \`wear_ppm\` sum to ${sum}, not to ${ppmAll}`;
  if (phases !== undefined && Object.values(phases).every((weight) => weight === 0))
    return `${named}: its \`phase_weights\` are all 0`;
  return null;
}

function rangeFault(min: string, max: string): string | null {
  try {
    wearWeightsPpm(min, max);
    return null;
  } catch (error) {
    if (error instanceof OddsError) return error.message;
    throw error;
  }
}

function itemsOf({ tiers }: PoolDefinition): PoolItem[] {
  return tiers.flatMap(({ items }) => items);
}

function firstOf<T>(things: readonly T[], faultIn: (thing: T) => string | null): string | null {
  for (const thing of things) {
    const fault = faultIn(thing);
    if (fault !== null) return fault;
  }
  return null;
}

/** Describes the schema errors, with the names of container and tier if they are readable. */
function complaint({ errors }: ValidateFunction, parsed: unknown): string {
  const error = errors?.at(-1);
  const tierIndex = /^\/tiers\/(\d+)/.exec(error?.instancePath ?? "")?.[1];
  const named = [...namesAt(parsed, tierIndex)].map((name) => `${name}: `).join("");
  return named + shapeFault(error, "the pool");
}

function* namesAt(parsed: unknown, tierIndex: string | undefined): Generator<string> {
  if (typeof parsed !== "object" || parsed === null) return;
  const { container, name, tiers } = parsed as Readonly<Record<string, unknown>>;
  if (typeof container === "string" || typeof container === "number")
    yield poolName({ container, name: typeof name === "string" ? name : null });
  const tier: unknown = tierIndex === undefined || !Array.isArray(tiers) ? undefined : tiers[Number(tierIndex)]?.tier;
  if (typeof tier === "string") yield `tier ${displayText(tier)}`;
}
