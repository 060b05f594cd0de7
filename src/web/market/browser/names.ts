import { search } from "../../../values/search/mend.ts";
import { ranked } from "../../../values/search/rank.ts";
import { WordIndex } from "../../../values/search/word-index.ts";
import { itemNames } from "../../browser/item-names.ts";

export type ItemName = Awaited<ReturnType<typeof itemNames>>[number];

/** Searches the names of the catalog locally, without requests. */
export class Names {
  readonly #names: readonly ItemName[];
  readonly #index = new WordIndex();

  constructor(names: readonly ItemName[]) {
    this.#names = names;
    for (const name of names) this.#index.add(name);
    this.#index.finish();
  }

  /**
   * Returns the items that match a search, best first, and the corrected search if a word was mistyped, else null.
   * @param isSuggesting Whether the last word is still being typed.
   */
  find(text: string, isSuggesting = false): { items: ItemName[]; readAs: string | null } {
    const { positions, readAs } = search(this.#index, text, isSuggesting);
    const items = [...positions].flatMap((position) => this.#names[position] ?? []);
    return { items: ranked(items, readAs ?? text), readAs };
  }
}

let loaded: Promise<Names | null> | null = null;

/** Loads the names once per page. Resolves to null for a visitor without access to them. */
export function loadNames(): Promise<Names | null> {
  loaded ??= itemNames().then((names) => {
    if (names.length > 0) return new Names(names);
    loaded = null;
    return null;
  });
  return loaded;
}
