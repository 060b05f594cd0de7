import { asc, gt, sql } from "drizzle-orm";
import { items } from "../../../db/schema/catalog.ts";
import { plural } from "../../values/text/counted.ts";
import { searchTextOf } from "../../values/text/search-text.ts";
import { itemChecksum } from "../codec/item-checksum.ts";
import type { Database } from "../database.ts";
import { type Chunks, type Finding, fact, faultOfMany } from "./finding.ts";
import { unordered } from "./key-ranges.ts";

/** Items per chunk. */
const pageRows = 250;

/** Compares each item with its checksum, and its search text with its names. */
export function checkCatalog(database: Database, chunks: Chunks = (read) => read()): Finding[] {
  const scan = new CatalogScan(database);
  while (!chunks(() => scan.isLast()));
  const faults = [
    ...faultOfMany(scan.changedIds, "items with a wrong checksum of their columns"),
    ...faultOfMany(scan.searchIds, "items with a search text that differs from their names"),
  ];
  return faults.length > 0
    ? faults
    : [fact(`${plural(scan.count, "item")}, their encoded forms agree with their columns`)];
}

type CatalogRow = typeof items.$inferSelect;

/** Reads the items in ascending id. */
class CatalogScan {
  readonly changedIds: number[] = [];
  readonly searchIds: number[] = [];
  count = 0;
  #after = -1;
  readonly #page;

  constructor(database: Database) {
    this.#page = database
      .select()
      .from(items)
      .where(gt(items.itemId, sql.placeholder("after")))
      .orderBy(asc(items.itemId))
      .limit(pageRows)
      .prepare();
  }

  /**
   * Reads the next chunk of items. Returns true after the last chunk.
   * @throws {RangeError} when the ids do not ascend.
   */
  isLast(): boolean {
    const rows = this.#page.all({ after: this.#after });
    for (const row of rows) this.#compare(row);
    if (rows.length < pageRows) return true;
    const last = rows.at(-1)!.itemId;
    if (last <= this.#after) throw unordered("items");
    this.#after = last;
    return false;
  }

  #compare(row: CatalogRow): void {
    const { itemId, marketHashName, nameRu } = row;
    this.count += 1;
    if (itemChecksum(row) !== row.checksum) this.changedIds.push(itemId);
    if (searchTextOf(marketHashName, nameRu) !== row.searchText) this.searchIds.push(itemId);
  }
}
