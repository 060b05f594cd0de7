import { valueOfDay } from "../domain/portfolio-value.ts";
import type { Database } from "../store/database.ts";
import { itemsAsked, lastAsk } from "../store/read/daily-prices.ts";
import { PortfolioWriter, type TransactionRecord } from "../store/write/portfolios.ts";
import { type Lot, ValuationWriter } from "../store/write/valuations.ts";
import type { Ids } from "../values/ids.ts";
import { dayMs, dayOf, hourMs, minuteMs } from "../values/time/calendar.ts";
import { type DemoLot, type DemoPortfolio, demoPortfolios } from "./portfolio-plans.ts";
import { demoChance } from "./prices.ts";

type Owner = DemoPortfolio["owner"];
type Parts = { anchorAt: number; ids: Ids; accountIds: Readonly<Record<Owner, string>> };
/** Writers for portfolios and valuations. They are shared, because preparing their statements costs more than running them. */
type Writing = Parts & { portfolios: PortfolioWriter; valuations: ValuationWriter };
type Made = { portfolioId: string; accountId: string };
/** A lot with its item, unit cost and current value. `leftDay` is null while the lot is in the portfolio. */
type Placed = DemoLot & {
  holdingId: string;
  itemId: number;
  unitCents: number | null;
  worthCents: number;
  cameDay: number;
  leftDay: number | null;
};

const mainPlatform = "steam";
/** Valuations at least this many days old have no recorded source. */
const legacyDaysAgo = 37;

/**
 * Creates portfolios with lots, ledgers and daily values for the two demo accounts. Returns the portfolios that each personal token may
 * read. `transferDemoPortfolios` removes some of them after the tokens are created.
 */
export function createDemoPortfolios(database: Database, parts: Parts): Record<Owner, string[]> {
  const selected: Record<Owner, string[]> = { builder: [], free: [] };
  const writing = { ...parts, portfolios: new PortfolioWriter(database), valuations: new ValuationWriter(database) };
  for (const portfolio of demoPortfolios) {
    const portfolioId = addPortfolio(writing, portfolio);
    const made = { portfolioId, accountId: parts.accountIds[portfolio.owner] };
    const lots = portfolio.lots.map((lot) => placed(database, parts, lot));
    addLots(writing, portfolioId, lots);
    addLedger(writing, made, lots);
    addValuations(writing, made, portfolio, lots, "own");
    if (portfolio.priceSource !== mainPlatform)
      addValuations(writing, made, { ...portfolio, priceSource: mainPlatform }, lots, "main");
    if (portfolio.isSelected) selected[portfolio.owner].push(portfolioId);
  }
  return selected;
}

/** Deletes one portfolio of the Builder account and transfers another one to the Free account. The Builder token was created for both. */
export function transferDemoPortfolios(database: Database, { anchorAt, accountIds }: Omit<Parts, "ids">): void {
  const writes = new PortfolioWriter(database);
  const fateOf = new Map(demoPortfolios.map(({ name, fate }) => [name, fate]));
  for (const { portfolioId, name } of writes.list(accountIds.builder)) {
    const fate = fateOf.get(name);
    if (fate === "deleted") writes.change(portfolioId, { deletedAt: anchorAt, updatedAt: anchorAt });
    if (fate === "transferred") writes.change(portfolioId, { accountId: accountIds.free, updatedAt: anchorAt });
  }
}

function addPortfolio({ anchorAt, ids, accountIds, portfolios }: Writing, portfolio: DemoPortfolio): string {
  const { name, owner, displayCurrency, isPublic, priceSource, madeAgo, lots } = portfolio;
  const portfolioId = ids.handle("pf_");
  const changes = lots.flatMap(({ cameAgo, leftAgo }) => [cameAgo, leftAgo ?? cameAgo]);
  portfolios.add({
    portfolioId,
    accountId: accountIds[owner],
    name,
    displayCurrency,
    isPublic,
    priceSource,
    notes: `private note of ${name}`,
    externalAccountId: `external account of ${name}`,
    integrationRef: `integration of ${name}`,
    createdAt: noonOf(anchorAt, madeAgo),
    updatedAt: eveningOf(anchorAt, Math.min(madeAgo, ...changes)),
    deletedAt: null,
  });
  return portfolioId;
}

