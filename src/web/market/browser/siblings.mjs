/** @import { Api } from "../../browser/api.mjs" */
/** @import { Item } from "./types.mjs" */
import { phases } from "../../../values/text/phases.mjs";
import { loadedMax } from "./search.mjs";

/** Exteriors, best first, as names end with them. */
const wears = ["Factory New", "Minimal Wear", "Field-Tested", "Well-Worn", "Battle-Scarred"];
const editions = /** @type {const} */ (["plain", "counter", "souvenir"]);
/** What comes in exteriors or editions. */
const varied = new Set(["Weapon", "Knife", "Gloves", "Music Kit"]);

/**
 * What an item is called without exterior and edition, and which ones it has. `wear` and `phase` are null where it has none.
 * @typedef {{ base: string, wear: string | null, edition: typeof editions[number], phase: string | null }} Variant
 */

/** @param {Pick<Item, "market_hash_name" | "phase">} item @returns {Variant} */
export function variantOf({ market_hash_name, phase }) {
  const wear = wears.find((name) => market_hash_name.endsWith(` (${name})`)) ?? null;
  const named = wear === null ? market_hash_name : market_hash_name.slice(0, -wear.length - 3);
  const edition = /^(★ )?StatTrak™ /.test(named) ? "counter" : named.startsWith("Souvenir ") ? "souvenir" : "plain";
  return { base: named.replace(/^(★ )?(StatTrak™ |Souvenir )?/, ""), wear, edition, phase };
}

/**
 * Finds the items that differ from this one in exterior, edition or phase alone; itself included. One request, none for an item that has no
 * such variants.
 * @throws {ProblemError | TypeError} when `Api.get` does.
 * @param {Api} api
 * @param {Item} item
 * @param {AbortSignal} signal
 * @returns {Promise<Item[]>}
 */
export async function findSiblings(api, item, signal) {
  if (!varied.has(item.type ?? "")) return [];
  const { base } = variantOf(item);
  // The bare object has words that all its finishes have too: those are left out by the names that its variants can have.
  const isBare = !base.includes(" | ");
  const wanted = isBare ? { item_ids: await bareIds(api, base, signal) } : { q: `"${base}"` };
  if (wanted.item_ids === "" || base.length > 118) return [];
  const { data } = await api.get("/v1/items", { ...wanted, limit: loadedMax }, signal);
  return /** @type {Item[]} */ (data).filter((other) => variantOf(other).base === base);
}

/** @param {Api} api @param {string} base @param {AbortSignal} signal */
async function bareIds(api, base, signal) {
  const names = [`★ ${base}`, `★ StatTrak™ ${base}`, base, `StatTrak™ ${base}`];
  const { data } = await api.post("/v1/items/resolve", { names }, signal);
  /** @type {{ candidates: { item_id: number }[] }[]} */
  const found = data;
  return found.flatMap(({ candidates }) => candidates.map(({ item_id }) => item_id)).join(",");
}

/**
 * Choices of one kind: `item` is what a choice leads to, null where there is none that differs in this alone.
 * @typedef {{ text: string, item: Item | null, isCurrent: boolean }} Choice
 */

/**
 * Returns the switches of an item: what each other exterior, edition and phase leads to, the other two kept. A kind with one choice is left
 * out. Where a choice does not exist with the others kept, it leads to the nearest that does.
 * @param {Item} item
 * @param {readonly Item[]} siblings
 * @returns {{ kind: "wear" | "edition" | "phase", choices: Choice[] }[]}
 */
export function switchesOf(item, siblings) {
  const current = variantOf(item);
  const all = siblings.map((sibling) => ({ sibling, variant: variantOf(sibling) }));
  const kinds = /** @type {const} */ ([
    { kind: "wear", order: [null, ...wears] },
    { kind: "edition", order: editions },
    { kind: "phase", order: [null, ...phases] },
  ]);
  return kinds.flatMap(({ kind, order }) => {
    const values = order.filter((value) => all.some(({ variant }) => variant[kind] === value));
    if (values.length < 2) return [];
    const choices = values.map((value) => {
      const fitting = all.filter(({ variant }) => variant[kind] === value);
      const shared = (/** @type {Variant} */ other) =>
        kinds.filter(({ kind: one }) => one !== kind && other[one] === current[one]).length;
      fitting.sort((a, b) => shared(b.variant) - shared(a.variant) || a.sibling.item_id - b.sibling.item_id);
      return { text: textOf(kind, value), item: fitting[0]?.sibling ?? null, isCurrent: current[kind] === value };
    });
    return [{ kind, choices }];
  });
}

/** @param {string} kind @param {string | null} value */
function textOf(kind, value) {
  if (kind === "edition") return { plain: "Plain", counter: "StatTrak™", souvenir: "Souvenir" }[value ?? "plain"] ?? "";
  return value ?? (kind === "phase" ? "No phase" : "No exterior");
}
