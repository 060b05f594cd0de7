import type { PoolCatalog } from "../../store/read/pool-catalog.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import { displayText } from "../../values/text/display-text.ts";
import type { ItemType } from "../../values/text/item-names.ts";
import { containerKeyOf } from "../catalog/csgo-api.ts";
import { containerListIn, readDocument } from "../catalog/read-source.ts";
import { checkedRows, filesOfDocument, rowSchema, type SourceDocument, textPattern } from "../catalog/source-rows.ts";
import { SourceTally } from "../catalog/source-tally.ts";
import type { PoolDraft, SourceFile } from "./definition.ts";
import { fileOf, isFolder } from "./read-files.ts";
import { type ListedContainer, type ListedItem, poolsOfList, refusal, soundContainers } from "./source-list.ts";

/** Pools of container lists. `omitted` names the containers without a statement about a key. */
type CsgoApiPools = { drafts: (catalog: PoolCatalog) => PoolDraft[]; omitted: string[] };

type Entry = { id: string; name: string; rarity?: { color?: string } | string; paint_index?: string };
type Crate = {
  id: string;
  name: string;
  def_index?: string | number;
  type?: string;
  contains?: Entry[];
  contains_rare?: Entry[];
};

const text = { type: "string", minLength: 1, maxLength: 250, pattern: textPattern };
const entries = {
  type: "array",
  items: {
    type: "object",
    required: ["id", "name"],
    properties: {
      id: text,
      name: text,
      rarity: { type: ["object", "string"], properties: { color: text } },
      paint_index: { type: "string", pattern: "^[0-9]{1,9}$" },
    },
  },
};
const checkCrate = rowSchema<Crate>(["id", "name"], {
  id: text,
  name: text,
  def_index: { type: ["string", "integer"], pattern: "^[0-9]{1,9}$", minimum: 0 },
  type: { type: "string", pattern: textPattern },
  contains: entries,
  contains_rare: entries,
});

/**
 * Reads the csgo-api container list, plain or gzip, or from a folder. Only cases with rare specials and souvenir packages are read. The
 * lists do not mention keys; in the game these cases need one and packages do not. `tally` counts skipped rows.
 *
 * @throws {OperatorError} when the file cannot be read, or its rows or containers are faulty as a whole.
 */
export async function readCsgoApiPools(path: string, tally: SourceTally): Promise<CsgoApiPools> {
  const document = (await isFolder(path)) ? await containerListIn(path) : await readDocument(path);
  if (document === undefined) throw new OperatorError(`${path}: not a container list of csgo-api`, exitCodes.noInput);
  const files = await Promise.all(filesOfDocument(document).map(({ file }) => fileOf(file)));
  return csgoApiPools(document, files, tally);
}

/**
 * Creates drafts from a container document, in its order. The whole id identifies a container, because a highlight package shares the
 * definition index of the plain one. Faulty rows and containers, and repeated containers, are left out and counted.
 *
 * @throws {OperatorError} when too many rows or all containers are faulty, or no container is readable.
 */
export function csgoApiPools(
  document: SourceDocument,
  files: readonly SourceFile[] = [],
  tally = new SourceTally(),
): CsgoApiPools {
  const crates = new Map<string, Crate>();
  for (const crate of checkedRows(document, checkCrate, tally)) {
    const key = containerKeyOf(crate);
    if (crates.has(key)) tally.skip("duplicate_object", crate.name);
    else crates.set(key, crate);
  }
  const all = [...crates.values()];
  const readable = all.filter((crate) => kindOf(crate) !== null);
  if (readable.length === 0) throw refusal(document, "it has neither a case with rare specials nor a souvenir package");
  const sound = soundContainers(readable, document, tally, (crate) =>
    crate.contains === undefined || crate.contains.length === 0
      ? `container ${displayText(crate.name)}: has no contents`
      : crate,
  );
  return {
    drafts: (catalog) =>
      poolsOfList(
        sound.map((crate) => containerOf(crate, catalog)),
        { source: "csgo-api", files },
      ),
    omitted: all.filter((crate) => kindOf(crate) === null).map(({ name }) => name),
  };
}

function kindOf({ type, contains_rare: rare = [] }: Crate): ListedContainer["kind"] | null {
  if (type === "Case" && rare.length > 0) return "weapon_case";
  return type === "Souvenir" ? "souvenir_package" : null;
}

function containerOf(crate: Crate, catalog: PoolCatalog): ListedContainer {
  const kind = kindOf(crate) ?? "other";
  const read = (entry: Entry) => itemOf(entry, catalog);
  return {
    reference: containerKeyOf(crate),
    name: crate.name,
    kind,
    hasKey: kind === "weapon_case",
    counters: "unknown",
    contents: (crate.contains ?? []).map(read),
    specials: (crate.contains_rare ?? []).map(read),
  };
}

const gloves = /(?: Gloves|Hand Wraps)(?: \||$)/;

/** Finds the item by name and paint index. If the catalog lacks the finish, uses the source's own id. */
function itemOf({ id, name, rarity, paint_index: paint }: Entry, catalog: PoolCatalog): ListedItem {
  const type: ItemType = name.startsWith("★ ") ? (gloves.test(name) ? "Gloves" : "Knife") : "Weapon";
  const reference = catalog.paintedObject(name, paint ?? "0") ?? `csgo-api:${id}`;
  const colour = typeof rarity === "object" ? rarity.color : undefined;
  return { reference, name: name.replace(/^★ /, ""), type, colour };
}
