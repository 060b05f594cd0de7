import type { CallToolResult, Tool } from "@modelcontextprotocol/server";
import type { Caller } from "../client/calls.ts";
import {
  type FoundItem,
  findItems,
  hintUnitsMax,
  type ItemFilters,
  searchItems,
  suggestSearches,
} from "../client/find-items.ts";
import type { CallOptions, Data, Itemtape } from "../client/index.ts";
import { type Plain, type Row, summarizeMeta } from "../contract/answer-text.ts";
import { displayText } from "../values/text/display-text.ts";
import { likelierValue } from "../values/text/normalized-value.ts";
import { costText, fittingText } from "./answer.ts";
import { ArgumentCheck, type ArgumentOwners, type ReadArguments } from "./arguments.ts";
import { type Node, operationView } from "./contract-view.ts";
import { unitsText } from "./descriptions.ts";
import { notStored, phaseNote, quoteLegend, quoteText } from "./quote-text.ts";
import { inlined, listed, oneLine } from "./schemas.ts";
import { nameArgument, toolHints } from "./tools.ts";

/** Name of the tool without an operation of its own. It makes several requests for one question. */
export const findPricesName = "findPrices";

/** Filters of `listItems` that are also arguments of the tool. */
const filterNames = ["item_type", "weapon", "wear", "phase", "stat_counter", "souvenir", "ask_max"];
const idPattern = /^[1-9][0-9]{0,9}$/;
/** Arguments that select items. A call has at most one of them. */
const meantBy = ["name", "q", "item_id"];
const rowsDefault = 10;
const rowsMax = 50;
/** Maximum pages of 100 items that are searched for the cheapest. */
const pagesMax = 5;
/** Cost of the pages and the prices, or of the name, the words and the hints. */
const unitsMax = Math.max(pagesMax + 1, 2 + hintUnitsMax);

const description = [
  `Cost: 1 unit for an \`item_id\`, 2 for a \`name\`, 3 for words, ${unitsMax} at most. Paid plans.`,
  "Returns prices of items: the lowest ask of each provider, the highest bid and the age of the quotes. Best match first; mistyped words are corrected. Several items are candidates: an `item_id` names one. `sort` = `cheapest` compares all items that words and filters find.",
].join("\n");

/** Returns the tool as it is listed. */
export function findPricesTool(): Tool {
  return {
    name: findPricesName,
    description,
    inputSchema: listed(schemaOf()) as Tool["inputSchema"],
    annotations: toolHints,
  };
}

function schemaOf(): Node {
  const filters = operationView("listItems")
    .arguments.filter(({ name }) => filterNames.includes(name))
    .map(({ name, schema, description: text }) => [name, { ...inlined(schema), description: oneLine(text) }]);
  return {
    type: "object",
    properties: {
      name: nameArgument,
      q: {
        type: "string",
        minLength: 1,
        maxLength: 120,
        description: "Words in any order.",
      },
      item_id: { type: "integer", minimum: 1 },
      ...Object.fromEntries(filters),
      sort: { type: "string", enum: ["best", "cheapest"], default: "best" },
      limit: { type: "integer", minimum: 1, maximum: rowsMax, default: rowsDefault },
    },
    additionalProperties: false,
  };
}

let check: ArgumentCheck | undefined;

/** Reads the arguments and checks them by the schema and by rules that a schema cannot express. */
export function readFindPrices(written: Node, owners: ArgumentOwners): ReadArguments {
  check ??= new ArgumentCheck(findPricesName, schemaOf());
  const read = check.read(written, owners);
  return read.faults.length > 0 ? read : { ...read, faults: faultsTogether(read.given) };
}

function faultsTogether(given: Node): string[] {
  const filters = filterNames.filter((name) => given[name] !== undefined);
  const [by, other] = meantBy.filter((name) => given[name] !== undefined);
  if (other !== undefined) return [`\`${by}\` and \`${other}\` exclude each other`];
  if (by === undefined) return filters.length === 0 ? ["`name`, `q`, `item_id` or a filter is missing"] : [];
  const isId = questionOf(given).itemId !== null;
  return isId && filters.length > 0 ? [`\`${filters[0]}\` excludes an \`item_id\`, which names one item`] : [];
}

/** Calls of a client with a count of the charged units: the calls that succeeded. */
export class CountedCalls implements Caller {
  units = 0;
  readonly call: Itemtape["call"];

  constructor(client: Itemtape) {
    const call = client.call.bind(client) as (...given: unknown[]) => Promise<unknown>;
    this.call = (async (...given: unknown[]) => {
      const answer = await call(...given);
      this.units += 1;
      return answer;
    }) as Itemtape["call"];
  }
}

type Entry = Data<"getMarketPricesBatch">[number];
type PricedItem = ReturnType<typeof pricedItem>;
type Candidates = { items: readonly FoundItem[]; hasMore: boolean; readAs?: string | null };

/** Returns the prices of items at their providers. `calls` counts the used units, even before a refusal. */
export async function findPrices(
  calls: CountedCalls,
  given: Node,
  notes: readonly string[],
  call: CallOptions,
): Promise<CallToolResult> {
  const found = await candidatesOf(calls, given, call);
  const limit = Number(given.limit ?? rowsDefault);
  const wanted = found.items.slice(0, limit).map(({ item_id }) => item_id);
  if (wanted.length === 0) return nothingFound(calls, given, notes, call);
  const answer = await calls.call("getMarketPricesBatch", { item_ids: wanted }, call);
  const { data, meta, allowance, requestId } = answer;
  const items = data.map(pricedItem);
  const head = [
    `${findPricesName}: ${summaryOf(given, found, items)}`,
    ...summarizeMeta(meta as unknown as Row, data as unknown as Plain).lines,
    `The lowest ask of each provider and the highest bid: offers. ${notStored} ${quoteLegend}`,
    ...(items.some(({ phase }) => phase !== null) ? [phaseNote] : []),
    ...notes,
    costText({ allowance, units: calls.units, requestId }),
  ];
  return {
    content: [{ type: "text", text: fittingText(head, tableOf(items, Date.parse(meta.generated_at))) }],
    structuredContent: {
      data: { items, has_more: found.hasMore || found.items.length > items.length },
      meta: { ...meta, units: calls.units },
    },
  };
}

