import { roundedCentsFrom } from "../../values/money/money.ts";
import { displayText } from "../../values/text/display-text.ts";
import { impossibleInName } from "../../values/text/item-names.ts";
import { phases as allPhases } from "../../values/text/phases.ts";
import { isObject, type Json, NumberText } from "../../values/text/strict-json.ts";
import { type FeedFile, fileJson, refusedFile } from "../feed-file.ts";
import { MappedPhaseReader } from "./mapped-phase.ts";
import {
  entriesOf,
  isScalar,
  keptBy,
  type MappedEntry,
  type MappedPath,
  numberText,
  pathFrom,
  placeOf,
  shown,
  valueAt,
} from "./mapped-values.ts";
import type { MappedPrice, MappedTime, Mapping, Scalar } from "./mapping.ts";
import {
  bestRow,
  type FeedReading,
  type ItemReference,
  isPastTime,
  isSafeUrl,
  type Observation,
  type RefusalReason,
  Refusals,
  type Side,
} from "./observation.ts";

const nameCharsMax = 300;

/**
 * Reads the JSON answer of a source by a mapping. `at` (UTC ms) limits the times in it.
 * @throws {OperatorError} when the whole answer has another format or another currency. The message names the path.
 */
export function readMapped(mapping: Mapping, body: FeedFile, at: number): FeedReading {
  return new MappedReader(mapping, body, at).read();
}

type Time = MappedTime & { at: MappedPath };
/** Paths of an amount and of its quantity. */
type Amount = { at: MappedPath; quantityAt: MappedPath | null };
type Phases = Amount & { listAt: MappedPath; phaseAt: MappedPath };
type Price = Omit<MappedPrice, "phases"> & Amount & { side: Side; phases: Phases | null };
/** An object with amounts: an entry, or one of its phases. `within` is the list that holds it, for messages. */
type Source = Amount & { entry: MappedEntry; within: MappedPath };

class MappedReader {
  readonly #mapping: Mapping;
  readonly #body: FeedFile;
  readonly #now: number;
  readonly #whole: Json;
  readonly #list: MappedPath;
  readonly #name: MappedPath;
  readonly #phase: MappedPath | null;
  readonly #phases: MappedPhaseReader;
  readonly #url: MappedPath | null;
  readonly #currency: MappedPath | null;
  readonly #observed: Time | null;
  readonly #prices: readonly Price[];
  readonly #absentValues: readonly Scalar[];
  readonly #refusals = new Refusals();
  readonly #references: ItemReference[] = [];
  readonly #observations: Observation[] = [];
  #absent = 0;
  /** True if an entry had both an ask and a bid, so entries are not single offers. */
  #hasBothSides = false;
  /** Paths with a value in at least one entry. */
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
    this.#phases = new MappedPhaseReader(mapping.phase);
    this.#url = pathOrNull(mapping.url);
    this.#currency = "path" in mapping.currency ? pathFrom(mapping.currency.path) : null;
    this.#observed = timeOrNull(mapping.observed_at);
    this.#absentValues = mapping.absent ?? [null];
    this.#prices = (["ask", "bid"] as const).flatMap((side) => {
      const price = mapping[side];
      return price === undefined ? [] : [pricePaths(price, side)];
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
      observations: entry === "listing" ? this.#bestListings() : this.#observations,
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
    const entries = entriesOf(list);
    if (entries === null) {
      throw refusedFile(
        this.#body.name,
        `\`${this.#list.text}\` is ${shown(list)}; the mapping expects its list there`,
      );
    }
    const { count } = this.#mapping;
    const counted = count === undefined ? undefined : valueAt(pathFrom(count), this.#whole);
    if (count !== undefined && !isScalar(counted, entries.length)) {
      const found = `\`${this.#list.text}\` holds ${entries.length} entries`;
      throw refusedFile(
        this.#body.name,
        `\`${count}\` is ${shown(counted)} and ${found}: the file is one page, or was cut off`,
      );
    }
    return entries;
  }

