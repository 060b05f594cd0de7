import { crc32 } from "node:zlib";
import { inflateBlock } from "../../values/gzip-blocks.ts";
import type { Database } from "../database.ts";
import { checksumOfPage, MarketSnapshotStore, recordBytesMax, type SealedPage } from "../market-snapshot.ts";
import { type Finding, fact, faultOfMany } from "./finding.ts";

type StoredPage = SealedPage & { deflatedCrc32: number };

/**
 * Compares the sealed pages of the current generation with the lines that an export would make of its items and quotes. A missing page is
 * none of its faults. Its SQL is not built by Drizzle: keys are wider than a number here.
 */
export function checkExportPages(database: Database): Finding[] {
  const { $client: client } = database;
  const generationId = client
    .prepare<[], number | null>("SELECT current_generation_id FROM market_state")
    .pluck()
    .get();
  const pages = client
    .prepare<unknown[], StoredPage>(
      `SELECT page_key & 2147483647 AS firstItemId, last_item_id AS lastItemId, items, bytes, crc32,
         deflated_crc32 AS deflatedCrc32, deflated
       FROM export_pages WHERE page_key > (@generationId << 31) AND page_key < ((@generationId + 1) << 31) ORDER BY page_key`,
    )
    .iterate({ generationId: generationId ?? -1 });
  const store = new MarketSnapshotStore(database);
  const wrong: string[] = [];
  const counts = { pages: 0, items: 0 };
  let lastItemId = 0;
  for (const page of pages) {
    counts.pages += 1;
    counts.items += page.items;
    const overlaps = page.firstItemId <= lastItemId;
    if (overlaps || !holdsItsLines(store, generationId!, page)) wrong.push(`${page.firstItemId}–${page.lastItemId}`);
    lastItemId = page.lastItemId;
  }
  const faults = faultOfMany(wrong, "sealed pages that are not the lines of their items");
  return [...(faults.length > 0 ? faults : [fact(summary(counts))]), ...leftovers(database, generationId ?? null)];
}

function holdsItsLines(store: MarketSnapshotStore, generationId: number, page: StoredPage): boolean {
  const range = { after: page.firstItemId - 1, upTo: page.lastItemId };
  const { items, lines } = store.page({ generationId, ...range, recordBytesMax });
  const isAsStated = page.items === items && page.bytes === lines?.length && page.crc32 === crc32(lines);
  if (!isAsStated || page.lastItemId > store.maxItemId() || checksumOfPage(page) !== page.deflatedCrc32) return false;
  try {
    return inflateBlock(page).equals(lines);
  } catch {
    return false;
  }
}

function summary({ pages, items }: { pages: number; items: number }): string {
  return `${pages} sealed pages hold the lines of ${items} items as an export would make them`;
}

/** Counts leftovers. They are harmless, no export copies them, and the next import removes them. */
function leftovers({ $client: client }: Database, current: number | null): Finding[] {
  const left = client
    .prepare<[number | null], number>("SELECT count(*) FROM export_pages WHERE page_key >> 31 IS NOT ?")
    .pluck()
    .get(current)!;
  return left === 0 ? [] : [fact(`${left} sealed pages of other generations are left; the next import removes them`)];
}
