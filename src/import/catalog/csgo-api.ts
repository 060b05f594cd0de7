import { type Edition, type ItemType, withoutEdition } from "../../values/text/item-names.ts";
import { checkedRows, rowSchema, type SourceDocument, textPattern } from "./source-rows.ts";
import type { SkipReason, SourceTally } from "./source-tally.ts";
import { type CatalogObject, httpsOnly, type SourceKey } from "./variants.ts";

/** The lists of the csgo-api that items are read from, by file name without `.json`. */
export const csgoApiLists = [
  "agents",
  "collectibles",
  "collections",
  "graffiti",
  "highlights",
  "keychains",
  "keys",
  "music_kits",
  "patches",
  "tools",
] as const;
export type CsgoApiList = (typeof csgoApiLists)[number];
export type CsgoApiDocuments = Partial<Record<CsgoApiList, SourceDocument>>;

/** Facts about an object that another list or source describes; `paint` and `name` find it where there is no key. */
export type ObjectNote = {
  objectKey: string | null;
  name: string;
  paint: string | null;
  sourceKey: string;
  rarity: string | null;
  collection: string | null;
  imageUrl: string | null;
};

/**
 * Reads the lists that describe items of their own.
 * @throws {OperatorError} when a list is not of its documented shape: it names file, row and field.
 */
export function readCsgoApi(documents: CsgoApiDocuments, tally: SourceTally): CatalogObject[] {
  return csgoApiLists.flatMap((list) => {
    const document = documents[list];
    if (document === undefined || list === "collections") return [];
    return checkedRows(document, checkRow).flatMap((row) => {
      const reason = hasNoMarket(list, row);
      if (reason === null) return [objectOf(list, row)];
      tally.skip(reason, row.name);
      return [];
    });
  });
}

const usedWhenBought: ReadonlySet<string> = new Set(["Souvenir Token", "Stars for Operation"]);

/** The kits of the game's own maker without a market name are the default ones. */
function hasNoMarket(list: ItemList, { name, type, market_hash_name: marketName }: Row): SkipReason | null {
  if (typeof marketName === "string") return null;
  if (list === "music_kits" && name.startsWith("Valve, ")) return "default_equipment";
  return list === "collectibles" && usedWhenBought.has(type ?? "") ? "used_when_bought" : null;
}

/** Reads the collections: pictures, rarities and collections of what they contain and of the containers they come in. */
export function readCollections(document: SourceDocument): ObjectNote[] {
  return checkedRows(document, checkCollection).flatMap((collection) => [
    ...collection.contains.map((entry) => noteOf(entry, collection.name)),
    ...collection.crates.map((entry) => noteOf(entry, null)),
  ]);
}

type Row = {
  id: string;
  name: string;
  def_index: string;
  color_index?: number;
  market_hash_name?: string | null;
  image?: string | null;
  rarity?: { name: string };
  type?: string | null;
  collections?: { name: string }[];
};
type Entry = {
  id: string;
  name: string;
  paint_index?: string | null;
  image?: string | null;
  rarity?: { name: string };
};
type Collection = { id: string; name: string; contains: Entry[]; crates: Entry[] };

const text = { type: "string", minLength: 1, maxLength: 200, pattern: textPattern };
const nullableText = { type: ["string", "null"], pattern: textPattern };
const named = { type: "object", required: ["name"], properties: { name: text } };
const checkRow = rowSchema<Row>(["id", "name", "def_index"], {
  id: text,
  name: { ...text, maxLength: 250 },
  def_index: text,
  color_index: { type: "integer", minimum: 0 },
  market_hash_name: { ...nullableText, minLength: 1, maxLength: 250 },
  image: nullableText,
  rarity: named,
  type: nullableText,
  collections: { type: "array", items: named },
});
const entries = {
  type: "array",
  items: {
    type: "object",
    required: ["id", "name"],
    properties: { id: text, name: text, paint_index: nullableText, image: nullableText, rarity: named },
  },
};
const checkCollection = rowSchema<Collection>(["id", "name", "contains", "crates"], {
  id: text,
  name: text,
  contains: entries,
  crates: entries,
});

