import { expect } from "chai";
import { CatalogStore } from "../../src/store/read/catalog.ts";
import { DailyPricesStore } from "../../src/store/read/daily-prices.ts";
import { DataEventsStore } from "../../src/store/read/data-events.ts";
import { ExchangeRatesStore } from "../../src/store/read/exchange-rates.ts";
import { ExportStatesStore } from "../../src/store/read/export-states.ts";
import { FramesStore } from "../../src/store/read/frames.ts";
import { GenerationsStore } from "../../src/store/read/generations.ts";
import { IndexesStore } from "../../src/store/read/indexes.ts";
import { type ItemFilter, ItemLists, noFilter } from "../../src/store/read/item-list.ts";
import { ItemNamesStore } from "../../src/store/read/item-names.ts";
import { KnownFramesStore } from "../../src/store/read/known-frames.ts";
import { KnownReturnsStore } from "../../src/store/read/known-returns.ts";
import { MarketSnapshotStore } from "../../src/store/read/market-snapshot.ts";
import { MarketStateStore } from "../../src/store/read/market-state.ts";
import { OpenablesStore } from "../../src/store/read/openables.ts";
import { PortfoliosStore } from "../../src/store/read/portfolios.ts";
import { ProvidersStore } from "../../src/store/read/providers.ts";
import { QuotesStore } from "../../src/store/read/quotes.ts";
import { CalculationWriter } from "../../src/store/write/calculations.ts";
import { DailyPriceWriter } from "../../src/store/write/daily-prices.ts";
import { DataEvents } from "../../src/store/write/data-events.ts";
import { ExportStateWriter } from "../../src/store/write/export-states.ts";
import { FeedWriter } from "../../src/store/write/feeds.ts";
import { FrameWriter } from "../../src/store/write/frames.ts";
import { GenerationWriter } from "../../src/store/write/generations.ts";
import { GuardAcceptanceWriter } from "../../src/store/write/guard-acceptances.ts";
import { IndexWriter } from "../../src/store/write/indexes.ts";
import { QuoteLevels } from "../../src/store/write/quote-levels.ts";
import { QuoteWriter } from "../../src/store/write/quotes.ts";
import { MarketFile } from "../support/market-file.ts";
import { preparedBy } from "../support/prepared.ts";

/**
 * Bounded for any market size: tables with a row for each marketplace, up to 100 ids of a batch, up to 200 retractions by an operator. Also
 * a few hundred currencies and their few sources (`asked`, `quoted`, `last`, `live`), and a row of bound values (`p`). Also the rows of a
 * subquery, because its own scans are checked separately.
 */
const bounded =
  /^SCAN (providers|providers USING INDEX providers_seal|frame_providers|frame_providers USING COVERING INDEX frame_providers_number_unique|feeds|frame_retractions|n|n USING COVERING INDEX frame_providers_number_unique|p|asked|currencies|quoted|last|live|other|asked VIRTUAL TABLE INDEX [01]:|CONSTANT ROW|\(subquery-\d+\))$/;

/**
 * Also bounded: an operator's indexes, imports of daily history, containers, ROI runs, the states of resumable exports, the only rows of
 * `daily_item_order` and `market_state`, and bound lists.
 */
const boundedWrites =
  /^SCAN (indexes|daily_imports|openables|roi_runs|export_states|daily_item_order|market_state|json_each VIRTUAL TABLE INDEX 1:)$/;

/** A full scan by an import of the catalog, never for a response. */
const ofImports = "SELECT item_id FROM best_asks";

/** A value that is bound in a subquery. */
const isBoundValue = (step: string) => /^(SCALAR SUBQUERY \d+|SCAN CONSTANT ROW)$/.test(step);

