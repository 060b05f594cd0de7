import type { Database } from "../../store/database.ts";
import type { ItemRow } from "../../store/write/catalog.ts";
import { DataEvents, type ValueChange } from "../../store/write/data-events.ts";

/** Logged columns of an item, with their names in answers. */
const fields = {
  marketHashName: "market_hash_name",
  phase: "phase",
  identity: "identity",
  inCatalog: "in_catalog",
} as const satisfies Partial<Record<keyof ItemRow, string>>;

/** Writes the event of a catalog import that moves names and identities. It is apart because the import is long. */
export class MovedItems {
  readonly #log: DataEvents;
  readonly #rows: Map<number, ItemRow>;
  readonly #at: number;

  /** `before`: all items before the import. `at`: time of the import, UTC ms. */
  constructor(database: Database, before: Iterable<ItemRow>, at: number) {
    this.#log = new DataEvents(database);
    this.#rows = new Map(Array.from(before, (row) => [row.itemId, row]));
    this.#at = at;
  }

  /** Adds the written items of a transaction to the event, without new items and other columns. */
  add(written: readonly ItemRow[]): void {
    const changes = written.flatMap((row) => this.#changesOf(row));
    if (changes.length === 0) return;
    const itemIds = new Set(changes.map(({ itemId }) => itemId));
    const event = { kind: "items_moved", cause: "catalog", at: this.#at } as const;
    this.#log.add({ ...event, itemIds, count: itemIds.size, changes });
  }

  /** Dates the event by the last transaction of the import, `at` (UTC ms). */
  finish(at: number): void {
    this.#log.finish(at);
  }

  #changesOf(row: ItemRow): (ValueChange & { itemId: number })[] {
    const { itemId } = row;
    const before = this.#rows.get(itemId);
    if (before === undefined) return [];
    this.#rows.set(itemId, row);
    const text = (value: string | boolean | null) => (value === null ? null : String(value));
    return Object.entries(fields).flatMap(([key, field]) => {
      const column = key as keyof typeof fields;
      if (before[column] === row[column]) return [];
      return [{ field, itemId, before: text(before[column]), after: text(row[column]) }];
    });
  }
}
