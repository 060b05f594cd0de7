import { type Edition, type ItemType, withoutEdition } from "../../values/text/item-names.ts";
import { readSkins } from "./csgo-api-skins.ts";
import { checkedRows, filesOfDocument, rowSchema, type SourceDocument, textPattern } from "./source-rows.ts";
import type { SkipReason, SourceTally } from "./source-tally.ts";
import { type CatalogObject, httpsOnly, type SourceKey } from "./variants.ts";

/** The csgo-api lists with items, by file name. */
export const csgoApiLists = [
  "agents",
  "collectibles",
  "collections",
  "crates",
  "graffiti",
  "highlights",
  "keychains",
  "keys",
  "music_kits",
  "patches",
  "skins",
  "sticker_slabs",
  "stickers",
  "tools",
] as const;
export type CsgoApiList = (typeof csgoApiLists)[number];
export type CsgoApiDocuments = Partial<Record<CsgoApiList, SourceDocument>>;

/** Facts about an object from another list or source. Without a key, `paint` and `name` identify the object. */
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
 * Reads the lists of items.
 * @throws {OperatorError} when a list has another shape than documented. The message names file, row and field.
 */
export function readCsgoApi(documents: CsgoApiDocuments, tally: SourceTally): CatalogObject[] {
  return csgoApiLists.flatMap((list) => {
    const document = documents[list];
    if (document === undefined || list === "collections") return [];
    if (list === "skins") return readSkins(document, tally);
    return checkedRows(document, checkRow, tally).flatMap((row) => {
      const name = row.market_hash_name ?? row.name;
      const reason = name === undefined ? "no_name" : hasNoMarket(list, row);
      if (reason === null && name !== undefined) return [objectOf(list, row, name)];
      tally.skip(reason ?? "no_name", name ?? row.id);
      return [];
    });
  });
}

const usedWhenBought: ReadonlySet<string> = new Set(["Souvenir Token", "Stars for Operation"]);

/** Valve's own music kits without a market name are default equipment. */
function hasNoMarket(list: ItemList, { name, type, market_hash_name: marketName }: Row): SkipReason | null {
  if (marketName !== undefined) return null;
  if (list === "music_kits" && name?.startsWith("Valve, ")) return "default_equipment";
  return list === "collectibles" && usedWhenBought.has(type ?? "") ? "used_when_bought" : null;
}

/**
 * Returns the containers that rows reference in `crates`. They only have a display name; the container list replaces it by the market name.
 */
export function readNamedContainers(documents: CsgoApiDocuments): CatalogObject[] {
  const rows = Object.values(documents).flatMap((document) => filesOfDocument(document).flatMap(({ value }) => value));
  const entries = rows.flatMap((row) => (row as { crates?: unknown } | null)?.crates ?? []);
  return entries.flatMap((entry) =>
    checkEntry(entry) && entry.name !== undefined && /^crate-\d+/.test(entry.id)
      ? [objectOf("crates", { id: entry.id, name: entry.name }, entry.name)]
      : [],
  );
}

/** Reads the collections: images, rarities and collection names of their items and containers. */
export function readCollections(document: SourceDocument, tally: SourceTally): ObjectNote[] {
  return checkedRows(document, checkCollection, tally).flatMap(({ name = null, contains = [], crates = [] }) => [
    ...contains.flatMap((entry) => noteOf(entry, name, tally)),
    ...crates.flatMap((entry) => noteOf(entry, null, tally)),
  ]);
}

type Rarity = string | { name?: string };
type Row = {
  id: string;
  name?: string;
  def_index?: string | number;
  color_index?: number;
  market_hash_name?: string;
  image?: string;
  rarity?: Rarity;
  type?: string;
  collections?: { name?: string }[];
};
type Entry = { id: string; name?: string; paint_index?: string; image?: string; rarity?: Rarity };
type Collection = { id: string; name?: string; contains?: unknown[]; crates?: unknown[] };

const text = { type: "string", minLength: 1, maxLength: 250, pattern: textPattern };
const anyText = { type: "string", pattern: textPattern };
const named = { type: "object", properties: { name: text } };
/** Older lists only have the name. */
const rarity = { type: ["string", "object"], pattern: textPattern, properties: { name: text } };
const checkRow = rowSchema<Row>(["id"], {
  id: text,
  name: text,
  def_index: { type: ["string", "integer"], minLength: 1, maxLength: 200, pattern: textPattern },
  color_index: { type: "integer", minimum: 0 },
  market_hash_name: text,
  image: anyText,
  rarity,
  type: anyText,
  collections: { type: "array", items: named },
});
const checkEntry = rowSchema<Entry>(["id"], { id: text, name: text, paint_index: anyText, image: anyText, rarity });
const list = { type: "array" };
const checkCollection = rowSchema<Collection>(["id"], { id: text, name: text, contains: list, crates: list });

