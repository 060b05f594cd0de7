import { displayText } from "../../values/text/display-text.ts";
import { type FeedFile, fileText, refusedFile } from "../feed-file.ts";
import type { ColumnName } from "./columns.ts";
import type { Faults } from "./faults.ts";

type Fields = Map<ColumnName, { text: string; line: number }>;
type AssetRow = { line: number; fields: Fields; context: string };

/**
 * One Steam answer. `context` is the game and context of its assets, or null without assets. `ids` are its asset ids. `total` is the item
 * count that Steam reports, or null. `hasMore` means that another page follows.
 */
export type InventoryPage = { context: string | null; ids: readonly string[]; total: number | null; hasMore: boolean };
type Inventory = { rows: AssetRow[]; pages: InventoryPage[] };

type Asset = {
  appid?: unknown;
  contextid?: unknown;
  assetid?: unknown;
  classid?: unknown;
  instanceid?: unknown;
  amount?: unknown;
};
type Description = { classid?: unknown; instanceid?: unknown; market_hash_name?: unknown };
type Answer = {
  success?: unknown;
  assets?: unknown;
  descriptions?: unknown;
  more_items?: unknown;
  total_inventory_count?: unknown;
  rgInventory?: unknown;
  response?: unknown;
};

const asOwner = "save the page in a browser that is signed in to Steam as the owner";

/**
 * Reads answers of the Steam community's inventory endpoint, one page or an array of pages. Each asset becomes a lot of `amount` units
 * without a cost, named by its entry in `descriptions`. Faults count the assets of all pages, from 1. If an asset occurs on two pages, the
 * later page counts.
 * @throws {OperatorError} when the body is not such an answer, or has more than `assetsMax` assets.
 */
export function steamInventory(body: FeedFile, faults: Faults, assetsMax: number): Inventory {
  const rows = new Map<string, AssetRow>();
  const pages: InventoryPage[] = [];
  let count = 0;
  for (const answer of answersIn(body)) {
    const assets = listIn(body, answer, "assets") as Asset[];
    if (count + assets.length > assetsMax)
      throw refusedFile(body.name, `more than ${assetsMax} assets; split the file`);
    const found = pageRows(assets, namesIn(body, answer), count, faults);
    const ids = [...found.keys()];
    for (const [id, row] of found) {
      rows.delete(id);
      rows.set(id, row);
    }
    count += assets.length;
    const { more_items: more, total_inventory_count: total } = answer;
    const context = found.values().next().value?.context ?? null;
    const hasMore = more === 1 || more === true;
    pages.push({ context, ids, total: typeof total === "number" ? total : null, hasMore });
  }
  return { rows: [...rows.values()], pages };
}

/** Returns an inventory reduced to the parts that are read, as JSON text. */
export function bareInventory(body: FeedFile): string {
  const pages = answersIn(body).map((answer) => {
    const { success, more_items, total_inventory_count } = answer;
    const assets = (listIn(body, answer, "assets") as Asset[]).map((asset) => {
      const { appid, contextid, assetid, classid, instanceid, amount } = asset;
      return { appid, contextid, assetid, classid, instanceid, amount };
    });
    const descriptions = (listIn(body, answer, "descriptions") as Description[]).map((one) => ({
      classid: one?.classid,
      instanceid: one?.instanceid,
      market_hash_name: one?.market_hash_name,
    }));
    return { success, more_items, total_inventory_count, assets, descriptions };
  });
  return JSON.stringify(pages);
}

/**
 * Describes the items missing in the pages of one inventory. Null if they are complete. `pages` must share one game, context and account.
 */
export function missingItems(pages: readonly InventoryPage[]): string | null {
  const count = new Set(pages.flatMap(({ ids }) => ids)).size;
  const total = Math.max(...pages.map((page) => page.total ?? 0));
  const isPaged = pages.some(({ hasMore }) => hasMore);
  const next =
    "save the next page with `&start_assetid=` and the `last_assetid` of the file, and give all pages together";
  if (total > count && isPaged) return `it has ${count} of the inventory's ${total} items: ${next}`;
  if (total > count)
    return `it shows ${count} of the inventory's ${total} items: Steam hides the others from this viewer, or they are on other pages; ${asOwner}, and give all pages together`;
  return pages.every(({ hasMore }) => hasMore) && isPaged
    ? `it has ${count} items, and the inventory has more: ${next}`
    : null;
}

