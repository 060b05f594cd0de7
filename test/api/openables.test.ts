import { expect } from "chai";
import { dayMs, dayOf, dayText, hourMs } from "../../src/values/time/calendar.ts";
import { putBucket, putCalculation } from "../domain/openables-world.ts";
import { readPages } from "../support/paging.ts";
import { insertPool, type PoolFacts } from "../support/pools.ts";
import { type Account, demoAt, useWorld } from "../support/world.ts";

const today = dayOf(demoAt);
const date = (daysAgo: number) => dayText(today - daysAgo);
const missing = "no-such-case";
const canary = "canary-draft-case";
const canaryNote = "canary definition of a draft";
const operations = ["listOpenables", "getOpenable", "getOpenableHistory", "listOpenableOutcomes"];

describe("openables over HTTP", () => {
  const world = useWorld();
  let account: Account;
  let containers: number[];
  let prizes: number[];
  before(() => {
    account = world.account("trader");
    world.change((database) => {
      const free = `SELECT item_id FROM items WHERE item_id NOT IN (SELECT item_id FROM openables) AND in_catalog = 1
                    AND length(market_hash_name) > 12 GROUP BY market_hash_name ORDER BY max(item_id) DESC LIMIT 9`;
      const ids = database.$client.prepare(free).pluck().all() as number[];
      [containers, prizes] = [ids.slice(0, 5), ids.slice(5)];
      const put = (facts: Pick<PoolFacts, "slug" | "itemId" | "state">) =>
        insertPool(database, {
          outcomes: prizes.map((itemId, at) => ({ itemId, tier: at < 2 ? "low" : "high", numerator: 4 - at })),
          definition: JSON.stringify({ note: canaryNote }),
          provenance: JSON.stringify({ note: canaryNote }),
          ...facts,
        }).revisionId!;
      const ledger = [[100, "steam", demoAt, null], [7, "steam", demoAt, null], [null, null, null, 9], 0] as const;
      for (const [at, slug] of ["lab-a", "lab-b", "lab-old"].entries()) {
        const revisionId = put({ slug, itemId: containers[at]!, state: slug === "lab-old" ? "retired" : "active" });
        if (slug === "lab-b") continue;
        putCalculation(database, { slug, revisionId, calculatedAt: demoAt, priceAsOf: demoAt, ledger });
        for (let daysAgo = 1; daysAgo <= 5; daysAgo += 1) {
          const ts = (today - daysAgo) * dayMs;
          putBucket(database, { slug, revisionId, granularity: "day", ts });
          for (const hour of [0, 6])
            putBucket(database, { slug, revisionId, granularity: "hour", ts: ts + hour * hourMs });
        }
      }
      put({ slug: canary, itemId: containers[3]!, state: "draft" });
      // The next revision of a shown container is a draft too.
      database.$client
        .prepare("INSERT INTO openable_drafts SELECT slug, item_id, ?, ?, 1 FROM openables WHERE slug = 'lab-a'")
        .run(JSON.stringify({ slug: canary, note: canaryNote }), "{}");
    });
  });

  const call = (operationId: string, path: object, query: Record<string, string | number> = {}, headers = {}) =>
    world.client.call(operationId, { key: account.secret, path: path as Record<string, string>, query, headers });
  const list = (query = {}) => call("listOpenables", {}, query);
  const one = (slug = "lab-a", query = {}, headers = {}) => call("getOpenable", { slug }, query, headers);
  const history = (query = {}, slug = "lab-a") => call("getOpenableHistory", { slug }, query);
  const outcomes = (query = {}, slug = "lab-a") => call("listOpenableOutcomes", { slug }, query);

  const costOf = (work: () => ReturnType<typeof call>) => world.costOf(account.accountId, work);
  const walked = async (page: (query: object) => ReturnType<typeof call>, limit: number) =>
    (await readPages(page, { limit })).rows;

  it("are listed by slug, equal to their single reads, in consistent pages", async () => {
    const { data, meta } = (await list({ limit: 100 })).json;
    const slugs: string[] = data.map(({ slug }: { slug: string }) => slug);
    expect(slugs).to.deep.equal(slugs.toSorted()).and.to.include.members(["lab-a", "lab-b", "lab-old"]);
    expect(meta).to.have.keys("request_id", "generated_at", "next_page", "as_of", "freshness");
    expect(await walked(list, 2)).to.deep.equal(data);
    const { pool, ...entry } = (await one()).json.data;
    const { lowest_tier: _, ...listed } = data.find(({ slug }: { slug: string }) => slug === "lab-a");
    expect(listed).to.deep.equal(entry);
    expect(entry.current).to.include({
      expected_value_cents: 110,
      price_as_of: "2026-01-15T12:00:00.000Z",
      stale: false,
    });
    expect(pool).to.include({ revision_number: 1, wear_model: "wear-1" });
    expect((await one("lab-b")).json.data.current).to.equal(null);
    expect((await one("lab-old")).json.data).to.include({ active: false });
  });

  it("have values per mode; an uncalculated mode is null, without rows", async () => {
    const query = { valuation_mode: "cash_ask" };
    expect((await one("lab-a", query)).json.data).to.include({ valuation_mode: "cash_ask", current: null });
    const { data } = (await outcomes(query)).json;
    expect(data.map((row: { status: string }) => row.status)).to.deep.equal(Array(4).fill("unpriced"));
    expect((await history(query)).json.data).to.deep.equal([]);
  });

  it("have history and outcome pages that equal one full read", async () => {
    expect(await walked(history, 2))
      .to.deep.equal((await history()).json.data)
      .and.to.have.length(5);
    const hours = (query: object) => history({ granularity: "hour", ...query });
    expect(await walked(hours, 3))
      .to.deep.equal((await hours({})).json.data)
      .and.to.have.length(10);
    const { data, meta } = (await outcomes()).json;
    expect(await walked(outcomes, 1)).to.deep.equal(data);
    expect(data.map((row: { item_id: number; value_cents: number }) => [row.item_id, row.value_cents])).to.deep.equal(
      prizes.map((itemId, at) => [itemId, [100, 7, null, null][at]]),
    );
    expect(meta).to.include({ as_of: "2026-01-15T12:00:00.000Z", freshness: "fresh" });
    expect((await history({ granularity: "hour", from: date(1), to: date(1) })).json.meta).to.include({
      missing_points: `2 of 4 hours absent: ${date(1)}T12:00Z/${date(1)}T18:00Z`,
      resolution: "hour",
    });
  });

  it("cost one unit for an unknown or draft container", async () => {
    for (const slug of [missing, canary]) {
      for (const work of [
        () => one(slug),
        () => history({}, slug),
        () => history({ methodology_version: "nothing" }, slug),
        () => outcomes({ valuation_mode: "cash_ask" }, slug),
      ]) {
        expect(await costOf(work)).to.deep.equal([404, "openable_not_found", 1]);
      }
    }
    const [absent, hidden] = [await one(missing), await one(canary)].map(({ json }) => {
      const { request_id: _, instance: __, ...reported } = json;
      return reported;
    });
    expect(hidden).to.deep.equal(absent);
  });

  it("refuse an invalid request before it costs any quota", async () => {
    const listPage = (await list({ limit: 1 })).json.meta.next_page;
    const historyPage = (await history({ limit: 1 })).json.meta.next_page;
    const outcomePage = (await outcomes({ limit: 1 })).json.meta.next_page;
    const rows: [() => ReturnType<typeof call>, string][] = [
      [() => history({ methodology_version: "roi-2" }), "unknown_methodology_version"],
      [() => history({ from: date(0), to: date(1) }), "invalid_range"],
      [() => history({ to: date(-1) }), "invalid_range"],
      [() => history({ from: date(366), to: date(0) }), "window_too_large"],
      [() => list({ after: listPage, valuation_mode: "cash_ask" }), "cursor_mismatch"],
      [() => list({ after: outcomePage }), "cursor_mismatch"],
      [() => history({ after: historyPage }, "lab-old"), "cursor_mismatch"],
      [() => history({ after: historyPage, granularity: "hour" }), "cursor_mismatch"],
      [() => history({ after: historyPage, methodology_version: "roi-2" }), "cursor_mismatch"],
      [() => history({ after: historyPage, valuation_mode: "cash_ask" }), "cursor_mismatch"],
      [() => outcomes({ after: outcomePage }, "lab-old"), "cursor_mismatch"],
      [() => outcomes({ after: outcomePage, valuation_mode: "cash_ask" }), "cursor_mismatch"],
      [() => outcomes({ after: `${outcomePage}x` }), "invalid_cursor"],
    ];
    for (const [work, code] of rows) expect(await costOf(work)).to.deep.equal([400, code, 0]);
  });

  it("require a paid plan and refuse Free before any lookup", async () => {
    const free = world.account("free");
    for (const operationId of operations)
      for (const slug of ["lab-a", canary, missing])
        for (const query of [{}, ...(operationId === "getOpenableHistory" ? [{ methodology_version: "roi-7" }] : [])]) {
          const { status, json } = await world.client.call(operationId, { key: free.secret, path: { slug }, query });
          expect([status, json.code]).to.deep.equal([403, "plan_upgrade_required"]);
        }
    expect(world.used(free.accountId)).to.equal(0);
    expect(world.internalErrors).to.equal(0);
  });

  it("show nothing about a draft, nor does its container", async () => {
    const name = String(
      world.sql("SELECT market_hash_name AS name FROM items WHERE item_id = ?", containers[3])[0]!.name,
    );
    const texts: string[] = [];
    for (const valuation_mode of ["steam_gross", "cash_ask"]) {
      texts.push((await list({ valuation_mode, limit: 100 })).text);
      for (const slug of ["lab-a", "lab-b", "lab-old"])
        for (const operationId of operations.slice(1))
          texts.push((await call(operationId, { slug }, { valuation_mode })).text);
    }
    for (const [at, text] of texts.entries()) {
      expect(text, `answer ${at}`).to.not.include(canary);
      expect(text, `answer ${at}`).to.not.include(canaryNote);
      expect(text, `answer ${at}`).to.not.include(JSON.stringify(name));
    }
    const { data } = (await call("getItem", { item_id: containers[3]! })).json;
    expect(data).to.include({ item_id: containers[3], openable_slug: null });
  });

  it("mark a stale calculation with the reason", async () => {
    const { generated_at: _, request_id: __, ...fresh } = (await one()).json.meta;
    const { current } = (await one()).json.data;
    world.clock.advance(8 * hourMs);
    expect((await one()).json.data.current).to.deep.equal(current);
    world.clock.advance(1);
    const { data, meta } = (await one()).json;
    const flags = [...current.flags, "calculation_stale"];
    const stale = { stale: true, stale_reasons: ["calculation_age"], confidence: "medium", flags };
    expect(data.current).to.deep.equal({ ...current, ...stale });
    expect([fresh.freshness, meta.freshness]).to.deep.equal(["fresh", "stale"]);
  });
});