type ItemList = Exclude<CsgoApiList, "collections" | "skins">;
const kinds: Readonly<Record<ItemList, { type: ItemType; kind: string }>> = {
  agents: { type: "Agent", kind: "item" },
  collectibles: { type: "Collectible", kind: "item" },
  crates: { type: "Container", kind: "item" },
  graffiti: { type: "Graffiti", kind: "graffiti" },
  highlights: { type: "Charm", kind: "highlight" },
  keychains: { type: "Charm", kind: "charm" },
  keys: { type: "Key", kind: "item" },
  music_kits: { type: "Music Kit", kind: "music_kit" },
  patches: { type: "Patch", kind: "patch" },
  sticker_slabs: { type: "Sticker Slab", kind: "charm:37:sticker" },
  stickers: { type: "Sticker", kind: "sticker" },
  tools: { type: "Tool", kind: "item" },
};

/**
 * Definition indexes of keys that differ from cs2-lib. The list has the first key under the name of its template. Three keys (4016, 4017
 * and 4018) have different indexes in the two sources. Each has one name and one container, and the market sells it as one item. The
 * cs2-lib index is used, so that a catalog of cs2-lib alone stays unchanged.
 */
const keyIndexes: ReadonlyMap<string, string> = new Map([
  ["generic_valve_key", "1203"],
  ["1304", "1308"],
  ["1305", "1307"],
  ["1309", "1313"],
]);

function objectOf(list: ItemList, row: Row, name: string): CatalogObject {
  const { type, kind } = kinds[list];
  const { base, edition } = nameAndEdition(list, name);
  return {
    objectKey: objectKeyOf(list, kind, row),
    unphasedKey: null,
    phase: null,
    type,
    base,
    baseRu: null,
    isMarketName: row.market_hash_name !== undefined,
    sourceKeys: [sourceKeyOf(list, row, edition)],
    rarity: rarityOf(row),
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

/** Older rows have their definition index only in the id. */
function objectKeyOf(list: ItemList, kind: string, row: Row): string {
  if (list === "crates") return containerKeyOf(row);
  const written = String(row.def_index ?? /^[a-z_]+-(\d+)(?:_st)?$/.exec(row.id)?.[1] ?? "");
  const index = (list === "keys" ? keyIndexes.get(written) : undefined) ?? written;
  if (!/^\d+$/.test(index)) return `csgo-api:${row.id}`;
  return `${kind}:${index}${row.color_index === undefined ? "" : `:${row.color_index}`}`;
}

/**
 * Returns the canonical object of a container. A highlight package shares the definition index of the plain package; its id has a suffix,
 * for example `crate-5120_highlight`.
 */
export function containerKeyOf({ id, def_index: given }: Pick<Row, "id" | "def_index">): string {
  const [, own, suffix] = /^crate-(\d+)(?:_([a-z0-9_]+))?$/.exec(id) ?? [];
  const index = String(given ?? own ?? "");
  if (!/^\d+$/.test(index)) return `csgo-api:${id}`;
  return `item:${index}${suffix === undefined ? "" : `:${suffix}`}`;
}

function rarityOf({ rarity: written }: Pick<Row, "rarity">): string | null {
  return (typeof written === "string" ? written : written?.name) ?? null;
}

const entryKinds: ReadonlyMap<string, string> = new Map([
  ["agent", "item"],
  ["graffiti", "graffiti"],
  ["keychain", "charm"],
  ["sticker", "sticker"],
]);

function noteOf(written: unknown, collection: string | null, tally: SourceTally): ObjectNote[] {
  if (!checkEntry(written)) {
    tally.skip("malformed_row", `an entry of ${collection ?? "a collection"}`);
    return [];
  }
  const [, prefix = "", index = "", colour] = /^([a-z]+)-(\d+)(?:_(\d+))?$/.exec(written.id) ?? [];
  const kind = entryKinds.get(prefix);
  const key = kind === undefined ? null : `${kind}:${index}${colour === undefined ? "" : `:${colour}`}`;
  return [
    {
      objectKey: written.id.startsWith("crate-") ? containerKeyOf(written) : key,
      name: written.name ?? written.id,
      paint: written.paint_index ?? null,
      sourceKey: `csgo-api:${written.id}`,
      rarity: rarityOf(written),
      collection,
      imageUrl: httpsOnly(written.image),
    },
  ];
}
