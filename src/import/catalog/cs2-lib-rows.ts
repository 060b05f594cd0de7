import { rowSchema, textPattern } from "./source-rows.ts";

/** A row of the item list of `@ianlucas/cs2-lib`. The type determines the present keys and their meaning. */
export type Cs2LibRow = {
  id: number;
  type: string;
  def?: number;
  index?: number;
  tint?: number;
  stickerIndex?: number;
  rarity?: string;
  altName?: string;
  image?: string;
  wearMin?: number;
  wearMax?: number;
  containerType?: number;
  contents?: number[];
  specials?: number[];
  keys?: number[];
  statTrakless?: boolean;
  statTrakOnly?: boolean;
  free?: boolean;
};
/** An entry of a name list, by row id. */
export type Cs2LibName = { name: string; collectionName?: string };

const whole = { type: "integer", minimum: 0 };
const ids = { type: "array", items: whole };
const wear = { type: "number", minimum: 0, maximum: 1 };
const text = { type: "string", pattern: textPattern };

export const checkRow = rowSchema<Cs2LibRow>(["id", "type"], {
  id: whole,
  type: { ...text, minLength: 1 },
  def: whole,
  index: whole,
  tint: whole,
  stickerIndex: whole,
  rarity: text,
  altName: text,
  image: text,
  wearMin: wear,
  wearMax: wear,
  containerType: whole,
  contents: ids,
  specials: ids,
  keys: ids,
  statTrakless: { type: "boolean" },
  statTrakOnly: { type: "boolean" },
  free: { type: "boolean" },
});

export const checkName = rowSchema<Cs2LibName>(["name"], {
  name: { ...text, minLength: 1, maxLength: 250 },
  collectionName: { ...text, maxLength: 200 },
});
