import { deflateBlock } from "../../values/gzip-blocks.ts";
import type { Clock } from "../../values/time/clock.ts";
import type { Database } from "../database.ts";
import { checksumOfPage, MarketSnapshotStore, PageReader, type SealedPage } from "../read/market-snapshot.ts";
import { type BatchStats, inShortTransactions } from "./batches.ts";

/** Plain bytes of a page. From 64 to 256 KB everything costs the same; wide pages are few rows, narrow ones a short read. */
const pageBytesTarget = 128 * 1024;
const pageIdsFirst = 64;
/** Compressed bytes that are made before they are written together. */
const batchBytes = 256 * 1024;
const orphanKeysMax = 50_000;

/** Item ids, both inclusive. */
type IdRange = { first: number; last: number };
/** A page of a generation that is not current. `bytes`: what its removal overwrites. */
export type OrphanPage = { generationId: number; firstItemId: number; bytes: number };

/**
 * Writes and removes sealed pages. Callers hold the transactions. Its SQL is not built by Drizzle: keys are wider than a number here and
 * are computed by SQLite.
 */
export class ExportPageWriter {
  readonly #ranges;
  readonly #insert;
  readonly #orphans;
  readonly #remove;

  constructor({ $client: client }: Database) {
    this.#ranges = client.prepare<[{ generationId: number }], IdRange>(
      `SELECT page_key & 2147483647 AS first, last_item_id AS last FROM export_pages
       WHERE page_key > (@generationId << 31) AND page_key < ((@generationId + 1) << 31) ORDER BY page_key`,
    );
    this.#insert = client.prepare(
      `INSERT INTO export_pages (page_key, last_item_id, items, bytes, crc32, deflated_crc32, deflated)
       VALUES ((@generationId << 31) + @firstItemId, @lastItemId, @items, @bytes, @crc32, @deflatedCrc32, @deflated)`,
    );
    this.#orphans = client.prepare<[{ from: number; to: number; limit: number }], OrphanPage>(
      `SELECT page_key >> 31 AS generationId, page_key & 2147483647 AS firstItemId, octet_length(deflated) AS bytes
       FROM export_pages WHERE page_key >= (@from << 31) AND page_key < (@to << 31) ORDER BY page_key LIMIT @limit`,
    );
    this.#remove = client.prepare("DELETE FROM export_pages WHERE page_key = (@generationId << 31) + @firstItemId");
  }

  /** Returns the item ids up to `lastItemId` that are in no page of the generation, and the mean ids of its pages; 0 without pages. */
  gaps(generationId: number, lastItemId: number): { gaps: IdRange[]; idsOfPage: number } {
    const ranges = this.#ranges.all({ generationId });
    const gaps: IdRange[] = [];
    let first = 1;
    let ids = 0;
    for (const range of ranges) {
      if (range.first > first) gaps.push({ first, last: range.first - 1 });
      first = range.last + 1;
      ids += first - range.first;
    }
    if (first <= lastItemId) gaps.push({ first, last: lastItemId });
    return { gaps, idsOfPage: ranges.length === 0 ? 0 : Math.round(ids / ranges.length) };
  }

  insert(generationId: number, page: SealedPage): void {
    this.#insert.run({ ...page, generationId, deflatedCrc32: checksumOfPage(page) });
  }

  /** Returns pages that belong to no published generation. */
  orphans(current: number | null): OrphanPage[] {
    const generationMax = 2_147_483_647;
    const below = this.#orphans.all({ from: 0, to: current ?? generationMax, limit: orphanKeysMax });
    if (below.length > 0 || current === null) return below;
    return this.#orphans.all({ from: current + 1, to: generationMax, limit: orphanKeysMax });
  }

  remove({ generationId, firstItemId }: OrphanPage): void {
    this.#remove.run({ generationId, firstItemId });
  }
}

/**
 * Seals what is not sealed yet of a generation's export, in short transactions: all of it before it is published, afterwards the pages that
 * a change of the catalog has removed. Broken off anywhere, exports make what is missing. The caller holds the import lock, so that no
 * line changes between the reading and the writing of its page.
 */
export function* sealExportInBatches(
  database: Database,
  generationId: number,
  clock: Clock,
): Generator<BatchStats, void> {
  const writer = new ExportPageWriter(database);
  const write = (page: SealedPage) => writer.insert(generationId, page);
  const bytesOf = ({ deflated }: SealedPage) => deflated.length;
  let batch: SealedPage[] = [];
  let bytes = 0;
  for (const page of missingPages(database, generationId, writer)) {
    batch.push(page);
    bytes += page.deflated.length;
    if (bytes < batchBytes) continue;
    yield* inShortTransactions(database, clock, batch, write, bytesOf);
    batch = [];
    bytes = 0;
  }
  yield* inShortTransactions(database, clock, batch, write, bytesOf);
}

function* missingPages(database: Database, generationId: number, writer: ExportPageWriter): Generator<SealedPage> {
  const store = new MarketSnapshotStore(database);
  const { gaps, idsOfPage } = writer.gaps(generationId, store.maxItemId());
  const idsFirst = idsOfPage || pageIdsFirst;
  const reader = new PageReader(store, { generationId, bytesTarget: pageBytesTarget, idsFirst });
  for (const { first, last } of gaps) {
    for (let after = first - 1; after < last; ) {
      const { lines, items, oversized, upTo } = reader.read(after, last);
      // An export that comes to a record which is too long has to say so.
      if (lines !== null && oversized === 0)
        yield { firstItemId: after + 1, lastItemId: upTo, items, ...deflateBlock(lines) };
      after = upTo;
    }
  }
}
