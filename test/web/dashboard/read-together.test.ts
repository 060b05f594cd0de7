import { expect } from "chai";
import type { Answer } from "../../support/client.ts";
import { importDemoCatalog } from "../../support/demo-catalog.ts";
import { useWorld } from "../../support/world.ts";
import { BrowserPage, lookPage, refusal, type Sent } from "./browser-page.ts";
import { OwnerWorld } from "./owner-world.ts";

type Part = {
  operation: string | null;
  status: number;
  body: { data: { item_id: number }[]; meta: object; code: string };
};

describe("combined reads of a page", () => {
  let ann: OwnerWorld;
  let page: BrowserPage;
  before(async () => {
    // A single permit: a read that did not release it would make the next request fail.
    ann = await OwnerWorld.start({ fewItems: true, config: { inFlightMax: 1 } });
  });
  after(() => ann.world.stop());
  beforeEach(async () => {
    ann.world.accounts((accounts) => accounts.setPlan(ann.account.accountId, "builder", null));
    page = await new BrowserPage(ann.world, await ann.signedIn()).load();
  });
  const cost = (work: () => Promise<Answer>) => ann.world.costOf(ann.account.accountId, work);

  const together = (parts: unknown, sent: Sent = {}) => page.read("/together", { body: { parts }, ...sent });

  it("return each operation's own response, for one unit", async () => {
    const wanted = [
      { path: "/v1/status" },
      { path: "/v1/items?q=stattrak&limit=3" },
      { path: "/v1/items/7/history?from=2025-12-01&to=2025-12-20" },
      { path: "/v1/markets/batch", body: { item_ids: [7, 8] } },
      { path: "/v1/usage" },
    ];
    const alone: Answer[] = [];
    for (const { path, body } of wanted) alone.push(await page.read(path, { body }));
    const before = ann.world.charged();
    const answer = await together(wanted);
    const after = ann.world.charged();
    expect(answer.status, answer.text).to.equal(200);
    expect([after.units - before.units, after.events - before.events]).to.deep.equal([1, 1]);
    const { parts }: { parts: Part[] } = answer.json;
    expect(parts.map(({ operation, status }) => [operation, status])).to.deep.equal(
      ["getStatus", "listItems", "getDailyPriceHistory", "getMarketPricesBatch", "getUsage"].map((id) => [id, 200]),
    );
    for (const place of [0, 1, 2, 3]) {
      expect(parts[place]?.body.data).to.deep.equal(alone[place]?.json.data);
      expect(Object.keys(parts[place]!.body.meta)).to.deep.equal(Object.keys(alone[place]?.json.meta));
    }
    expect(answer.headers.get("x-quota-remaining")).to.equal(String(10_000 - after.units));
    expect(answer.headers.get("cache-control")).to.equal("no-store");
  });

  it("return a refused part's problem beside other responses", async () => {
    ann.world.accounts((accounts) => accounts.setPlan(ann.account.accountId, "free", null));
    const wanted = [
      { path: "/v1/items/7" },
      { path: "/v1/items/7/markets" },
      { path: "/v1/items/999999" },
      { path: "/v1/items?limit=0" },
      { path: "/v1/nowhere" },
      { path: "/v1/markets/batch", body: { item_ids: [] } },
      { path: "/v1/markets/snapshot" },
    ];
    const codes = ({ json }: Answer) => (json.parts as Part[]).map(({ status, body }) => body.code ?? status);
    const refused = ["plan_upgrade_required", "item_not_found", "invalid_parameter", "endpoint_not_found"];
    const before = ann.world.used(ann.account.accountId);
    expect(codes(await together(wanted))).to.deep.equal([200, ...refused, "invalid_body", "endpoint_not_found"]);
    expect(ann.world.used(ann.account.accountId)).to.equal(before + 1);
    expect(codes(await together(wanted.slice(3)))).to.deep.equal([
      ...refused.slice(2),
      "invalid_body",
      "endpoint_not_found",
    ]);
    expect(ann.world.used(ann.account.accountId)).to.equal(before + 1);
  });

  it("are rejected whole, without cost, if larger than any page needs", async () => {
    const item = (id: number, more = "") => ({ path: `/v1/items/${id}${more}` });
    const days = "/history?from=2025-01-15&to=2026-01-14";
    const ids = Array.from({ length: 51 }, (_, place) => place + 1);
    const lists: unknown[] = [
      undefined,
      [],
      "x",
      [{ path: "/v1/items/7", method: "GET" }, null],
      [{ path: "/dashboard" }],
      [{ path: "/v1/items/%zz" }],
      Array.from({ length: 101 }, (_, place) => item(place + 1)),
      Array.from({ length: 129 }, () => item(7)),
      Array.from({ length: 20 }, () => item(7, days)),
      [{ path: "/v1/items?cursor=5" }],
      [{ path: "/v1/markets/generations/current?after=g1" }],
      Array.from({ length: 2 }, () => ({ path: "/v1/markets/batch", body: { item_ids: ids } })),
      Array.from({ length: 101 }, () => ({ path: "/v1/items/resolve", body: { names: ["x"] } })),
      Array.from({ length: 101 }, (_, place) => ({ path: `/v1/indexes/index-${place}` })),
      Array.from({ length: 9 }, () => ({ path: "/v1/items" })),
    ];
    for (const list of lists)
      expect(await cost(() => together(list)), JSON.stringify(list)?.slice(0, 99)).to.deep.equal([
        400,
        "invalid_body",
        0,
      ]);
  });

  it("are free as part of an earlier visit within page limits", async () => {
    const item = (id: number) => ({ path: `/v1/items/${id}` });
    const read = async (parts: unknown[], visit?: string, by = page) => {
      const [before, answer] = [ann.world.charged(), await by.read("/together", { body: { parts, visit } })];
      const after = ann.world.charged();
      expect(answer.status, answer.text).to.equal(200);
      return { cost: [after.units - before.units, after.events - before.events], answer, visit: answer.json.visit };
    };
    const first = await read([{ path: "/v1/items?q=stattrak" }]);
    const ids = first.answer.json.parts[0].body.data.map(({ item_id: id }: { item_id: number }) => id);
    const next = await read([{ path: "/v1/markets/batch", body: { item_ids: ids } }], first.visit);
    expect([next.cost, next.visit, next.answer.json.parts[0].status]).to.deep.equal([[0, 0], first.visit, 200]);
    expect(next.answer.headers.get("x-quota-remaining")).to.equal(first.answer.headers.get("x-quota-remaining"));
    const many = Array.from({ length: 100 }, (_, place) => item(place + 500));
    const paid = await read(many, first.visit);
    expect(paid.cost).to.deep.equal([1, 1]);
    expect(paid.visit).not.to.equal(first.visit);
    expect((await read([item(500)], paid.visit)).cost).to.deep.equal([0, 0]);
    expect((await read([item(1)], paid.visit)).cost).to.deep.equal([1, 1]);
    const status = await read([{ path: "/v1/status" }]);
    expect([status.cost, status.visit]).to.deep.equal([[0, 0], ""]);
    for (const name of ["", status.answer.headers.get("x-request-id") ?? "", "req_x"])
      expect((await read([item(7)], name)).cost, name).to.deep.equal([1, 1]);
    const other = await new BrowserPage(ann.world, await ann.signedIn()).load();
    expect((await read([item(500)], paid.visit, other)).cost, "another session").to.deep.equal([1, 1]);
    ann.world.clock.at += 30_001;
    expect((await read([item(500)], paid.visit)).cost, "half a minute later").to.deep.equal([1, 1]);
  });

  it("require a session of this origin", async () => {
    const parts = [{ path: "/v1/items/7" }];
    const bearer = { authorization: `Bearer ${ann.account.secret}` };
    for (const sent of [
      { token: null },
      { token: "x" },
      { headers: { origin: "https://evil.example" } },
      { headers: { "sec-fetch-site": "cross-site" } },
      { token: null, headers: { ...bearer, cookie: "" } },
    ])
      expect(await cost(() => together(parts, sent))).to.deep.equal([401, "invalid_api_key", 0]);
    expect(refusal(await together(parts, { method: "GET", body: undefined }))).to.deep.equal([
      404,
      "endpoint_not_found",
    ]);
    const body = JSON.stringify({ parts });
    const headers = { ...bearer, "content-type": "application/json" };
    const byKey = await ann.world.client.send({ method: "POST", target: "/v1/together", headers, body });
    expect(refusal(byKey)).to.deep.equal([404, "endpoint_not_found"]);
  });
});

