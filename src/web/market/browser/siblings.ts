import { wearNames } from "../../../values/text/item-names.ts";
import { phases } from "../../../values/text/phases.ts";
import type { Api } from "../../browser/api.ts";
import type { Item } from "./types.ts";

/** Maximum number of items in one response of `listItems`. */
const loadedMax = 100;
const editions = ["plain", "counter", "souvenir"] as const;
/** Item types that have exteriors or editions. */
const varied = new Set(["Weapon", "Knife", "Gloves", "Music Kit"]);

/** Name of an item without exterior and edition, and these properties. `wear` and `phase` are null if the item has none. */
type Variant = { base: string; wear: string | null; edition: (typeof editions)[number]; phase: string | null };

/** Parses the variant from the name and phase of an item. */
export function variantOf({ market_hash_name, phase }: Pick<Item, "market_hash_name" | "phase">): Variant {
  const wear = wearNames.find((name) => market_hash_name.endsWith(` (${name})`)) ?? null;
  const named = wear === null ? market_hash_name : market_hash_name.slice(0, -wear.length - 3);
  const edition = /^(★ )?StatTrak™ /.test(named) ? "counter" : named.startsWith("Souvenir ") ? "souvenir" : "plain";
  return { base: named.replace(/^(★ )?(StatTrak™ |Souvenir )?/, ""), wear, edition, phase };
}

/**
 * Finds the items that differ only in exterior, edition or phase, including the item itself. Sends one request, or none for types without
 * variants.
 * @throws {ItemtapeError | TransportError} if the API does not answer.
 */
export async function findSiblings(api: Api, item: Item, signal: AbortSignal): Promise<Item[]> {
  if (!varied.has(item.type ?? "")) return [];
  const { base } = variantOf(item);
  // For an item without a finish, a search would also find all finishes. Its variants are looked up by name instead.
  const isBare = !base.includes(" | ");
  const wanted = isBare ? { item_ids: await bareIds(api, base, signal) } : { q: `"${base}"` };
  if (wanted.item_ids?.length === 0 || base.length > 118) return [];
  const { data } = await api.call("listItems", { ...wanted, limit: loadedMax }, { signal });
  return data.filter((other) => variantOf(other).base === base);
}

async function bareIds(api: Api, base: string, signal: AbortSignal) {
  const names = [`★ ${base}`, `★ StatTrak™ ${base}`, base, `StatTrak™ ${base}`];
  const { data } = await api.call("resolveItemNames", { names }, { signal });
  return data.flatMap(({ candidates }) => candidates.map(({ item_id }) => item_id));
}

/** A choice of one kind. `item` is the target of its link, null without one. */
export type Choice = { text: string; item: Item | null; isCurrent: boolean };

/**
 * Returns the choices of exterior, edition and phase, with their targets. A kind with a single choice is omitted. If no item differs only
 * in this kind, the choice links to the most similar item.
 */
export function switchesOf(
  item: Item,
  siblings: readonly Item[],
): { kind: "wear" | "edition" | "phase"; choices: Choice[] }[] {
  const current = variantOf(item);
  const all = siblings.map((sibling) => ({ sibling, variant: variantOf(sibling) }));
  const kinds = [
    { kind: "wear", order: [null, ...wearNames] },
    { kind: "edition", order: editions },
    { kind: "phase", order: [null, ...phases] },
  ] as const;
  return kinds.flatMap(({ kind, order }) => {
    const values = order.filter((value) => all.some(({ variant }) => variant[kind] === value));
    if (values.length < 2) return [];
    const choices = values.map((value) => {
      const fitting = all.filter(({ variant }) => variant[kind] === value);
      const shared = (other: Variant) =>
        kinds.filter(({ kind: one }) => one !== kind && other[one] === current[one]).length;
      fitting.sort((a, b) => shared(b.variant) - shared(a.variant) || a.sibling.item_id - b.sibling.item_id);
      return { text: textOf(kind, value), item: fitting[0]?.sibling ?? null, isCurrent: current[kind] === value };
    });
    return [{ kind, choices }];
  });
}

function textOf(kind: string, value: string | null) {
  if (kind === "edition") return { plain: "Plain", counter: "StatTrak™", souvenir: "Souvenir" }[value ?? "plain"] ?? "";
  return value ?? (kind === "phase" ? "No phase" : "No exterior");
}
