import { ranked, searchPage } from "../../../client/find-items.ts";
import type { Api } from "../../browser/api.ts";
import { byId } from "../../browser/dom.ts";
import { Combobox, type Offered } from "./combobox.ts";
import { loadNames } from "./names.ts";

// Kept apart from the item page, because the field works without a chart.
type CompareParts = { api: () => Api | null; onItem: (item: Offered) => void; onError: (error: unknown) => void };

/** Initialises the field for a further item: a suggested item, or on Enter the best match. */
export function compareField({ api, onItem, onError }: CompareParts) {
  const input = byId("compare", HTMLInputElement);
  const hint = byId("compare-hint", HTMLElement);
  const take = (item: Offered | undefined) => {
    hint.textContent = item === undefined ? "No items match." : "";
    if (item === undefined) return;
    input.value = "";
    onItem(item);
  };
  input.addEventListener("input", () => {
    hint.textContent = "";
  });
  const onEnter = (text: string) => {
    if (text !== "") bestOf(api(), text).then(take, onError);
  };
  new Combobox({ id: "compare", isFirstActive: true, onItem: take, onEnter });
}

/** Returns the best item for a text; undefined without a match. */
async function bestOf(api: Api | null, text: string): Promise<Offered | undefined> {
  const names = await loadNames();
  if (names !== null) return names.find(text).items[0];
  if (api === null) return undefined;
  const { items } = await searchPage(api, { text, filters: {} }, undefined);
  return ranked(items, text)[0];
}
