import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { tableKinds } from "../../db/schema/kinds.ts";
import { useWorld } from "../support/world.ts";

type Row = Record<string, unknown>;
type Quote = { provider: string; amount: number; quantity: number | null; as_of: string | null; url?: string | null };

const redline = 2938;
const usd = (cents: unknown) => (cents === null ? null : (Number(cents) / 100).toFixed(2));
const numberOrNull = (text: unknown) => (text === null ? null : Number(text));

describe("views of the file", () => {
  const world = useWorld();
  const rows = (text: string, ...values: unknown[]): Row[] => {
    const client = new SqliteDatabase(world.path, { readonly: true });
    try {
      return client.prepare<unknown[], Row>(text).all(...values);
    } finally {
      client.close();
    }
  };
  const call = async (operation: string, asked: object) =>
    (await world.client.call(operation, { key: world.keys.builder, ...asked })).json.data;
  const delisted = 3;

  before(() => {
    // Cases missing in the demo world: a page of a quote, a time shared by all quotes of a source, an item that left the catalog, two more
    // sources of rates.
    const bazaar = "(SELECT number FROM frame_providers WHERE provider = 'bazaar')";
    world.sql(`INSERT INTO quote_urls VALUES (${bazaar}, ${redline}, 'ask', 'https://bazaar.example/2938')`);
    world.sql(`UPDATE quotes SET bid_as_of = NULL, ask_as_of = NULL WHERE provider_id = ${bazaar}`);
    world.sql("UPDATE providers SET quotes_as_of = 1768478400123, active = 0 WHERE provider = 'bazaar'");
    world.sql(`UPDATE items SET in_catalog = 0 WHERE item_id = ${delisted}`);
    for (const source of ["currency-api", "ecb"])
      world.sql(
        `INSERT INTO exchange_rates SELECT currency, '${source}', max(day), '0.5', 'x', NULL, recorded_at
         FROM exchange_rates WHERE currency = 'EUR' AND source = 'demo'`,
      );
  });

  it("show the quotes of getMarketPrices in v_quotes", async () => {
    for (const item_id of [redline, 1, delisted, 445, 2813]) {
      const data = await call("getMarketPrices", { path: { item_id } });
      const quotes = (side: "ask" | "bid") =>
        (data[`${side}s`] as Quote[]).map(({ provider, amount: cents, quantity, as_of, url = null }) => {
          const { market_hash_name: name, phase } = data;
          return { item_id, name, phase, side, provider, cents, usd_text: usd(cents), quantity, as_of, url };
        });
      const shown = "item_id, name, phase, side, provider, cents, usd_text, quantity, as_of, url";
      expect(rows(`SELECT ${shown} FROM v_quotes WHERE item_id = ?`, item_id)).to.have.deep.members([
        ...quotes("ask"),
        ...quotes("bid"),
      ]);
    }
  });

  it("show source freshness and the last check in v_quotes", async () => {
    const providers = (await call("listProviders", {})) as Row[];
    const quoted = rows("SELECT DISTINCT provider, provider_active, checked_at FROM v_quotes");
    expect(quoted).to.have.length(4);
    for (const { provider, provider_active, checked_at } of quoted)
      expect(
        providers.find((one) => one.provider === provider),
        String(provider),
      ).to.include({
        active: provider_active === 1,
        last_checked_at: checked_at,
      });
  });

  it("show only catalog items in v_best, with listItems' best asks", async () => {
    expect(rows("SELECT in_catalog FROM v_quotes WHERE item_id = ?", delisted)[0]).to.deep.equal({ in_catalog: 0 });
    expect(rows("SELECT * FROM v_best WHERE item_id = ?", delisted)).to.deep.equal([]);
    const data = (await call("listItems", { query: { limit: 100 } })) as Row[];
    const last = data.at(-1)?.item_id;
    const shown = "item_id, name, phase, provider, cents, usd_text, price_updated_at";
    const listed = data.filter(({ best_ask_cents }) => best_ask_cents !== null);
    expect(rows(`SELECT ${shown} FROM v_best WHERE item_id <= ? ORDER BY item_id`, last)).to.deep.equal(
      listed.map(({ item_id, market_hash_name: name, phase, best_ask_cents: cents, ...item }) => {
        const { best_ask_provider: provider, price_updated_at } = item;
        return { item_id, name, phase, provider, cents, usd_text: usd(cents), price_updated_at };
      }),
    );
  });

  it("show the ask of v_quotes with its time and page in v_best", () => {
    const shown = "item_id, provider, cents, quantity, as_of, checked_at, url";
    const best = rows(`SELECT ${shown} FROM v_best`);
    expect(best.filter(({ url }) => url !== null)).to.have.length(1);
    const asks = new Set(rows(`SELECT ${shown} FROM v_quotes WHERE side = 'ask'`).map((row) => JSON.stringify(row)));
    expect(best.filter((row) => !asks.has(JSON.stringify(row)))).to.deep.equal([]);
  });

  it("show the facts of getItem in v_items", async () => {
    for (const item_id of [1, 445, redline]) {
      const item = await call("getItem", { path: { item_id } });
      const [row] = rows("SELECT * FROM v_items WHERE item_id = ?", item_id);
      const { name, wear_min, wear_max, in_catalog, stat_counter, souvenir, ...same } = row!;
      expect(item).to.include({ ...same, market_hash_name: name, in_catalog: in_catalog === 1 });
      expect([numberOrNull(item.wear_min), numberOrNull(item.wear_max)]).to.deep.equal([wear_min, wear_max]);
      expect([stat_counter, souvenir].map(Boolean)).to.deep.equal([item.stat_counter, item.souvenir].map(Boolean));
    }
  });

  it("show the finalized days of getDailyPriceHistory in v_daily_prices", async () => {
    for (const side of ["ask", "bid"]) {
      const data = (await call("getDailyPriceHistory", { path: { item_id: redline }, query: { side } })) as Row[];
      expect(data.length).to.be.greaterThan(20);
      const shown = `date, provider, cents AS amount, low_cents AS low_amount, high_cents AS high_amount, observations, quantity,
        source_observed_at, recorded_at, usd_text, low_usd_text, high_usd_text`;
      const stored = rows(
        `SELECT ${shown} FROM v_daily_prices WHERE item_id = ? AND side = ? AND date >= ? ORDER BY day, provider`,
        redline,
        side,
        data[0]!.date,
      );
      expect(stored).to.have.length(data.length);
      for (const [index, { usd_text, low_usd_text, high_usd_text, ...row }] of stored.entries()) {
        expect(data[index]).to.include(row);
        const amounts = [row.amount, row.low_amount, row.high_amount];
        expect([usd_text, low_usd_text, high_usd_text]).to.deep.equal(amounts.map(usd));
      }
    }
  });

  it("rank sources in v_exchange_rates as listExchangeRates does", async () => {
    for (const currency of ["EUR", "JPY"]) {
      const [rate] = await call("listExchangeRates", { query: { currency } });
      const latest = `SELECT currency, source, rate_text AS rate_per_usd, currency_minor_units, as_of, recorded_at AS ingested_at
        FROM v_exchange_rates WHERE currency = ? ORDER BY date DESC, source_rank, source LIMIT 1`;
      expect(rate).to.include(rows(latest, currency)[0]!);
    }
  });

  it("show getIndexHistory's levels of the index's own methodology in v_index_levels", async () => {
    world.sql(
      `INSERT INTO index_levels SELECT index_id, 'older', day, value, exact, capitalization_cents, constituent_count,
         priced_constituent_count, coverage_pct, membership_version, as_of, recorded_at, revision, prices_digest FROM index_levels`,
    );
    for (const { index_id } of await call("listIndexes", {})) {
      const data = (await call("getIndexHistory", { path: { index_id } })) as Row[];
      expect(data).to.not.be.empty;
      const shown =
        "date, value, cents, usd_text, priced_constituent_count, coverage_pct, methodology_version, as_of, recorded_at, revision";
      const stored = rows(
        `SELECT ${shown} FROM v_index_levels WHERE index_id = ? AND date >= ? ORDER BY date`,
        index_id,
        data[0]!.date,
      );
      expect(stored).to.have.length(data.length);
      for (const [index, { value, cents, usd_text, coverage_pct, ...row }] of stored.entries()) {
        const { capitalization_cents, ...level } = data[index]!;
        expect(level).to.include(row);
        expect([value, coverage_pct]).to.deep.equal([numberOrNull(level.value), numberOrNull(level.coverage_pct)]);
        expect([cents, usd_text]).to.deep.equal([numberOrNull(capitalization_cents), usd(capitalization_cents)]);
      }
    }
  });

  it("show the current calculations of listOpenables in v_returns", async () => {
    for (const valuation_mode of ["steam_gross", "cash_ask"]) {
      const data = (await call("listOpenables", { query: { valuation_mode, limit: 100 } })) as (Row & {
        current: Row | null;
      })[];
      const same = `cost_cents, expected_value_cents, expected_profit_cents, revision_number, methodology_version, price_as_of,
        calculated_at`;
      const stored = rows(`SELECT slug, item_id, active, return_pct, expected_profit_usd_text, ${same} FROM v_returns
        WHERE valuation_mode = '${valuation_mode}' ORDER BY slug`);
      const published = data.filter(({ current }) => current !== null);
      expect(stored.map(({ slug }) => slug)).to.deep.equal(published.map(({ slug }) => slug));
      for (const [index, { slug, item_id, active, return_pct, expected_profit_usd_text, ...row }] of stored.entries()) {
        const { current, ...openable } = published[index]!;
        expect(openable).to.include({ slug, item_id, active: active === 1 });
        expect(current).to.include(row);
        expect(return_pct).to.equal(numberOrNull(current!.return_pct));
        expect(expected_profit_usd_text).to.equal(usd(row.expected_profit_cents));
      }
    }
  });

  it("read no private table", () => {
    const client = new SqliteDatabase(world.path, { readonly: true });
    const tables = new Map(
      client
        .prepare<[], [number, string]>("SELECT rootpage, tbl_name FROM sqlite_schema WHERE rootpage > 0")
        .raw()
        .all(),
    );
    const market: ReadonlySet<string> = new Set(tableKinds.market);
    const views = client
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'view' AND name GLOB 'v_*'")
      .pluck()
      .all();
    expect(views).to.have.length(7);
    for (const view of views) {
      const steps = client.prepare<[], { opcode: string; p2: number }>(`EXPLAIN SELECT * FROM ${view}`).all();
      const read = steps.filter(({ opcode }) => opcode === "OpenRead").map(({ p2 }) => tables.get(p2) ?? String(p2));
      expect(read, view).to.not.be.empty;
      expect(
        read.filter((table) => !market.has(table)),
        view,
      ).to.deep.equal([]);
    }
    client.close();
  });

  it("find quotes and days of one item without a scan", () => {
    for (const view of ["v_quotes", "v_daily_prices", "v_best"]) {
      for (const condition of ["item_id = 2938", "name = 'AK-47 | Redline (Field-Tested)'"]) {
        const plan = rows(`EXPLAIN QUERY PLAN SELECT * FROM ${view} WHERE ${condition}`).map(({ detail }) =>
          String(detail),
        );
        // The two sides, and tables with a row for each marketplace, or for each of them and recent day.
        const scans = plan.filter((step) => step.startsWith("SCAN") && !/^SCAN (s|n|p|f|r|CONSTANT ROW)\b/.test(step));
        expect(scans, `${view}, ${condition}: ${plan.join("; ")}`).to.deep.equal([]);
      }
    }
  });
});