  #readEntry(entry: MappedEntry): void {
    if (this.#currency !== null && this.#currency.from !== "whole") this.#refuseOtherCurrency(this.#currency, entry);
    const item = this.#itemOf(entry);
    if (item === null) return;
    const before = this.#observations.length;
    for (const price of this.#prices) this.#readPrice(price, item, entry);
    if (this.#hasBothSides || this.#mapping.entry === "item") return;
    this.#hasBothSides = new Set(this.#observations.slice(before).map(({ side }) => side)).size === 2;
  }

  #refuseOtherCurrency(path: MappedPath, entry: MappedEntry | undefined): void {
    const currency = valueAt(path, this.#whole, entry);
    if (currency === "USD") return;
    const place = entry === undefined ? path.text : placeOf(path, this.#list, entry);
    const asked = Object.entries(this.#mapping.query ?? {}).map(([key, value]) => `${key}=${value}`);
    const by = asked.length === 0 ? "" : `, as the mapping's parameters do (${asked.join("&")})`;
    const only = `only USD is accepted; request US dollars${by}`;
    throw refusedFile(this.#body.name, `\`${displayText(place)}\` is ${shown(currency)}: ${only}`);
  }

  #itemOf(entry: MappedEntry): ItemReference | null {
    const name = this.#value(this.#name, entry);
    if (!isNameText(name)) {
      this.#refusals.add("malformed", this.#placeOf(this.#name, entry));
      return null;
    }
    const split = this.#phases.split(name);
    const item = { itemId: null, name: split.name, phase: split.phase };
    if (this.#phase === null) return item;
    const written = this.#value(this.#phase, entry);
    if (written === undefined || written === "" || this.#isAbsent(written)) return item;
    const text = written instanceof NumberText ? written.text : written;
    if (isNameText(text)) return { ...item, phase: this.#phases.ofItem(name, text) ?? item.phase };
    this.#refusals.add("malformed", `${name} at ${this.#placeOf(this.#phase, entry)}`);
    return null;
  }

  /** Reads the price of an entry, and the prices of the phases that share its name. */
  #readPrice(price: Price, item: ItemReference, entry: MappedEntry): void {
    const own = { at: price.at, quantityAt: price.quantityAt, entry, within: this.#list };
    const list = price.phases === null ? undefined : this.#value(price.phases.listAt, entry);
    if (price.phases === null || list === undefined || this.#isAbsent(list)) {
      this.#readAmount(price, item, own, entry);
      return;
    }
    this.#found.add(price.at);
    this.#readAmount({ ...price, optional: true }, item, own, entry);
    const { listAt, phaseAt, ...paths } = price.phases;
    const within = { ...listAt, text: this.#placeOf(listAt, entry) };
    const inner = entriesOf(list);
    if (inner === null) this.#refusals.add("malformed", `${item.name} at ${within.text}`);
    // An unreadable list may contain any phase.
    if (inner === null) this.#references.push(...allPhases.map((phase) => ({ ...item, phase })));
    for (const one of inner ?? []) {
      const written = valueAt(phaseAt, this.#whole, one);
      const text = written instanceof NumberText ? written.text : written;
      if (!isNameText(text)) this.#refusals.add("malformed", `${item.name} at ${placeOf(phaseAt, within, one)}`);
      else
        this.#readAmount(
          price,
          { ...item, phase: this.#phases.meant(text) ?? text },
          { ...paths, entry: one, within },
          entry,
        );
    }
  }

  #readAmount(price: Price, item: ItemReference, source: Source, entry: MappedEntry): void {
    const value = this.#value(source.at, source.entry);
    const isMissing = value === undefined && price.optional === true;
    if (isMissing || (value !== undefined && this.#isAbsent(value))) {
      this.#absent += 1;
      this.#references.push(item);
      return;
    }
    const observation = this.#observationOf(price, value, item, source, entry);
    if (!("reason" in observation)) {
      this.#observations.push(observation);
      return;
    }
    this.#refusals.add(observation.reason, `${item.name} at ${observation.place}`);
    this.#references.push(item);
  }

  #observationOf(
    price: Price,
    value: Json | undefined,
    item: ItemReference,
    source: Source,
    entry: MappedEntry,
  ): Observation | { reason: RefusalReason; place: string } {
    const placeIn = (path: MappedPath) => placeOf(path, source.within, source.entry);
    const amountCents = roundedCentsFrom(numberText(value) ?? "", price.unit, price.round ?? "exact");
    if (typeof amountCents === "string") return { reason: amountCents, place: placeIn(source.at) };
    const quantity = this.#quantityOf(source);
    if (quantity === undefined) return { reason: "bad_quantity", place: placeIn(source.quantityAt!) };
    const observedAt = this.#timeOf(this.#observed, entry);
    if (observedAt === undefined) return { reason: "bad_time", place: this.#placeOf(this.#observed!.at, entry) };
    const url = this.#urlOf(entry);
    if (url === undefined) return { reason: "bad_url", place: this.#placeOf(this.#url!, entry) };
    const { provider } = this.#mapping.provider;
    return { ...item, provider, side: price.side, amountCents, quantity, url, observedAt };
  }

  /**
   * Returns the units of a price. Null if unknown; undefined if invalid, which means not a whole number from 1. A listing without a number
   * is one unit.
   */
  #quantityOf({ quantityAt, entry }: Source): number | null | undefined {
    const unknown = this.#mapping.entry === "listing" ? 1 : null;
    const value = quantityAt === null ? undefined : this.#value(quantityAt, entry);
    if (value === undefined || this.#isAbsent(value)) return unknown;
    const text = numberText(value);
    const units = text !== null && /^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN;
    return Number.isSafeInteger(units) && units > 0 ? units : undefined;
  }

  /** Returns a time in UTC ms. Null if it is missing; undefined if it is invalid. */
  #timeOf(time: Time | null, entry?: MappedEntry): number | null | undefined {
    const value = time === null ? undefined : valueAt(time.at, this.#whole, entry);
    if (time === null || value === undefined || this.#isAbsent(value)) return null;
    const ms = timeMs(value, time.unit);
    return entry === undefined || isPastTime(ms, this.#now) ? ms : undefined;
  }

  #savedAt(): number | null {
    const savedAt = this.#timeOf(timeOrNull(this.#mapping.saved_at));
    if (savedAt === null || (savedAt !== undefined && savedAt >= 0)) return savedAt;
    throw refusedFile(this.#body.name, `\`${this.#mapping.saved_at?.path}\` is not a time`);
  }

  #urlOf(entry: MappedEntry): string | null | undefined {
    const value = this.#url === null ? undefined : this.#value(this.#url, entry);
    if (value === undefined || this.#isAbsent(value)) return null;
    return typeof value === "string" && isSafeUrl(value) ? value : undefined;
  }

  /** A path without a value in any entry means a wrong mapping or another format, not a missing price. */
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

  /** Null is always absent, regardless of the mapping. */
  #isAbsent(value: Json): boolean {
    return value === null || this.#absentValues.some((absent) => isScalar(value, absent));
  }

  /**
   * Returns the lowest ask and the highest bid of each item, with the units of all listings at that price. Entries with both an ask and a
   * bid are not single offers. Their units are only known from a quantity path.
   */
  #bestListings(): Observation[] {
    const items = Map.groupBy(this.#observations, ({ name, phase, side }) => JSON.stringify([name, phase, side]));
    return Array.from(items.values(), (rows) => {
      const best = bestRow(rows, rows[0]!.side);
      if (this.#hasBothSides && this.#mapping[best.side]?.quantity === undefined) return best;
      const units = rows.filter(({ amountCents }) => amountCents === best.amountCents);
      return { ...best, quantity: units.reduce((sum, { quantity }) => sum + (quantity ?? 0), 0) };
    });
  }

  #placeOf(path: MappedPath, entry: MappedEntry): string {
    return placeOf(path, this.#list, entry);
  }
}

function pricePaths({ phases, ...price }: MappedPrice, side: Side): Price {
  const amount = (path: string, quantity: string | undefined): Amount => {
    return { at: pathFrom(path), quantityAt: quantity === undefined ? null : pathFrom(quantity) };
  };
  const own = { ...price, side, ...amount(price.path, price.quantity) };
  if (phases === undefined) return { ...own, phases: null };
  const { path, phase = "key", price: inner = "@", quantity } = phases;
  return { ...own, phases: { ...amount(inner, quantity), listAt: pathFrom(path), phaseAt: pathFrom(phase) } };
}

function timeOrNull(time: MappedTime | undefined): Time | null {
  return time === undefined ? null : { ...time, at: pathFrom(time.path) };
}

/** Returns whether a value can be the name or the phase of an item. */
function isNameText(value: Json | undefined): value is string {
  return typeof value === "string" && value !== "" && value.length <= nameCharsMax && !impossibleInName.test(value);
}

function timeMs(value: Json, unit: MappedTime["unit"]): number {
  if (unit === "iso") {
    const isTime = typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:?\d\d)$/.test(value);
    return isTime ? Date.parse(value) : Number.NaN;
  }
  const text = numberText(value) ?? "";
  return /^[0-9]{1,16}$/.test(text) ? Number(text) * (unit === "seconds" ? 1000 : 1) : Number.NaN;
}
