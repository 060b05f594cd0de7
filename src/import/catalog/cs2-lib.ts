import { OperatorError } from "../../values/failure/operator-error.ts";
import { type Edition, type ItemType, type Phase, phaseOf } from "../../values/text/item-names.ts";
import { poolCompletions } from "../pool-completions.ts";
import { type Cs2LibName, type Cs2LibRow, checkName, checkRow } from "./cs2-lib-rows.ts";
import { rarityName } from "./rarities.ts";
import { checkedEntries, checkedRows, type SourceDocument } from "./source-rows.ts";
import type { SkipReason, SourceTally } from "./source-tally.ts";
import { type CatalogObject, httpsOnly, type WearRange } from "./variants.ts";

/** The item list of `@ianlucas/cs2-lib` and its names. Without Russian names `nameRu` stays null. */
export type Cs2LibDocuments = { items: SourceDocument; english: SourceDocument; russian: SourceDocument | null };

/**
 * Maximum share of catalog rows without a name, in percent. It is fixed, as in all imports, because a person reads the message and accepts
 * the list. A mirror has configurable thresholds, because no person checks its bodies.
 */
const unnamedRowsPercent = 10;
/** Minimum rows for a meaningful share. */
const checkedRowsMin = 20;

/**
 * Reads the item list into objects.
 * @throws {OperatorError} when a document has another shape than documented. The message names file, row and field.
 * @throws {OperatorError} when a name list lacks too many names, unless `acceptUnnamed` is true.
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

/** A truncated name list would remove items, or their names in one language, from the catalog. */
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
    `${file}: guard unnamed_rows (threshold ${unnamedRowsPercent}): ${unnamed.length} of ${items.length} rows (${share} %) have no name in the list, such as ${examples.join("; ")}; if that is correct, accept it with \`npx itemtape import catalog PATH... --accept unnamed_rows\`; nothing was changed`,
  );
}

/** Source types of items that containers hold. */
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

/** All source types. `none` marks rows for a slot or a default, which are not items. */
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

/**
 * Returns why a row is not an item. Free music kits and unpainted finishes, except knives, are default equipment. Painted finishes need a
 * wear range.
 */
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

/** Only the Doppler finishes have phases. Other alternative names are not phases. */
function phasing(item: Cs2LibRow, name: string): { phase: Phase | null; unphasedKey: string | null } {
  const finish = name.endsWith(" | Gamma Doppler") ? "gamma-doppler" : name.endsWith(" | Doppler") ? "doppler" : null;
  const phase = finish === null || item.def === undefined ? null : phaseOf(item.altName);
  return { phase, unphasedKey: phase === null ? null : `paint:${item.def}:${finish}` };
}

/** Types with a prefix in the display name (`Container | …`) that the market name lacks. */
const prefixedTypes: ReadonlySet<ItemType> = new Set(["Agent", "Collectible", "Container", "Key", "Tool"]);

function withoutTypePrefix(type: ItemType, name: string): string {
  const end = name.indexOf(" | ");
  return prefixedTypes.has(type) && end !== -1 ? name.slice(end + 3) : name;
}

function baseName(item: Cs2LibRow, type: ItemType, name: string): string {
  const base = withoutTypePrefix(type, name);
  if (type === "Graffiti") return base.replace(/^Graffiti \| /, "Sealed Graffiti | ");
  if (type === "Container") return base.replaceAll("Holo/Foil", "Holo-Foil");
  // A pin with a shop code and a pin from a capsule are different items with one display name.
  if (type === "Collectible" && item.altName?.startsWith("Collectible Pin - ")) return `Genuine ${base}`;
  return base;
}

const weaponCase = 0;
const souvenirPackage = 3;

/**
 * Returns the editions other than plain that the list proves. A weapon case with a key has counters, also for its knives and for the knives
 * of the shipped completions. Packages and terminals need no key. A souvenir package has souvenirs. A music kit box has counters unless the
 * list denies it. Only a feed can prove further editions.
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
