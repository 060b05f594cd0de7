import { decimalText, parseDecimal, readDecimal } from "../../values/money/decimal.ts";
import { roundedCentsFrom } from "../../values/money/money.ts";
import { displayText } from "../../values/text/display-text.ts";
import { impossibleInName } from "../../values/text/item-names.ts";
import { isObject, type Json, type KeptKeys, NumberText } from "../../values/text/strict-json.ts";
import { type FeedFile, fileJson, refusedFile } from "../feed-file.ts";
import type { MappedPrice, MappedTime, Mapping, Scalar } from "./mapping.ts";
import {
  type FeedReading,
  type ItemReference,
  isPastTime,
  isSafeUrl,
  type Observation,
  type RefusalReason,
  Refusals,
  type Side,
} from "./observation.ts";

/** A path of a mapping: from the whole answer, from an entry, or the key of the entry. */
type MappedPath = { from: "whole" | "entry" | "key"; steps: readonly (string | number)[]; text: string };

/** An entry of the list: its key (an index or a name) and its value. */
type MappedEntry = { key: string | number; value: Json };

const step = /\.([A-Za-z_][A-Za-z0-9_-]*)|\['([^']+)'\]|\[([0-9]+)\]/g;

const nameCharsMax = 300;

/**
 * Reads the JSON answer of a source by a mapping. `at`, UTC ms, bounds the times in it.
 * @throws {OperatorError} when the answer is not of the mapped shape as a whole, or has another currency; it names the path.
 */
export function readMapped(mapping: Mapping, body: FeedFile, at: number): FeedReading {
  return new MappedReader(mapping, body, at).read();
}

type Time = MappedTime & { at: MappedPath };
type Price = MappedPrice & { side: Side; at: MappedPath; quantityAt: MappedPath | null };

class MappedReader {
  readonly #mapping: Mapping;
  readonly #body: FeedFile;
  readonly #now: number;
  readonly #whole: Json;
  readonly #list: MappedPath;
  readonly #name: MappedPath;
  readonly #phase: MappedPath | null;
  readonly #phaseNames: ReadonlyMap<string, string>;
  readonly #url: MappedPath | null;
  readonly #currency: MappedPath | null;
  readonly #observed: Time | null;
  readonly #prices: readonly Price[];
  readonly #absentValues: readonly Scalar[];
  readonly #refusals = new Refusals();
  readonly #references: ItemReference[] = [];
  readonly #observations: Observation[] = [];
  #absent = 0;
  /** Paths of which an entry had a value. */
  readonly #found = new Set<MappedPath>();

