import type { Schema } from "../../../src/contract/types.ts";
import SqliteDatabase from "../../../src/store/sqlite.mjs";
import { systemClock, toTimestamp, toTimestampOrNull } from "../../../src/values/clock.ts";
import { systemIds } from "../../../src/values/ids.ts";

type Row = Omit<Schema<"ItemDetail">, "stat_counter" | "souvenir" | "in_catalog" | "first_seen_at" | "updated_at"> & {
  stat_counter: number | null;
  souvenir: number | null;
  in_catalog: number;
  first_seen_at: number;
  updated_at: number | null;
};

const columns = `item_id, market_hash_name, slug, type, rarity, collection, phase, name_ru, image_url, wear, stat_counter,
  souvenir, wear_min, wear_max, identity, in_catalog, first_seen_at, updated_at`;

/** `getItem` the way one writes it first: a prepared SELECT, an object made of the row, the framework turns it into JSON. */
export class ItemReader {
  readonly #client: SqliteDatabase.Database;
  readonly #item: SqliteDatabase.Statement<[number], Row>;
  readonly #ids = systemIds();

  constructor(path: string) {
    this.#client = new SqliteDatabase(path, { readonly: true, fileMustExist: true });
    this.#item = this.#client.prepare(`SELECT ${columns} FROM items WHERE item_id = ?`);
  }

  /** Undefined: there is no such item. */
  answer(itemId: number) {
    const row = this.#item.get(itemId);
    if (row === undefined) return undefined;
    const at = systemClock.now();
    return {
      data: {
        ...row,
        stat_counter: flag(row.stat_counter),
        souvenir: flag(row.souvenir),
        shares_name_with: [],
        openable_slug: null,
        in_catalog: row.in_catalog === 1,
        first_seen_at: toTimestamp(row.first_seen_at),
        updated_at: toTimestampOrNull(row.updated_at),
      },
      meta: { request_id: this.#ids.requestId(at), generated_at: toTimestamp(at) },
    };
  }

  close(): void {
    this.#client.close();
  }
}

function flag(stored: number | null): boolean | null {
  return stored === null ? null : stored === 1;
}