function placed(database: Database, { anchorAt, ids }: Parts, lot: DemoLot): Placed {
  const today = dayOf(anchorAt);
  const itemId = itemOf(database, lot, today - 1);
  const worthCents = lastAsk(database, itemId)!;
  const paid = Math.round(worthCents * (0.8 + demoChance(`${itemId} paid ${lot.cameAgo}`) * 0.3));
  const unitCents = { paid, estimated: paid, free: 0, unknown: null }[lot.cost];
  return {
    ...lot,
    holdingId: ids.handle("hl_"),
    itemId,
    unitCents,
    worthCents,
    cameDay: today - lot.cameAgo,
    leftDay: lot.leftAgo === undefined ? null : today - lot.leftAgo,
  };
}

/** Returns the item with this rank among the items of a type that the provider quoted on `day`. */
function itemOf(database: Database, { item }: DemoLot, day: number): number {
  const [type, rank, provider, isPhased = false] = item;
  const itemId = itemsAsked(database, { type, isPhased, day, provider })[rank];
  if (itemId === undefined) throw new Error(`the demo world quotes no ${type} ${rank} at ${provider}`);
  return itemId;
}

function addLots({ anchorAt, portfolios }: Writing, portfolioId: string, lots: readonly Placed[]): void {
  const remaining = lots.filter(({ leftDay }) => leftDay === null);
  const records = remaining.map(({ holdingId, itemId, quantity, unitCents, cost, cameAgo, cameBy, cameDay }) => {
    const at = eveningOf(anchorAt, cameAgo);
    const isOfLedger = cameBy === "buy" || cameBy === "transfer_in";
    return {
      portfolioId,
      holdingId,
      itemId,
      quantity,
      unitCostCents: unitCents,
      costEstimated: cost === "estimated",
      acquiredDay: cameBy === "import" ? null : cameDay,
      origin: isOfLedger ? ("transaction" as const) : cameBy,
      notes: `private note of ${holdingId}`,
      externalAccountId: `external account of ${holdingId}`,
      integrationRef: `integration of ${holdingId}`,
      createdAt: at,
      updatedAt: at,
      source: null,
    };
  });
  portfolios.addLots(records);
}

/** Adds the ledger rows of acquisitions and departures in day order. Imported or manually entered lots have no acquisition row. */
function addLedger(parts: Writing, made: Made, lots: readonly Placed[]): void {
  const rows = lots.flatMap((lot) => [...arrivalOf(lot), ...departureOf(lot)]);
  rows.sort((one, other) => one.occurredDay - other.occurredDay);
  const records = rows.map((row) => {
    const transactionId = parts.ids.handle("tx_");
    const daysAgo = dayOf(parts.anchorAt) - row.occurredDay;
    return {
      ...made,
      transactionId,
      ...row,
      recordedAt: eveningOf(parts.anchorAt, daysAgo),
      notes: `private note of ${transactionId}`,
      externalAccountId: `external account of ${transactionId}`,
      integrationRef: `integration of ${transactionId}`,
    };
  });
  parts.portfolios.addTransactions(records);
}

type LedgerRow = Omit<
  TransactionRecord,
  keyof Made | "transactionId" | "recordedAt" | "notes" | "externalAccountId" | "integrationRef"
>;

const noMoney = { unitAmountCents: null, feeCents: null, totalAmountCents: null, provider: null, occurredAt: null };

