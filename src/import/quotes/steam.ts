import { centsFrom } from "../../values/money/money.ts";
import { displayText } from "../../values/text/display-text.ts";
import { isObject, type Json, NumberText } from "../../values/text/strict-json.ts";
import { type FeedFile, fileJson, refusedFile } from "../feed-file.ts";
import {
  type Adapter,
  type FeedReading,
  type ItemReference,
  type Observation,
  type PriceSink,
  Refusals,
} from "./observation.ts";

/**
 * Adapter for `{metadata: {updated_at, currency, item_count, resume_from?}, prices: {name: cents}}`: the lowest listing per name.
 * `updated_at` is the save time of a sweep, not the time of a price, so quotes have no time. Some files contain decimal dollars among the
 * cents. These are refused, never rounded. Null is an absent price. Each adapter has a file of its own.
 */
export const steamAdapter: Adapter = { name: "steam", read: readSteam };

const provider = "steam";

/** Number of prices passed on together. */
const pricesPerBatch = 1024;

function readSteam(body: FeedFile, _at: number, give: PriceSink | null = null): FeedReading {
  const refusals = new Refusals();
  let observations: Observation[] = [];
  let references: ItemReference[] = [];
  let absent = 0;
  const take = (name: string, price: Json) => {
    const amount = price instanceof NumberText ? centsFrom(price.text, "cents") : "unparsable";
    if (typeof amount === "string") {
      if (price === null) absent += 1;
      else refusals.add(amount, name);
      references.push({ itemId: null, name, phase: null });
    } else observations.push(askOf(name, amount));
    if (give === null || observations.length + references.length < pricesPerBatch) return;
    give({ observations, references });
    [observations, references] = [[], []];
  };
  const root = fileJson(body, null, { of: "prices", take });
  const metadata = isObject(root) ? root.get("metadata") : undefined;
  const prices = isObject(root) ? root.get("prices") : undefined;
  if (!isObject(metadata) || !isObject(prices)) {
    throw refusedFile(body.name, "not the Steam shape: `metadata` and `prices` must be objects");
  }
  const currency = metadata.get("currency");
  if (currency !== "USD") {
    const said = typeof currency === "string" ? displayText(currency) : "missing";
    throw refusedFile(body.name, `\`metadata.currency\` is ${said}; only USD is accepted`);
  }
  const updatedAt = metadata.get("updated_at");
  const savedAt = typeof updatedAt === "string" ? Date.parse(updatedAt) : Number.NaN;
  if (!(savedAt >= 0)) throw refusedFile(body.name, "`metadata.updated_at` is not a time");
  const isUnfinished = metadata.has("resume_from") && metadata.get("resume_from") !== null;
  const providers = [{ provider, name: "Steam Community Market", kind: "main_platform" as const }];
  const facts = { feed: "steam", adapter: "steam", providers };
  return { facts, observations, references, refusals, absent, savedAt, isUnfinished };
}

function askOf(name: string, amountCents: number): Observation {
  const nothingElse = { itemId: null, phase: null, quantity: null, url: null, observedAt: null };
  return { ...nothingElse, name, provider, side: "ask", amountCents };
}
