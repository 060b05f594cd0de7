import { asc, eq, getTableColumns, gt, sql } from "drizzle-orm";
import { itemDetails, items } from "../../../db/schema/catalog.ts";
import { searchTexts } from "../../values/search-text.ts";
import { encodeExportHead } from "../../wire/export-record.ts";
import { encodeDetail, shareMax } from "../../wire/item-detail.ts";
import type { Database } from "../database.ts";
import { openableSlugs } from "../openable-slugs.ts";
import { type Finding, fact, faultOfMany } from "./finding.ts";

const pageRows = 2000;

/** Compares everything that is derived from an item's columns with those columns: its detail, search text and export head. */
export function checkCatalog(database: Database): Finding[] {
  const sharers = idsByName(database);
  const slugs = openableSlugs(database);
  const detailIds: number[] = [];
  const searchIds: number[] = [];
  const headIds: number[] = [];
  let count = 0;
  for (const row of itemRows(database)) {
    count += 1;
    const others = sharers.get(row.marketHashName) ?? [];
    const shown = others.filter((itemId) => itemId !== row.itemId).slice(0, shareMax);
    const detail = encodeDetail(row, shown, slugs.get(row.itemId) ?? null);
    if (detail !== row.json) detailIds.push(row.itemId);
    const texts = searchTexts(row.marketHashName, row.nameRu);
    if (texts.searchText !== row.searchText || texts.words !== row.words || texts.wordsRu !== row.wordsRu)
      searchIds.push(row.itemId);
    if (encodeExportHead(row) !== row.exportHead) headIds.push(row.itemId);
  }
  const faults = [
    ...faultOfMany(detailIds, "items whose stored detail is not that of their columns"),
    ...faultOfMany(searchIds, "items whose search text is not that of their names"),
    ...faultOfMany(headIds, "items whose export record is not that of their columns"),
    ...faultOfMany(orphans(database), "details of no item"),
  ];
  return faults.length > 0 ? faults : [fact(`${count} items, their encoded forms agree with their columns`)];
}

function* itemRows(database: Database) {
  const page = database
    .select({ ...getTableColumns(items), json: itemDetails.json })
    .from(items)
    .leftJoin(itemDetails, eq(itemDetails.itemId, items.itemId))
    .where(gt(items.itemId, sql.placeholder("after")))
    .orderBy(asc(items.itemId))
    .limit(pageRows)
    .prepare();
  let after = -1;
  for (;;) {
    const rows = page.all({ after });
    yield* rows;
    if (rows.length < pageRows) return;
    after = rows.at(-1)!.itemId;
  }
}

/** Returns the ids of the items of each name, ascending. */
function idsByName({ $client: client }: Database): Map<string, number[]> {
  const names = new Map<string, number[]>();
  const rows = client.prepare("SELECT market_hash_name, item_id FROM items ORDER BY item_id").raw();
  for (const [name, itemId] of rows.iterate() as Iterable<[string, number]>) {
    const ids = names.get(name);
    if (ids === undefined) names.set(name, [itemId]);
    else ids.push(itemId);
  }
  return names;
}

function orphans({ $client: client }: Database): number[] {
  const query = "SELECT item_id FROM item_details WHERE item_id NOT IN (SELECT item_id FROM items)";
  return client.prepare(query).pluck().all() as number[];
}
