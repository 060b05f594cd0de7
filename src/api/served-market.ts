import type { CachedJson } from "../domain/item-names.ts";
import { SnapshotBroken, type SnapshotRun } from "../domain/market-snapshot.ts";
import type { MarketTotals } from "../domain/market-totals.ts";
import type { SearchIndex } from "../domain/search-index.ts";
import { type Domain, type OperationTable, operationTable } from "./operations.ts";

/** The sources of responses from one market file. */
export type ServedDomain = Domain & {
  readonly index: SearchIndex;
  readonly totals: MarketTotals;
  readonly names: CachedJson;
  readonly offered: CachedJson;
};

/** A market file that answers requests. Its handles are closed after it was retired and its last response has ended. */
export class ServedMarket {
  readonly domain: ServedDomain;
  readonly table: OperationTable;
  readonly #close: () => void;
  #holders = 0;
  #isRetired = false;
  #isSuperseded = false;
  #whenClosed: (() => void)[] = [];
  #isClosed = false;

  /** `close` closes the handles of `domain`. */
  constructor(domain: ServedDomain, close: () => void) {
    this.domain = domain;
    this.table = operationTable(domain);
    this.#close = close;
  }

  /** The published generation, such as `g7`, null before the first publication. */
  get generation(): string | null {
    const id = this.domain.generations.currentId();
    return id === null ? null : `g${id}`;
  }

  /** True after another generation was published: exports of this one end. */
  get isSuperseded(): boolean {
    return this.#isSuperseded;
  }

  /** Keeps the handles open until the returned function is called. */
  hold(): () => void {
    let isHeld = true;
    this.#holders += 1;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      this.#closeIfFree();
    };
  }

  /** Keeps the handles open until the promise of `work` has settled. */
  async during<T>(work: (domain: ServedDomain) => Promise<T>): Promise<T> {
    const release = this.hold();
    try {
      return await work(this.domain);
    } finally {
      release();
    }
  }

  /** Ends the exports of this generation at their next page, because another one is published. */
  supersede(): void {
    this.#isSuperseded = true;
  }

  /** Resolves when the handles are closed. No new response may begin. */
  retire(): Promise<void> {
    this.#isRetired = true;
    this.#closeIfFree();
    return this.#isClosed ? Promise.resolve() : new Promise((resolve) => this.#whenClosed.push(resolve));
  }

  /** Closes the handles even if they are in use. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.domain.index.close();
    this.#close();
    for (const resolve of this.#whenClosed.splice(0)) resolve();
  }

  #closeIfFree(): void {
    if (this.#isRetired && this.#holders === 0) this.close();
  }
}

/** Contains the market that answers requests. It can be replaced between two turns of the event loop. */
export class CurrentMarket {
  #current: ServedMarket;
  #before: ServedMarket | null = null;

  constructor(first: ServedMarket) {
    this.#current = first;
  }

  get current(): ServedMarket {
    return this.#current;
  }

  /**
   * Answers from `next` from now on, and resolves when the handles of the previous market are closed. Open exports end as at any
   * publication if `next` has another generation; else they continue.
   */
  exchange(next: ServedMarket): Promise<void> {
    const before = this.#current;
    const isNewGeneration = before.generation !== next.generation;
    this.#current = next;
    this.#before = before;
    if (isNewGeneration) before.supersede();
    return before.retire().then(() => {
      if (this.#before === before) this.#before = null;
    });
  }

  /** Resolves when only the current market is open. `generation`: the next market's. */
  async beforeIsClosed(generation: string | null): Promise<void> {
    if (this.#before !== null && this.#before.generation !== generation) this.#before.supersede();
    await this.#before?.retire();
  }

  /** Closes all handles. */
  close(): void {
    this.#before?.close();
    this.#current.close();
  }
}

type Row = {
  readonly rule: unknown;
  prepare(params: unknown, context: object): unknown;
  permit?(query: unknown): unknown;
  read(query: unknown, admission: unknown): unknown;
};
type Asked = { readonly market: ServedMarket; readonly query: unknown; prepareIn(market: ServedMarket): unknown };

/** Exports of the published generation. Other exports are of past days, which a publication does not change. */
const ofGeneration: ReadonlySet<string> = new Set(["streamMarketSnapshot", "streamMarketChanges"]);

/**
 * Returns a table with operations that read the current market. Each response is from one market: if the market was replaced between a
 * request's checks and its read, the request is prepared again.
 */
export function exchangedTable(markets: CurrentMarket): OperationTable {
  const rowOf = (market: ServedMarket, id: string) => (market.table as unknown as Record<string, Row>)[id] as Row;
  const exchanged = (id: string, { rule }: Row): Row => {
    if (rule === null) {
      const read: Row["read"] = (params, at) => rowOf(markets.current, id).read(params, at);
      return { rule, prepare: () => null, read };
    }
    return {
      rule,
      prepare(params, context): Asked {
        const prepareIn = (market: ServedMarket) =>
          rowOf(market, id).prepare(params, { ...context, reference: market.domain.reference });
        const market = markets.current;
        return { market, prepareIn, query: prepareIn(market) };
      },
      permit(asked) {
        const { market, query } = asked as Asked;
        return rowOf(market, id).permit?.(query) ?? null;
      },
      read(asked, admission) {
        const { market, query, prepareIn } = asked as Asked;
        const { current } = markets;
        const reply = rowOf(current, id).read(market === current ? query : prepareIn(current), admission);
        return keepOpen(markets, reply as object, ofGeneration.has(id));
      },
    };
  };
  const rows = Object.entries(markets.current.table as unknown as Record<string, Row>);
  return Object.fromEntries(rows.map(([id, row]) => [id, exchanged(id, row)])) as unknown as OperationTable;
}

/**
 * Keeps the market open for a reply that is read later. A reply that waits for the next generation is read from the market at that time.
 */
function keepOpen(markets: CurrentMarket, reply: object, endsAtPublication: boolean): object {
  const { current } = markets;
  if (reply instanceof Promise) return current.during(() => reply);
  if ("stream" in reply) return { stream: heldRun(current, reply.stream as SnapshotRun, endsAtPublication) };
  if ("wait" in reply) return { ...reply, read: () => markets.current.domain.generations.current() };
  return reply;
}

function heldRun(market: ServedMarket, run: SnapshotRun, endsAtPublication: boolean): SnapshotRun {
  let itemsSent = 0;
  return {
    requestId: run.requestId,
    get itemsSent() {
      return itemsSent;
    },
    next(sealedMax) {
      const page = run.next(sealedMax);
      // An export that has sent its last record is complete, even after a publication.
      if (page !== null && endsAtPublication && market.isSuperseded) throw new SnapshotBroken("snapshot_changed");
      itemsSent = run.itemsSent;
      return page;
    },
    over: market.hold(),
  };
}