function arrivalOf({ holdingId, itemId, quantity, unitCents, cost, cameBy, cameDay }: Placed): LedgerRow[] {
  const lot = { ...noMoney, holdingId, itemId, quantity, occurredDay: cameDay, costEstimated: cost === "estimated" };
  const totalAmountCents = unitCents === null ? null : unitCents * quantity;
  const paid = { unitAmountCents: unitCents, totalAmountCents };
  if (cameBy === "transfer_in") return [{ ...lot, ...paid, kind: cameBy }];
  if (cameBy !== "buy") return [];
  return [{ ...lot, ...paid, kind: cameBy, feeCents: 0, provider: "steam", occurredAt: cameDay * dayMs + 15 * hourMs }];
}

/** Returns the ledger row of a lot's departure, if any. The total of a sale is the amount less the fee. */
function departureOf({ holdingId, itemId, quantity, worthCents, leftBy, leftDay }: Placed): LedgerRow[] {
  if (leftBy === undefined || leftDay === null) return [];
  const lot = { ...noMoney, holdingId, itemId, occurredDay: leftDay, costEstimated: false };
  if (leftBy === "adjustment") return [{ ...lot, kind: leftBy, quantity: -quantity }];
  if (leftBy === "transfer_out") return [{ ...lot, kind: leftBy, quantity }];
  const feeCents = Math.round(worthCents * quantity * 0.13);
  const totalAmountCents = worthCents * quantity - feeCents;
  const money = { unitAmountCents: worthCents, feeCents, totalAmountCents };
  return [{ ...lot, ...money, kind: leftBy, quantity, provider: "steam", occurredAt: leftDay * dayMs + 18 * hourMs }];
}

/** Adds one row for each day with lots since the portfolio was created, like the daily job would by the anchor. */
function addValuations(
  { anchorAt, valuations: rows }: Writing,
  made: Made,
  { priceSource, madeAgo }: DemoPortfolio,
  lots: readonly Placed[],
  values: "own" | "main",
): void {
  const yesterday = dayOf(anchorAt) - 1;
  const unfinalized = rows.unfinalized(priceSource, { from: yesterday - madeAgo, to: yesterday });
  const revisions = rows.revisions({ from: yesterday - madeAgo, to: yesterday });
  for (let daysAgo = madeAgo; daysAgo >= 1; daysAgo -= 1) {
    const day = dayOf(anchorAt) - daysAgo;
    const recordedAt = (day + 1) * dayMs + 20 * minuteMs;
    if (recordedAt > anchorAt || unfinalized.includes(day)) continue;
    const remaining = lots.filter(({ leftDay }) => leftDay === null || day < leftDay);
    const asks = remaining.flatMap(({ itemId }) =>
      rows
        .asks(itemId, priceSource, { from: day, to: day })
        .map(([, amount, observedAt, provider]) => [itemId, { amount, observedAt, provider }] as const),
    );
    const value = valueOfDay(remaining.map(lotOf), day, new Map(asks));
    if (value === null) continue;
    const legacy = daysAgo >= legacyDaysAgo ? { priceSource: null, priceAsOf: null } : {};
    rows[values].put(
      { ...made, day, ...value, priceSource, recordedAt, ...legacy, dayRevision: revisions.get(day) ?? null },
      false,
    );
  }
}

function lotOf({ holdingId, itemId, quantity, unitCents, cameDay }: Placed): Omit<Lot, "updatedAt"> {
  return {
    holdingId,
    itemId,
    quantity,
    unitCostCents: unitCents,
    acquiredDay: cameDay,
    createdAt: cameDay * dayMs,
  };
}

function noonOf(anchorAt: number, daysAgo: number): number {
  return (dayOf(anchorAt) - daysAgo) * dayMs + 12 * hourMs;
}

/** Returns an evening time of the day, but never later than the anchor. UTC ms. */
function eveningOf(anchorAt: number, daysAgo: number): number {
  return Math.min(anchorAt, noonOf(anchorAt, daysAgo) + 7 * hourMs);
}
