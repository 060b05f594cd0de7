/** Why a draft cannot be published. */
export type BlockKind =
  | "never_published"
  | "counter_chance_unknown"
  | "tier_without_weight"
  | "unknown_item"
  | "item_twice"
  | "variant_missing"
  | "wear_unknown"
  | "phases_disagree"
  | "odds";

export type Block = { kind: BlockKind; says: string };

export function blocked(kind: BlockKind, says: string): Block {
  return { kind, says };
}
