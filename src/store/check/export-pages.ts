import { crc32 } from "node:zlib";
import { inflateBlock } from "../../values/gzip-blocks.ts";
import type { Database } from "../database.ts";
import { checksumOfPage, MarketSnapshotStore, recordBytesMax, type SealedPage } from "../read/market-snapshot.ts";
import { type Finding, fact, faultOfMany, type Pieces } from "./finding.ts";
import { unordered } from "./key-ranges.ts";

type StoredPage = SealedPage & { deflatedCrc32: number };

/**
 * Compares the sealed pages of the current generation with the lines that an export would make of its items and quotes. A missing page is
 * none of its faults. Its SQL is not built by Drizzle: keys are wider than a number here.
 */
export function checkExportPages(database: Database, pieces: Pieces): Finding[] {
  const { $client: client } = database;
  const current = client.prepare<[], number | null>("SELECT current_generation_id FROM market_state").pluck();
  const next = client.prepare<unknown[], StoredPage>(
    `SELECT page_key & 2147483647 AS firstItemId, last_item_id AS lastItemId, items, bytes, crc32,
       deflated_crc32 AS deflatedCrc32, deflated
     FROM export_pages WHERE page_key > (@generationId << 31) + @after AND page_key < ((@generationId + 1) << 31)
     ORDER BY page_key LIMIT 1`,
  );
  const store = new MarketSnapshotStore(database);
  let seen = seenOf(null);
  const isLast = () => {
    const generationId = current.get() ?? null;
    // Another one was published meanwhile: its pages begin elsewhere.
    if (generationId !== seen.generationId) seen = seenOf(generationId);
    const page = next.get({ generationId: generationId ?? -1, after: seen.firstItemId });
    if (page === undefined) return true;
    if (page.firstItemId <= seen.firstItemId) throw unordered("export_pages");
    seen.pages += 1;
    seen.items += page.items;
    const overlaps = page.firstItemId <= seen.lastItemId;
    if (overlaps || !holdsItsLines(store, generationId!, page)) {
      seen.wrong.push(`${page.firstItemId}–${page.lastItemId}`);
    }
    seen.firstItemId = page.firstItemId;
    seen.lastItemId = page.lastItemId;
    return false;
  };
  while (!pieces(isLast));
  const faults = faultOfMany(seen.wrong, "sealed pages that are not the lines of their items");
  const left = pieces(() => leftovers(database, current.get() ?? null));
  return [...(faults.length > 0 ? faults : [fact(summary(seen))]), ...left];
}

/** What was seen of the pages of one generation. */
function seenOf(generationId: number | null) {
  return { generationId, pages: 0, items: 0, wrong: [] as string[], firstItemId: 0, lastItemId: 0 };
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
