import { displayText } from "../../values/text/display-text.ts";

export type BlockKind =
  | "never_published"
  | "counter_chance_unknown"
  | "tier_without_weight"
  | "unknown_item"
  | "item_twice"
  | "lists_itself"
  | "variant_missing"
  | "wear_unknown"
  | "phases_disagree"
  | "list_looks_cut"
  | "too_many_outcomes"
  | "denominator_too_long"
  | "odds";

/** A reason that prevents publication of a draft. `reason` is safe for a terminal. */
export type Block = { kind: BlockKind; reason: string };

const reasonCharsMax = 1000;

/** Returns a block. `reason` may contain text of a file and is made safe for a terminal. */
export function blocked(kind: BlockKind, reason: string): Block {
  return { kind, reason: displayText(reason, reasonCharsMax) };
}