describe("combined reads of a demo visitor", () => {
  const world = useWorld({ fewItems: true });

  it("return the market for one unit, but no account data", async () => {
    const before = world.charged();
    const parts = ["/v1/items/7", "/v1/usage", "/v1/me/portfolios"].map((path) => ({ path }));
    const { json } = await lookPage(world).read("/together", { body: { parts } });
    const lacking = [403, "insufficient_scope"];
    expect((json.parts as Part[]).map(({ status, body }) => [status, body.code ?? null])).to.deep.equal([
      [200, null],
      lacking,
      lacking,
    ]);
    expect(world.charged().units).to.equal(before.units + 1);
  });

  it("return all item names, and again only if the catalog changes", async () => {
    const { visitor } = lookPage(world);
    const answer = await visitor.get("/dashboard/names");
    const [[count]] = world.sql("SELECT count(*) AS count FROM items WHERE in_catalog = 1").map(Object.values) as [
      [number],
    ];
    expect(answer.json.names).to.have.length(count);
    expect(answer.json.names[6]).to.deep.equal(
      Object.values(
        world.sql("SELECT item_id, market_hash_name, name_ru, phase, type FROM items WHERE item_id = 7")[0]!,
      ),
    );
    expect(answer.headers.get("cache-control")).to.equal("private, no-cache");
    const held = { "if-none-match": answer.headers.get("etag") ?? "" };
    expect((await visitor.get("/dashboard/names", held)).status).to.equal(304);
    importDemoCatalog(world, [7]);
    const changed = await visitor.get("/dashboard/names", held);
    expect([changed.status, changed.json.names.length]).to.deep.equal([200, count - 1]);
    for (const headers of [
      { origin: "https://evil.example" },
      { "sec-fetch-site": "cross-site" },
      { via: "1.1 proxy" },
    ])
      expect((await visitor.get("/dashboard/names", headers as Record<string, string>)).status).to.equal(403);
  });

  it("sort most-offered items by markets, then by offers", async () => {
    const { visitor } = lookPage(world);
    const read = async () => (await visitor.get("/dashboard/most-offered")).json;
    const of = world.sql(
      `SELECT item_id FROM quotes JOIN items USING (item_id) WHERE in_catalog = 1 AND ask_cents > 0 GROUP BY item_id
       ORDER BY count(*) DESC, sum(coalesce(ask_quantity, 1)) DESC, min(ask_cents) DESC, item_id LIMIT 1000`,
    );
    expect(of).not.to.be.empty;
    expect(await read()).to.deep.equal({ by: "offers", item_ids: of.map((row) => row.item_id) });
    const delisted = of[0]?.item_id;
    importDemoCatalog(world, [Number(delisted)]);
    expect((await read()).item_ids).not.to.include(delisted);
  });
});
