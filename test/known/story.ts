import { dayMs, dayOf, hourMs, hourOf, hoursOfDay, minuteMs } from "../../src/values/time/calendar.ts";
import { variantOf } from "../import/quotes/quote-world.ts";
import type { Random } from "../sim/random.ts";
import {
  type FeedName,
  feedNames,
  type GivenFrame,
  KnownMarket,
  type Line,
  providersOf,
  type Quote,
} from "./market.ts";

/** `polls`: polls of each feed and day. The other counts are spread over all days. */
export type StorySize = {
  items: number;
  days: number;
  polls: number;
  runs: number;
  rates: number;
  late: number;
  imports: number;
  corrections: number;
  renames: number;
  retractions: number;
  ticking: boolean;
};

/**
 * A change of the market, and the item and day that it touches most. `isLong`: its answers change in its first transaction, but it counts
 * from its last.
 */
export type Change = {
  at: number;
  name: string;
  itemId: number;
  day: number;
  isLong?: boolean;
  run(): void | Promise<void>;
};

export const startAt = Date.UTC(2026, 0, 5);
export const firstDay = dayOf(startAt);
const savedFeeds = ["steam", "alpha"] as const;

/** Writes a market over some months: polls and all kinds of corrections, in order of time. The same seed gives the same story. */
export class Story {
  readonly market: KnownMarket;
  readonly size: StorySize;
  readonly #random: Random;
  /** Last price of each feed and item, in cents. */
  readonly #prices = new Map<string, number>();
  /** Names that a feed uses for an item instead of the catalog's, by `feed item`. */
  readonly #aliases = new Map<string, string>();
  readonly #currencies = ["eur", "cny"];
  #renamed = 0;
  /** When the first week was pruned, and when the last command with ticks between its transactions ended, UTC ms. */
  prunedAt = Number.POSITIVE_INFINITY;
  tickedUntil = 0;

  constructor(random: Random, size: StorySize) {
    this.#random = random;
    this.size = size;
    this.market = new KnownMarket(size.items, startAt - dayMs);
  }

  get lastDay(): number {
    return firstDay + this.size.days - 1;
  }

