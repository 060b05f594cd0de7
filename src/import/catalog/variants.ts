import {
  type Edition,
  type ItemType,
  marketName,
  type Phase,
  russianName,
  slugOf,
  type Wear,
  wearsWithin,
} from "../../values/text/item-names.ts";

/**
 * One exact variant of an item. `identityKey` is its identity; its name is not. `statCounter` and `souvenir` are false for a known plain
 * variant, and null if the item has no such variants. `wearMin` and `wearMax` are the range of the finish, decimal texts.
 */
export type CatalogVariant = {
  identityKey: string;
  /** The source rows that describe the variant. Empty for an unphased identity, which has no source row. */
  sourceKeys: string[];
  marketHashName: string;
  slug: string;
  type: ItemType;
  rarity: string | null;
  collection: string | null;
  phase: Phase | null;
  nameRu: string | null;
  imageUrl: string | null;
  wear: string | null;
  statCounter: boolean | null;
  souvenir: boolean | null;
  wearMin: string | null;
  wearMax: string | null;
  identity: "exact" | "unphased";
};

export type WearRange = { min: number; max: number };

/** A row of a source, for one edition of an object, or for all editions if `edition` is null. */
export type SourceKey = { key: string; edition: Edition | null };

/** An object of a catalog source, with all its wears and editions. */
export type CatalogObject = {
  /** Canonical: kind and indexes, for example `paint:507:419`. Without an index it is the source's own id. */
  objectKey: string;
  /** The object for all phases of the finish, for example `paint:507:doppler`. Null without a phase. */
  unphasedKey: string | null;
  phase: Phase | null;
  type: ItemType;
  /** Market name without star, edition and wear. */
  base: string;
  baseRu: string | null;
  /** True if the source gives the market name, false if it was built from a display name. */
  isMarketName: boolean;
  sourceKeys: SourceKey[];
  rarity: string | null;
  collection: string | null;
  imageUrl: string | null;
  wearRange: WearRange | null;
  editions: Set<Edition>;
};

/** All possible editions of a type. A feed can prove no others. */
export const editionsOfType: Readonly<Partial<Record<ItemType, readonly Edition[]>>> = {
  Weapon: ["plain", "counter", "souvenir"],
  Knife: ["plain", "counter"],
  "Music Kit": ["plain", "counter"],
};

/** Returns every exact variant of an object. */
export function expand(object: CatalogObject): CatalogVariant[] {
  const variantWears = object.wearRange === null ? [null] : wearsWithin(object.wearRange);
  return variantWears.flatMap((wear) => [...object.editions].map((edition) => variantOf(object, wear, edition)));
}

/**
 * Returns one unphased object for each phased finish. It has the wears and editions of all its phases, and only the facts that they share.
 */
export function unphasedObjects(objects: Iterable<CatalogObject>): CatalogObject[] {
  const families = new Map<string, CatalogObject>();
  for (const object of objects) {
    if (object.unphasedKey === null) continue;
    const family = families.get(object.unphasedKey);
    if (family === undefined) {
      families.set(object.unphasedKey, asUnphased(object, object.unphasedKey));
    } else {
      family.wearRange = widest(family.wearRange, object.wearRange);
      family.rarity = family.rarity === object.rarity ? family.rarity : null;
      family.collection = family.collection === object.collection ? family.collection : null;
      for (const edition of object.editions) family.editions.add(edition);
    }
  }
  return [...families.values()];
}

/** Returns a key such as `paint:507:419/FN/counter/Phase 2`: canonical object, wear, edition, phase. A missing part is `-`. */
function identityKeyOf(objectKey: string, wear: Wear | null, edition: Edition, phase: Phase | null): string {
  return `${objectKey}/${wear?.code ?? "-"}/${edition}/${phase ?? "-"}`;
}

/** Returns the identity key of another edition of the same object, wear and phase. */
export function identityKeyOfEdition(identityKey: string, edition: Edition): string {
  const parts = identityKey.split("/");
  parts[parts.length - 2] = edition;
  return parts.join("/");
}

/** Returns the two flags of an edition. A flag is null if the type has no such edition. */
export function editionFlags(type: ItemType, edition: Edition): Pick<CatalogVariant, "statCounter" | "souvenir"> {
  const isFinish = type === "Weapon" || type === "Knife";
  return {
    statCounter: isFinish || type === "Music Kit" ? edition === "counter" : null,
    souvenir: isFinish || type === "Charm" ? edition === "souvenir" : null,
  };
}

function variantOf(object: CatalogObject, wear: Wear | null, edition: Edition): CatalogVariant {
  const { base, baseRu, phase, type } = object;
  // The name of a tournament charm already contains the word.
  const parts = {
    star: type === "Knife" || type === "Gloves",
    edition: type === "Charm" ? "plain" : edition,
    wear,
  } as const;
  const name = marketName({ ...parts, base });
  return {
    identityKey: identityKeyOf(object.objectKey, wear, edition, phase),
    sourceKeys: object.sourceKeys
      .filter((row) => row.edition === null || row.edition === edition)
      .map(({ key }) => key),
    marketHashName: name,
    slug: slugOf(name, phase),
    type,
    rarity: object.rarity,
    collection: object.collection,
    phase,
    nameRu: baseRu === null ? null : russianName({ ...parts, base: baseRu }),
    imageUrl: object.imageUrl,
    wear: wear?.name ?? null,
    ...editionFlags(type, edition),
    wearMin: decimal(object.wearRange?.min),
    wearMax: decimal(object.wearRange?.max),
    identity: isUnphased(object) ? "unphased" : "exact",
  };
}

function asUnphased(object: CatalogObject, unphasedKey: string): CatalogObject {
  return {
    ...object,
    objectKey: unphasedKey,
    unphasedKey,
    phase: null,
    sourceKeys: [],
    imageUrl: null,
    editions: new Set(object.editions),
  };
}

function isUnphased(object: CatalogObject): boolean {
  return object.objectKey === object.unphasedKey;
}

function widest(a: WearRange | null, b: WearRange | null): WearRange | null {
  if (a === null || b === null) return a ?? b;
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}

const decimalDigitsMax = 12;

function decimal(value: number | undefined): string | null {
  if (value === undefined) return null;
  const text = String(value);
  return text.includes("e") ? value.toFixed(decimalDigitsMax).replace(/\.?0+$/, "") : text;
}

const urlCharsMax = 2048;

/** Returns the address if it is a full https URL. Null otherwise, for example for a relative path. */
export function httpsOnly(url: string | null | undefined): string | null {
  return url?.startsWith("https://") && url.length <= urlCharsMax && URL.canParse(url) ? url : null;
}
