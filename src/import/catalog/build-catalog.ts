import type { ItemType } from "../../values/text/item-names.ts";
import { type Cs2LibDocuments, readCs2Lib } from "./cs2-lib.ts";
import {
  type CsgoApiDocuments,
  type ObjectNote,
  readCollections,
  readCsgoApi,
  readNamedContainers,
} from "./csgo-api.ts";
import { type SkipCount, SourceTally } from "./source-tally.ts";
import { type CatalogObject, type CatalogVariant, expand, unphasedObjects } from "./variants.ts";

export type CatalogDocuments = { cs2Lib: Cs2LibDocuments | null; csgoApi: CsgoApiDocuments | null };

export type CatalogReport = {
  /** Number of distinct objects by type (each phase is one), then number of exact variants. */
  objects: Partial<Record<ItemType, number>>;
  variants: Partial<Record<ItemType, number>>;
  unphased: number;
  /** Number of objects that both sources describe. */
  merged: number;
  /** Rows that did not become an item, by reason. */
  skipped: SkipCount[];
  /** Rows of unknown types, by the source's word for the type. */
  unknownTypes: Record<string, number>;
};

export type Catalog = { variants: CatalogVariant[]; report: CatalogReport };

/**
 * Returns every exact variant that the sources describe. Each identity occurs once, in the order of the sources.
 * @throws {OperatorError} when a document has another shape than documented. The message names file, row and field.
 */
export function buildCatalog({ cs2Lib, csgoApi }: CatalogDocuments, acceptUnnamed = false): Catalog {
  const tally = new SourceTally();
  const objects = new Map<string, CatalogObject>();
  for (const object of cs2Lib === null ? [] : readCs2Lib(cs2Lib, tally, acceptUnnamed)) {
    if (objects.has(object.objectKey)) tally.skip("duplicate_object", object.base);
    else objects.set(object.objectKey, object);
  }
  const merged = csgoApi === null ? 0 : addCsgoApi(objects, readCsgoApi(csgoApi, tally), tally);
  for (const container of readNamedContainers(csgoApi ?? {}))
    if (!objects.has(container.objectKey)) objects.set(container.objectKey, container);
  if (csgoApi?.collections !== undefined) addNotes(objects, readCollections(csgoApi.collections, tally), tally);
  agreeOnEditions(objects.values());
  const all = [...objects.values(), ...unphasedObjects(objects.values())];
  const variants = all.flatMap(expand);
  return {
    variants,
    report: {
      objects: countTypes(objects.values()),
      variants: countTypes(variants),
      unphased: variants.filter(({ identity }) => identity === "unphased").length,
      merged,
      skipped: tally.skips,
      unknownTypes: tally.unknownTypes,
    },
  };
}

/** Merges the second source into the first. Returns the number of objects that both describe. */
function addCsgoApi(objects: Map<string, CatalogObject>, added: CatalogObject[], tally: SourceTally): number {
  const ofFirst = new Set(objects.keys());
  const merged = new Set<string>();
  for (const object of added) {
    const known = objects.get(object.objectKey);
    if (known === undefined) {
      objects.set(object.objectKey, object);
    } else {
      if (ofFirst.has(object.objectKey)) merged.add(object.objectKey);
      else if (object.editions.isSubsetOf(known.editions)) tally.skip("duplicate_object", object.base);
      mergeInto(known, object);
    }
  }
  return merged.size;
}

/** Merges one object. The second source has market names and full image URLs; the first has Russian names and wear ranges. */
function mergeInto(known: CatalogObject, added: CatalogObject): void {
  if (added.isMarketName && !known.isMarketName) {
    known.base = added.base;
    known.isMarketName = true;
  }
  known.rarity = added.rarity ?? known.rarity;
  known.collection ??= added.collection;
  known.imageUrl = added.imageUrl ?? known.imageUrl;
  known.sourceKeys.push(...added.sourceKeys);
  for (const edition of added.editions) known.editions.add(edition);
}

function addNotes(objects: ReadonlyMap<string, CatalogObject>, notes: readonly ObjectNote[], tally: SourceTally): void {
  const painted = new Map<string, CatalogObject>();
  for (const object of objects.values()) {
    const [kind, , paint] = object.objectKey.split(":");
    if (kind === "paint" && paint !== undefined) painted.set(`${object.base}:${paint}`, object);
  }
  for (const note of notes) {
    const key = note.objectKey;
    const object = key === null ? painted.get(`${note.name}:${note.paint}`) : objects.get(key);
    if (object === undefined) {
      tally.skip("only_in_collection", note.name);
      continue;
    }
    object.imageUrl ??= note.imageUrl;
    object.rarity ??= note.rarity;
    object.collection ??= note.collection;
    if (object.sourceKeys.every((row) => row.key !== note.sourceKey))
      object.sourceKeys.push({ key: note.sourceKey, edition: null });
  }
}

/** Gives all phases of a finish the same editions. A container may list one phase or all, but always means all. */
function agreeOnEditions(objects: Iterable<CatalogObject>): void {
  const families = new Map<string, CatalogObject["editions"]>();
  for (const object of objects) {
    if (object.unphasedKey === null) continue;
    const shared = families.get(object.unphasedKey) ?? object.editions;
    for (const edition of object.editions) shared.add(edition);
    families.set(object.unphasedKey, shared);
    object.editions = shared;
  }
}

function countTypes(values: Iterable<{ type: ItemType }>): Partial<Record<ItemType, number>> {
  const counts: Partial<Record<ItemType, number>> = {};
  for (const { type } of values) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}
