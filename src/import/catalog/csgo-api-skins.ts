import { type Edition, type ItemType, phaseOf } from "../../values/text/item-names.ts";
import { checkedRows, rowSchema, type SourceDocument, textPattern } from "./source-rows.ts";
import type { SourceTally } from "./source-tally.ts";
import { type CatalogObject, httpsOnly } from "./variants.ts";

/** A finish of the skin list. Knives without paint have no `paint_index` and no wear. */
type Skin = {
  id: string;
  name?: string;
  weapon: { weapon_id: number };
  paint_index?: string | number;
  min_float?: number;
  max_float?: number;
  stattrak?: boolean;
  souvenir?: boolean;
  phase?: string;
  rarity?: { name?: string };
  collections?: { name?: string }[];
  image?: string;
};

const text = { type: "string", minLength: 1, maxLength: 250, pattern: textPattern };
const float = { type: "number", minimum: 0, maximum: 1 };
const flag = { type: "boolean" };
const named = { type: "object", properties: { name: text } };
const checkSkin = rowSchema<Skin>(["id", "weapon"], {
  id: text,
  name: text,
  weapon: { type: "object", required: ["weapon_id"], properties: { weapon_id: { type: "integer", minimum: 0 } } },
  paint_index: { type: ["string", "integer"], pattern: "^[0-9]{1,9}$", minimum: 0 },
  min_float: float,
  max_float: float,
  stattrak: flag,
  souvenir: flag,
  phase: text,
  rarity: named,
  collections: { type: "array", items: named },
  image: { type: "string", pattern: textPattern },
});

/** Returns whether a row belongs to the skin list. The list of skin wears has the same ids, but no definition indexes. */
export function isSkin(row: { weapon?: { weapon_id?: unknown } | null }): boolean {
  return typeof row.weapon?.weapon_id === "number";
}

/**
 * Reads the skin list: weapons, knives and gloves with their wear ranges, phases and editions.
 * @throws {OperatorError} as `checkedRows`.
 */
export function readSkins(document: SourceDocument, tally: SourceTally): CatalogObject[] {
  return checkedRows(document, checkSkin, tally).flatMap((skin) => {
    const { id, name } = skin;
    if (name === undefined) tally.skip("no_name", id);
    else if (rangeOf(skin) === null && skin.paint_index !== undefined) tally.skip("no_wear_range", name);
    else return [objectOf(skin, name)];
    return [];
  });
}

const star = "★ ";
const gloves = /(?: Gloves|Hand Wraps)(?: \||$)/;

function objectOf(skin: Skin, name: string): CatalogObject {
  const isStarred = name.startsWith(star);
  const type: ItemType = !isStarred ? "Weapon" : gloves.test(name) ? "Gloves" : "Knife";
  const finish = /(?:\| )(Gamma )?Doppler$/.exec(name);
  const phase = finish === null ? null : phaseOf(skin.phase);
  const { weapon_id: definition } = skin.weapon;
  const family = finish?.[1] === undefined ? "doppler" : "gamma-doppler";
  const isCounter = skin.stattrak === true && type !== "Gloves";
  const editions: Edition[] = ["plain", ...(isCounter ? (["counter"] as const) : [])];
  return {
    objectKey: `paint:${definition}:${skin.paint_index ?? 0}`,
    unphasedKey: phase === null ? null : `paint:${definition}:${family}`,
    phase,
    type,
    base: isStarred ? name.slice(star.length) : name,
    baseRu: null,
    isMarketName: false,
    sourceKeys: [{ key: `csgo-api:${skin.id}`, edition: null }],
    rarity: skin.rarity?.name ?? null,
    collection: skin.collections?.length === 1 ? (skin.collections[0]?.name ?? null) : null,
    imageUrl: httpsOnly(skin.image),
    wearRange: rangeOf(skin),
    editions: new Set(skin.souvenir === true && type === "Weapon" ? [...editions, "souvenir" as const] : editions),
  };
}

function rangeOf({ min_float: min, max_float: max }: Skin): CatalogObject["wearRange"] {
  return min === undefined || max === undefined || min >= max ? null : { min, max };
}
