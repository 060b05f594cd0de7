import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Cuts the demo world's catalog out of an unpacked `@ianlucas/cs2-lib` package and writes db/demo-catalog.json:
 *   npm pack @ianlucas/cs2-lib@7.33.1 && tar xzf ianlucas-cs2-lib-7.33.1.tgz
 *   node scripts/demo-catalog.ts package
 */
type SourceItem = {
  id: number;
  type: string;
  free?: boolean;
  baseId?: number;
  contents?: number[];
  specials?: number[];
  keys?: number[];
  collection?: string;
};
type Names = Record<string, { name: string; collectionName?: string }>;

const caseNames = [
  "Kilowatt Case",
  "Dreams & Nightmares Case",
  "Recoil Case",
  "Chroma 2 Case",
  "Spectrum 2 Case",
  "Operation Broken Fang Case",
];
const otherContainerNames = [
  "Stockholm 2021 Mirage Souvenir Package",
  "Community Sticker Capsule 1",
  "Feral Predators Capsule",
];
/** Items that players know. They stand after all others, so that these keep their ids. */
const knownNames = [
  ...["Redline", "Asiimov", "Vulcan", "Fire Serpent", "Case Hardened", "Bloodsport", "Slate", "Fuel Injector"].map(
    (finish) => `AK-47 | ${finish}`,
  ),
  ...["Dragon Lore", "Asiimov", "Lightning Strike", "Gungnir", "Medusa", "Hyper Beast", "Wildfire", "Neo-Noir"].map(
    (finish) => `AWP | ${finish}`,
  ),
  ...["Howl", "Asiimov", "The Emperor", "Neo-Noir"].map((finish) => `M4A4 | ${finish}`),
  ...["Icarus Fell", "Golden Coil", "Hot Rod", "Player Two", "Decimator"].map((finish) => `M4A1-S | ${finish}`),
  ...["Blaze", "Printstream", "Code Red", "Kumicho Dragon"].map((finish) => `Desert Eagle | ${finish}`),
  ...["Fade", "Gamma Doppler", "Water Elemental", "Vogue"].map((finish) => `Glock-18 | ${finish}`),
  ...["Kill Confirmed", "Neo-Noir", "Orion", "The Traitor"].map((finish) => `USP-S | ${finish}`),
  "P250 | Asiimov",
  ...["Fade", "Gamma Doppler", "Lore", "Case Hardened"].map((finish) => `Karambit | ${finish}`),
  ...["Fade", "Slaughter"].map((finish) => `Butterfly Knife | ${finish}`),
  ...["Fade", "Gamma Doppler", "Lore"].map((finish) => `M9 Bayonet | ${finish}`),
  ...["Bayonet", "Talon Knife", "Skeleton Knife", "Flip Knife"].map((knife) => `${knife} | Fade`),
  ...["Pandora's Box", "Vice", "Hedge Maze", "Superconductor"].map((finish) => `Sport Gloves | ${finish}`),
  ...["Crimson Kimono", "Fade", "Emerald Web"].map((finish) => `Specialist Gloves | ${finish}`),
  ...["King Snake", "Imperial Plaid"].map((finish) => `Driver Gloves | ${finish}`),
  ...["Spearmint", "Cool Mint"].map((finish) => `Moto Gloves | ${finish}`),
  ...["Cobalt Skulls", "Slaughter"].map((finish) => `Hand Wraps | ${finish}`),
];
/** Containers that the catalog names without their contents. */
const knownContainerNames = [
  "Fever Case",
  "Gallery Case",
  "Revolution Case",
  "Fracture Case",
  "Snakebite Case",
  "Clutch Case",
  "Prisma 2 Case",
  "Danger Zone Case",
  "Glove Case",
  "Operation Bravo Case",
  "CS:GO Weapon Case",
];
const keptKeys = [
  "id",
  "type",
  "def",
  "index",
  "tint",
  "stickerIndex",
  "rarity",
  "altName",
  "baseId",
  "base",
  "free",
  "wearMin",
  "wearMax",
  "collection",
  "contents",
  "specials",
  "keys",
  "containerType",
  "statTrakOnly",
  "statTrakless",
  "category",
];
const fewOf: Record<string, number> = {
  agent: 40,
  musickit: 30,
  patch: 40,
  graffiti: 60,
  collectible: 40,
  keychain: 40,
  key: 12,
  tool: 6,
  sticker: 160,
};

