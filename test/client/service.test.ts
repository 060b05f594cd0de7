import { expect } from "chai";
import { clientOperations } from "../../generated/client-operations.ts";
import { faultsOf } from "../../scripts/contract/answers.ts";
import { type ExportError, Itemtape, type JsonOperationId, type OperationMethods } from "../../src/client/index.ts";
import { publishedMeanwhile, unreadableMeanwhile } from "../contract/replay-states.ts";
import { isLongRun } from "../support/size.ts";
import { type Account, useWorld } from "../support/world.ts";
import { allOf, thrownBy } from "./scripted-server.ts";

const slug = "chroma-2-case";
const item_id = 11;
const index_id = "knives-equal";

describe("client against the real service", () => {
  const world = useWorld(isLongRun ? {} : { fewItems: true });
  let account: Account;
  let client: Itemtape;
  let owner: Itemtape;
  before(() => {
    account = world.account("quant");
    client = new Itemtape({ baseUrl: world.base, apiKey: account.secret });
    owner = new Itemtape({ baseUrl: world.base, apiKey: world.keys.builderToken });
  });

  const bySql = (query: string) => Number(world.sql(query)[0]?.found);

  it("has a method for every JSON operation, with a valid response", async () => {
    const portfolio_id = (await owner.listPortfolios()).data[0]!.portfolio_id;
    const calls: Record<keyof OperationMethods, () => Promise<unknown>> = {
      getStatus: () => client.getStatus(),
      listProviders: () => client.listProviders({ limit: 2 }),
      listContractChanges: () => client.listContractChanges({ limit: 1 }),
      listItems: () => client.listItems({ q: "karambit", limit: 3 }),
      resolveItemNames: () => client.resolveItemNames({ names: ["★ Karambit", "nothing"] }),
      getItem: () => client.getItem({ item_id }),
      getMarketPrices: () => client.getMarketPrices({ item_id }),
      getDailyPriceHistory: () => client.getDailyPriceHistory({ item_id, provider: "steam" }),
      getHourlyPriceHistory: () =>
        client.getHourlyPriceHistory({ item_id, known_at: "2026-01-15T11:00:00Z", limit: 5 }),
      getMarketPricesBatch: () => client.getMarketPricesBatch({ item_ids: [item_id, 2_147_483_647], side: "ask" }),
      getMarketPricesKnownAt: () =>
        client.getMarketPricesKnownAt({ known_at: "2026-01-15T11:00:00Z", item_ids: [item_id] }),
      getCurrentGeneration: () => client.getCurrentGeneration({ after: "g4", wait_seconds: 30 }),
      getGeneration: () => client.getGeneration({ generation: "g5" }),
      listDataEvents: () => client.listDataEvents({ kind: "day_revised", from: "2026-01-01" }),
      listHistoryDays: () => client.listHistoryDays({ limit: 1 }),
      listIndexes: () => client.listIndexes(),
      getIndex: () => client.getIndex({ index_id }),
      getIndexHistory: () => client.getIndexHistory({ index_id, from: "2026-01-01" }),
      listIndexMembers: () => client.listIndexMembers({ index_id, limit: 2 }),
      listExchangeRates: () => client.listExchangeRates({ currency: "EUR" }),
      getExchangeRateHistory: () => client.getExchangeRateHistory({ currency: "EUR" }),
      listOpenables: () => client.listOpenables({ valuation_mode: "cash_ask" }),
      getOpenable: () => client.getOpenable({ slug }),
      getOpenableHistory: () => client.getOpenableHistory({ slug, granularity: "hour" }),
      listOpenableOutcomes: () => client.listOpenableOutcomes({ slug }),
      getUsage: () => client.getUsage(),
      listPortfolios: () => owner.listPortfolios({ limit: 1 }),
      getPortfolio: () => owner.getPortfolio({ portfolio_id }),
      listPortfolioHoldings: () => owner.listPortfolioHoldings({ portfolio_id }),
      listPortfolioTransactions: () => owner.listPortfolioTransactions({ portfolio_id }),
      getPortfolioHistory: () => owner.getPortfolioHistory({ portfolio_id }),
    };
    for (const [operationId, call] of Object.entries(calls)) {
      const { data, meta, status, requestId, etag } = (await call()) as Awaited<ReturnType<Itemtape["getItem"]>>;
      const headers = new Headers({ "content-type": "application/json", "x-request-id": requestId });
      const faults = faultsOf(operationId, { status, headers, text: JSON.stringify({ data, meta }) });
      expect(faults.filter((fault) => !/header .* is missing/.test(fault))).to.deep.equal([], operationId);
      const { method, isProtected } = clientOperations[operationId as JsonOperationId];
      expect(etag !== null, `${operationId} has an etag`).to.equal(method === "GET" && isProtected);
    }
    expect(Object.keys(calls)).to.have.members(
      Object.entries(clientOperations).flatMap(([id, { isStream }]) => (isStream ? [] : [id])),
    );
  });

  it("exports a day in both resolutions with the listed digest", async () => {
    const [day] = (await client.listHistoryDays({ limit: 1 })).data;
    const { date, revision, digest, hourly_digest } = day!;
    for (const resolution of ["daily", "hourly"] as const) {
      const { start, end, rows } = await client.exportDay({
        date,
        resolution,
        ...(resolution === "daily" && { revision }),
      });
      expect(start).to.include({ date, resolution, revision });
      expect(end.digest).to.equal(resolution === "daily" ? digest : hourly_digest);
      expect(rows).to.have.length(end.rows);
    }
    const missing = await thrownBy(client.exportDay({ date, resolution: "daily", revision: revision + 1 }));
    expect(missing).to.include({ name: "ItemtapeError", code: "day_not_found" });
    const unknown = await thrownBy(client.exportDay({ date: "2020-01-01", resolution: "daily" }));
    expect(unknown).to.include({ name: "ItemtapeError", code: "day_not_found" });
  });

  it("reports the remaining quota of the account", async () => {
    const { allowance } = await client.getUsage();
    const { data } = await client.getUsage();
    expect(allowance.limitPerMinute).to.equal(data.minute_limit);
    expect(allowance.quotaRemaining).to.equal(data.monthly_remaining);
    expect(allowance.remainingInMinute).to.be.a("number");
    const { allowance: none } = await client.getStatus();
    expect(none).to.deep.equal({ limitPerMinute: null, remainingInMinute: null, quotaRemaining: null });
  });

  it("reports an unchanged read by its tag, for one unit", async () => {
    const { etag, data } = await client.getMarketPrices({ item_id });
    const used = world.used(account.accountId);
    const again = await client.getMarketPrices({ item_id }, { ifNoneMatch: etag! });
    expect(again).to.deep.include({ status: 304, data: null, meta: null, etag });
    expect(world.used(account.accountId)).to.equal(used + 1);
    const other = await client.getMarketPrices({ item_id }, { ifNoneMatch: 'W/"other"' });
    expect([other.status, other.data]).to.deep.equal([200, data]);
  });

  it("reads lists with either kind of cursor to the last row", async () => {
    const items = await allOf(client.rows("listItems", { limit: 100 }));
    expect(items).to.have.length(bySql("SELECT count(*) AS found FROM items WHERE in_catalog = 1"));
    expect(items.every(({ item_id }, index) => item_id > (items[index - 1]?.item_id ?? 0))).to.equal(true);
    const inPages = await allOf(client.rows("listOpenableOutcomes", { slug, limit: 7 }));
    const atOnce = await client.listOpenableOutcomes({ slug, limit: 1000 });
    expect(inPages).to.deep.equal(atOnce.data);
    const providers = await allOf(client.pages("listProviders", { limit: 1 }));
    expect(providers.length).to.equal((await client.listProviders()).data.length);
  });

  it("reports the service's code, and succeeds after the service's wait", async () => {
    const free = new Itemtape({ baseUrl: world.base, apiKey: world.keys.free });
    expect(await thrownBy(free.getMarketPrices({ item_id }))).to.include({
      name: "ItemtapeError",
      status: 403,
      code: "plan_upgrade_required",
    });
    expect(await thrownBy(new Itemtape({ baseUrl: world.base }).getUsage())).to.include({ code: "invalid_api_key" });
    const small = world.account("builder");
    const waits: number[] = [];
    const patient = new Itemtape({
      baseUrl: world.base,
      apiKey: small.secret,
      parts: {
        random: () => 0,
        wait: async (ms) => {
          waits.push(ms);
          world.clock.advance(ms);
        },
      },
    });
    for (let call = 0; call < 61; call += 1) await patient.getUsage();
    expect(waits).to.deep.equal([60_000]);
  });

  it("verifies the whole market, digest included, for two units", async () => {
    const used = world.used(account.accountId);
    const { items, start, end, digest } = await client.exportMarket();
    expect(world.used(account.accountId)).to.equal(used + 2);
    expect(end).to.include({ items: items.length, generation: start.generation });
    const { data } = await client.getGeneration({ generation: start.generation });
    expect(digest).to.deep.equal({ items: data.items, bytes: data.bytes, digest: data.digest });
  });

  for (const [reason, state] of [
    ["changed", publishedMeanwhile],
    ["interrupted", unreadableMeanwhile],
  ] as const) {
    it(`refuses an export ${reason} while it runs, then completes another`, async () => {
      const caller = world.account("builder");
      const api = new Itemtape({ baseUrl: world.base, apiKey: caller.secret, parts: { wait: async () => undefined } });
      const undo = await state(world, caller);
      const thrown = (await thrownBy(api.exportMarket())) as ExportError;
      expect([thrown.name, thrown.reason]).to.deep.equal(["ExportError", reason]);
      await undo();
      expect((await api.exportMarket({ digest: "skip" })).items).to.have.length(
        bySql("SELECT count(*) AS found FROM items"),
      );
      expect(world.used(caller.accountId)).to.equal(2);
    });
  }

  it("releases the permit of an abandoned export", async () => {
    const caller = world.account("builder");
    const api = new Itemtape({ baseUrl: world.base, apiKey: caller.secret });
    for await (const { type } of api.streamMarketUnverified()) if (type === "item") break;
    const live = () => bySql("SELECT count(*) AS found FROM snapshot_leases WHERE state = 'reserved'");
    while (live() > 0) await new Promise(setImmediate);
    expect((await api.exportMarket({ digest: "skip" })).items).to.have.length(
      bySql("SELECT count(*) AS found FROM items"),
    );
  });
});