  constructor(mapping: Mapping, body: FeedFile, now: number) {
    const pathOrNull = (text: string | undefined) => (text === undefined ? null : pathFrom(text));
    this.#mapping = mapping;
    this.#body = body;
    this.#now = now;
    this.#list = pathFrom(mapping.list);
    this.#whole = fileJson(body, keptBy(mapping, this.#list));
    this.#name = pathFrom(mapping.name);
    this.#phase = pathOrNull(mapping.phase?.path);
    this.#phaseNames = new Map(Object.entries(mapping.phase?.names ?? {}));
    this.#url = pathOrNull(mapping.url);
    this.#currency = "path" in mapping.currency ? pathFrom(mapping.currency.path) : null;
    this.#observed = timeOrNull(mapping.observed_at);
    this.#absentValues = mapping.absent ?? [null];
    this.#prices = (["ask", "bid"] as const).flatMap((side) => {
      const price = mapping[side];
      return price === undefined
        ? []
        : [{ ...price, side, at: pathFrom(price.path), quantityAt: pathOrNull(price.quantity) }];
    });
  }

  read(): FeedReading {
    this.#refuseUnlessRequired();
    const entries = this.#entries();
    if (this.#currency?.from === "whole") this.#refuseOtherCurrency(this.#currency, undefined);
    for (const entry of entries) this.#readEntry(entry);
    this.#refuseUnlessFound(entries);
    const { feed, provider, entry } = this.#mapping;
    return {
      facts: { feed, adapter: "mapped", providers: [provider] },
      observations: entry === "listing" ? bestOf(this.#observations) : this.#observations,
      references: this.#references,
      refusals: this.#refusals,
      absent: this.#absent,
      savedAt: this.#savedAt(),
      isUnfinished: false,
    };
  }

  #refuseUnlessRequired(): void {
    for (const { path, equals } of this.#mapping.require ?? []) {
      const value = valueAt(pathFrom(path), this.#whole);
      if (isScalar(value, equals)) continue;
      throw refusedFile(this.#body.name, `\`${path}\` is ${shown(value)}; the mapping requires ${String(equals)}`);
    }
  }

  #entries(): MappedEntry[] {
    const list = valueAt(this.#list, this.#whole);
    const entries: MappedEntry[] | null = Array.isArray(list)
      ? list.map((value: Json, key) => ({ key, value }))
      : isObject(list)
        ? Array.from(list, ([key, value]) => ({ key, value }))
        : null;
    if (entries === null) {
      throw refusedFile(this.#body.name, `\`${this.#list.text}\` is ${shown(list)}; the mapping has its list there`);
    }
    const { count } = this.#mapping;
    const counted = count === undefined ? undefined : valueAt(pathFrom(count), this.#whole);
    if (count !== undefined && !isScalar(counted, entries.length)) {
      const found = `\`${this.#list.text}\` holds ${entries.length} entries`;
      throw refusedFile(
        this.#body.name,
        `\`${count}\` is ${shown(counted)} and ${found}: it is a page, or was cut off`,
      );
    }
    return entries;
  }

  #readEntry(entry: MappedEntry): void {
    if (this.#currency !== null && this.#currency.from !== "whole") this.#refuseOtherCurrency(this.#currency, entry);
    const item = this.#itemOf(entry);
    if (item === null) return;
    for (const price of this.#prices) this.#readPrice(price, item, entry);
  }

  #refuseOtherCurrency(path: MappedPath, entry: MappedEntry | undefined): void {
    const currency = valueAt(path, this.#whole, entry);
    if (currency === "USD") return;
    const place = entry === undefined ? path.text : placeOf(path, this.#list, entry);
    const asked = Object.entries(this.#mapping.query ?? {}).map(([key, value]) => `${key}=${value}`);
    const by = asked.length === 0 ? "" : `, as the mapping's parameters do (${asked.join("&")})`;
    const only = `only USD is read; ask the source for US dollars${by}`;
    throw refusedFile(this.#body.name, `\`${displayText(place)}\` is ${shown(currency)}: ${only}`);
  }

  #itemOf(entry: MappedEntry): ItemReference | null {
    const name = this.#value(this.#name, entry);
    if (!isNameText(name)) {
      this.#refusals.add("malformed", this.#placeOf(this.#name, entry));
      return null;
    }
    const item = { itemId: null, name, phase: null };
    if (this.#phase === null) return item;
    const written = this.#value(this.#phase, entry);
    if (written === undefined || this.#isAbsent(written)) return item;
    if (isNameText(written)) return { ...item, phase: this.#phaseNames.get(written) ?? written };
    this.#refusals.add("malformed", `${name} at ${this.#placeOf(this.#phase, entry)}`);
    return null;
  }

  #readPrice(price: Price, item: ItemReference, entry: MappedEntry): void {
    const value = this.#value(price.at, entry);
    const isMissing = value === undefined && price.optional === true;
    if (isMissing || (value !== undefined && this.#isAbsent(value))) {
      this.#absent += 1;
      this.#references.push(item);
      return;
    }
    const observation = this.#observationOf(price, value, item, entry);
    if (!("reason" in observation)) {
      this.#observations.push(observation);
      return;
    }
    this.#refusals.add(observation.reason, `${item.name} at ${this.#placeOf(observation.path, entry)}`);
    this.#references.push(item);
  }

  #observationOf(
    price: Price,
    value: Json | undefined,
    item: ItemReference,
    entry: MappedEntry,
  ): Observation | { reason: RefusalReason; path: MappedPath } {
    const amountCents = roundedCentsFrom(numberText(value) ?? "", price.unit, price.round ?? "exact");
    if (typeof amountCents === "string") return { reason: amountCents, path: price.at };
    const quantity = this.#quantityOf(price, entry);
    if (quantity === undefined) return { reason: "bad_quantity", path: price.quantityAt! };
    const observedAt = this.#timeOf(this.#observed, entry);
    if (observedAt === undefined) return { reason: "bad_time", path: this.#observed!.at };
    const url = this.#urlOf(entry);
    if (url === undefined) return { reason: "bad_url", path: this.#url! };
    const { provider } = this.#mapping.provider;
    return { ...item, provider, side: price.side, amountCents, quantity, url, observedAt };
  }

  /** Returns the units of a price: null is unknown, undefined is no whole number from 1. A listing without a number is one unit. */
  #quantityOf({ quantityAt }: Price, entry: MappedEntry): number | null | undefined {
    const unknown = this.#mapping.entry === "listing" ? 1 : null;
    const value = quantityAt === null ? undefined : this.#value(quantityAt, entry);
    if (value === undefined || this.#isAbsent(value)) return unknown;
    const text = numberText(value);
    const units = text !== null && /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return Number.isSafeInteger(units) && units > 0 ? units : undefined;
  }

  /** Returns a time in UTC ms; null: there is none, undefined: it cannot be one. */
  #timeOf(time: Time | null, entry?: MappedEntry): number | null | undefined {
    const value = time === null ? undefined : valueAt(time.at, this.#whole, entry);
    if (time === null || value === undefined || this.#isAbsent(value)) return null;
    const ms = timeMs(value, time.unit);
    return entry === undefined || isPastTime(ms, this.#now) ? ms : undefined;
  }

  #savedAt(): number | null {
    const savedAt = this.#timeOf(timeOrNull(this.#mapping.saved_at));
    if (savedAt === null || (savedAt !== undefined && savedAt >= 0)) return savedAt;
    throw refusedFile(this.#body.name, `\`${this.#mapping.saved_at?.path}\` is no time`);
  }

  #urlOf(entry: MappedEntry): string | null | undefined {
    const value = this.#url === null ? undefined : this.#value(this.#url, entry);
    if (value === undefined || this.#isAbsent(value)) return null;
    return typeof value === "string" && isSafeUrl(value) ? value : undefined;
  }

  /** A path that no entry has is a wrong mapping or another shape, not an item without a price. */
  #refuseUnlessFound(entries: readonly MappedEntry[]): void {
    const [first] = entries;
    if (first === undefined) return;
    for (const path of [this.#name, ...this.#prices.map(({ at }) => at)]) {
      if (this.#found.has(path)) continue;
      const keys = isObject(first.value) ? `the keys ${Array.from(first.value.keys()).join(", ")}` : shown(first.value);
      const why = `none of the ${entries.length} entries of \`${this.#list.text}\` has \`${path.text}\``;
      throw refusedFile(this.#body.name, `${why}; the first has ${displayText(keys, 300)}`);
    }
  }

  #value(path: MappedPath, entry: MappedEntry): Json | undefined {
    const value = valueAt(path, this.#whole, entry);
    if (value !== undefined) this.#found.add(path);
    return value;
  }

  #isAbsent(value: Json): boolean {
    return this.#absentValues.some((absent) => isScalar(value, absent));
  }

  #placeOf(path: MappedPath, entry: MappedEntry): string {
    return placeOf(path, this.#list, entry);
  }
}

/** Returns what a mapping needs of the entries of its list: the keys that any of its paths names. */
function keptBy(mapping: Mapping, { steps }: MappedPath): KeptKeys {
  const texts: string[] = [];
  const collect = (part: unknown) => {
    if (typeof part === "string") texts.push(part);
    else if (typeof part === "object" && part !== null) for (const inner of Object.values(part)) collect(inner);
  };
  collect(mapping);
  const names = texts.flatMap((text) => pathFrom(text).steps).filter((step) => typeof step === "string");
  return { depth: steps.length, keys: new Set(names) };
}

/** Reads a path that the schema of mappings admits. */
function pathFrom(text: string): MappedPath {
  if (text === "key") return { from: "key", steps: [], text };
  const steps = Array.from(text.matchAll(step), ([, name, quoted, index]) => name ?? quoted ?? Number(index));
  return { from: text.startsWith("$") ? "whole" : "entry", steps, text };
}

/** Returns the value at a path; undefined: there is none. */
function valueAt(path: MappedPath, whole: Json, entry?: MappedEntry): Json | undefined {
  if (path.from === "key") return entry === undefined ? undefined : String(entry.key);
  let value: Json | undefined = path.from === "whole" ? whole : entry?.value;
  for (const step of path.steps) {
    if (typeof step === "number") value = Array.isArray(value) ? (value[step] as Json | undefined) : undefined;
    else value = isObject(value) ? value.get(step) : undefined;
  }
  return value;
}

/** Returns the place of a value in the answer, such as `$.items[17].price`. */
function placeOf(path: MappedPath, list: MappedPath, { key }: MappedEntry): string {
  if (path.from === "whole") return path.text;
  const entry = `${list.text}${typeof key === "number" ? `[${key}]` : `['${key}']`}`;
  return path.from === "key" ? entry : entry + path.text.slice(1);
}

/** Keeps the lowest ask and the highest bid of each item, with the units of all listings at that price. */
function bestOf(listings: readonly Observation[]): Observation[] {
  const best = new Map<string, Observation>();
  for (const listing of listings) {
    const { name, phase, side, amountCents, quantity } = listing;
    const key = JSON.stringify([name, phase, side]);
    const known = best.get(key);
    const isBetter = known === undefined || amountCents < known.amountCents === (side === "ask");
    if (known?.amountCents === amountCents) {
      best.set(key, { ...known, quantity: (known.quantity ?? 0) + (quantity ?? 0) });
    } else if (isBetter) best.set(key, listing);
  }
  return [...best.values()];
}

function timeOrNull(time: MappedTime | undefined): Time | null {
  return time === undefined ? null : { ...time, at: pathFrom(time.path) };
}

/** Tells whether a value can be the name or the phase of an item. */
function isNameText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "" && value.length <= nameCharsMax && !impossibleInName.test(value);
}

/** Returns a number as it is written, also in quotes; null: it is none. */
function numberText(value: Json | undefined): string | null {
  if (value instanceof NumberText) return value.text;
  return typeof value === "string" && readDecimal(value) !== null ? value : null;
}

/** Tells whether a value is the scalar: numbers are compared by value, so that 0, 0.0 and 0.00 are one. */
function isScalar(value: Json | undefined, scalar: Scalar): boolean {
  if (typeof scalar !== "number") return value === scalar;
  const written = value instanceof NumberText ? parseDecimal(value.text) : null;
  const asked = parseDecimal(String(scalar));
  return written !== null && asked !== null && decimalText(written) === decimalText(asked);
}

function timeMs(value: Json, unit: MappedTime["unit"]): number {
  if (unit === "iso") {
    const isTime = typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value);
    return isTime ? Date.parse(value) : Number.NaN;
  }
  const text = numberText(value) ?? "";
  return /^[0-9]{1,16}$/.test(text) ? Number(text) * (unit === "seconds" ? 1000 : 1) : Number.NaN;
}

/** Returns a value as a message shows it. */
function shown(value: Json | undefined): string {
  if (value === undefined) return "missing";
  if (value instanceof NumberText) return displayText(value.text, 40);
  if (typeof value === "string") return `"${displayText(value, 40)}"`;
  if (value === null || typeof value === "boolean") return String(value);
  return Array.isArray(value) ? "an array" : "an object";
}
