import { OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import { contentTypes } from "../catalog/cs2-lib.ts";
import { type Cs2LibRow, checkName, checkRow } from "../catalog/cs2-lib-rows.ts";
import { checkedEntries, checkedRows, type SourceDocument } from "../catalog/source-rows.ts";
import type { PoolDraft, SourceFile } from "./definition.ts";
import { type KitCounters, type ListedContainer, type ListedItem, poolsOfList } from "./source-list.ts";

export type Cs2LibPools = { items: SourceDocument; english: SourceDocument };

/** A container with what it lists; `name` is that of the market. */
type ListContainer = { row: Cs2LibRow; name: string; contents: NamedItem[]; specials: NamedItem[] };
type NamedItem = Cs2LibRow & { name?: string };

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

/**
 * Returns the containers of the list with their contents.
 *
 * @throws {OperatorError} when the list is faulty: an id occurs twice or is missing, a container is empty or has no name, a wear
 * range is empty.
 */
function listContainers({ items, english }: Cs2LibPools): ListContainer[] {
  const byId = new Map<number, Cs2LibRow>();
  for (const row of checkedRows(items, checkRow)) {
    if (byId.has(row.id)) throw refusal(items, `the id ${row.id} is in the list twice`);
    byId.set(row.id, row);
  }
  const names = checkedEntries(english, checkName);
  const containers = [...byId.values()].filter(({ type }) => type === "case");
  if (containers.length === 0) throw refusal(items, "the list has no containers");
  return containers.map((row) => {
    const name = withoutPrefix(names.get(String(row.id))?.name);
    if (name === undefined) throw refusal(english, `the container cs2-lib:${row.id} has no name`);
    const refuse = (fault: string) => refusal(items, `container "${displayText(name)}" (cs2-lib:${row.id}): ${fault}`);
    const { contents = [], specials } = row;
    if (contents.length === 0) throw refuse("has no contents");
    if (specials?.length === 0) throw refuse("its tier of specials is empty");
    const seen = new Set<number>();
    const contentOf = (id: number): NamedItem => {
      const item = byId.get(id);
      if (item === undefined) throw refuse(`lists ${id}, which the list of items does not hold`);
      if (seen.has(id)) throw refuse(`lists ${id} twice`);
      seen.add(id);
      if (item.wearMin !== undefined && item.wearMax !== undefined && item.wearMin >= item.wearMax)
        throw refuse(`the wear range of ${id}, ${item.wearMin} to ${item.wearMax}, is upside down or empty`);
      const itemName = withoutPrefix(names.get(String(id))?.name);
      return itemName === undefined ? item : { ...item, name: itemName };
    };
    return { row, name, contents: contents.map(contentOf), specials: (specials ?? []).map(contentOf) };
  });
}

function refusal({ file }: SourceDocument, fault: string): OperatorError {
  return new OperatorError(`${file}: ${fault}; nothing was drafted`);
}

/** Removes the prefix of the type, such as `Container | `, from an English name. */
function withoutPrefix(name: string | undefined): string | undefined {
  return name?.replace(/^(?:Container|Collectible|Agent|Key|Tool) \| /, "");
}
