import { OperatorError } from "../../values/failure/operator-error.ts";
import { type Edition, type ItemType, type Phase, phaseOf } from "../../values/text/item-names.ts";
import { poolCompletions } from "../pool-completions.ts";
import { type Cs2LibName, type Cs2LibRow, checkName, checkRow } from "./cs2-lib-rows.ts";
import { rarityName } from "./rarities.ts";
import { checkedEntries, checkedRows, type SourceDocument } from "./source-rows.ts";
import type { SkipReason, SourceTally } from "./source-tally.ts";
import { type CatalogObject, httpsOnly, type WearRange } from "./variants.ts";

/** The item list of `@ianlucas/cs2-lib` and its names; without Russian names `nameRu` stays null. */
export type Cs2LibDocuments = { items: SourceDocument; english: SourceDocument; russian: SourceDocument | null };

/**
 * Percent of the rows of a catalog that a list of names may leave without a name. It is fixed, as the thresholds of every import are: a
 * person reads the message and accepts the list. A mirror has thresholds to set, because nobody looks at each of its bodies.
 */
const unnamedRowsPercent = 10;
/** Rows without which a share of them means nothing. */
const checkedRowsMin = 20;

/**
 * Reads the item list into objects.
 * @throws {OperatorError} when a document is not of its documented shape: it names file, row and field; or when a list of names
 * leaves too many rows without one and `acceptUnnamed` is false.
 */
export function readCs2Lib(documents: Cs2LibDocuments, tally: SourceTally, acceptUnnamed = false): CatalogObject[] {
  const items = checkedRows(documents.items, checkRow, tally);
  const english = checkedEntries(documents.english, checkName, tally);
  const russian = documents.russian === null ? null : checkedEntries(documents.russian, checkName, tally);
  if (!acceptUnnamed) {
    refuseUnnamed(documents.english, items, english);
    if (documents.russian !== null && russian !== null) refuseUnnamed(documents.russian, items, russian);
  }
  const listed = listedEditions(items);
  return items.flatMap((item) => {
    const type = typeOf(item);
    if (type === null) {
      tally.unknownType(item.type);
      return [];
    }
    const names = english.get(String(item.id));
    const reason = names === undefined ? "no_name" : type === "none" ? "not_an_item" : hasNoVariant(item, type);
    if (reason !== null || names === undefined || type === "none") {
      tally.skip(reason ?? "no_name", names?.name ?? `cs2-lib:${item.id}`);
      return [];
    }
    return [objectOf(item, type, names, russian?.get(String(item.id)), listed.get(item.id))];
  });
}

/** A list of names that was cut off would take items out of the catalog, or their names in one language. */
function refuseUnnamed(
  { file }: SourceDocument,
  items: readonly Cs2LibRow[],
  names: ReadonlyMap<string, unknown>,
): void {
  const unnamed = items.filter(({ id }) => !names.has(String(id)));
  if (items.length < checkedRowsMin || unnamed.length * 100 <= unnamedRowsPercent * items.length) return;
  const share = ((100 * unnamed.length) / items.length).toFixed(1);
  const examples = unnamed.slice(0, 3).map(({ id, type }) => `${type} ${id}`);
  throw new OperatorError(
    `${file}: guard unnamed_rows (threshold ${unnamedRowsPercent}): ${unnamed.length} of ${items.length} rows (${share} %) have no name in it, such as ${examples.join("; ")}; if that is true, \`itemtape import catalog PATH... --accept unnamed_rows\` takes it; nothing was changed`,
  );
}

/** Source types of what comes out of containers. */
export const contentTypes: ReadonlyMap<string, ItemType> = new Map([
  ["weapon", "Weapon"],
  ["melee", "Knife"],
  ["glove", "Gloves"],
  ["sticker", "Sticker"],
  ["keychain", "Charm"],
  ["graffiti", "Graffiti"],
  ["patch", "Patch"],
  ["musickit", "Music Kit"],
  ["agent", "Agent"],
  ["collectible", "Collectible"],
]);

/** All source types; `none` are rows that stand for a slot or a default and not for an item. */
const types: ReadonlyMap<string, ItemType | "none"> = new Map<string, ItemType | "none">([
  ...contentTypes,
  ["case", "Container"],
  ["key", "Key"],
  ["tool", "Tool"],
  ["stub", "none"],
  ["utility", "none"],
]);

function typeOf(item: Cs2LibRow): ItemType | "none" | null {
  if (item.type === "keychain" && item.stickerIndex !== undefined) return "Sticker Slab";
  return types.get(item.type) ?? null;
}

/** Unpainted finishes but for knives, and free music kits, are equipment that everybody has; painted finishes need a wear range. */
function hasNoVariant(item: Cs2LibRow, type: ItemType): SkipReason | null {
  if (type === "Music Kit" && item.free === true) return "default_equipment";
  if (type !== "Weapon" && type !== "Knife" && type !== "Gloves") return null;
  if (item.index === undefined) return "default_equipment";
  if (item.index === 0) return type === "Knife" ? null : "default_equipment";
  return wearRangeOf(item) === null ? "no_wear_range" : null;
}

