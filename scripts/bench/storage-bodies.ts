import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { dayMs, dayText, hourMs } from "../../src/values/time/calendar.ts";
import { catalogLists, catalogName } from "../support/large-market.ts";
import { randomOf } from "../support/numbers.ts";

/** With 39,035 items, the most common catalog size, a source sells 28,800 and buys 26,800. */
export const catalogItems = 39_035;
const soldShare = 28_800 / catalogItems;
const boughtShare = 26_800 / catalogItems;
/** Offset of the sold items from one source to the next. */
const sourceStep = 1_009;
/**
 * One in so many sold items has daily rows. `import daily` pauses half of the time for other writers, so a year of all items would need
 * some twenty minutes.
 */
export const dailyItemEach = 8;

/** A body of a source. `percent`: share of its items with changed prices. `minutes`: time of the body after the market. */
export type BodyOrder = { source: number; percent: number; minutes: number; hasUrls: boolean };

/**
 * Writes the bodies of a market of `items` items into a folder. Each is a function of its order, so that all subjects read the same files.
 */
export class Bodies {
  /** Number of items with daily rows. They have the first ids. */
  readonly dailyItems: number;
  readonly #sold: number;
  readonly #folder: string;
  readonly #items: number;
  /** UTC ms, in the first minutes of an hour that has ended, so that bodies of the next hour are not in the future. */
  readonly #marketAt: number;

  constructor(folder: string, items: number, now: number) {
    this.#sold = Math.round(items * soldShare);
    this.dailyItems = Math.round(this.#sold / dailyItemEach);
    this.#folder = folder;
    this.#items = items;
    this.#marketAt = (Math.floor(now / hourMs) - 1) * hourMs;
  }

  /** Returns the folder of the catalog. */
  catalog(): string {
    const folder = join(this.#folder, "catalog");
    mkdirSync(folder, { recursive: true });
    for (const [name, list] of Object.entries(catalogLists(this.#items)))
      writeFileSync(join(folder, `cs2-lib-${name}.json`), JSON.stringify(list));
    return folder;
  }

  /** Returns the arguments that import a body of a source. */
  words({ source, percent, minutes, hasUrls }: BodyOrder): string[] {
    const savedAt = this.#marketAt + minutes * 60_000;
    const random = randomOf(source);
    const places = this.#sellers(source).map((id, place) => {
      const hasChanged = random() % 10_000 < percent * 100;
      const price = 10 ** (1 + 4 * (((id * 7919) % 10_000) / 10_000) ** 2) * (1 + source / 20);
      const ask = Math.ceil(price) + (hasChanged ? Math.ceil(price / 50) : 0);
      const bid = place < this.#items * boughtShare ? { bid: Math.max(1, Math.floor(ask * 0.9)) } : {};
      const own = {
        url: `https://source-${source}.example/730/finish-${id}?offer=${id * 10}`,
        seen: savedAt - (id % 3_600) * 1_000,
      };
      return { name: catalogName(id), ask, units: 1 + (id % 40), ...bid, ...(hasUrls ? own : {}) };
    });
    const body = this.#write("body.json", JSON.stringify({ saved_at: savedAt, items: places }));
    const mapping = this.#write("mapping.json", JSON.stringify(mappingOf(source, hasUrls)));
    return ["import", "quotes", body, "--adapter", "mapped", "--mapping", mapping, "--json"];
  }

  /** Returns the arguments that import daily rows of the first source: `count` days, the last one `ago` days before today. */
  dailyWords(count: number, ago: number): string[] {
    const days = Array.from({ length: count }, (_, index) => dayText(this.#today() - ago - count + 1 + index));
    const rows = Array.from({ length: this.dailyItems }, (_, index) => index + 1).flatMap((id) =>
      days.map((date, day) => {
        const amount = 100 + ((id * 7919) % 20_000) + ((day * 31) % 97);
        return `{"item_id":${id},"date":"${date}","side":"ask","amount":${amount}}`;
      }),
    );
    const { feed, provider } = mappingOf(1, false);
    const header = JSON.stringify({ format: "itemtape-daily", version: 1, feed, provider });
    const end = JSON.stringify({ end: true, rows: rows.length });
    const body = this.#write("days.ndjson", [header, ...rows, end].join("\n"));
    return ["import", "daily", body, "--adapter", "canonical", "--json"];
  }

  /** Returns the address of 366 days of an item. */
  yearTarget(): string {
    const window = `from=${dayText(this.#today() - 366)}&to=${dayText(this.#today() - 1)}`;
    return `/v1/items/{item}/history?limit=366&provider=source-1&${window}`;
  }

  #today(): number {
    return Math.floor(this.#marketAt / dayMs);
  }

  /** Returns the items that a source sells. It buys the first of them. The first source sells the first items. */
  #sellers(source: number): number[] {
    return Array.from({ length: this.#sold }, (_, place) => 1 + ((place + (source - 1) * sourceStep) % this.#items));
  }

  #write(name: string, text: string): string {
    const path = join(this.#folder, name);
    writeFileSync(path, text);
    return path;
  }
}

/** Returns the mapping of a source's bodies. */
function mappingOf(source: number, hasUrls: boolean) {
  const slug = `source-${source}`;
  return {
    format: "itemtape-mapping",
    version: 1,
    feed: slug,
    provider: { provider: slug, name: `Source ${source}`, kind: "cash" },
    entry: "item",
    list: "$.items",
    name: "@.name",
    currency: { documented: "USD" },
    ask: { path: "@.ask", unit: "cents", quantity: "@.units" },
    bid: { path: "@.bid", unit: "cents", optional: true },
    saved_at: { path: "$.saved_at", unit: "milliseconds" },
    ...(hasUrls ? { url: "@.url", observed_at: { path: "@.seen", unit: "milliseconds" } } : {}),
  };
}
