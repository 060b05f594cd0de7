import { and, asc, eq, getTableColumns, gt, ne, sql } from "drizzle-orm";
import { itemDetails, items } from "../../../db/schema/catalog.ts";
import { searchTexts } from "../../values/text/search-text.ts";
import { encodeDetail, shareMax } from "../../wire/item-detail.ts";
import type { Database } from "../database.ts";
import { openableSlugQuery } from "../read/openable-slugs.ts";
import { type Finding, fact, faultOfMany, type Pieces } from "./finding.ts";
import { unordered } from "./key-ranges.ts";

/** Items of one piece. */
const pageRows = 250;

/**
 * Compares everything that is derived from an item's columns with those columns: its detail and search text. A piece is
 * some items with all that their details show: a change of the catalog leaves no item half changed.
 */
export function checkCatalog(database: Database, pieces: Pieces = (read) => read()): Finding[] {
  const scan = new CatalogScan(database);
  while (!pieces(() => scan.isLast()));
  const faults = [
    ...faultOfMany(scan.detailIds, "items whose stored detail is not that of their columns"),
    ...faultOfMany(scan.searchIds, "items whose search text is not that of their names"),
    ...faultOfMany(scan.orphans, "details of no item"),
  ];
  return faults.length > 0 ? faults : [fact(`${scan.count} items, their encoded forms agree with their columns`)];
}

type CatalogRow = ReturnType<ReturnType<typeof prepare>["page"]["all"]>[number];

/** Goes over the items in ascending id. */
class CatalogScan {
  readonly detailIds: number[] = [];
  readonly searchIds: number[] = [];
  readonly orphans: number[] = [];
  count = 0;
  #after = -1;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  /**
   * Takes the next items. Returns whether there are no more.
   * @throws {RangeError} when the ids do not ascend.
   */
  isLast(): boolean {
    const rows = this.#statements.page.all({ after: this.#after });
    for (const row of rows) this.#compare(row);
    const isLast = rows.length < pageRows;
    const upTo = isLast ? Number.MAX_SAFE_INTEGER : rows.at(-1)!.itemId;
    if (upTo <= this.#after) throw unordered("items");
    this.orphans.push(...this.#statements.orphans.all({ after: this.#after, upTo }));
    this.#after = upTo;
    return isLast;
  }

  #compare(row: CatalogRow): void {
    const { itemId, marketHashName, nameRu } = row;
    this.count += 1;
    const sharers = this.#statements.sharers.all({ itemId, marketHashName });
    const slug = this.#statements.slug.get({ itemId })?.slug ?? null;
    const detail = encodeDetail(
      row,
      sharers.map((other) => other.itemId),
      slug,
    );
    if (detail !== row.json) this.detailIds.push(itemId);
    const texts = searchTexts(marketHashName, nameRu);
    if (texts.searchText !== row.searchText || texts.words !== row.words || texts.wordsRu !== row.wordsRu)
      this.searchIds.push(itemId);
  }
}

function prepare(database: Database) {
  const { itemId, marketHashName } = items;
  return {
    page: database
      .select({ ...getTableColumns(items), json: itemDetails.json })
      .from(items)
      .leftJoin(itemDetails, eq(itemDetails.itemId, itemId))
      .where(gt(itemId, sql.placeholder("after")))
      .orderBy(asc(itemId))
      .limit(pageRows)
      .prepare(),
    sharers: database
      .select({ itemId })
      .from(items)
      .where(and(eq(marketHashName, sql.placeholder("marketHashName")), ne(itemId, sql.placeholder("itemId"))))
      .orderBy(asc(itemId))
      .limit(shareMax)
      .prepare(),
    slug: openableSlugQuery(database),
    orphans: database.$client
      .prepare<[{ after: number; upTo: number }], number>(
        `SELECT item_id FROM item_details AS detail WHERE item_id > @after AND item_id <= @upTo
           AND NOT EXISTS (SELECT 1 FROM items WHERE items.item_id = detail.item_id)`,
      )
      .pluck(),
  };
}