const folder = process.argv[2];
if (folder === undefined) throw new Error("usage: demo-catalog.ts PACKAGE_FOLDER");
const load = (file: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(resolve(folder, "dist", file)).href);
const all = Object.values(await load("items.mjs"))[0] as SourceItem[];
const english = Object.values(await load("translations/english.mjs"))[0] as Names;
const russian = Object.values(await load("translations/russian.mjs"))[0] as Names;

const byId = new Map(all.map((item) => [item.id, item]));
const kept = new Set<number>();
for (const item of all) {
  const name = english[item.id]?.name ?? "";
  if (caseNames.some((wanted) => name === `Container | ${wanted}`)) keepContainer(item);
  if (otherContainerNames.some((wanted) => name.endsWith(wanted))) keepContainer(item);
}
for (const [type, count] of Object.entries(fewOf)) keepSome(type, count);
const before = new Set(kept);
for (const item of all) {
  const name = english[item.id]?.name ?? "";
  if (knownNames.includes(name)) keep(item.id);
  if (knownContainerNames.some((wanted) => name === `Container | ${wanted}`)) kept.add(item.id);
}
const known = new Set(Array.from(kept).filter((id) => !before.has(id)));
const items = [
  ...all.filter((item) => before.has(item.id)),
  ...all.filter((item) => known.has(item.id)).map(({ contents: _, specials: __, keys: ___, ...item }) => item),
].map(trim);
writeFileSync(
  new URL("../db/demo-catalog.json", import.meta.url),
  `{"notice":"Names and catalog facts from @ianlucas/cs2-lib 7.33.1, MIT, (c) 2023-present Ian Lucas. Descriptions, images and most items are left out.",\n"known":${JSON.stringify([...known])},\n"items":[\n${items.map((item) => JSON.stringify(item)).join(",\n")}\n],\n"english":${names(english)},\n"russian":${names(russian)}}\n`,
);
process.stdout.write(`${items.length} source items\n`);

function keepContainer(container: SourceItem): void {
  for (const id of [
    container.id,
    ...(container.contents ?? []),
    ...(container.keys ?? []),
    ...(container.specials ?? []),
  ])
    keep(id);
  // A source lists one phase of a finish; its sisters come along.
  for (const id of container.specials ?? []) {
    const special = byId.get(id);
    const name = english[id]?.name;
    for (const sister of all)
      if (sister.baseId === special?.baseId && english[sister.id]?.name === name) keep(sister.id);
  }
}

function keep(id: number): void {
  const item = byId.get(id);
  if (item === undefined || kept.has(id)) return;
  kept.add(id);
  if (item.baseId !== undefined) keep(item.baseId);
}

function keepSome(type: string, count: number): void {
  const ofType = all.filter((item) => item.type === type && english[item.id] !== undefined);
  const step = Math.max(1, Math.floor(ofType.length / count));
  for (let index = 0; index < ofType.length && index < count * step; index += step) {
    // A default kit is no item of the market: the one behind it stands for it.
    const item = type === "musickit" && ofType[index]!.free === true ? ofType[index + 1]! : ofType[index]!;
    keep(item.id);
  }
}

function trim(item: SourceItem): Record<string, unknown> {
  const trimmed = Object.entries(item).filter(([key]) => keptKeys.includes(key));
  return Object.fromEntries(
    trimmed.map(([key, value]) => [key, Array.isArray(value) ? value.filter((id) => before.has(id)) : value]),
  );
}

function names(translation: Names): string {
  const rows = items.flatMap(({ id }) => {
    const found = translation[String(id)];
    return found === undefined
      ? []
      : [
          `"${id}":${JSON.stringify(found.collectionName === undefined ? { name: found.name } : { name: found.name, collectionName: found.collectionName })}`,
        ];
  });
  return `{\n${rows.join(",\n")}\n}`;
}
