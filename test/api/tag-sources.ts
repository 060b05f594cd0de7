import type { Plan } from "../../src/access/plans.ts";
import type { OperationId } from "../../src/contract/types.ts";
import { recordFrameInBatches } from "../../src/import/quotes/record-frame.ts";
import { importRatesAtOnce } from "../../src/import/rates/rate-import.ts";
import { calculateRoi } from "../../src/jobs/roi/calculate.ts";
import type { Database } from "../../src/store/database.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { FeedWriter } from "../../src/store/write/feeds.ts";
import { IndexWriter } from "../../src/store/write/indexes.ts";
import { sealDaysInBatches } from "../../src/store/write/seal-days.ts";
import { dayMs, dayOf, hourMs, minuteMs, parseDay } from "../../src/values/time/calendar.ts";
import { demo, type Subjects } from "../contract/replay-subjects.ts";
import { putDaily } from "../jobs/indexes/index-world.ts";
import { importDemoCatalog } from "../support/demo-catalog.ts";
import { insertPool } from "../support/pools.ts";
import { PortfolioRows } from "../support/portfolios.ts";
import { publishOffers } from "../support/publish.ts";
import type { World } from "../support/world.ts";

type Place = { world: World; subjects: Subjects };

/**
 * An event that may change the content of a read. `changes` lists operations with a text that it must change, which proves that it
 * happened. `plan` is the readers' plan, "quant" by default.
 */
export type Source = {
  name: string;
  changes: readonly OperationId[];
  plan?: Plan;
  happen: (place: Place) => void;
};

const ratesSource = { methodologyVersion: "ecb-eur-cross-1", source: "ecb" };

/** Every source of change, each applied after the ones before. The clock only moves forward. */
export const sources: readonly Source[] = [
  { name: "no change", changes: [], happen: () => undefined },
  { name: "a plan that hides prices", changes: ["listItems", "getUsage"], plan: "free", happen: () => undefined },
  { name: "a plan that shows prices again", changes: ["listItems", "getUsage"], happen: () => undefined },
  {
    name: "a rename of the catalog",
    changes: ["getItem", "getMarketPrices", "listItems", "getGeneration", "getCurrentGeneration"],
    happen: ({ world, subjects }) =>
      void importDemoCatalog(world, [], (variant) =>
        [1, subjects.phased].some((itemId) => variant.marketHashName === nameOf(world, itemId))
          ? { ...variant, marketHashName: `${variant.marketHashName} of another name` }
          : variant,
      ),
  },
  {
    name: "a catalog without an item",
    changes: ["getItem", "getMarketPrices"],
    happen: ({ world, subjects }) => void importDemoCatalog(world, [subjects.phased]),
  },
  {
    name: "a publication",
    changes: ["getMarketPrices", "listItems", "getCurrentGeneration", "listProviders"],
    happen: ({ world, subjects }) =>
      publishOffers(world, new Map([1, 2, subjects.phased, subjects.plain].map((itemId) => [itemId, 4_242]))),
  },
  {
    name: "an import of exchange rates",
    changes: ["listExchangeRates", "getExchangeRateHistory"],
    happen: ({ world }) =>
      world.change((database) => {
        const rate = { currency: "EUR", minorUnits: 2, day: dayOf(world.clock.at), ratePerUsd: "0.9876" };
        importRatesAtOnce(database, ratesSource, [rate], world.clock.at);
      }),
  },
  {
    name: "a level of an index",
    changes: ["listIndexes", "getIndex", "getIndexHistory"],
    happen: ({ world, subjects }) => world.change((database) => addLevel(database, subjects, world.clock.at)),
  },
  {
    name: "new members of an index",
    changes: ["listIndexMembers"],
    happen: ({ world }) => world.change((database) => changeMembers(database, world.clock.at)),
  },
  {
    name: "a daily price that is imported late",
    changes: ["getDailyPriceHistory"],
    happen: ({ world, subjects }) =>
      world.change((database) =>
        putDaily(database, {
          recordedAt: world.clock.at,
          itemId: subjects.plain,
          date: "2026-01-12",
          provider: "steam",
          amount: 31,
        }),
      ),
  },
  {
    name: "a day that is sealed again",
    changes: ["listHistoryDays", "listDataEvents"],
    happen: ({ world }) =>
      void world.change((database) => runAtOnce(sealDaysInBatches(database, dayOf(world.clock.at), world.clock))),
  },
  {
    name: "a frame that is recorded late",
    changes: ["getHourlyPriceHistory"],
    happen: ({ world, subjects }) => world.change((database) => recordLateFrame(database, subjects, world.clock)),
  },
  {
    name: "lots, transactions and values of a portfolio",
    changes: ["listPortfolioHoldings", "listPortfolioTransactions", "getPortfolioHistory"],
    happen: ({ world, subjects }) =>
      world.change((database) => {
        const rows = new PortfolioRows(database);
        const holdingId = rows.holding(subjects.inventory, "tagLot");
        rows.transaction(subjects.inventory, "tagDeal", dayOf(world.clock.at), { holdingId });
        rows.valuation(subjects.inventory, dayOf(world.clock.at), { valueCents: 12_345 });
      }),
  },
  {
    name: "a renamed portfolio",
    changes: ["listPortfolios", "getPortfolio"],
    happen: ({ world, subjects }) =>
      void world.sql("UPDATE portfolios SET name = 'Another' WHERE portfolio_id = ?", subjects.inventory),
  },
  {
    name: "half an hour without a check",
    changes: ["getMarketPrices"],
    happen: ({ world }) => world.clock.advance(30 * minuteMs),
  },
  {
    name: "a check that finds the same quotes",
    changes: ["getMarketPrices", "listProviders"],
    happen: ({ world }) =>
      world.change((database) => {
        const feeds = new FeedWriter(database);
        for (const { feed } of feeds.checks()) feeds.recordCheck(feed, world.clock.at, null);
      }),
  },
  {
    name: "a new pool of a container",
    changes: ["listOpenables", "getOpenable"],
    happen: ({ world }) => world.change(changePool),
  },
  {
    name: "a calculation of returns",
    // Outcomes refer to the pool used in the calculation.
    changes: ["getOpenable", "listOpenables", "listOpenableOutcomes", "getOpenableHistory"],
    happen: ({ world }) => void world.change((database) => calculateRoi(database, { clock: world.clock })),
  },
  {
    name: "a day without events",
    changes: ["getDailyPriceHistory", "getHourlyPriceHistory", "getOpenable"],
    happen: ({ world }) => world.clock.advance(dayMs),
  },
];

