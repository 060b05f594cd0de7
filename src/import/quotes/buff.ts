import { centsFrom } from "../../values/money/money.ts";
import { splitPhase } from "../../values/text/phase-names.ts";
import { phases as allPhases } from "../../values/text/phases.ts";
import { isObject, type Json, type JsonObject, NumberText } from "../../values/text/strict-json.ts";
import { type FeedFile, fileJson, refusedFile } from "../feed-file.ts";
import {
  type Adapter,
  type FeedReading,
  type ItemReference,
  type Observation,
  Refusals,
  type Side,
} from "./observation.ts";

/**
 * Adapter for `{name: {starting_at: {price, doppler?}, highest_order: {price, doppler?}}}` in decimal USD: the lowest offer and the highest
 * buy order.
 *
 * `doppler` holds the prices of the phases that share the name; the price beside it has no phase. A phase may also be a suffix of the name.
 * The string `"null"`, null for the price or its parent, and zero mean no offer. Quotes have no time.
 */
export const buffAdapter: Adapter = { name: "buff", read: readBuff };

const provider = "buff163";
const sides = [
  ["starting_at", "ask"],
  ["highest_order", "bid"],
] as const;

function readBuff(body: FeedFile): FeedReading {
  const root = fileJson(body);
  if (!isObject(root)) throw refusedFile(body.name, "not the Buff shape: it must be an object of names");
  const reading: Reading = {
    observations: [],
    references: [],
    refusals: new Refusals(),
    absent: 0,
    savedAt: null,
    isUnfinished: false,
  };
  let shaped = 0;
  for (const [written, entry] of root) {
    const named = { itemId: null, ...splitPhase(written) };
    for (const [key, side] of sides) {
      const book = isObject(entry) ? entry.get(key) : undefined;
      if (book === null) {
        shaped += 1;
        readPrice(null, named, side, reading);
      } else if (isObject(book) && book.has("price")) {
        shaped += 1;
        readSide(book, named, side, reading);
      } else {
        reading.refusals.add("malformed", `${written}: ${key}`);
        reading.references.push(named);
      }
    }
  }
  if (shaped === 0) {
    throw refusedFile(body.name, "not the Buff shape: no name has `starting_at.price` or `highest_order.price`");
  }
  const providers = [{ provider, name: "BUFF163", kind: "cash" as const }];
  return { facts: { feed: "buff163", adapter: "buff", providers }, ...reading };
}

type Reading = Omit<FeedReading, "facts"> & { observations: Observation[]; references: ItemReference[] };

function readSide(book: JsonObject, named: ItemReference, side: Side, reading: Reading): void {
  readPrice(book.get("price") ?? null, named, side, reading);
  const phases = book.get("doppler") ?? null;
  if (phases === null) return;
  if (!isObject(phases)) {
    reading.refusals.add("malformed", `${named.name}: doppler`);
    // Unreadable phases could be any of them.
    reading.references.push(...allPhases.map((phase) => ({ ...named, phase })));
  } else for (const [phase, price] of phases) readPrice(price, { ...named, phase }, side, reading);
}

function readPrice(price: Json, named: ItemReference, side: Side, reading: Reading): void {
  const amount = price instanceof NumberText ? centsFrom(price.text, "dollars") : "unparsable";
  if (typeof amount === "number") {
    const nothingElse = { quantity: null, url: null, observedAt: null };
    reading.observations.push({ ...named, ...nothingElse, provider, side, amountCents: amount });
    return;
  }
  reading.references.push(named);
  if (price === null || price === "null" || amount === "zero") reading.absent += 1;
  else reading.refusals.add(amount, named.phase === null ? `${named.name}` : `${named.name} ${named.phase}`);
}
