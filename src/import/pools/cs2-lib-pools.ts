import { displayText } from "../../values/text/display-text.ts";
import { contentTypes } from "../catalog/cs2-lib.ts";
import { type Cs2LibRow, checkName, checkRow } from "../catalog/cs2-lib-rows.ts";
import { checkedEntries, checkedRows, type SourceDocument } from "../catalog/source-rows.ts";
import { SourceTally } from "../catalog/source-tally.ts";
import type { PoolDraft, SourceFile } from "./definition.ts";
import {
  type KitCounters,
  type ListedContainer,
  type ListedItem,
  poolsOfList,
  refusal,
  soundContainers,
} from "./source-list.ts";

export type Cs2LibPools = { items: SourceDocument; english: SourceDocument };

/** A container with its contents. `name` is its market name. */
type ListContainer = { row: Cs2LibRow; name: string; contents: NamedItem[]; specials: NamedItem[] };
type NamedItem = Cs2LibRow & { name?: string };

/**
 * Creates one draft per container, in list order. Faulty rows and containers are left out and counted.
 *
 * @throws {OperatorError} when an id occurs twice, or too many rows or all containers are faulty.
 */
export function cs2LibPools(
  documents: Cs2LibPools,
  files: readonly SourceFile[] = [],
  tally = new SourceTally(),
): PoolDraft[] {
  return poolsOfList(listContainers(documents, tally).map(containerOf), { source: "cs2-lib", files });
}

const containerKinds: ReadonlyMap<number, ListedContainer["kind"]> = new Map([
  [0, "weapon_case"],
  [3, "souvenir_package"],
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
  return { reference: `cs2-lib:${id}`, name, type: contentTypes.get(type) ?? null, colour: rarity };
}

function listContainers({ items, english }: Cs2LibPools, tally: SourceTally): ListContainer[] {
  const byId = new Map<number, Cs2LibRow>();
  for (const row of checkedRows(items, checkRow, tally)) {
    if (byId.has(row.id)) throw refusal(items, `the id ${row.id} is in the list twice`);
    byId.set(row.id, row);
  }
  const names = checkedEntries(english, checkName, tally);
  const containers = [...byId.values()].filter(({ type }) => type === "case");
  if (containers.length === 0) throw refusal(items, "the list has no containers");
  return soundContainers(containers, items, tally, (row) => {
    const name = withoutPrefix(names.get(String(row.id))?.name);
    if (name === undefined) return `container cs2-lib:${row.id}: has no name`;
    const fault = faultIn(row, byId);
    if (fault !== null) return `container "${displayText(name)}" (cs2-lib:${row.id}): ${fault}`;
    const read = (ids: readonly number[] = []) =>
      ids.map((id): NamedItem => {
        const itemName = withoutPrefix(names.get(String(id))?.name);
        return { ...byId.get(id)!, ...(itemName === undefined ? {} : { name: itemName }) };
      });
    return { row, name, contents: read(row.contents), specials: read(row.specials) };
  });
}

/**
 * Returns the fault of a container's list: it is empty, or an id is repeated, is unknown or has an empty wear range. Null if it is valid.
 */
function faultIn({ contents = [], specials }: Cs2LibRow, byId: ReadonlyMap<number, Cs2LibRow>): string | null {
  if (contents.length === 0) return "has no contents";
  if (specials?.length === 0) return "its tier of specials is empty";
  const seen = new Set<number>();
  for (const id of [...contents, ...(specials ?? [])]) {
    const item = byId.get(id);
    if (item === undefined) return `lists ${id}, which is not in the list of items`;
    if (seen.has(id)) return `lists ${id} twice`;
    seen.add(id);
    const { wearMin, wearMax } = item;
    if (wearMin !== undefined && wearMax !== undefined && wearMin >= wearMax)
      return `the wear range of ${id}, ${wearMin} to ${wearMax}, is reversed or empty`;
  }
  return null;
}

/** Removes the type prefix, such as `Container | `, from an English name. */
function withoutPrefix(name: string | undefined): string | undefined {
  return name?.replace(/^(?:Container|Collectible|Agent|Key|Tool) \| /, "");
}
