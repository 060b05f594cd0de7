import { and, desc, eq, gt, sql } from "drizzle-orm";
import { exportStates, generations } from "../../../db/schema/prices.ts";
import { marketState } from "../../../db/schema/reference.ts";
import { dayMs } from "../../values/time/calendar.ts";
import { encodeExportHead, encodeItemRecord, encodeRemovedRecord } from "../../wire/export-record.ts";
import { encodeUntimedBook } from "../../wire/quotes.ts";
import { decodeChangedItems } from "../codec/changed-items.ts";
import { type Database, readTransaction } from "../database.ts";
import { BookReader } from "./books.ts";
import { type MarketItem, MarketItems } from "./market-items.ts";
import type { SharedReadTransaction } from "./shared-read.ts";

/** A state of the market. `digest` is of its prices, `identityDigest` of its names, phases and availabilities. */
export type ExportStateRow = {
  stateId: number;
  generationId: number;
  ingestedAt: number;
  digest: Buffer;
  identityDigest: Buffer;
  /** Bytes of all `item` records of an export. */
  exportBytes: number;
};

/** Time for which a state can be named after the next one came. */
export const stateKeptMs = dayMs;
/** Maximum number of states that can be named. */
export const statesMax = 300;

/** A state that a client holds, the present one and the items that differ. `items` null: their records are longer than was asked for. */
export type Difference = { from: ExportStateRow; to: ExportStateRow; items: ChangedItems | null };

/**
 * Changed items in ascending id: each id doubled, plus one where the state of before did not hold the item, and the bytes of its
 * record.
 */
export type ChangedItems = { readonly ids: readonly number[]; readonly bytes: readonly number[] };

/** A page of the difference. `lines` are encoded `item` and `removed` records in ascending id; null when there is none. */
type ChangesPage = { stateId: number | null; items: number; removed: number; lines: Buffer | null };

/** The present state, unless the catalog or the generation was changed past it. Not built by Drizzle: one value, read for each request. */
const currentStateIdSql = `SELECT max(s.state_id) FROM export_states s, market_state m
  WHERE m.one = 1 AND m.current_generation_id = s.generation_id AND s.state_id = (SELECT max(state_id) FROM export_states)`;

/** Reads states of the market and what changed between them. Nothing stays open between two reads. */
export class ExportStatesStore {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #items: MarketItems;
  readonly #books: BookReader;
  readonly #stateId;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared` every read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#database = database;
    this.#statements = prepare(database);
    this.#items = new MarketItems(database);
    this.#books = new BookReader(database);
    this.#stateId = database.$client.prepare<[], number | null>(currentStateIdSql).pluck();
  }

  /** Returns the present state; null as long as nothing is published. */
  current(): ExportStateRow | null {
    this.#shared?.join();
    return this.#statements.current.get() ?? null;
  }

  /**
   * Returns the newest state of this generation and identity with the items that differ from the present one; null: there is none, or
   * the next one came `stateKeptMs` ago. `shareMax`: of the bytes of an export, those that the records of the items may take.
   */
  since(held: { generationId: number; identityDigest: Buffer }, at: number, shareMax: number): Difference | null {
    return readTransaction(this.#database, () => {
      const to = this.current();
      const from = this.#statements.held.get(held) ?? null;
      if (to === null || from === null) return null;
      const later = this.#statements.after.all({ stateId: from.stateId });
      const [next] = later;
      if (next !== undefined && at - next.since > stateKeptMs) return null;
      const changes = later.map(({ changedItems }) => changedItems);
      return { from, to, items: union(changes, to.exportBytes * shareMax) };
    });
  }

  /** Returns the records of these items, ids as in `ChangedItems`. */
  page(ids: readonly number[]): ChangesPage {
    return readTransaction(this.#database, () => {
      const present = new Map(
        this.#items.among(ids.map((id) => id >> 1)).flatMap((item) => (item.inCatalog ? [[item.itemId, item]] : [])),
      );
      const lines: string[] = [];
      let removed = 0;
      for (const id of ids) {
        const item = present.get(id >> 1);
        if (item !== undefined) lines.push(this.#recordOf(item));
        else if ((id & 1) === 0) {
          removed += 1;
          lines.push(encodeRemovedRecord(id >> 1));
        }
      }
      const encoded = lines.length === 0 ? null : Buffer.from(lines.join(""));
      return { stateId: this.#stateId.get() ?? null, items: present.size, removed, lines: encoded };
    });
  }

  #recordOf(item: MarketItem): string {
    const book = item.quoteBytes === null ? null : this.#books.ofItem(item.itemId);
    return encodeItemRecord(encodeExportHead(item), book === null ? null : encodeUntimedBook(book));
  }
}