function nameOf(world: World, itemId: number): unknown {
  return world.sql("SELECT market_hash_name AS name FROM items WHERE item_id = ?", itemId)[0]?.name;
}

function addLevel(database: Database, { methodology }: Subjects, at: number): void {
  const rows = new IndexWriter(database);
  rows.addLevel({
    indexId: demo.equalIndex,
    methodologyVersion: methodology,
    day: dayOf(at),
    value: "123.4567",
    exact: "123.4567",
    capitalizationCents: null,
    constituentCount: 1,
    pricedConstituentCount: 1,
    coveragePct: "100.00",
    membershipVersion: rows.lastVersion(demo.equalIndex),
    asOf: null,
    recordedAt: at,
  });
  rows.setCalculated(demo.equalIndex, at);
}

/** The next version of the members, without the first one. */
function changeMembers(database: Database, at: number): void {
  const rows = new IndexWriter(database);
  const indexId = demo.equalIndex;
  const last = rows.lastVersion(indexId);
  const key = { indexId, membershipVersion: last + 1 };
  for (const member of rows.members({ indexId, membershipVersion: last }).slice(1))
    rows.stageMember({ ...member, ...key });
  rows.putMembership({ ...key, effectiveDay: dayOf(at), recordedAt: at });
}

/** The next revision of a pool, without its last outcome. */
function changePool(database: Database): void {
  const { $client: client } = database;
  const slug = demo.openable;
  const [found] = client
    .prepare("SELECT item_id AS itemId, revision_id AS revisionId FROM openables WHERE slug = ?")
    .all(slug);
  const { itemId, revisionId } = found as { itemId: number; revisionId: string };
  const outcomes = client
    .prepare("SELECT item_id AS itemId, tier, numerator FROM pool_outcomes WHERE revision_id = ? ORDER BY position")
    .all(revisionId) as { itemId: number; tier: string; numerator: string }[];
  insertPool(database, {
    slug,
    itemId,
    outcomes: outcomes.slice(0, -1).map(({ numerator, ...outcome }) => ({ ...outcome, numerator: Number(numerator) })),
  });
}

function recordLateFrame(database: Database, { plain }: Subjects, clock: World["clock"]): void {
  const ask = { provider: "steam", amountCents: 77, quantity: 1, url: null, observedAt: null };
  const items = new Map([[plain, { asks: [ask], bids: [] }]]);
  const content = {
    facts: { feed: "steam", providers: [{ provider: "steam" }] },
    items,
    itemsWithoutQuote: new Set<number>(),
    refusedNames: [],
  };
  const firstHour = parseDay(demo.recordedDay)! * 24;
  const recorded = database.$client.prepare("SELECT hour FROM frames WHERE feed = 'steam'").pluck().all() as number[];
  const missing = Array.from({ length: 24 }, (_, hour) => firstHour + hour).find((hour) => !recorded.includes(hour))!;
  const checkedAt = missing * hourMs + minuteMs;
  const times = { verifiedBy: "body", ingestedAt: checkedAt, checkedAt, recordedAt: clock.at } as const;
  const { outcome } = runAtOnce(recordFrameInBatches(database, content, times, { clock }));
  if (outcome !== "recorded") throw new Error(`the frame was not recorded: ${outcome}`);
}