function wearRangeOf({ wearMin, wearMax }: Cs2LibRow): WearRange | null {
  return wearMin === undefined || wearMax === undefined || wearMin >= wearMax ? null : { min: wearMin, max: wearMax };
}

function objectOf(
  item: Cs2LibRow,
  type: ItemType,
  names: Cs2LibName,
  russian: Cs2LibName | undefined,
  listed: ReadonlySet<Edition> | undefined,
): CatalogObject {
  const { phase, unphasedKey } = phasing(item, names.name);
  return {
    objectKey: objectKeyOf(item, type),
    unphasedKey,
    phase,
    type,
    base: baseName(item, type, names.name),
    baseRu: russian === undefined ? null : withoutTypePrefix(type, russian.name),
    isMarketName: false,
    sourceKeys: [{ key: `cs2-lib:${item.id}`, edition: null }],
    rarity: rarityName(type, item.rarity),
    collection: names.collectionName ?? null,
    imageUrl: httpsOnly(item.image),
    wearRange: wearRangeOf(item),
    editions: new Set<Edition>(["plain", ...(listed ?? [])]),
  };
}

function objectKeyOf(item: Cs2LibRow, type: ItemType): string {
  const { def, index } = item;
  const ownKey = `cs2-lib:${item.id}`;
  switch (type) {
    case "Weapon":
    case "Knife":
    case "Gloves":
      return def === undefined || index === undefined ? ownKey : `paint:${def}:${index}`;
    case "Agent":
    case "Collectible":
    case "Container":
    case "Key":
    case "Tool":
      return def === undefined ? ownKey : `item:${def}`;
    case "Graffiti":
      return index === undefined ? ownKey : `graffiti:${index}${item.tint === undefined ? "" : `:${item.tint}`}`;
    case "Sticker Slab":
      return index === undefined ? ownKey : `charm:${index}:sticker:${item.stickerIndex}`;
    default:
      return index === undefined ? ownKey : `${indexedKinds[type]}:${index}`;
  }
}

const indexedKinds = { Sticker: "sticker", Patch: "patch", Charm: "charm", "Music Kit": "music_kit" } as const;

/** Only the Doppler finishes have phases; an alternative name on anything else is not one. */
function phasing(item: Cs2LibRow, name: string): { phase: Phase | null; unphasedKey: string | null } {
  const finish = name.endsWith(" | Gamma Doppler") ? "gamma-doppler" : name.endsWith(" | Doppler") ? "doppler" : null;
  const phase = finish === null || item.def === undefined ? null : phaseOf(item.altName);
  return { phase, unphasedKey: phase === null ? null : `paint:${item.def}:${finish}` };
}

/** Types whose display name has a prefix (`Container | …`) that the market name has not. */
const prefixedTypes: ReadonlySet<ItemType> = new Set(["Agent", "Collectible", "Container", "Key", "Tool"]);

function withoutTypePrefix(type: ItemType, name: string): string {
  const end = name.indexOf(" | ");
  return prefixedTypes.has(type) && end !== -1 ? name.slice(end + 3) : name;
}

function baseName(item: Cs2LibRow, type: ItemType, name: string): string {
  const base = withoutTypePrefix(type, name);
  if (type === "Graffiti") return base.replace(/^Graffiti \| /, "Sealed Graffiti | ");
  if (type === "Container") return base.replaceAll("Holo/Foil", "Holo-Foil");
  // A pin that came with a code from the shop is another item than the one out of a capsule, under one display name.
  if (type === "Collectible" && item.altName?.startsWith("Collectible Pin - ")) return `Genuine ${base}`;
  return base;
}

const weaponCase = 0;
const souvenirPackage = 3;

/**
 * Returns the editions beside the plain one that the list has: a weapon case opened with a key (packages and terminals without
 * one are not) gives counters, its knives included, also those that the shipped completions name; a souvenir package gives
 * souvenirs; a music kit box gives counters unless it says that it does not. Other editions exist too, which only a feed proves.
 */
function listedEditions(items: readonly Cs2LibRow[]): Map<number, Set<Edition>> {
  const typeById = new Map(items.map((item) => [item.id, item.type]));
  const knives = new Map(items.map(({ id, def, index }) => [`paint:${def}:${index}`, id]));
  const completions = poolCompletions();
  const listed = new Map<number, Set<Edition>>();
  const state = (list: readonly number[], wantedType: string, edition: Edition): void => {
    for (const id of list) {
      if (typeById.get(id) !== wantedType) continue;
      const editions = listed.get(id) ?? new Set();
      listed.set(id, editions.add(edition));
    }
  };
  for (const { type, def, containerType, contents = [], specials = [], keys = [], statTrakless = false } of items) {
    if (type !== "case") continue;
    if (containerType === souvenirPackage) state(contents, "weapon", "souvenir");
    if (statTrakless) continue;
    if (containerType === weaponCase && keys.length > 0) {
      state(contents, "weapon", "counter");
      state(specials, "melee", "counter");
      const completed = completions.get(`item:${def}`)?.specials ?? new Map<string, string>();
      state(
        [...completed.keys()].flatMap((object) => knives.get(object) ?? []),
        "melee",
        "counter",
      );
    }
    if (containerType === undefined) state(contents, "musickit", "counter");
  }
  return listed;
}
