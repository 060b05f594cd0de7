import { displayText } from "../../values/display-text.ts";

/** Reason why a draft cannot be published. */
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
  | "too_many_outcomes"
  | "denominator_too_long"
  | "odds";

export type Block = { kind: BlockKind; says: string };

const saysCharsMax = 1000;

/** `says` may hold text of a file: it is made safe for a terminal. */
export function blocked(kind: BlockKind, says: string): Block {
  return { kind, says: displayText(says, saysCharsMax) };
}
