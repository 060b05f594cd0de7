import type { ItemType } from "../../values/text/item-names.ts";
import type { Cs2LibRow } from "../catalog/cs2-lib-rows.ts";
import { type Cs2LibPools, type ListContainer, listContainers, type NamedItem } from "./cs2-lib-list.ts";
import type { PoolDraft, SourceFile } from "./definition.ts";
import { type KitCounters, type ListedContainer, type ListedItem, poolsOfList } from "./source-list.ts";

/**
 * Makes one draft per container, in the order of the list.
 *
 * @throws {OperatorError} when the list is faulty, as `listContainers`.
 */
export function cs2LibPools(documents: Cs2LibPools, files: readonly SourceFile[] = []): PoolDraft[] {
  return poolsOfList(listContainers(documents).map(containerOf), { source: "cs2-lib", files });
}

const containerKinds: ReadonlyMap<number, ListedContainer["kind"]> = new Map([
  [0, "weapon_case"],
  [3, "souvenir_package"],
]);

const itemTypes: ReadonlyMap<string, ItemType> = new Map([
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

function containerOf({ row, name, contents, specials }: ListContainer): ListedContainer {
  return {
    reference: `cs2-lib:${row.id}`,
    name,
    kind: containerKinds.get(row.containerType ?? Number.NaN) ?? "other",
    hasKey: (row.keys ?? []).length > 0,
    counters: countersOf(row),
    contents: contents.map(itemOf),
    specials: specials.map(itemOf),
  };
}

function countersOf({ statTrakOnly, statTrakless }: Cs2LibRow): KitCounters {
  if (statTrakOnly === true && statTrakless !== true) return "all";
  if (statTrakless === true && statTrakOnly !== true) return "none";
  return statTrakOnly === undefined && statTrakless === undefined ? "by_name" : "unknown";
}

function itemOf({ id, name, type, rarity }: NamedItem): ListedItem {
  return { reference: `cs2-lib:${id}`, name, type: itemTypes.get(type) ?? null, colour: rarity };
}
