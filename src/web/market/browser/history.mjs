/** @import { Api } from "../../browser/api.mjs" */
/** @import { Meta, Resolution, Row, Side } from "./types.mjs" */
import { pagesOf } from "./ranges.mjs";

/**
 * A read of history: one side of an item in a window that the API takes, of one provider, or of all (null) that were quoted.
 * @typedef {{ itemId: number, resolution: Resolution, side: Side, provider: string | null, window: { from: string, to: string } }} Read
 */

/** Histories that the page has read. What is held is not paid for twice; `forget` when prices are to be read anew. */
export class History {
  #api;
  /** @type {{ read: Read, rows: Row[], meta: Meta }[]} */
  #held = [];

  /** @param {Api} api */
  constructor(api) {
    this.#api = api;
  }

  forget() {
    this.#held = [];
  }

  /** Returns how many requests a read takes. @param {Read} read @param {number} providers Those that one request asks for together. */
  costOf(read, providers) {
    if (this.#find(read) !== undefined) return 0;
    return pagesOf(read.window, read.resolution, read.provider === null ? providers : 1);
  }

  /**
   * Reads a window, or takes it out of a wider one that is held.
   * @throws {ProblemError | TypeError} when `Api.get` does.
   * @param {Read} read
   * @param {AbortSignal} signal
   * @returns {Promise<{ rows: Row[], meta: Meta }>}
   */
  async read(read, signal) {
    const { itemId, resolution, side, provider, window } = read;
    const held = this.#find(read);
    if (held !== undefined) {
      const rows = held.rows.filter((row) => isWithin((row.ts ?? row.date ?? "").slice(0, 10), window));
      return { rows, meta: { ...held.meta, ...window } };
    }
    const path = `/v1/items/${itemId}/history${resolution === "hourly" ? "/hourly" : ""}`;
    const named = provider === null ? {} : { provider };
    const { rows, meta } = await this.#api.all(path, { ...named, side, ...window, limit: 1000 }, signal);
    this.#held.push({ read, rows, meta });
    return { rows, meta };
  }

  /** @param {Read} wanted */
  #find({ itemId, resolution, side, provider, window }) {
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

/** @param {string} date @param {{ from: string, to: string }} window */
function isWithin(date, { from, to }) {
  return date >= from && date <= to;
}
