import { setImmediate as nextTurn } from "node:timers/promises";
import type { ItemNamesStore, NameRow } from "../store/read/item-names.ts";
import type { MarketStateStore } from "../store/read/market-state.ts";
import type { OfferedItemsStore } from "../store/read/offered-items.ts";

const sliceRows = 512;
/** Maximum length of the list of most offered items. */
const offeredMax = 1_000;

/** Caches JSON that pages read. It is built once per version of its rows, in slices between other work. */
export class CachedJson {
  readonly #version: () => string;
  readonly #make: () => Promise<string>;
  #kept: { version: string; json: Promise<string> } | null = null;

  /** `version` changes with the rows. */
  constructor(version: () => string, make: () => Promise<string>) {
    this.#version = version;
    this.#make = make;
  }

  read(): Promise<string> {
    const version = this.#version();
    if (this.#kept?.version !== version) {
      const json = this.#make();
      this.#kept = { version, json };
      // A read that failed or spans two versions is discarded.
      json.then(
        () => this.#forgetUnless(version),
        () => this.#forgetUnless(""),
      );
    }
    return this.#kept.json;
  }

  #forgetUnless(version: string): void {
    if (this.#version() !== version) this.#kept = null;
  }
}

type Stores = { names: ItemNamesStore; offered: OfferedItemsStore; state: MarketStateStore };

/** Returns the names of all items: `{"names": [[item id, market name, Russian name, phase, type], …]}`. The last three may be null. */
export function itemNames({ names, state }: Pick<Stores, "names" | "state">): CachedJson {
  return new CachedJson(
    () => String(state.catalogVersion()),
    async () => {
      const parts: string[] = [];
      for (let after = 0; ; ) {
        const rows: NameRow[] = names.after(after, sliceRows);
        const last = rows.at(-1);
        if (last === undefined) break;
        [after] = last;
        parts.push(JSON.stringify(rows).slice(1, -1));
        await nextTurn();
      }
      return `{"names":[${parts.join()}]}`;
    },
  );
}

type Offered = { markets: number; offers: number; ask: number };

/**
 * Returns the ids of the most offered items, `{"by": "offers", "item_ids": […]}`: sorted by number of markets, then number of offers, then
 * price, descending. `by` is `ask` if one market offers each item and no source gives quantities.
 */
export function offeredItems({ offered, state }: Pick<Stores, "offered" | "state">): CachedJson {
  return new CachedJson(
    () => `${state.catalogVersion()} ${state.availability().generationId}`,
    async () => {
      const found = new Map<number, Offered>();
      for (const provider of offered.providers())
        for (let after = 0; ; ) {
          const rows = offered.after(provider, after, sliceRows);
          if (rows.length === 0) break;
          for (const [itemId, count, cents] of rows) {
            const { markets, offers, ask } = found.get(itemId) ?? { markets: 0, offers: 0, ask: cents };
            found.set(itemId, { markets: markets + 1, offers: offers + count, ask: Math.min(ask, cents) });
            after = itemId;
          }
          await nextTurn();
        }
      const order = [...found].sort(
        ([id, one], [otherId, other]) =>
          other.markets - one.markets || other.offers - one.offers || other.ask - one.ask || id - otherId,
      );
      const by = (order[0]?.[1].offers ?? 0) > 1 ? "offers" : "ask";
      return JSON.stringify({ by, item_ids: order.slice(0, offeredMax).map(([id]) => id) });
    },
  );
}
