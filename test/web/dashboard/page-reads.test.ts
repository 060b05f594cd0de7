import { expect } from "chai";
import { ConcurrencyLimiter } from "../../../src/api/concurrency-limiter.ts";
import type { Answer } from "../../support/client.ts";
import { importDemoCatalog } from "../../support/demo-catalog.ts";
import { idOf, PortfolioRows } from "../../support/portfolios.ts";
import { until } from "../../support/until.ts";
import { useWorld, World } from "../../support/world.ts";
import { ask, BrowserPage, lookPage, refusal } from "./browser-page.ts";
import { OwnerWorld } from "./owner-world.ts";

describe("page reads of a signed-in owner", () => {
  let ann: OwnerWorld;
  let page: BrowserPage;
  before(async () => {
    // A single permit: a read that did not release it would make the next request fail.
    ann = await OwnerWorld.start({ fewItems: true, config: { inFlightMax: 1 } });
    // As after an import: a demo would be open to visitors.
    ann.world.sql("UPDATE market_state SET demo_anchor_at = NULL");
  });
  after(() => ann.world.stop());
  beforeEach(async () => {
    ann.world.accounts((accounts) => accounts.setPlan(ann.account.accountId, "builder", null));
    page = await new BrowserPage(ann.world, await ann.signedIn()).load();
  });

  const cost = (work: () => Promise<Answer>) => ann.world.costOf(ann.account.accountId, work);

  it("return a key's response for one unit recorded as a page's", async () => {
    for (const target of [
      "/v1/items?q=stattrak&limit=3",
      "/v1/items/7/markets",
      "/v1/openables?limit=2",
      "/v1/indexes",
    ]) {
      const byKey = await ann.world.client.send({
        method: "GET",
        target,
        headers: { authorization: `Bearer ${ann.account.secret}` },
      });
      const before = ann.world.used(ann.account.accountId);
      const byPage = await page.read(target);
      expect(byPage.status, byPage.text).to.equal(200);
      expect(byPage.json.data).to.deep.equal(byKey.json.data);
      expect(Object.keys(byPage.json.data), target).to.not.have.length(0);
      expect(ann.world.used(ann.account.accountId)).to.equal(before + 1);
      expect(byPage.headers.get("x-quota-remaining")).to.equal(String(10_000 - before - 1));
      expect(byPage.headers.get("cache-control")).to.equal("no-store");
      const [event] = ann.world.sql("SELECT * FROM usage_events WHERE request_id = ?", byPage.json.meta.request_id);
      expect(event).to.include({ account_id: ann.account.accountId, key_id: `pages_${ann.account.accountId}` });
    }
    const days = ann.world.sql("SELECT day FROM key_uses WHERE key_id = ?", `pages_${ann.account.accountId}`);
    expect(days).to.deep.equal([{ day: Math.floor(ann.world.clock.at / 86_400_000) }]);
    const month = ann.world.charged();
    expect(month.units).to.equal(month.events);
  });

  it("share their account's queue with keys, not their address's", async () => {
    const { perform } = ConcurrencyLimiter.prototype;
    const sharers: string[] = [];
    ConcurrencyLimiter.prototype.perform = function (ready) {
      sharers.push(ready.exchange.sharer);
      return perform.call(this, ready);
    };
    try {
      expect((await page.read("/v1/providers")).status).to.equal(200);
    } finally {
      ConcurrencyLimiter.prototype.perform = perform;
    }
    expect(sharers.at(-1)).to.equal(ann.account.accountId);
  });

  it("include batches in JSON and exports within the account's limit", async () => {
    const batch = await page.read("/v1/markets/batch", { body: { item_ids: [7, 8] } });
    expect(batch.status, batch.text).to.equal(200);
    expect(batch.json.data).to.have.length(2);
    const run = await page.read("/v1/markets/snapshot");
    expect(run.records.at(0)).to.include({ type: "start" });
    expect(run.records.at(-1)).to.include({ type: "end" });
    const starts = ann.world.sql("SELECT state FROM snapshot_leases WHERE account_id = ?", ann.account.accountId);
    expect(starts).to.deep.equal([{ state: "finished" }]);
  });

  it("show own pages the owner, plan and a read-only token", async () => {
    const told = await ask(page.visitor);
    const { accountId } = ann.account;
    const { token } = page;
    const known = { signed_in: true, account_id: accountId, account: "Ann", plan: "builder", token };
    expect(told).to.deep.equal({ ...known, page_units: "one" });
    expect((await page.visitor.post("/dashboard/sign-out", {}, { csrf: told.token })).status).to.equal(403);
    expect(await ask(ann.visitor())).to.deep.equal({ signed_in: false, look: null });
    for (const headers of [{ "sec-fetch-site": "same-site" }, { origin: "http://127.0.0.1:1" }]) {
      const answer = await page.visitor.get("/dashboard/session", headers);
      expect([answer.status, answer.text.includes(page.token)]).to.deep.equal([403, false]);
    }
  });

  it("are rejected without cost unless sent by the session's own page", async () => {
    const target = "/v1/items?limit=1";
    const { client } = ann.world;
    const byKey = refusal(await client.send({ method: "GET", target }));
    expect(byKey).to.deep.equal([401, "invalid_api_key"]);
    const other = await new BrowserPage(ann.world, await ann.signedIn()).load();
    const nobody = new BrowserPage(ann.world, ann.visitor());
    const forged: (() => Promise<Answer>)[] = [
      () => page.read(target, { token: null }),
      () => page.read(target, { token: "" }),
      () => page.read(target, { token: `${page.token}x` }),
      () => page.read(target, { token: other.token }),
      () => page.read(target, { token: page.visitor.csrf }),
      () => page.read(target, { token: page.visitor.session ?? "" }),
      () => page.read(target, { headers: { origin: "https://evil.example" } }),
      () => page.read(target, { headers: { origin: "null" } }),
      () => page.read(target, { headers: { origin: "http://127.0.0.1:1" } }),
      () => page.read(target, { headers: { "sec-fetch-site": "same-site" } }),
      () => page.read(target, { headers: { "sec-fetch-site": "cross-site" } }),
      () => nobody.read(target, { token: page.token }),
      () => nobody.read(target, { token: null, headers: { authorization: `Bearer ${ann.account.secret}` } }),
    ];
    for (const send of forged) expect(await cost(send)).to.deep.equal([...byKey, 0]);
    expect(refusal(await page.read(target, { method: "GET" }))).to.deep.equal([404, "endpoint_not_found"]);
  });

  it("accept no cookie under /v1, with or without the token", async () => {
    const cookie = `itemtape_session=${page.visitor.session}`;
    for (const headers of [{ cookie }, { cookie, "x-itemtape-token": page.token }]) {
      const answer = await ann.world.client.send({ method: "GET", target: "/v1/items", headers });
      expect(refusal(answer)).to.deep.equal([401, "invalid_api_key"]);
    }
  });

  it("follow sign-out, disabling and downgrades at once with /v1's code", async () => {
    const { accountId, secret } = ann.account;
    const target = "/v1/items/7/markets";
    const byKey = async () =>
      refusal(await ann.world.client.send({ method: "GET", target, headers: { authorization: `Bearer ${secret}` } }));
    expect((await page.read(target)).status).to.equal(200);
    ann.world.accounts((accounts) => accounts.setPlan(accountId, "free", null));
    expect(await cost(() => page.read(target))).to.deep.equal([403, "plan_upgrade_required", 0]);
    expect(await byKey()).to.deep.equal([403, "plan_upgrade_required"]);
    expect((await page.read("/v1/items/7")).status).to.equal(200);
    ann.world.accounts((accounts) => accounts.disable(accountId));
    const disabled = await byKey();
    expect(await cost(() => page.read("/v1/items/7"))).to.deep.equal([...disabled, 0]);
    expect(disabled[1]).to.equal("account_disabled");
    expect(await ask(page.visitor)).to.deep.equal({ signed_in: false, look: null });
    ann.world.accounts((accounts) => accounts.enable(accountId));
    expect((await page.read("/v1/items/7")).status).to.equal(200);
    const { session = "", csrf } = page.visitor;
    await page.visitor.get("/dashboard");
    await page.visitor.post("/dashboard/sign-out", {}, { csrf: page.visitor.csrf ?? csrf });
    page.visitor.cookies.set("itemtape_session", session);
    expect(await cost(() => page.read("/v1/items/7"))).to.deep.equal([401, "invalid_api_key", 0]);
  });

  it("share the account's minute with keys", async () => {
    ann.world.clock.at += 120_000;
    const { secret } = ann.account;
    for (let request = 0; request < 59; request += 1) await ann.world.client.call("getUsage", { key: secret });
    const last = await page.read("/v1/items/7");
    expect([last.status, last.headers.get("x-ratelimit-remaining")]).to.deep.equal([200, "0"]);
    const over = await page.read("/v1/items/7");
    expect(refusal(over)).to.deep.equal([429, "rate_limited"]);
    expect(Number(over.headers.get("retry-after"))).to.be.greaterThan(0);
    ann.world.clock.at += 120_000;
  });

  it("cover all own portfolios, and treat others' as missing", async () => {
    const bob = await ann.another("bob");
    const [own, foreign, deleted] = ann.world.change((database) => {
      const rows = new PortfolioRows(database);
      const made = [
        rows.portfolio("read1", ann.account.accountId),
        rows.portfolio("read2", bob.account.accountId),
        rows.portfolio("read3", ann.account.accountId),
      ];
      database.$client.prepare("UPDATE portfolios SET deleted_at = 1 WHERE portfolio_id = ?").run(made[2]);
      return made;
    });
    const list = await page.read("/v1/me/portfolios");
    expect(list.json.data.map((one: { portfolio_id: string }) => one.portfolio_id)).to.deep.equal([own]);
    for (const path of ["", "/holdings", "/transactions", "/history"]) {
      expect((await page.read(`/v1/me/portfolios/${own}${path}`)).status).to.equal(200);
      const texts = [];
      for (const id of [foreign, deleted, idOf("pf_", "absent")]) {
        const answer = await page.read(`/v1/me/portfolios/${id}${path}`);
        expect(refusal(answer)).to.deep.equal([404, "portfolio_not_found"]);
        texts.push(answer.text.replace(answer.json.request_id, ""));
      }
      expect(new Set(texts).size).to.equal(1);
    }
  });

  it("count the holdings of each portfolio separately", async () => {
    const [first = "", second = ""] = ann.world.change((database) => {
      const rows = new PortfolioRows(database);
      const made = [rows.portfolio("count1", ann.account.accountId), rows.portfolio("count2", ann.account.accountId)];
      rows.holding(made[0]!, "count1");
      return made;
    });
    const { json } = await page.read("/v1/me/portfolios");
    const counts = new Map(
      json.data.map((one: { portfolio_id: string; holding_count: number }) => [one.portfolio_id, one.holding_count]),
    );
    expect([counts.get(first), counts.get(second)]).to.deep.equal([1, 0]);
  });

  it("are counted for the month in the overview", async () => {
    await page.read("/v1/items/7");
    const [row] = ann.world.sql(
      "SELECT count(*) AS pages FROM usage_events WHERE key_id = ?",
      `pages_${ann.account.accountId}`,
    );
    ann.world.clock.advance(31_000);
    const { text } = await (await ann.signedIn()).get("/dashboard");
    expect(/<section aria-labelledby="usage">[\s\S]{0,700}/.exec(text)?.[0]).to.include(
      `<strong>${row?.pages}</strong> by pages`,
    );
  });

  it("are rejected if the owner signs out before the response", async () => {
    const { world } = ann;
    const [row] = world.sql(
      `SELECT item_id AS id, 'g' || current_generation_id AS generation FROM market_state
       JOIN items JOIN best_asks USING (item_id) WHERE identity_key NOT LIKE '%/-'`,
    );
    const answer = page.read(`/v1/markets/generations/current?after=${row?.generation}&wait_seconds=30`);
    await until("it waits", () => world.app.requestsWaiting() === 1, 20_000);
    await page.visitor.get("/dashboard");
    await page.visitor.post("/dashboard/sign-out");
    importDemoCatalog(world, [Number(row?.id)]);
    expect(refusal(await answer)).to.deep.equal([401, "invalid_api_key"]);
  });
});

