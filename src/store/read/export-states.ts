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

/** A state of the market. `digest` covers its prices, `identityDigest` its names, phases and availabilities. */
export type ExportStateRow = {
  stateId: number;
  generationId: number;
  ingestedAt: number;
  digest: Buffer;
  identityDigest: Buffer;
  /** Bytes of all `item` records of an export. */
  exportBytes: number;
};

/** Time for which clients can refer to a state after the next one was added. */
export const stateLifetimeMs = dayMs;
/** Maximum number of states that clients can refer to. */
export const statesMax = 300;

/** A state that a client has, the current state, and the items that differ. `items` is null if their records exceed the requested limit. */
export type Difference = { from: ExportStateRow; to: ExportStateRow; items: ChangedItems | null };

/**
 * Changed items in ascending id. `ids` has each id times 2, plus 1 if the earlier state did not contain the item. `bytes` has the sizes of
 * their records.
 */
export type ChangedItems = { readonly ids: readonly number[]; readonly bytes: readonly number[] };

/** A page of the difference. `lines` has encoded `item` and `removed` records in ascending id, or null without records. */
type ChangesPage = { stateId: number | null; items: number; removed: number; lines: Buffer | null };

/**
 * Selects the current state, unless the catalog or the generation has changed since. Not built by Drizzle: one value, read for each
 * request.
 */
const currentStateIdSql = `SELECT max(s.state_id) FROM export_states s, market_state m
  WHERE m.one = 1 AND m.current_generation_id = s.generation_id AND s.state_id = (SELECT max(state_id) FROM export_states)`;

/** Reads states of the market and their differences. No transaction stays open between two reads. */
export class ExportStatesStore {
  readonly #database: Database;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #items: MarketItems;
  readonly #books: BookReader;
  readonly #stateId;
  readonly #shared: SharedReadTransaction | undefined;

  /** Without `shared`, each read is a transaction of its own. */
  constructor(database: Database, shared?: SharedReadTransaction) {
    this.#shared = shared;
    this.#database = database;
    this.#statements = prepare(database);
    this.#items = new MarketItems(database);
    this.#books = new BookReader(database);
    this.#stateId = database.$client.prepare<[], number | null>(currentStateIdSql).pluck();
  }

  /** Returns the current state, or null before the first publication. */
  current(): ExportStateRow | null {
    this.#shared?.join();
    return this.#statements.current.get() ?? null;
  }

  /**
   * Returns the newest state of this generation and identity, with the items that differ from the current state. Returns null if it is
   * unknown, or if the next state is older than `stateLifetimeMs` at `at`. `shareMax` is the maximum share of an export's bytes for the
   * records.
   */
  since(held: { generationId: number; identityDigest: Buffer }, at: number, shareMax: number): Difference | null {
    return readTransaction(this.#database, () => {
      const to = this.current();
      const from = this.#statements.held.get(held) ?? null;
      if (to === null || from === null) return null;
      const later = this.#statements.after.all({ stateId: from.stateId });
      const [next] = later;
      if (next !== undefined && at - next.since > stateLifetimeMs) return null;
      const changes = later.map(({ changedItems }) => changedItems);
      return { from, to, items: union(changes, to.exportBytes * shareMax) };
    });
  }

  /** Returns the records of these items. `ids` are encoded like in `ChangedItems`. */
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
 * Combines the changes of several states. An item's first change decides whether it existed at the beginning, its last change decides its
 * size. Reads the newest states first, so that an excess is usually noticed after few of them. Returns null if the records exceed
 * `bytesMax`.
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
