import { type Api, type ItemtapeError, pageReadMax } from "../../browser/api.ts";
import { pagesOf } from "./ranges.ts";
import type { Meta, Resolution, Row, Side } from "./types.ts";

/**
 * A read of history: one side of an item in a window that the API permits. `provider` is null for all providers. `knownAt` is the instant
 * of an earlier version, absent for the current one.
 */
export type Read = {
  itemId: number;
  resolution: Resolution;
  side: Side;
  provider: string | null;
  window: { from: string; to: string };
  knownAt?: string;
};

type HistoryId = "getHourlyPriceHistory" | "getDailyPriceHistory";
/** Result of a history in a combined read. `answer` is null if it was refused. */
type HistoryResult = {
  readonly answer: {
    readonly data: readonly Row[];
    readonly meta: Meta & { readonly next_page: string | null };
  } | null;
  readonly refusal: ItemtapeError | null;
};

/** The answer of a read, or its refusal. */
type Held = { read: Read } & ({ rows: Row[]; meta: Meta } | { refusal: ItemtapeError });

/** Cache of the histories that the page has read, so that none is paid twice. Call `forget` before reading prices again. */
export class History {
  #api: Api;
  #held: Held[] = [];

  constructor(api: Api) {
    this.#api = api;
  }

  forget() {
    this.#held = [];
  }

  /**
   * Returns the number of requests that a read needs.
   * @param providers Number of providers in one request.
   */
  costOf(read: Read, providers: number) {
    if (this.#find(read) !== undefined) return 0;
    return pagesOf(read.window, read.resolution, read.provider === null ? providers : 1);
  }

  /**
   * Reads several windows. Windows that are not cached are read in as few requests as possible.
   * @param soon Further windows, which are only cached.
   * @throws {ItemtapeError | TransportError} if the API does not answer.
   */
  async readAll(reads: readonly Read[], signal: AbortSignal, soon: readonly Read[] = []) {
    const missing = [...reads, ...soon].filter((read) => this.#find(read) === undefined);
    if (this.#api.isPageRead && missing.length > 1)
      for (const group of groupsOf(missing)) this.hold(group, await this.#api.readBatch(group.map(partOf), signal));
    return Promise.all(reads.map((read) => this.read(read, signal)));
  }

  /** Caches the results of reads. Temporary refusals and reads with further pages are not cached. */
  hold(reads: readonly Read[], results: readonly HistoryResult[]) {
    reads.forEach((read, index) => {
      const { answer, refusal } = results[index] ?? { answer: null, refusal: null };
      if (answer?.meta.next_page === null) this.#held.push({ read, rows: [...answer.data], meta: answer.meta });
      if (refusal !== null && isLasting(refusal)) this.#held.push({ read, refusal });
    });
  }

  /**
   * Reads a window, or returns it from a wider cached window.
   * @throws {ItemtapeError | TransportError} if the API does not answer.
   */
  async read(read: Read, signal: AbortSignal): Promise<{ rows: Row[]; meta: Meta }> {
    const { window } = read;
    const held = this.#find(read);
    if (held !== undefined) {
      if ("refusal" in held) throw held.refusal;
      const rows = held.rows.filter((row) => isWithin((row.ts ?? row.date ?? "").slice(0, 10), window));
      return { rows, meta: { ...held.meta, ...window } };
    }
    const { rows, meta } = await this.#api.all(...partOf(read), signal);
    this.#held.push({ read, rows, meta });
    return { rows, meta };
  }

  #find({ itemId, resolution, side, provider, window, knownAt }: Read) {
    return this.#held.find(
      ({ read }) =>
        read.itemId === itemId &&
        read.resolution === resolution &&
        read.side === side &&
        read.provider === provider &&
        read.knownAt === knownAt &&
        isWithin(window.from, read.window) &&
        isWithin(window.to, read.window),
    );
  }
}

/** Returns the operation and parameters of a read. */
export function partOf({ itemId, resolution, side, provider, window, knownAt }: Read) {
  const operation: HistoryId = resolution === "hourly" ? "getHourlyPriceHistory" : "getDailyPriceHistory";
  const named = provider === null ? {} : { provider };
  const known = knownAt === undefined ? {} : { known_at: knownAt };
  return [operation, { item_id: itemId, ...named, side, ...window, ...known, limit: 1000 }] as const;
}

/** Returns whether the same request is always refused, because of its parameters or the plan. */
export function isLasting({ status }: ItemtapeError): boolean {
  return status === 400 || status === 403 || status === 404;
}

/** Maximum total of days in one combined request. */
const daysMax = 6_000;

/** Splits reads into groups for one request each. */
function groupsOf(reads: readonly Read[]): Read[][] {
  const groups: Read[][] = [];
  let days = Number.POSITIVE_INFINITY;
  for (const read of reads) {
    const own = (Date.parse(read.window.to) - Date.parse(read.window.from)) / 86_400_000 + 1;
    days += own;
    if (days > daysMax || groups.at(-1)?.length === pageReadMax.parts) {
      groups.push([]);
      days = own;
    }
    groups.at(-1)?.push(read);
  }
  return groups;
}

function isWithin(date: string, { from, to }: { from: string; to: string }) {
  return date >= from && date <= to;
}
