import { expect } from "chai";
import { operationList } from "../../scripts/contract/answers.ts";
import { Stage } from "../contract/replay.ts";
import { monthUsed } from "../contract/replay-states.ts";
import { soundRequests } from "../contract/replay-table.ts";
import type { Answer, Call } from "../support/client.ts";
import { PortfolioRows } from "../support/portfolios.ts";
import type { Account, World } from "../support/world.ts";
import { createPeople, type People, targetOf } from "./portfolio-people.ts";

const weakTag = /^W\/"[A-Za-z0-9_-]{22}"$/;

describe("conditional reads", () => {
  let stage: Stage;
  let world: World;
  let quant: Account;
  let people: People;
  before(async function () {
    this.timeout(180_000);
    stage = await Stage.start();
    ({ world } = stage);
    quant = world.account("quant");
    people = createPeople(world);
  });
  after(() => world.stop());

  const tagOf = ({ status, headers }: Answer) => {
    expect(status).to.equal(200);
    expect(headers.get("etag")).to.match(weakTag);
    return headers.get("etag")!;
  };
  const tag = async (operationId: string, call: Call = {}) =>
    tagOf(await world.client.call(operationId, { key: quant.secret, ...call }));
  const received = (operationId: string, value: string, call: Call = {}) =>
    world.client.call(operationId, {
      key: quant.secret,
      ...call,
      headers: { ...call.headers, "if-none-match": value },
    });
  const item = () => ({ path: { item_id: stage.subjects.phased } });

  it("return 304 for the current tag or * and 200 for others", async () => {
    const requests = soundRequests(stage.subjects);
    for (const { operationId, method } of operationList) {
      if (method !== "GET" || operationId === "getStatus") continue;
      const key = operationId.includes("ortfolio") ? world.keys.builderToken : quant.secret;
      const request = requests[operationId as keyof typeof requests];
      const ask = (ifNoneMatch?: string) =>
        world.client.checked(operationId, {
          ...request,
          headers: {
            authorization: `Bearer ${key}`,
            ...(ifNoneMatch === undefined ? {} : { "if-none-match": ifNoneMatch }),
          },
        });
      const first = tagOf(await ask());
      expect((await ask(first)).status, operationId).to.equal(304);
      expect((await ask("*")).status, operationId).to.equal(304);
      expect((await ask('W/"0000000000000000000000", "x"')).status, operationId).to.equal(200);
    }
  });

  it("have equal tags at other times and for other requests and accounts", async () => {
    const query = { limit: 20 };
    const first = await world.client.call("listItems", { key: quant.secret, query });
    world.clock.advance(1_500);
    const other = world.account("quant");
    const again = await world.client.call("listItems", { key: other.secret, query });
    expect(again.json.meta.request_id).to.not.equal(first.json.meta.request_id);
    expect(again.json.meta.generated_at).to.not.equal(first.json.meta.generated_at);
    expect(tagOf(again)).to.equal(tagOf(first));
    const packed = await tag("listItems", { query, headers: { "accept-encoding": "gzip" } });
    expect(packed).to.equal(tagOf(first));
    for (const headers of [{ "accept-encoding": "gzip" }, {}] as Record<string, string>[])
      expect((await received("listItems", packed, { query, headers })).status).to.equal(304);
  });

  it("cost a unit and an attempt for a 304, with current headers", async () => {
    const account = world.account("builder");
    const key = account.secret;
    const first = await tag("getItem", { ...item(), key });
    const second = await received("getItem", first, { ...item(), key });
    expect(second.status).to.equal(304);
    expect(world.used(account.accountId)).to.equal(2);
    const left = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-quota-remaining"].map((name) =>
      second.headers.get(name),
    );
    expect(left).to.deep.equal(["60", "58", "9998"]);
    expect(second.headers.get("cache-control")).to.equal("private, no-cache");
    expect(second.headers.get("vary")).to.equal("Authorization, Accept-Encoding");
    expect(second.headers.get("etag")).to.equal(first);
    expect(second.headers.get("x-request-id")).to.match(/^req_/);
  });

  it("are refused like others when a month or minute is used up", async () => {
    const account = world.account("free");
    const key = account.secret;
    const first = await tag("getItem", { ...item(), key });
    for (let used = 1; used < 20; used += 1)
      expect((await received("getItem", first, { ...item(), key })).status).to.equal(304);
    const late = await received("getItem", first, { ...item(), key });
    expect([late.status, late.json.code, late.headers.get("etag")]).to.deep.equal([429, "rate_limited", null]);
    expect(world.used(account.accountId)).to.equal(20);
    const spent = world.account("quant");
    await monthUsed(world, spent);
    const refused = await received("getItem", first, { ...item(), key: spent.secret });
    expect([refused.status, refused.json.code, refused.headers.get("etag")]).to.deep.equal([
      429,
      "monthly_quota_exceeded",
      null,
    ]);
  });

  it("answer HEAD like GET", async () => {
    const first = await tag("getItem", item());
    const head = await world.client.call("getItem", { key: quant.secret, ...item(), method: "HEAD" });
    expect(tagOf(head)).to.equal(first);
    expect((await received("getItem", first, { ...item(), method: "HEAD" })).status).to.equal(304);
  });

  it("ignore conditions on refusals and 404s, and absurd conditions", async () => {
    const account = world.account("quant");
    const call = { key: account.secret };
    const missing = await received("getItem", "*", { ...call, path: { item_id: 2_147_483_647 } });
    expect([missing.status, missing.json.code, missing.headers.get("etag")]).to.deep.equal([
      404,
      "item_not_found",
      null,
    ]);
    const invalid = await received("getItem", "*", { ...call, path: { item_id: "01" } });
    expect([invalid.status, invalid.headers.get("etag")]).to.deep.equal([400, null]);
    const unknown = await received("getItem", "*", { ...item(), key: `itemtape_live_${"0".repeat(36)}` });
    expect([unknown.status, unknown.headers.get("etag")]).to.deep.equal([401, null]);
    for (const absurd of [
      '"',
      "",
      "W/",
      '"a" "b"',
      '*, "x"',
      '"x,'.repeat(900),
      "\u00ff",
      `${await tag("getItem", item())} x`,
    ])
      expect((await received("getItem", absurd, { ...call, ...item() })).status, absurd).to.equal(200);
  });

  it("give POST, status and exports no tag and a full response", async () => {
    const status = await received("getStatus", "*");
    const batch = await received("getMarketPricesBatch", "*", { body: { item_ids: [1] } });
    const stream = await received("streamMarketSnapshot", "*");
    for (const answer of [status, batch, stream])
      expect([answer.status, answer.headers.get("etag")]).to.deep.equal([200, null]);
    expect(stream.records.at(-1).type).to.equal("end");
  });

  it("change the portfolios' tag only with rows that the token may see", async () => {
    const { ids, tokens, other, me } = people;
    const key = tokens.own.secret;
    const path = { portfolio_id: ids.selected };
    const list = await tag("listPortfolios", { key });
    const holdings = await tag("listPortfolioHoldings", { key, path });
    world.change((database) => {
      const rows = new PortfolioRows(database);
      rows.portfolio("tagOther", other.accountId);
      rows.portfolio("tagMine", me.accountId);
      for (const id of [ids.foreign, ids.unselected, ids.foreignPublic]) rows.holding(id, `tag${id.slice(-8)}`);
    });
    expect(await tag("listPortfolios", { key })).to.equal(list);
    expect((await received("listPortfolioHoldings", holdings, { key, path })).status).to.equal(304);
    world.change((database) => new PortfolioRows(database).holding(ids.selected, "tagSelected"));
    expect((await received("listPortfolioHoldings", holdings, { key, path })).status).to.equal(200);
  });

  it("return the same 404 for a hidden as for a missing portfolio", async () => {
    const { ids, tokens } = people;
    const owners = await tag("getPortfolio", { key: tokens.theirs.secret, path: { portfolio_id: ids.foreign } });
    const seen = new Set<string>();
    for (const id of [ids.foreign, ids.unselected, ids.foreignPublic, ids.nonexistent])
      for (const value of [owners, "*"]) {
        const { status, headers, json } = await world.client.checked("getPortfolio", {
          method: "GET",
          target: targetOf("getPortfolio", id),
          headers: { authorization: `Bearer ${tokens.own.secret}`, "if-none-match": value },
        });
        const varying = ["date", "x-request-id", "x-ratelimit-remaining", "x-quota-remaining"];
        const kept = [...headers].filter(([name]) => !varying.includes(name));
        seen.add(JSON.stringify([status, kept, { ...json, request_id: "" }]));
      }
    expect(seen.size).to.equal(1);
    expect([...seen][0]).to.match(/^\[404,/);
  });
});
