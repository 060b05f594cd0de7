import { wearNames } from "../../../values/text/item-names.ts";
import { phases } from "../../../values/text/phases.ts";
import type { Api } from "../../browser/api.ts";
import type { Item } from "./types.ts";

/** Most items of one answer of `listItems`. */
const loadedMax = 100;
const editions = ["plain", "counter", "souvenir"] as const;
/** What comes in exteriors or editions. */
const varied = new Set(["Weapon", "Knife", "Gloves", "Music Kit"]);

/** What an item is called without exterior and edition, and which ones it has. `wear` and `phase` are null where it has none. */
type Variant = { base: string; wear: string | null; edition: (typeof editions)[number]; phase: string | null };

/** Returns the variant that the name and the phase of an item mean. */
export function variantOf({ market_hash_name, phase }: Pick<Item, "market_hash_name" | "phase">): Variant {
  const wear = wearNames.find((name) => market_hash_name.endsWith(` (${name})`)) ?? null;
  const named = wear === null ? market_hash_name : market_hash_name.slice(0, -wear.length - 3);
  const edition = /^(★ )?StatTrak™ /.test(named) ? "counter" : named.startsWith("Souvenir ") ? "souvenir" : "plain";
  return { base: named.replace(/^(★ )?(StatTrak™ |Souvenir )?/, ""), wear, edition, phase };
}

/**
 * Finds the items that differ from this one in exterior, edition or phase alone; itself included. One request, none for an item that has no
 * such variants.
 * @throws {ItemtapeError | TransportError} when the API does not answer.
 */
export async function findSiblings(api: Api, item: Item, signal: AbortSignal): Promise<Item[]> {
  if (!varied.has(item.type ?? "")) return [];
  const { base } = variantOf(item);
  // The bare object has words that all its finishes have too: those are left out by the names that its variants can have.
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

/** Choices of one kind: `item` is what a choice leads to, null where there is none that differs in this alone. */
export type Choice = { text: string; item: Item | null; isCurrent: boolean };

/**
 * Returns the switches of an item: what each other exterior, edition and phase leads to, the other two kept. A kind with one choice is left
 * out. Where a choice does not exist with the others kept, it leads to the nearest that does.
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
