import { centsFrom } from "../../values/money.ts";
import { isObject, type Json, type JsonObject, NumberText } from "../../values/strict-json.ts";
import { type Adapter, type FeedReading, type Observation, Refusals, type Side } from "./observation.ts";
import { type Body, bodyJson, brokenBody } from "./read-body.ts";

/**
 * `{name: {starting_at: {price, doppler?}, highest_order: {price, doppler?}}}` in decimal USD: lowest offer and highest buy
 * order. `doppler` holds the prices of the phases that share the name; the price beside it is of no phase in particular.
 * The string `"null"`, null and zero mean that there is no offer. No quote has a time.
 */
export const buffAdapter: Adapter = { name: "buff", read: readBuff };

const provider = "buff163";
const sides = [
  ["starting_at", "ask"],
  ["highest_order", "bid"],
] as const;

function readBuff(body: Body): FeedReading {
  const root = bodyJson(body);
  if (!isObject(root)) throw brokenBody(body.name, "not the Buff shape: it must be an object of names");
  const reading = { observations: [] as Observation[], refusals: new Refusals(), absent: 0 };
  let shaped = 0;
  for (const [name, entry] of root) {
    for (const [key, side] of sides) {
      const book = isObject(entry) ? entry.get(key) : undefined;
      if (!isObject(book) || !book.has("price")) reading.refusals.add("malformed", `${name}: ${key}`);
      else {
        shaped += 1;
        readSide(book, name, side, reading);
      }
    }
  }
  if (shaped === 0) {
    throw brokenBody(body.name, "not the Buff shape: no name has `starting_at.price` or `highest_order.price`");
  }
  const providers = [{ provider, name: "BUFF163", kind: "cash" as const }];
  return { facts: { feed: "buff163", adapter: "buff", providers }, ...reading };
}

type Reading = { observations: Observation[]; refusals: Refusals; absent: number };

function readSide(book: JsonObject, name: string, side: Side, reading: Reading): void {
  readPrice(book.get("price") ?? null, { name, phase: null, side }, reading);
  const phases = book.get("doppler");
  if (phases === undefined) return;
  if (!isObject(phases)) reading.refusals.add("malformed", `${name}: doppler`);
  else for (const [phase, price] of phases) readPrice(price, { name, phase, side }, reading);
}

function readPrice(price: Json, of: { name: string; phase: string | null; side: Side }, reading: Reading): void {
  const amount = price instanceof NumberText ? centsFrom(price.text, "dollars") : "unparsable";
  if (price === null || price === "null" || amount === "zero") reading.absent += 1;
  else if (typeof amount === "string")
    reading.refusals.add(amount, of.phase === null ? of.name : `${of.name} ${of.phase}`);
  else
    reading.observations.push({
      ...of,
      itemId: null,
      provider,
      amountCents: amount,
      quantity: null,
      url: null,
      observedAt: null,
    });
}
