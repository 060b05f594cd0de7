import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { PoolCatalog } from "../../store/read/pool-catalog.ts";
import { exitCodes, OperatorError } from "../../values/failure/operator-error.ts";
import type { ItemType } from "../../values/text/item-names.ts";
import { checkedRows, rowSchema, type SourceDocument, textPattern } from "../catalog/source-rows.ts";
import type { PoolDraft, SourceFile } from "./definition.ts";
import { documentOf, fileOf, isFolder } from "./read-files.ts";
import { type ListedContainer, type ListedItem, poolsOfList } from "./source-list.ts";

/** Pools of container lists. `omitted`: names of the containers of which the lists do not say whether they need a key. */
type CsgoApiPools = { drafts: (catalog: PoolCatalog) => PoolDraft[]; omitted: string[] };

type Entry = { id: string; name: string; rarity?: { color?: string }; paint_index?: string | null };
type Crate = {
  id: string;
  name: string;
  def_index: string;
  type?: string | null;
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
      rarity: { type: "object", properties: { color: text } },
      paint_index: { type: ["string", "null"], pattern: "^[0-9]{1,9}$" },
    },
  },
};
const checkCrate = rowSchema<Crate>(["id", "name", "def_index"], {
  id: text,
  name: text,
  def_index: { ...text, pattern: "^[0-9]{1,9}$" },
  type: { type: ["string", "null"], pattern: textPattern },
  contains: entries,
  contains_rare: entries,
});

/**
 * Reads `crates.json` of csgo-api, plain or gzip, or a folder that holds it. Cases with rare specials and souvenir packages are read.
 * The lists state no keys; that these cases need one and packages do not is how the game is.
 *
 * @throws {OperatorError} when the file cannot be read or a row of it is faulty.
 */
export async function readCsgoApiPools(path: string): Promise<CsgoApiPools> {
  const file = (await isFolder(path)) ? await cratesIn(path) : path;
  return csgoApiPools(await documentOf(file), [await fileOf(file)]);
}

/**
 * Makes drafts of a document of containers, in its order.
 *
 * @throws {OperatorError} when a row is faulty, a container is listed twice or none is readable.
 */
export function csgoApiPools(document: SourceDocument, files: readonly SourceFile[] = []): CsgoApiPools {
  const crates = checkedRows(document, checkCrate);
  const seen = new Set<string>();
  for (const { def_index, name } of crates) {
    if (seen.has(def_index)) throw refusal(document, `the container ${def_index} (${name}) is in the list twice`);
    seen.add(def_index);
  }
  const readable = crates.filter((crate) => kindOf(crate) !== null);
  if (readable.length === 0) throw refusal(document, "no case with rare specials and no souvenir package in it");
  for (const { name, contains = [] } of readable)
    if (contains.length === 0) throw refusal(document, `the container ${name} has no contents`);
  return {
    drafts: (catalog) =>
      poolsOfList(
        readable.map((crate) => containerOf(crate, catalog)),
        { source: "csgo-api", files },
      ),
    omitted: crates.filter((crate) => kindOf(crate) === null).map(({ name }) => name),
  };
}

async function cratesIn(folder: string): Promise<string> {
  for (const name of ["crates.json", "crates.json.gz"]) {
    const file = join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found?.isFile() === true) return file;
  }
  throw new OperatorError(`${folder}: no crates.json in it`, exitCodes.noInput);
}

function kindOf({ type, contains_rare: rare = [] }: Crate): ListedContainer["kind"] | null {
  if (type === "Case" && rare.length > 0) return "weapon_case";
  return type === "Souvenir" ? "souvenir_package" : null;
}

function containerOf(crate: Crate, catalog: PoolCatalog): ListedContainer {
  const kind = kindOf(crate) ?? "other";
  const read = (entry: Entry) => itemOf(entry, catalog);
  return {
    reference: `item:${crate.def_index}`,
    name: crate.name,
    kind,
    hasKey: kind === "weapon_case",
    counters: "unknown",
    contents: (crate.contains ?? []).map(read),
    specials: (crate.contains_rare ?? []).map(read),
  };
}

const gloves = /(?: Gloves|Hand Wraps)(?: \||$)/;

/** Finds the item by name and paint index; where the catalog has no such finish, by the source's own id. */
function itemOf({ id, name, rarity, paint_index: paint }: Entry, catalog: PoolCatalog): ListedItem {
  const type: ItemType = name.startsWith("★ ") ? (gloves.test(name) ? "Gloves" : "Knife") : "Weapon";
  const reference = catalog.paintedObject(name, paint ?? "0") ?? `csgo-api:${id}`;
  return { reference, name: name.replace(/^★ /, ""), type, colour: rarity?.color };
}

function refusal({ file }: SourceDocument, fault: string): OperatorError {
  return new OperatorError(`${file}: ${fault}; nothing was drafted`);
}
