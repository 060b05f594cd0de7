import type { ObjectReference } from "../../store/read/pool-catalog.ts";
import { displayText } from "../../values/text/display-text.ts";

export type PoolType = "case" | "souvenir_package" | "capsule" | "other";
export type OddsSource = "published" | "community" | "inferred";

/** One listed item. Keys with their default value are left out. `name` is only for people. */
export type PoolItem = {
  item: ObjectReference;
  name?: string;
  weight?: number;
  wear_min?: string;
  wear_max?: string;
  wear_ppm?: readonly number[];
  phase_weights?: Readonly<Record<string, number>>;
};

/** A tier with its items. `weight` is null if unknown, which blocks publication. */
export type PoolTier = { tier: string; weight: number | null; items: readonly PoolItem[] };

/** The tier of a case's rare specials: knives or gloves. */
export const rareSpecial = "rare_special";

/** An operator's pool definition in canonical form. This JSON is stored with its keys in this order. Only optional keys may be absent. */
export type PoolDefinition = {
  format: "itemtape-pool";
  version: 1;
  container: ObjectReference;
  name: string | null;
  type: PoolType;
  released_on: string | null;
  retired_on: string | null;
  requires_key: boolean;
  key_cost_cents: number;
  /** `0`, `1` or a fraction. Null if unknown, which blocks publication. */
  counter_chance: string | null;
  edition: "plain" | "souvenir";
  odds: { source: OddsSource; reference: string };
  wear: { model: "wear-1" | "stated"; reference: string };
  /** Reason why the pool is never published. Null for other pools. */
  never_published: string | null;
  tiers: readonly PoolTier[];
  /** Source for the completeness of the lists, which are then not checked for truncation. */
  list_reference?: string;
  /** Present if the list of rare specials is as long as the longest lists of the source, at a usual page size. */
  shared_maximum?: { entries: number; lists: number };
  /** Added items that the source does not list. They make the odds inferred. */
  completed?: { items: readonly ObjectReference[]; reference: string };
};

/** A definition as parsed from a source. Keys with a default may be absent. */
export type ParsedPool = Pick<PoolDefinition, "container" | "type" | "requires_key" | "counter_chance" | "odds"> &
  Pick<PoolDefinition, "wear" | "tiers"> &
  Partial<PoolDefinition>;

/** A file of the definition. `sha256` is the hexadecimal digest of its stored bytes. */
export type SourceFile = { name: string; sha256: string };

export type PoolDraft = {
  definition: PoolDefinition;
  provenance: { source: string; files: readonly SourceFile[] };
};

const referenceCharsMax = 200;
/** Store price of a weapon case key, in USD cents. */
const keyCents = 249;

/** Returns the canonical form of a definition. Tiers keep their order; items are sorted by reference. */
export function canonicalPool(parsed: ParsedPool): PoolDefinition {
  return {
    format: "itemtape-pool",
    version: 1,
    container: parsed.container,
    name: parsed.name ?? null,
    type: parsed.type,
    released_on: parsed.released_on ?? null,
    retired_on: parsed.retired_on ?? null,
    requires_key: parsed.requires_key,
    key_cost_cents: parsed.key_cost_cents ?? (parsed.requires_key ? keyCents : 0),
    counter_chance: parsed.counter_chance,
    edition: parsed.edition ?? "plain",
    odds: { source: parsed.odds.source, reference: parsed.odds.reference },
    wear: { model: parsed.wear.model, reference: parsed.wear.reference },
    never_published: parsed.never_published ?? null,
    tiers: parsed.tiers.map(({ tier, weight, items }) => {
      return { tier, weight, items: items.map(canonicalItem).sort(byReference) };
    }),
    ...(parsed.list_reference === undefined ? {} : { list_reference: parsed.list_reference }),
    ...(parsed.shared_maximum === undefined ? {} : { shared_maximum: parsed.shared_maximum }),
    ...(parsed.completed === undefined
      ? {}
      : { completed: { items: parsed.completed.items, reference: parsed.completed.reference } }),
  };
}

/** Returns whether two definitions are equal, ignoring names for people. */
export function samePool(one: PoolDefinition, other: PoolDefinition): boolean {
  return bareText(one) === bareText(other);
}

/** Returns the name of a pool in messages. */
export function poolName({ name, container }: Pick<PoolDefinition, "name" | "container">): string {
  const reference = referenceText(container);
  return name === null ? `pool of ${reference}` : `pool ${JSON.stringify(displayText(name))} (${reference})`;
}

/** Returns the name of an item of a pool in messages. */
export function itemName({ item, name }: PoolItem): string {
  const reference = `\`${referenceText(item)}\``;
  return name === undefined ? reference : `${reference} (${displayText(name)})`;
}

/** Returns the display name of a pool's item, or its reference if it has no name. */
export function itemLabel({ item, name }: PoolItem): string {
  return name === undefined ? referenceText(item) : displayText(name);
}

function referenceText(reference: ObjectReference): string {
  return displayText(String(reference), referenceCharsMax);
}

/** Parses a counter chance into numerator and denominator. */
export function chanceOf(text: string): readonly [number, number] {
  const [numerator, denominator = 1] = text.split("/").map(Number);
  return [numerator!, denominator];
}

function canonicalItem(item: PoolItem): PoolItem {
  const { weight, phase_weights: phases } = item;
  return {
    item: item.item,
    ...(item.name === undefined ? {} : { name: item.name }),
    ...(weight === undefined || weight === 1 ? {} : { weight }),
    ...(item.wear_min === undefined ? {} : { wear_min: item.wear_min }),
    ...(item.wear_max === undefined ? {} : { wear_max: item.wear_max }),
    ...(item.wear_ppm === undefined ? {} : { wear_ppm: item.wear_ppm }),
    ...(phases === undefined ? {} : { phase_weights: Object.fromEntries(Object.entries(phases).sort()) }),
  };
}

const numeric = new Intl.Collator("en", { numeric: true });

function byReference(one: PoolItem, other: PoolItem): number {
  return numeric.compare(String(one.item), String(other.item));
}

function bareText(definition: PoolDefinition): string {
  return JSON.stringify(definition, (key, value: unknown) => (key === "name" ? undefined : value));
}