const stores = [
  CatalogStore,
  DailyPricesStore,
  ExchangeRatesStore,
  ExportStatesStore,
  FramesStore,
  GenerationsStore,
  IndexesStore,
  ItemNamesStore,
  KnownFramesStore,
  KnownReturnsStore,
  MarketSnapshotStore,
  MarketStateStore,
  OpenablesStore,
  PortfoliosStore,
  ProvidersStore,
  QuotesStore,
];

const writers = [
  CalculationWriter,
  ExportStateWriter,
  FrameWriter,
  GenerationWriter,
  GuardAcceptanceWriter,
  IndexWriter,
  QuoteLevels,
  QuoteWriter,
];

/** Forms of item lists, which are prepared at their first use. */
const filters: ItemFilter[] = [
  noFilter,
  { ...noFilter, literals: ["d"] },
  { literals: ["d"], quoted: { provider: "steam", ask: { min: 1, max: 2 } } },
  { ...noFilter, quoted: { provider: "steam", ask: null } },
];

describe("query plans of the market stores", () => {
  const file = new MarketFile();
  const statements: string[] = [];
  const itemLists: string[] = [];

  before(() => {
    const readers = preparedBy(file.reader, () => {
      for (const Store of stores) new Store(file.reader);
    });
    itemLists.push(
      ...preparedBy(file.reader, () => {
        const lists = new ItemLists(file.reader);
        for (const filter of filters)
          for (const ids of [null, [1, 2]]) {
            const range = { ids, after: 0, filter, limit: 10 };
            lists.items(range);
            lists.pricedItems(range);
          }
      }),
    );
    const events = preparedBy(file.reader, () => {
      const log = new DataEventsStore(file.reader);
      const none = { kind: null, feed: null, provider: null, days: null };
      for (const filter of [
        {},
        { kind: "gap" },
        { feed: "f", provider: "p" },
        { days: { from: 1, to: 2 } },
        { days: { from: 1, to: 999 } },
      ])
        log.page({ ...none, ...filter }, { at: 1, eventId: 1 }, 10);
    });
    statements.push(...readers, ...itemLists, ...events);
  });

  after(() => file.remove());

  it("scan no market table", () => {
    expect(statements.length).to.be.greaterThan(14);
    const scans = statements
      .filter((statement) => statement !== ofImports)
      .flatMap((statement) =>
        steps(statement)
          .filter((step) => /^SCAN\b/.test(step) && !bounded.test(step))
          .map((step) => `${step}: ${statement}`),
      );
    expect(scans).to.deep.equal([]);
  });

  it("scan no market table for a publication or a calculation", () => {
    const { writer } = file;
    const facts = { feed: "f", adapter: "canonical", providers: [{ provider: "p", name: "P", kind: "cash" as const }] };
    const written = preparedBy(writer, () => {
      for (const Writer of writers) new Writer(writer);
      new DailyPriceWriter(writer, 20_000);
      const feeds = new FeedWriter(writer);
      const log = new DataEvents(writer);
      log.refuse({ feed: "f", guard: "g", at: 1, bodyDigest: Buffer.alloc(32) });
      log.interruptedWrites(Buffer.alloc(32));
      expect([log.causeOfGap("f", 0, 1), log.causeOfRevision(0, 0)]).to.deep.equal(["body_refused", "not_known"]);
      feeds.introduce(facts);
      feeds.record(facts, [{ ...facts.providers[0]!, hasAsks: true, hasBids: true }], {});
      feeds.sharedItems("f", 0, 200);
      feeds.recordUnconfirmed("f", null);
      feeds.recordCheck("f", 1, { savedAt: 1, changedAt: 1 });
      const reads = [
        feeds.unconfirmed(),
        feeds.checks(),
        feeds.activeProviders(),
        feeds.ownersOf(["p"]),
        feeds.times("f"),
      ];
      expect(reads).to.have.length(5);
    });
    const scans = written.flatMap((statement) =>
      steps(statement)
        .filter((step) => /^SCAN\b/.test(step) && !bounded.test(step) && !boundedWrites.test(step))
        .map((step) => `${step}: ${statement}`),
    );
    expect(scans).to.deep.equal([]);
    expect(written.length).to.be.greaterThan(60);
    const ofBody = written.filter((statement) => /data_events.*body_digest" (IS|=)/.test(statement)).flatMap(steps);
    expect(ofBody.filter((step) => step.includes("data_events"))).to.have.length(2);
    expect(ofBody.join()).to.not.match(
      /data_events USING (?!(COVERING )?INDEX data_events_by_body \(body_digest=\? AND kind=\?)/,
    );
  });

  it("sort at most a batch, a page of currencies or the events of a month", () => {
    const sorting = statements.filter((statement) =>
      steps(statement).some((step) => step.startsWith("USE TEMP B-TREE")),
    );
    expect(
      sorting.filter(
        (statement) =>
          !/json_each|FROM (quoted|live) CROSS JOIN|\("data_events"."day" between|and "data_events"."day" between/.test(
            statement,
          ),
      ),
    ).to.deep.equal([]);
  });

  it("find the items of each name by one index search", () => {
    const named = statements.find((statement) => /"items"."market_hash_name" = \?/.test(statement))!;
    expect(steps(named).filter((step) => !isBoundValue(step))).to.deep.equal([
      "SEARCH items USING INDEX items_by_name (market_hash_name=?)",
    ]);
  });

  it("walk items by their key for the export", () => {
    const pages = statements.filter((statement) => /FROM items i\s+LEFT JOIN best_asks/.test(statement));
    expect(pages).to.not.have.length(0);
    for (const page of pages)
      expect(steps(page).filter((step) => !isBoundValue(step))).to.deep.equal([
        "SEARCH i USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)",
        "SEARCH b USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
      ]);
  });

  it("look up quotes and their pages by provider and item", () => {
    const searches = statements
      .filter((statement) => /FROM quote|quotes q|quote_urls u/.test(statement))
      .flatMap((statement) => steps(statement).filter((step) => /^SEARCH (q|u|quotes|quote_urls) /.test(step)));
    const byRange = (table: string) => `SEARCH ${table} USING PRIMARY KEY (provider_id=? AND item_id>? AND item_id<?)`;
    const one = (table: string) => `SEARCH ${table} USING PRIMARY KEY (provider_id=? AND item_id=?)`;
    const looked = [byRange("quotes"), byRange("quote_urls"), one("q"), one("u")];
    expect([...new Set(searches)]).to.include.members(looked);
    for (const search of searches) expect(search).to.match(/PRIMARY KEY \(provider_id=\?/);
  });

  it("list items by their key or best asks for any search", () => {
    expect(itemLists).to.have.length(4 * filters.length);
    for (const list of itemLists) {
      const walks = steps(list).filter((step) => /^SEARCH (items|best_asks|quotes) .*\)$/.test(step));
      const key = list.includes("json_each") ? "rowid=?" : "rowid>?";
      const byQuotes = [
        `SEARCH best_asks USING INTEGER PRIMARY KEY (${key})`,
        ...(list.includes("EXISTS") ? ["SEARCH quotes USING PRIMARY KEY (provider_id=? AND item_id=?)"] : []),
        "SEARCH items USING INTEGER PRIMARY KEY (rowid=?)",
      ];
      const byItems = [`SEARCH items USING INTEGER PRIMARY KEY (${key})`];
      expect(walks, list).to.deep.equal(list.includes('from "best_asks"') ? byQuotes : byItems);
    }
  });

  function steps(statement: string): string[] {
    const unbound = statement.replace(/@\w+/g, "?");
    const rows = file.reader.$client.prepare(`EXPLAIN QUERY PLAN ${unbound}`);
    const count = (unbound.match(/\?/g) ?? []).length;
    return (rows.all(...Array.from({ length: count }, () => null)) as { detail: string }[]).map(({ detail }) => detail);
  }
});