async function candidatesOf(calls: CountedCalls, given: Node, call: CallOptions): Promise<Candidates> {
  const { itemId, text, filters, sort } = questionOf(given);
  if (itemId !== null)
    return { items: [{ item_id: itemId, market_hash_name: String(itemId), phase: null }], hasMore: false };
  const isName = given.name !== undefined && sort === "best" && Object.keys(filters).length === 0;
  if (isName) return findItems(calls, text!, call);
  const wanted = Number(given.limit ?? rowsDefault);
  return searchItems(calls, text, { filters, sort, pagesMax: sort === "best" ? 1 : pagesMax, wanted, call });
}

/** Parses the tool's arguments. A `name` of digits is an item id. */
function questionOf(given: Node) {
  const filters = Object.fromEntries(Object.entries(given).filter(([name]) => filterNames.includes(name)));
  const written = given.name ?? given.q;
  const text = written === undefined ? null : String(written).trim();
  const isId = given.name !== undefined && idPattern.test(text!);
  const itemId = given.item_id === undefined && !isId ? null : Number(given.item_id ?? text);
  const sort: "best" | "cheapest" = given.sort === "cheapest" ? "cheapest" : "best";
  return { itemId, text, filters: filters as ItemFilters, sort };
}

/** Returns a sentence for each filter with an unlikely value, suggesting a similar one. */
export function likelierTexts(filters: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(filters).flatMap(([name, value]) => {
    const likelier = likelierValue(name, String(value));
    return likelier === null ? [] : [`\`${String(value)}\` is probably not a ${name}, perhaps \`${likelier}\`.`];
  });
}

async function nothingFound(
  calls: CountedCalls,
  given: Node,
  notes: readonly string[],
  call: CallOptions,
): Promise<CallToolResult> {
  const { text, filters, sort } = questionOf(given);
  // Only items with a price can be the cheapest.
  const asked = sort === "cheapest" ? { ask_min: 1, ...filters } : filters;
  const found = text === null ? [] : await suggestSearches(calls, text, asked, call);
  const hints = [...found.map((line) => line.replace(/\bask_min\b/, "a known price")), ...likelierTexts(filters)];
  const lines = [
    `${findPricesName}: ${sort === "cheapest" ? "no item with a price" : "no item"} matches the request. That is not a price of zero.`,
    ...hints.map((line) => displayText(line)),
    ...notes,
    `Cost ${unitsText(calls.units)}; \`getUsage\` shows the rest.`,
  ];
  return {
    content: [{ type: "text", text: lines.join("\n") }],
    structuredContent: { data: { items: [], has_more: false, hints }, meta: { units: calls.units } },
  };
}

function summaryOf(given: Node, { items, hasMore, readAs }: Candidates, shown: readonly PricedItem[]): string {
  if (typeof readAs === "string")
    return `no item has all words; read as \`${displayText(readAs)}\`: ${summaryOf(given, { items, hasMore }, shown)}`;
  if (items.length === 1) return "one item.";
  const oneAlone = "an `item_id` names one item.";
  if (given.sort === "cheapest") {
    if (!hasMore && items.length < Number(given.limit ?? rowsDefault))
      return `all ${shown.length} that have a price, the cheapest first; ${oneAlone}`;
    const some = hasMore ? " of the first of many: narrow the search to be sure" : ", dearer ones left out";
    return `the cheapest ${shown.length}${some}; ${oneAlone}`;
  }
  const count = hasMore ? `more than ${items.length}` : String(items.length);
  const which = items.length > shown.length || hasMore ? `, ${shown.length} of them here` : "";
  return `${count} items${which}, best match first; ${oneAlone}`;
}

/**
 * Returns an item with the lowest ask of each provider, lowest first, and its highest bid. Amounts are cents; `as_of` is null if unknown.
 */
function pricedItem({ item_id, market_hash_name, phase, status, asks, bids }: Entry) {
  const cheapest = asks.toSorted((a, b) => a.amount - b.amount);
  const lowest = Map.groupBy(cheapest, ({ provider }) => provider).values();
  const [bid] = bids.toSorted((a, b) => b.amount - a.amount);
  const identity = { item_id, market_hash_name, phase, status };
  const highest = bid === undefined ? null : quoteOf(bid);
  return { ...identity, asks: Array.from(lowest, ([ask]) => quoteOf(ask!)), highest_bid: highest };
}

function quoteOf({ provider, amount, quantity, as_of }: Entry["asks"][number]) {
  return { provider, amount, quantity: quantity ?? null, as_of };
}

/** Returns a tab-separated line for each item, with its phase after its name. */
function tableOf(items: readonly PricedItem[], nowMs: number): string[] {
  const lines = items.map(({ item_id, market_hash_name, phase, status, asks, highest_bid }) => {
    const name = market_hash_name === null ? status : `${market_hash_name}${phase === null ? "" : `, ${phase}`}`;
    const asked = asks.map((quote) => quoteText(quote, nowMs)).join(", ") || "no ask";
    const bid = highest_bid === null ? "no bid" : quoteText(highest_bid, nowMs);
    return [String(item_id), displayText(name), asked, bid].join("\t");
  });
  return [["item_id", "item", "asks", "highest bid"].join("\t"), ...lines];
}