describe("demo visit", () => {
  const world = useWorld({ fewItems: true });
  let page: BrowserPage;
  const none = { signed_in: false, look: null };
  const unrecognised = [401, "invalid_api_key"];
  beforeEach(() => {
    page = lookPage(world);
  });

  it("reads the market on the demo's account, without portfolios or usage", async () => {
    const told = await ask(page.visitor);
    const look = { plan: "builder", token: page.token, page_units: "one" };
    expect(told).to.deep.equal({ signed_in: false, look });
    const before = world.charged();
    const answer = await page.read("/v1/items/7/markets");
    expect(answer.status, answer.text).to.equal(200);
    const [event] = world.sql("SELECT * FROM usage_events WHERE request_id = ?", answer.json.meta.request_id);
    expect(event?.key_id).to.equal(`pages_${event?.account_id}`);
    expect(world.charged().events).to.equal(before.events + 1);
    for (const target of ["/v1/me/portfolios", "/v1/usage"])
      expect(refusal(await page.read(target)), target).to.deep.equal([403, "insufficient_scope"]);
    expect(refusal(await page.read("/v1/items", { token: null }))).to.deep.equal([401, "invalid_api_key"]);
    expect(refusal(await page.read("/v1/items", { headers: { origin: "http://localhost:1" } }))).to.deep.equal([
      401,
      "invalid_api_key",
    ]);
    for (const path of ["/dashboard", "/dashboard/keys", "/dashboard/portfolios"])
      expect((await page.visitor.get(path)).status).to.equal(303);
  });

  it("is refused under other hosts, behind proxies and after an import", async () => {
    const { port } = world.app;
    const allowed = [{ host: `localhost:${port}` }, { host: `127.0.0.1:${port}` }, { host: `[::1]:${port}` }];
    for (const headers of allowed) expect((await page.read("/v1/items", { headers })).status).to.equal(200);
    const refused: Record<string, string>[] = [
      { host: `evil.example:${port}` },
      { host: `localhost.evil.example:${port}` },
      { host: `192.168.1.7:${port}` },
      { "x-forwarded-for": "203.0.113.7" },
      { "x-forwarded-proto": "https" },
      { forwarded: "for=203.0.113.7" },
      { via: "1.1 proxy" },
      { "x-real-ip": "203.0.113.7" },
      { "cf-connecting-ip": "203.0.113.7" },
      // A proxy that adds nothing: nginx with `proxy_pass` alone.
      { connection: "close" },
    ];
    for (const headers of refused) {
      expect(await ask(page.visitor, headers), JSON.stringify(headers)).to.deep.equal(none);
      expect(refusal(await page.read("/v1/items", { headers }))).to.deep.equal([401, "invalid_api_key"]);
    }
    const [demo] = world.sql("SELECT demo_anchor_at AS at FROM market_state");
    world.sql("UPDATE market_state SET demo_anchor_at = NULL");
    expect(await ask(page.visitor)).to.deep.equal(none);
    expect(refusal(await page.read("/v1/items"))).to.deep.equal(unrecognised);
    world.sql("UPDATE market_state SET demo_anchor_at = ?", demo?.at);
    expect((await page.read("/v1/items")).status).to.equal(200);
    world.account("builder");
    expect((await page.read("/v1/items")).status).to.equal(200);
  });

  for (const [name, config] of [
    ["the server listens for other machines", { host: "0.0.0.0" }],
    ["the server has a public address", { publicUrl: "http://127.0.0.1:8080" }],
  ] as const) {
    it(`is refused if ${name}`, async () => {
      const other = await World.start({ fewItems: true, config });
      try {
        const open = lookPage(other);
        const headers = { origin: "http://127.0.0.1:8080", host: "127.0.0.1:8080" };
        expect(await ask(open.visitor, headers)).to.deep.equal(none);
        const answer = await open.read("/v1/items", { headers });
        expect(refusal(answer)).to.deep.equal(unrecognised);
        expect(answer.json.detail).to.contain("only a demo that listens on this machine");
        expect((await open.read("/together", { headers, body: { parts: [] } })).status).to.equal(404);
      } finally {
        await other.stop();
      }
    });
  }
});