  /** Writes the catalog and a first state of each feed, before the first change. */
  async begin(): Promise<void> {
    const { market } = this;
    await market.importCatalog();
    this.#announce();
    market.now += hourMs;
    for (const feed of feedNames) market.poll(feed, this.#lines(feed));
    market.defineIndex("all", "steam", this.#itemIds().slice(0, 10), firstDay - 1);
    market.definePool("box", 1, [2, 3, 4]);
    await market.importRates(firstDay - 1, this.#rates());
    await market.importDaily("northgate", "northgate", this.#dailyRows([1, 2, 3], firstDay - 10, firstDay - 2), false);
    market.calculateRoi();
  }

  /** Yields the changes of all days in ascending instants. Run each before the next is taken. */
  *changes(): Generator<Change> {
    for (let day = firstDay; day <= this.lastDay; day += 1) {
      const made = this.#changesOf(day).sort((one, other) => one.at - other.at);
      let last = 0;
      for (const change of made) {
        // Each change has an instant of its own, and a millisecond before it.
        const at = Math.max(change.at, last + 10);
        last = at;
        yield { ...change, at };
      }
    }
  }

  #changesOf(day: number): Change[] {
    const random = this.#random;
    const { size } = this;
    const of = (name: string, run: Change["run"], touched: Partial<Change> = {}): Change => ({
      at: day * dayMs + random.between(2 * hourMs, dayMs - minuteMs),
      name,
      itemId: random.between(1, size.items),
      day,
      run,
      ...touched,
    });
    const some = (count: number, make: () => Change | Change[]): Change[] => {
      const share = count / size.days;
      const due = Math.floor(share) + Number(random.chance(share % 1));
      return Array.from({ length: due }, make).flat();
    };
    return [
      ...this.#pollsOf(day),
      ...(random.chance(0.85)
        ? [of("finish", () => this.market.finishDays(), { at: day * dayMs + 7 * minuteMs, day: day - 1 })]
        : []),
      ...some(size.rates, () =>
        of("rates", () => this.market.importRates(day, this.#rates()), { at: day * dayMs + 15 * hourMs }),
      ),
      // A second run in an hour replaces its row.
      ...some(size.runs, () => {
        const at = day * dayMs + random.pick([6, 18]) * hourMs + random.between(4, 40) * minuteMs;
        return of("run", () => this.market.calculateRoi(), { at });
      }),
      ...some(size.late, () => this.#late(of, day)),
      ...some(size.imports, () => this.#imported(of, day)),
      ...some(size.corrections, () => this.#correctedRate(of, day)),
      ...some(size.renames, () => this.#rename(of)),
      ...some(size.retractions, () => this.#retract(of)),
      ...this.#once(of, day),
    ];
  }

  /** Changes that happen once: a new item, a dropped feed, a pruned week, an item that leaves. */
  #once(of: Of, day: number): Change[] {
    const { market, size } = this;
    const at = (share: number) => firstDay + Math.floor(size.days * share);
    const made: Change[] = [];
    if (day === at(0.3)) made.push(of("new item", () => this.#addItem(), { itemId: size.items + 1 }));
    if (day === at(0.45)) made.push(of("drop", () => market.drop("beta")));
    if (day === at(0.5)) made.push(of("refused", () => market.importRefused(this.#lines("alpha"))));
    if (day === at(0.6)) made.push(of("leaves", () => this.#leave(), { itemId: 5 }));
    if (day === at(0.75)) made.push(of("prune", () => this.#prune(), { day: firstDay + 1 }));
    return made;
  }

  /** The first day with hours after pruning. */
  get prunedUntil(): number {
    return firstDay + Math.min(7, Math.floor(this.size.days / 4));
  }

  #pollsOf(day: number): Change[] {
    const random = this.#random;
    const hours = new Set<number>();
    while (hours.size < this.size.polls) hours.add(random.between(0, hoursOfDay - 1));
    return [...hours].flatMap((hour) =>
      feedNames
        .filter(() => random.chance(0.85))
        .map((feed): Change => {
          const at = day * dayMs + hour * hourMs + random.between(10 * minuteMs, 55 * minuteMs);
          const run = () => this.market.poll(feed, this.#lines(feed));
          return { at, name: `poll ${feed}`, itemId: random.between(1, this.size.items), day, run };
        }),
    );
  }

  #late(of: Of, day: number): Change {
    const random = this.#random;
    const feed = random.pick(savedFeeds);
    const back = random.chance(0.7) ? random.between(2, 40) : random.between(2, 24 * 20);
    const change = of("late", async () => {
      const hour = hourOf(this.market.now) - back;
      if (this.#isTaken(feed, hour) || hour < firstDay * hoursOfDay || this.#isPruned(hour)) return;
      await this.#ticking(() => this.market.importSaved(feed, this.#lines(feed), hour * hourMs + 20 * minuteMs));
    });
    return { ...change, day: Math.max(firstDay, day - Math.floor(back / hoursOfDay)) };
  }

  #imported(of: Of, day: number): Change[] {
    const random = this.#random;
    if (day < firstDay + 3) return [];
    const replace = random.chance(0.6);
    const feed = random.pick(["steam", "alpha", "northgate", "northgate"] as const);
    // Mostly before the first frame, so that imports replace each other's rows.
    const from = firstDay + (random.chance(0.6) ? random.between(-10, -6) : random.between(-3, day - firstDay - 1));
    const itemId = random.between(1, 3);
    const run = () => {
      const rows = this.#dailyRows([itemId, random.between(4, this.size.items)], from, Math.min(from + 4, day));
      return this.#ticking(() => this.market.importDaily(feed, feed, rows, replace));
    };
    return [of("daily", run, { itemId, day: from + 1, isLong: true })];
  }

  /** Asks of items on the days from `from` until before `to`. */
  #dailyRows(itemIds: readonly number[], from: number, to: number): [number, number, number][] {
    const days = Array.from({ length: to - from }, (_, index) => from + index);
    return itemIds.flatMap((id) => days.map((day): [number, number, number] => [id, day, this.#price("steam", id)]));
  }

  #correctedRate(of: Of, day: number): Change {
    const corrected = Math.max(firstDay, day - this.#random.between(1, 9));
    const run = () => this.#ticking(() => this.market.importRates(corrected, this.#rates(), true));
    return of("corrected rate", run, { day: corrected });
  }

  /** Gives the next item a new name, which `alpha` uses from now on and the catalog from the next renaming on. */
  #announce(): void {
    this.#renamed += 1;
    this.#aliases.set(`alpha ${this.#renamed}`, `Item ${this.#renamed} renamed`);
  }

  /** Changes the name of an item in the catalog. Steam uses the old name for some time. */
  #rename(of: Of): Change {
    const run = async () => {
      const itemId = this.#renamed;
      const name = this.#aliases.get(`alpha ${itemId}`)!;
      this.#aliases.delete(`alpha ${itemId}`);
      this.#aliases.set(`steam ${itemId}`, this.market.nameOf(itemId));
      this.#aliases.delete(`steam ${itemId - 1}`);
      this.market.variants = this.market.variants.map((one, at) =>
        at === itemId - 1 ? { ...one, marketHashName: name } : one,
      );
      await this.#ticking(() => this.market.importCatalog());
      this.#announce();
    };
    return of("rename", run, { itemId: this.#renamed });
  }

  /** Retracts a frame. Half of them are replaced later on the day. */
  #retract(of: Of): Change[] {
    const random = this.#random;
    let retracted: GivenFrame | null = null;
    const retract = of("retract", async () => {
      retracted = this.#retractable();
      if (retracted !== null) await this.#ticking(() => this.market.retract(retracted!));
    });
    const replace = of("replace", async () => {
      if (retracted === null) return;
      const { hour } = retracted;
      const feed = retracted.feed as "alpha";
      // Some items are only in the other frames of the day.
      const lines = this.#lines(feed).filter((_, at) => at % 4 !== 1);
      await this.#ticking(() => this.market.importSaved(feed, lines, hour * hourMs + 40 * minuteMs));
    });
    return random.chance(0.5) ? [retract, replace] : [retract];
  }

  /** Returns a frame to retract, rather one of several of its day, or null without any. */
  #retractable(): GivenFrame | null {
    const { frames } = this.market;
    const isOther = (one: GivenFrame, other: GivenFrame) => one !== other && one.feed === other.feed;
    const eligible = frames.filter(
      (one) =>
        one.feed !== "beta" &&
        !this.#isPruned(one.hour) &&
        !frames.some((other) => other.hour === one.hour && (isOther(one, other) || one.retractedAt !== null)),
    );
    const dayOfFrame = ({ hour }: GivenFrame) => Math.floor(hour / hoursOfDay);
    const shared = eligible.filter((one) =>
      frames.some((other) => isOther(one, other) && dayOfFrame(one) === dayOfFrame(other)),
    );
    if (eligible.length === 0) return null;
    return this.#random.pick(shared.length > 0 ? shared : eligible);
  }

  async #prune(): Promise<void> {
    await this.market.prune(this.prunedUntil);
    this.prunedAt = this.market.now;
  }

  async #addItem(): Promise<void> {
    const { market } = this;
    market.variants = [...market.variants, variantOf({}, market.variants.length)];
    await market.importCatalog();
  }

  async #leave(): Promise<void> {
    const { market } = this;
    const all = market.variants;
    market.variants = all.filter((_, at) => at !== 4);
    await market.importCatalog();
    market.variants = all;
  }

  /** Runs a command, in some stories with a millisecond between its transactions. */
  async #ticking(run: () => Promise<void>): Promise<void> {
    this.market.tickMs = this.size.ticking && this.#random.chance(0.5) ? 1 : 0;
    await run();
    this.market.tickMs = 0;
    this.tickedUntil = this.market.now;
  }

  #isTaken(feed: string, hour: number): boolean {
    return this.market.frames.some((one) => one.feed === feed && one.hour === hour);
  }

  #isPruned(hour: number): boolean {
    return hour < this.prunedUntil * hoursOfDay;
  }

  #itemIds(): number[] {
    return this.market.variants.map((_, index) => index + 1);
  }

  #price(feed: FeedName, itemId: number): number {
    const key = `${feed} ${itemId}`;
    const before = this.#prices.get(key) ?? 500 + itemId * 37;
    const moved = this.#random.chance(0.35) ? this.#random.between(-20, 20) : 0;
    const price = Math.max(100, before + moved);
    this.#prices.set(key, price);
    return price;
  }

  /** The body of a feed now: some items are missing, some are named without a price, some by another name. */
  #lines(feed: FeedName): Line[] {
    const random = this.#random;
    const extra = [this.market.variants.length + 1];
    return [...this.#itemIds(), ...extra].flatMap((id): Line[] => {
      if (random.chance(feed === "steam" ? 0.01 : 0.08)) return [];
      const alias = this.#aliases.get(`${feed} ${id}`);
      const name = alias ?? (id > this.market.variants.length ? `Item ${id - 1}` : this.market.nameOf(id));
      const itemId = alias === undefined && id <= this.market.variants.length ? id : null;
      const asks: Quote[] = [];
      const bids: Quote[] = [];
      const observedAt = feed === "alpha" ? this.market.now - random.between(2, 9) * hourMs * 24 : null;
      for (const provider of providersOf[feed]) {
        if (feed !== "steam" && random.chance(0.1)) continue;
        const amount = this.#price(feed, id);
        const quantity = feed === "steam" ? null : random.between(1, 5);
        asks.push({ provider, side: "ask", amount, quantity, observedAt });
        if (feed === "alpha" && random.chance(0.5))
          bids.push({ provider, side: "bid", amount: amount - 5, quantity: null, observedAt });
      }
      // A canonical feed has no line of an item without a price.
      return asks.length === 0 && feed === "beta" ? [] : [{ name, itemId, asks, bids }];
    });
  }

  #rates(): Record<string, number> {
    const rate = (base: number) => Number((base * (1 + this.#random.between(-20, 20) / 1000)).toFixed(4));
    return Object.fromEntries(this.#currencies.map((code, at) => [code, rate([0.86, 7.1][at]!)]));
  }
}

type Of = (name: string, run: Change["run"], touched?: Partial<Change>) => Change;
