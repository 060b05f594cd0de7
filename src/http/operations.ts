import type { AccessRule } from "../access/admission.ts";
import type { Catalog } from "../domain/catalog.ts";
import type { MarketSnapshot } from "../domain/market-snapshot.ts";
import type { Providers } from "../domain/providers.ts";
import type { Quotes } from "../domain/quotes.ts";
import type { Reference } from "../domain/reference.ts";
import type { Status } from "../domain/status.ts";
import type { Usage } from "../domain/usage.ts";
import { type OperationTable, protectedOperation } from "./operation.ts";

/** What the operations read from. */
export type Domain = {
  reference: Reference;
  status: Status;
  catalog: Catalog;
  quotes: Quotes;
  providers: Providers;
  snapshot: MarketSnapshot;
  usage: Usage;
};

/** All plans, one unit of the month. */
const metadata: AccessRule = { scope: "market:read", plan: "free", monthlyUnits: 1, lease: false };
/** Paid plans, one unit. */
const quotes: AccessRule = { scope: "market:read", plan: "paid", monthlyUnits: 1, lease: false };
/** Paid plans, one unit, a lease and a start. */
const exports: AccessRule = { scope: "market:read", plan: "paid", monthlyUnits: 1, lease: true };
/** Any valid key; counts against the minute, costs no unit. */
const account: AccessRule = { scope: null, plan: "free", monthlyUnits: 0, lease: false };

/** THE table: every operation of the contract, who may call it at what price, and what it reads. */
export function operationTable(domain: Domain) {
  const { reference } = domain;
  return {
    getStatus: { rule: null, read: () => domain.status.read() },
    listProviders: protectedOperation<"listProviders", Parameters<Providers["list"]>[0]>({
      rule: metadata,
      prepare: (params) => domain.providers.prepareList(params, reference),
      read: (query) => domain.providers.list(query, reference),
    }),
    listItems: protectedOperation<"listItems", Parameters<Catalog["list"]>[0]>({
      rule: metadata,
      prepare: (params) => domain.catalog.prepareList(params),
      read: (query, { caller }) => domain.catalog.list(query, caller.plan !== "free"),
    }),
    getItem: protectedOperation<"getItem", number>({
      rule: metadata,
      prepare: ({ item_id }) => item_id,
      read: (itemId) => domain.catalog.item(itemId),
    }),
    getMarketPrices: protectedOperation<"getMarketPrices", Parameters<Quotes["item"]>[0]>({
      rule: quotes,
      prepare: (params) => domain.quotes.prepareItem(params, reference),
      read: (query, { at }) => domain.quotes.item(query, at),
    }),
    getMarketPricesBatch: protectedOperation<"getMarketPricesBatch", Parameters<Quotes["batch"]>[0]>({
      rule: quotes,
      prepare: (params) => domain.quotes.prepareBatch(params, reference),
      read: (query, { at }) => domain.quotes.batch(query, at),
    }),
    streamMarketSnapshot: protectedOperation<"streamMarketSnapshot", null>({
      rule: exports,
      prepare: () => null,
      read: (_query, admission) => ({ stream: domain.snapshot.open(admission) }),
    }),
    getUsage: protectedOperation<"getUsage", null>({
      rule: account,
      prepare: () => null,
      read: (_query, { caller, at }) => domain.usage.read(caller, at),
    }),
  } satisfies OperationTable;
}