type ItemList = Exclude<CsgoApiList, "collections">;
const kinds: Readonly<Record<ItemList, { type: ItemType; kind: string }>> = {
  agents: { type: "Agent", kind: "item" },
  collectibles: { type: "Collectible", kind: "item" },
  graffiti: { type: "Graffiti", kind: "graffiti" },
  highlights: { type: "Charm", kind: "highlight" },
  keychains: { type: "Charm", kind: "charm" },
  keys: { type: "Key", kind: "item" },
  music_kits: { type: "Music Kit", kind: "music_kit" },
  patches: { type: "Patch", kind: "patch" },
  tools: { type: "Tool", kind: "item" },
};

/**
 * Definition indexes of keys that the list gives differently from cs2-lib. The first of all keys is there under the name of its
 * template. Three keys have another index in each source although they have one name and open one container (4016, 4017 and 4018),
 * and the market sells one thing under that name: the index of cs2-lib is taken, so that a catalog of that source alone stays as it is.
 */
const keyIndexes: ReadonlyMap<string, string> = new Map([
  ["generic_valve_key", "1203"],
  ["1304", "1308"],
  ["1305", "1307"],
  ["1309", "1313"],
]);

function objectOf(list: ItemList, row: Row): CatalogObject {
  const { type, kind } = kinds[list];
  const marketName = row.market_hash_name ?? null;
  const { base, edition } = nameAndEdition(list, marketName ?? row.name);
  return {
    objectKey: objectKeyOf(list, kind, row),
    unphasedKey: null,
    phase: null,
    type,
    base,
    baseRu: null,
    isMarketName: marketName !== null,
    sourceKeys: [sourceKeyOf(list, row, edition)],
    rarity: row.rarity?.name ?? null,
    collection: row.collections?.length === 1 ? (row.collections[0]?.name ?? null) : null,
    imageUrl: httpsOnly(row.image),
    wearRange: null,
    editions: new Set([edition]),
  };
}

function nameAndEdition(list: ItemList, name: string): { base: string; edition: Edition } {
  if (list === "highlights") return { base: name, edition: "souvenir" };
  if (list !== "music_kits") return { base: name, edition: "plain" };
  const { plainName, edition } = withoutEdition(name);
  // Kits that are not sold are listed without the prefix.
  return { base: plainName.startsWith("Music Kit | ") ? plainName : `Music Kit | ${plainName}`, edition };
}

function sourceKeyOf(list: ItemList, row: Row, edition: Edition): SourceKey {
  return { key: `csgo-api:${row.id}`, edition: list === "music_kits" ? edition : null };
}

function objectKeyOf(list: ItemList, kind: string, row: Row): string {
  const index = (list === "keys" ? keyIndexes.get(row.def_index) : undefined) ?? row.def_index;
  if (!/^\d+$/.test(index)) return `csgo-api:${row.id}`;
  return `${kind}:${index}${row.color_index === undefined ? "" : `:${row.color_index}`}`;
}

const entryKinds: ReadonlyMap<string, string> = new Map([
  ["agent", "item"],
  ["crate", "item"],
  ["graffiti", "graffiti"],
  ["keychain", "charm"],
  ["sticker", "sticker"],
]);

function noteOf(entry: Entry, collection: string | null): ObjectNote {
  const [, prefix = "", index = "", colour] = /^([a-z]+)-(\d+)(?:_(\d+))?$/.exec(entry.id) ?? [];
  const kind = entryKinds.get(prefix);
  return {
    objectKey: kind === undefined ? null : `${kind}:${index}${colour === undefined ? "" : `:${colour}`}`,
    name: entry.name,
    paint: entry.paint_index ?? null,
    sourceKey: `csgo-api:${entry.id}`,
    rarity: entry.rarity?.name ?? null,
    collection,
    imageUrl: httpsOnly(entry.image),
  };
}
