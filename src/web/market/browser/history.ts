import type { Api } from "../../browser/api.ts";
import { pagesOf } from "./ranges.ts";
import type { Meta, Resolution, Row, Side } from "./types.ts";

/** A read of history: one side of an item in a window that the API takes, of one provider, or of all (null) that were quoted. */
export type Read = {
  itemId: number;
  resolution: Resolution;
  side: Side;
  provider: string | null;
  window: { from: string; to: string };
};

/** Histories that the page has read. What is held is not paid for twice; `forget` when prices are to be read anew. */
export class History {
  #api: Api;
  #held: { read: Read; rows: Row[]; meta: Meta }[] = [];

  constructor(api: Api) {
    this.#api = api;
  }

  forget() {
    this.#held = [];
  }

  /**
   * Returns how many requests a read takes.
   * @param providers Those that one request asks for together.
   */
  costOf(read: Read, providers: number) {
    if (this.#find(read) !== undefined) return 0;
    return pagesOf(read.window, read.resolution, read.provider === null ? providers : 1);
  }

  /**
   * Reads a window, or takes it out of a wider one that is held.
   * @throws {ItemtapeError | TransportError} when the API does not answer.
   */
  async read(read: Read, signal: AbortSignal): Promise<{ rows: Row[]; meta: Meta }> {
    const { itemId, resolution, side, provider, window } = read;
    const held = this.#find(read);
    if (held !== undefined) {
      const rows = held.rows.filter((row) => isWithin((row.ts ?? row.date ?? "").slice(0, 10), window));
      return { rows, meta: { ...held.meta, ...window } };
    }
    const operation = resolution === "hourly" ? "getHourlyPriceHistory" : "getDailyPriceHistory";
    const named = provider === null ? {} : { provider };
    const wanted = { item_id: itemId, ...named, side, ...window, limit: 1000 };
    const { rows, meta } = await this.#api.all(operation, wanted, signal);
    this.#held.push({ read, rows, meta });
    return { rows, meta };
  }

  #find({ itemId, resolution, side, provider, window }: Read) {
    return this.#held.find(
      ({ read }) =>
        read.itemId === itemId &&
        read.resolution === resolution &&
        read.side === side &&
        read.provider === provider &&
        isWithin(window.from, read.window) &&
        isWithin(window.to, read.window),
    );
  }
}

function isWithin(date: string, { from, to }: { from: string; to: string }) {
  return date >= from && date <= to;
}
