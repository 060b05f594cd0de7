import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { readDemoList } from "../../src/demo/list.ts";
import { canonicalText } from "../import/daily/daily-world.ts";
import { fencesOf, guideFolder, repository } from "../support/guides.ts";

/** Files by their path in the checkout, with their content. */
export type Files = Readonly<Record<string, string | Buffer>>;

const caseName = "Chroma Case";
const gun = "Glock-18 | Pink DDPAT (Minimal Wear)";
const knives = ["★ Karambit | Doppler (Factory New)", "★ Karambit | Fade (Factory New)"] as const;
const savedAt = "2026-07-01T11:20:00Z";

/** The body that a marketplace of the shape of Skinport's answers with. */
export const skinportBody = JSON.stringify([
  { market_hash_name: caseName, currency: "USD", min_price: 0.4 },
  { market_hash_name: gun, currency: "USD", min_price: 1.52 },
  { market_hash_name: "Nothing like it", currency: "USD", min_price: 3 },
]);

/** A reader's own files for the guides to data. */
export function dataFiles(): Files {
  return {
    "path/to/csgo-api/en/agents.json": JSON.stringify([
      { id: "agent-5601", def_index: "5601", name: "Agent of the ring", market_hash_name: "Agent of the ring" },
    ]),
    "prices.json.gz": steamFile(savedAt),
    "buff163.json.gz": gzipSync(
      JSON.stringify({ [caseName]: { starting_at: { price: 0.41 }, highest_order: { price: 0.39 } } }),
    ),
    "feed.ndjson": guideFence("data-in", "ndjson"),
    "items.json": skinportBody,
    "corner-shop.json": guideFence("data-in", "json"),
    "answer.json": JSON.stringify({
      items: [{ name: caseName, offer: { price: "0.40", units: 3 }, order: null, currency: "USD" }],
    }),
  };
}

/** The configuration that a reader of the guide to data writes. */
export function mirrorFiles(): Files {
  const [, config = "", headers = ""] = fencesOf(guideText("data-in"), "json");
  const { feeds } = JSON.parse(config) as { feeds: object[] };
  const keyed = feeds.map((feed) => ({ ...feed, ...JSON.parse(`{${headers}}`) }));
  return { "db/mirror.json": JSON.stringify({ feeds: keyed }) };
}

/** A reader's own files for the guide to history. */
export function historyFiles(): Files {
  const days = ["2026-06-29", "2026-06-30"];
  const seconds = days.map((day) => Date.parse(`${day}T12:00:00Z`) / 1000);
  return {
    ...dataFiles(),
    "steam/latest-1.json.gz": steamFile("2026-06-29T10:05:00Z"),
    "steam/latest-2.json.gz": steamFile("2026-06-30T11:05:00Z"),
    "eurofxref-hist.csv.gz": gzipSync(["Date,USD,CNY,", ...days.map((day) => `${day},1.17,8.32,`), ""].join("\n")),
    "price-history-monthly.json.gz": gzipSync(JSON.stringify({ [caseName]: [seconds, [300, 310], [9, 8]] })),
    "history.ndjson": canonicalText(
      days.map((date) => ({ market_hash_name: caseName, date, side: "ask", amount: 40 })),
    ),
    "knives.json": JSON.stringify({
      index_id: "knives",
      name: "Knives",
      description: "Two knives of one weapon.",
      provider: "steam",
      weighting: "equal",
      base_date: "2026-06-29",
      base_value: "100",
      members: [{ market_hash_name: knives[1] }, { market_hash_name: gun }],
    }),
  };
}

/** An owner's own files for the guide to portfolios. */
export function portfolioFiles(): Files {
  const name = "Chroma 2 Case";
  return {
    "lots.csv": `name,quantity,price\n${name},3,0.25\n`,
    "ctx2.json": inventoryOf("2", name),
    "ctx16.json": inventoryOf("16", name),
  };
}

/** An inventory answer of Steam with one asset in a context. */
function inventoryOf(contextid: string, name: string): string {
  return JSON.stringify({
    assets: [{ appid: 730, contextid, assetid: contextid, classid: "1000", instanceid: "0", amount: "1" }],
    descriptions: [{ appid: 730, classid: "1000", instanceid: "0", market_hash_name: name, name, marketable: 1 }],
    total_inventory_count: 1,
    success: 1,
  });
}

/** Two states of the contract, which the guide to reviews compares. */
export function contractFiles(): Files {
  return {
    "old.yaml": readFileSync(join(repository, "openapi.yaml")),
    "new.json": readFileSync(join(repository, "generated/openapi.json")),
  };
}

/** Writes files below `folder`. */
export function writeFiles(folder: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

/** Writes the lists of the demo's items and one case into `folder`, and returns it. */
export function smallCatalog(folder: string): string {
  const catalog = readDemoList();
  const added = { id: 900_001, def: 90_001, containerType: 0, rarity: "#b0c3d9", type: "case", contents: [174] };
  const names = { [added.id]: { name: `Container | ${caseName}` } };
  const lists = {
    items: [...catalog.items, added],
    english: { ...catalog.english, ...names },
    russian: { ...catalog.russian, ...names },
  };
  const files = Object.entries(lists).map(([name, list]) => [`${name}.json`, JSON.stringify(list)]);
  writeFiles(folder, Object.fromEntries(files));
  return folder;
}

function steamFile(updatedAt: string): Buffer {
  const prices = { [caseName]: 40, [gun]: 152, [knives[1]]: 151_900 };
  return gzipSync(JSON.stringify({ metadata: { updated_at: updatedAt, currency: "USD" }, prices }));
}

function guideFence(name: string, language: string): string {
  return fencesOf(guideText(name), language)[0] ?? "";
}

function guideText(name: string): string {
  return readFileSync(join(repository, guideFolder, `${name}.md`), "utf8");
}