const wasHeld = 1;
const wasAbsent = 2;

/**
 * Joins what changed from state to state: an item was there at the beginning where its first change says so, and its record is as
 * long as its last one says. The newest are read first: their sizes hold, so that too many bytes are mostly known after a few of
 * hundreds. null: more than `bytesMax`.
 */
function union(changes: readonly Buffer[], bytesMax: number): ChangedItems | null {
  let seen = new Uint8Array(1024);
  let sizes = new Uint32Array(seen.length);
  let recordBytes = 0;
  for (const encoded of changes.toReversed()) {
    decodeChangedItems(encoded, (itemId, isNew, bytes) => {
      if (itemId >= seen.length) {
        seen = grown(seen, new Uint8Array(capacityFor(itemId)));
        sizes = grown(sizes, new Uint32Array(seen.length));
      }
      if (seen[itemId] === 0) {
        sizes[itemId] = bytes;
        recordBytes += bytes;
      }
      seen[itemId] = isNew ? wasAbsent : wasHeld;
    });
    if (recordBytes > bytesMax) return null;
  }
  const ids: number[] = [];
  const bytes: number[] = [];
  for (const [itemId, was] of seen.entries()) {
    const size = sizes[itemId] ?? 0;
    if (was === 0 || (was === wasAbsent && size === 0)) continue;
    ids.push(itemId * 2 + Number(was === wasAbsent));
    bytes.push(size === 0 ? Buffer.byteLength(encodeRemovedRecord(itemId)) : size);
    if (size === 0) recordBytes += Buffer.byteLength(encodeRemovedRecord(itemId));
  }
  return recordBytes > bytesMax ? null : { ids, bytes };
}

function capacityFor(itemId: number): number {
  return 2 ** Math.ceil(Math.log2(itemId + 1));
}

function grown<Numbers extends Uint8Array | Uint32Array>(from: Numbers, to: Numbers): Numbers {
  to.set(from);
  return to;
}

function prepare(database: Database) {
  const { stateId, generationId, identityDigest, exportBytes, since, changedItems } = exportStates;
  const columns = {
    stateId,
    generationId,
    ingestedAt: sql<number>`${generations.ingestedAt}`,
    digest: sql<Buffer>`${generations.digest}`,
    identityDigest,
    exportBytes,
  };
  const ofGeneration = eq(generations.generationId, generationId);
  return {
    current: database
      .select(columns)
      .from(exportStates)
      .innerJoin(generations, ofGeneration)
      .innerJoin(marketState, eq(marketState.currentGenerationId, generationId))
      .where(and(eq(marketState.one, 1), sql`${stateId} = (SELECT max(state_id) FROM export_states)`))
      .prepare(),
    held: database
      .select(columns)
      .from(exportStates)
      .innerJoin(generations, ofGeneration)
      .where(
        and(eq(generationId, sql.placeholder("generationId")), eq(identityDigest, sql.placeholder("identityDigest"))),
      )
      .orderBy(desc(stateId))
      .limit(1)
      .prepare(),
    after: database
      .select({ since, changedItems })
      .from(exportStates)
      .where(gt(stateId, sql.placeholder("stateId")))
      .orderBy(stateId)
      .limit(statesMax)
      .prepare(),
  };
}