function answersIn(body: FeedFile): Answer[] {
  const text = fileText(body);
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch (error) {
    throw refusedFile(body.name, `not JSON: ${displayText((error as Error).message)}`);
  }
  const answers = Array.isArray(file) ? file : [file];
  if (answers.length === 0) throw refusedFile(body.name, "it has no answer of the inventory endpoint");
  return answers.map((answer) => answerOf(body, answer));
}

function answerOf(body: FeedFile, sent: unknown): Answer {
  if (sent === null)
    throw refusedFile(body.name, "it is `null`, Steam's answer for a private inventory and after too many requests");
  const isObject = (value: unknown): value is Answer =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(sent)) throw refusedFile(body.name, "not an answer of the inventory endpoint: it is not a JSON object");
  // Steam's Web API wraps the same answer.
  const answer = isObject(sent.response) ? sent.response : sent;
  const { success, assets, total_inventory_count: total } = answer;
  if (success !== undefined && success !== 1 && success !== true)
    throw refusedFile(body.name, "Steam answered with an error instead of an inventory: `success` is not 1");
  if (answer.rgInventory !== undefined)
    throw refusedFile(
      body.name,
      "an answer of Steam's old endpoint (`rgInventory`), which lacks items: save `https://steamcommunity.com/inventory/STEAM_ID/730/2?l=english&count=2000` instead",
    );
  if (assets === undefined && typeof total === "number" && total > 0)
    throw refusedFile(body.name, `Steam reports ${total} items in the inventory but lists none of them: ${asOwner}`);
  return answer;
}

/** An empty inventory lacks the list. */
function listIn(body: FeedFile, answer: Answer, name: "assets" | "descriptions"): readonly unknown[] {
  const list = answer[name];
  if (Array.isArray(list)) return list;
  if (list === undefined && answer.total_inventory_count === 0) return [];
  throw refusedFile(body.name, `not an answer of the inventory endpoint: it has no list \`${name}\``);
}

function namesIn(body: FeedFile, answer: Answer): Map<string, unknown> {
  const descriptions = listIn(body, answer, "descriptions") as Description[];
  return new Map(descriptions.map((one) => [classOf(one), one?.market_hash_name]));
}

/** Returns the rows of one answer by asset. `before` is the number of assets on earlier pages. */
function pageRows(
  assets: readonly Asset[],
  names: ReadonlyMap<string, unknown>,
  before: number,
  faults: Faults,
): Map<string, AssetRow> {
  const rows = new Map<string, AssetRow>();
  for (const [index, asset] of assets.entries()) {
    const line = before + index + 1;
    const id = textOf(asset?.assetid);
    const name = names.get(classOf(asset));
    if (id === null) faults.add(line, "assetid", "is missing");
    if (typeof name !== "string" || name === "")
      faults.add(line, "classid", "no description with this classid and instanceid has a market_hash_name");
    if (id === null || typeof name !== "string" || name === "") continue;
    const first = rows.get(id)?.line;
    if (first !== undefined) faults.add(line, "assetid", `\`${displayText(id)}\` is on asset ${first} already`);
    const fields: Fields = new Map();
    const put = (column: ColumnName, text: string) => fields.set(column, { text, line });
    put("record", "lot");
    put("integration_ref", `steam:${id}`);
    put("market_hash_name", name);
    put("quantity", textOf(asset.amount) ?? "1");
    rows.set(id, { line, fields, context: `${numberOf(asset.appid) ?? "730"}:${numberOf(asset.contextid) ?? "2"}` });
  }
  return rows;
}

function classOf(one: Asset | Description): string {
  return `${textOf(one?.classid) ?? ""}_${textOf(one?.instanceid) ?? "0"}`;
}

function numberOf(value: unknown): string | null {
  const text = textOf(value);
  return text !== null && /^\d{1,10}$/.test(text) ? text : null;
}

function textOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}
