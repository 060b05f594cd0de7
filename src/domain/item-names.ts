import { setImmediate as nextTurn } from "node:timers/promises";
import type { ItemNamesStore, NameRow } from "../store/read/item-names.ts";
import type { MarketStateStore } from "../store/read/market-state.ts";

const sliceItems = 512;

/** The names of all items, from which pages suggest. They are read once for each version of the catalog, in slices between other work. */
export class ItemNames {
  readonly #names: ItemNamesStore;
  readonly #state: MarketStateStore;
  #kept: { version: number; json: Promise<string> } | null = null;

  constructor(parts: { names: ItemNamesStore; state: MarketStateStore }) {
    this.#names = parts.names;
    this.#state = parts.state;
  }

  /** Returns JSON: `{"names": [[item id, market name, Russian name, phase, type], …]}`; the last three may be null. */
  read(): Promise<string> {
    const version = this.#state.catalogVersion();
    if (this.#kept?.version !== version) {
      const json = this.#json();
      this.#kept = { version, json };
      // A failed read, or one of two versions, is not served again.
      json.then(
        () => this.#forgetUnless(version),
        () => this.#forgetUnless(-1),
      );
    }
    return this.#kept.json;
  }

  #forgetUnless(version: number): void {
    if (this.#state.catalogVersion() !== version) this.#kept = null;
  }

  async #json(): Promise<string> {
    const parts: string[] = [];
    for (let after = 0; ; ) {
      const rows: NameRow[] = this.#names.after(after, sliceItems);
      const last = rows.at(-1);
      if (last === undefined) break;
      [after] = last;
      parts.push(JSON.stringify(rows).slice(1, -1));
      await nextTurn();
    }
    return `{"names":[${parts.join()}]}`;
  }
}
