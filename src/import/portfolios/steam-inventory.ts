import { displayText } from "../../values/text/display-text.ts";
import { type FeedFile, fileText, refusedFile } from "../feed-file.ts";
import type { ColumnName } from "./columns.ts";
import type { Faults } from "./faults.ts";

type Fields = Map<ColumnName, { text: string; line: number }>;
/** A file as it was read: its assets as rows, and what it says that it leaves out; `cutOff` null: nothing. */
type Inventory = { rows: { line: number; fields: Fields }[]; cutOff: string | null };

type Asset = { assetid?: unknown; classid?: unknown; instanceid?: unknown; amount?: unknown };
type Description = { classid?: unknown; instanceid?: unknown; market_hash_name?: unknown };
type Answer = {
  success?: unknown;
  assets?: unknown;
  descriptions?: unknown;
  more_items?: unknown;
  total_inventory_count?: unknown;
};

/**
 * Reads what the inventory endpoint of the Steam community answered: `assets`, each a lot of `amount` units without a cost, named by
 * its entry of `descriptions`. Places in faults are those of `assets`, from 1.
 * @throws {OperatorError} when it is no such answer, or has more than `assetsMax` assets.
 */
export function steamInventory(body: FeedFile, faults: Faults, assetsMax: number): Inventory {
  const answer = answerIn(body);
  const assets = listIn(body, answer, "assets");
  if (assets.length > assetsMax)
    throw refusedFile(body.name, `more than ${assetsMax} assets; a file has at most so many`);
  const names = new Map<string, unknown>();
  for (const one of listIn(body, answer, "descriptions") as Description[])
    names.set(classOf(one), one?.market_hash_name);
  const rows = (assets as Asset[]).flatMap((asset, index) => rowOf(asset, index + 1, names, faults));
  return { rows, cutOff: cutOffOf(answer, assets.length) };
}

/** Returns the parts of an inventory that are read, as the text of an answer again. */
export function bareInventory(body: FeedFile): string {
  const answer = answerIn(body);
  const { success, more_items, total_inventory_count } = answer;
  const assets = (listIn(body, answer, "assets") as Asset[]).map(({ assetid, classid, instanceid, amount }) => ({
    assetid,
    classid,
    instanceid,
    amount,
  }));
  const descriptions = (listIn(body, answer, "descriptions") as Description[]).map((one) => ({
    classid: one?.classid,
    instanceid: one?.instanceid,
    market_hash_name: one?.market_hash_name,
  }));
  return JSON.stringify({ success, more_items, total_inventory_count, assets, descriptions });
}

function answerIn(body: FeedFile): Answer {
  const text = fileText(body);
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch (error) {
    throw refusedFile(body.name, `not JSON: ${displayText((error as Error).message)}`);
  }
  if (answer === null)
    throw refusedFile(
      body.name,
      "it says `null`: so Steam answers for a private inventory and after too many requests",
    );
  if (typeof answer !== "object" || Array.isArray(answer))
    throw refusedFile(body.name, "not an answer of the inventory endpoint: it is no JSON object");
  const { success } = answer as Answer;
  if (success !== undefined && success !== 1 && success !== true)
    throw refusedFile(body.name, "Steam answered with an error instead of an inventory: `success` is not 1");
  return answer;
}

/** An empty inventory has no list at all. */
function listIn(body: FeedFile, answer: Answer, name: "assets" | "descriptions"): readonly unknown[] {
  const list = answer[name];
  if (Array.isArray(list)) return list;
  if (list === undefined && answer.total_inventory_count === 0) return [];
  throw refusedFile(body.name, `not an answer of the inventory endpoint: it has no list \`${name}\``);
}

function rowOf(asset: Asset, line: number, names: ReadonlyMap<string, unknown>, faults: Faults) {
  const id = textOf(asset?.assetid);
  const name = names.get(classOf(asset));
  if (id === null) faults.add(line, "assetid", "is missing");
  if (typeof name !== "string" || name === "")
    faults.add(line, "classid", "no description with this classid and instanceid has a market_hash_name");
  if (id === null || typeof name !== "string" || name === "") return [];
  const fields: Fields = new Map();
  const put = (column: ColumnName, text: string) => fields.set(column, { text, line });
  put("record", "lot");
  put("integration_ref", `steam:${id}`);
  put("market_hash_name", name);
  put("quantity", textOf(asset.amount) ?? "1");
  return [{ line, fields }];
}

function classOf(one: Asset | Description): string {
  return `${textOf(one?.classid) ?? ""}_${textOf(one?.instanceid) ?? "0"}`;
}

function textOf(value: unknown): string | null {
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  return typeof value === "string" && value !== "" ? value : null;
}

function cutOffOf({ more_items: more, total_inventory_count: total }: Answer, count: number): string | null {
  if (typeof total === "number" && total > count) return `it holds ${count} of the inventory's ${total} items`;
  return more === 1 || more === true ? `it holds ${count} items, and the inventory has more` : null;
}
