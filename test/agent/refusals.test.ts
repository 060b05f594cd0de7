import { type Client, ProtocolError, ProtocolErrorCode, specTypeSchemas } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { contractTools } from "../../src/agent/server.ts";
import { World } from "../support/world.ts";
import { agentOf, callTool, textOf } from "./agent-world.ts";

/** Valid arguments for every tool with required arguments. */
const needed: Record<string, object> = {
  getItem: { item_id: 1 },
  getMarketPrices: { item_id: 1 },
  getDailyPriceHistory: { item_id: 1 },
  getHourlyPriceHistory: { item_id: 1 },
  getMarketPricesBatch: { item_ids: [1] },
  getMarketPricesKnownAt: { known_at: "2026-01-15T11:00:00Z", item_ids: [1] },
  resolveItemNames: { names: ["AK-47 | Redline (Field-Tested)"] },
  getGeneration: { generation: "g1" },
  getIndex: { index_id: "a" },
  getIndexHistory: { index_id: "a" },
  listIndexMembers: { index_id: "a" },
  getExchangeRateHistory: { currency: "EUR" },
  getOpenable: { slug: "a" },
  getOpenableHistory: { slug: "a" },
  listOpenableOutcomes: { slug: "a" },
};

describe("agent adapter refusals", () => {
  let world: World;
  const open: Client[] = [];
  const { tools } = contractTools();
  const names = [...tools.keys()];

  before(async () => {
    world = await World.start({ fewItems: true });
  });
  after(async () => {
    for (const client of open) await client.close();
    await world.stop();
  });

  async function agent(key: string | null): Promise<Client> {
    const client = await agentOf(world.base, key);
    open.push(client);
    return client;
  }
  const argumentsFor = (name: string) => needed[name] ?? (name.includes("ortfolio") ? portfolioArguments(name) : {});
  const portfolioArguments = (name: string) =>
    name === "listPortfolios" ? {} : { portfolio_id: "pf_0000000000000000" };

  it("reject protected tools without a key as invalid_api_key, not getStatus", async () => {
    const client = await agent(null);
    const before = world.charged();
    for (const name of names) {
      const result = await callTool(client, name, argumentsFor(name));
      if (name === "getStatus") {
        expect(result.isError, name).to.not.equal(true);
        continue;
      }
      expect(result.isError, name).to.equal(true);
      expect(textOf(result), name).to.match(
        new RegExp(`^${name} failed: invalid_api_key \\(HTTP 401\\)\ndetail: .+\nrequest_id: req_`),
      );
      expect(textOf(result), name).to.include("The adapter reads it from the test.");
      expect(result.structuredContent, name).to.equal(undefined);
    }
    expect(world.charged()).to.deep.equal(before);
  });

  it("do not hide any tool from any key", async () => {
    for (const key of [null, world.keys.freeToken]) {
      expect((await (await agent(key)).listTools()).tools.map(({ name }) => name)).to.deep.equal([
        "findPrices",
        ...names,
      ]);
    }
  });

  it("use the API's own plan limit, at no cost", async () => {
    const client = await agent(world.keys.free);
    const before = world.charged();
    for (const name of ["listIndexes", "listOpenables", "streamMarketSnapshot"]) {
      expect(textOf(await callTool(client, name)), name).to.match(/failed: plan_upgrade_required \(HTTP 403\)/);
    }
    expect(world.charged()).to.deep.equal(before);
  });

  it("separate personal tokens from markets and project keys from portfolios", async () => {
    const owner = await agent(world.keys.builderToken);
    expect((await callTool(owner, "listPortfolios")).isError).to.not.equal(true);
    expect(textOf(await callTool(owner, "listItems"))).to.match(/failed: insufficient_scope \(HTTP 403\)/);
    const project = await agent(world.keys.builder);
    expect(textOf(await callTool(project, "listPortfolios"))).to.match(/failed: insufficient_scope \(HTTP 403\)/);
  });

  it("report a used-up month at once, with advice not to retry", async () => {
    const account = world.account("free");
    world.sql("INSERT INTO usage_months (account_id, month, used) VALUES (?, '2026-01', 1000)", account.accountId);
    const result = await callTool(await agent(account.secret), "listItems");
    expect(textOf(result)).to.match(/^listItems failed: monthly_quota_exceeded \(HTTP 429\)/);
    expect(textOf(result)).to.match(/^retry after: \d+ s$/m);
    expect(textOf(result)).to.include("do not call again before the next month");
    expect(world.used(account.accountId)).to.equal(1000);
  });

  it("report a long wait instead of waiting", async () => {
    const client = await agent(world.account("free").secret);
    for (let call = 0; call < 20; call += 1) await callTool(client, "getUsage");
    const result = await callTool(client, "getUsage");
    expect(textOf(result)).to.match(/^getUsage failed: rate_limited \(HTTP 429\)/);
    expect(textOf(result)).to.match(/^retry after: \d+ s$/m);
    const reported = result._meta?.["itemtape/refusal"] as { code: string; retry_after_ms: number };
    expect(reported.code).to.equal("rate_limited");
    expect(reported.retry_after_ms).to.be.above(2000);
  });

  const wrong: [string, object, RegExp][] = [
    ["getItem", {}, /detail: `item_id` is missing; `findPrices` names them\./],
    ["getItem", { item_id: null }, /detail: `item_id` is missing; `findPrices` names them\./],
    ["getItem", { item_id: "AK-47" }, /detail: `item_id` must be integer\./],
    ["getItem", { item_id: "5.5" }, /detail: `item_id` must be integer\./],
    ["getItem", { item_id: 0 }, /detail: `item_id` must be >= 1\./],
    ["getItem", { itemId: 1 }, /detail: `itemId` is not a parameter of getItem, perhaps `item_id`; it has item_id, /],
    ["listItems", { provder: "a" }, /detail: `provder` is not a parameter of listItems, perhaps `provider`; it has /],
    ["findPrices", { name: "a", limits: 3 }, /detail: `limits` is not a parameter of findPrices, perhaps `limit`; /],
    [
      "getItem",
      { item_id: 1, wear: "FN" },
      /detail: `wear` is not a parameter of getItem but of \w+; it has item_id, /,
    ],
    ["listProviders", { limit: 101 }, /detail: `limit` must be <= \d+\./],
    ["listItems", { q: "" }, /detail: `q` must NOT have fewer than 1 characters/],
    ["getHourlyPriceHistory", { item_id: 1, side: "both" }, /detail: `side` must be one of ask, bid\./],
    ["getDailyPriceHistory", { item_id: 1, from: "2026-02-30" }, /detail: `from` must be a date such as 2026-01-31/],
    ["getMarketPricesBatch", { item_ids: '[1, "x"]' }, /detail: `item_ids\[1\]` must be integer\./],
    [
      "getMarketPricesBatch",
      { item_ids: Array.from({ length: 101 }, (_, index) => index + 1) },
      /`item_ids` must NOT have more than 100 items/,
    ],
    [
      "getOpenable",
      { slug: "Kilowatt Case" },
      /`slug` has an invalid form, perhaps `kilowatt-case`; `listOpenables` names them/,
    ],
    ["listItems", { fields: ["rarty"] }, /`fields`: an answer has no `rarty`, perhaps `rarity`; it has item_id, /],
    ["findPrices", {}, /`name`, `q`, `item_id` or a filter is missing/],
    ["findPrices", { name: "a", q: "b" }, /`name` and `q` exclude each other/],
    ["findPrices", { item_id: 1, wear: "Factory New" }, /`wear` excludes an `item_id`/],
    ["findPrices", { name: "karambit", wear: "FN" }, /`wear` must be one of Factory New, /],
    ["listItems", { "q\u001bq": 1 }, /`q\?q` is not a parameter of listItems, perhaps `q`/],
  ];
  it("name wrong arguments by parameter before any request", async () => {
    let sent = 0;
    const fetch: typeof globalThis.fetch = (...request) => {
      sent += 1;
      return globalThis.fetch(...request);
    };
    const client = await agentOf(world.base, world.keys.builder, { fetch });
    open.push(client);
    for (const [name, given, description] of wrong) {
      const result = await callTool(client, name, given);
      expect(result.isError).to.equal(true);
      expect(textOf(result)).to.match(/^\w+ failed: invalid_arguments\n/);
      expect(textOf(result)).to.match(description);
      expect(textOf(result)).to.include("Nothing was sent or charged.");
    }
    expect(sent).to.equal(0);
    expect((await callTool(client, "getUsage")).isError).to.not.equal(true);
    expect(sent).to.equal(1);
  });

  const ids = [19, 23];
  const tolerated: [string, object, object, string?][] = [
    ["getItem", { item_id: 23, toolCallId: "call_a" }, { item_id: 23 }, "`toolCallId`"],
    [
      "listItems",
      { q: "doppler", limit: 3, sessionId: "s", action: "send", chatInput: "hi" },
      { q: "doppler", limit: 3 },
      "`sessionId`, `action`, `chatInput`",
    ],
    ["findPrices", { name: "23", sort: null, "\u001b[2Jother": {} }, { name: "23" }, "`?[2Jother`"],
    ["listItems", { q: "doppler", cursor: null, provider: null, fields: null, other: null }, { q: "doppler" }],
    ["getMarketPrices", { item_id: "23", provider: null }, { item_id: 23 }],
    ["listItems", { q: "doppler", limit: " 3 " }, { q: "doppler", limit: 3 }],
    ["listItems", { q: "doppler", stat_counter: true }, { q: "doppler", stat_counter: true }],
    ["listItems", { q: "doppler", stat_counter: "True" }, { q: "doppler", stat_counter: true }],
    ["listItems", { item_ids: "19,23" }, { item_ids: ids }],
    ["listItems", { item_ids: 23 }, { item_ids: [23] }],
    ["getMarketPricesBatch", { item_ids: "[19, 23]" }, { item_ids: ids }],
    ["getMarketPricesBatch", { item_ids: "19, 23" }, { item_ids: ids }],
    ["getMarketPricesBatch", { item_ids: 23, fields: "item_id,asks" }, { item_ids: [23], fields: ["item_id", "asks"] }],
    ["resolveItemNames", { names: "Chroma 2 Case" }, { names: ["Chroma 2 Case"] }],
    ["resolveItemNames", { names: "Chroma 2 Case, Kilowatt Case" }, { names: ["Chroma 2 Case", "Kilowatt Case"] }],
    ["resolveItemNames", { names: "Music Kit | A, B" }, { names: ["Music Kit | A, B"] }],
  ];
  it("do not apply to arguments in the forms that hosts send", async () => {
    const client = await agent(world.account("trader").secret);
    const rest = ({ structuredContent }: Awaited<ReturnType<typeof callTool>>) =>
      (structuredContent as { data: unknown } | undefined)?.data;
    for (const [name, given, plain, ignored] of tolerated) {
      const [result, expected] = [await callTool(client, name, given), await callTool(client, name, plain)];
      expect(result.isError, textOf(result)).to.not.equal(true);
      expect(rest(result), name).to.deep.equal(rest(expected));
      expect(/^Ignored, because no tool has it: (.*)\.$/m.exec(textOf(result))?.[1], name).to.equal(ignored);
    }
    const refused = textOf(await callTool(client, "getItem", { item_id: 2_000_000_000, toolCallId: "x" }));
    expect(refused)
      .to.match(/^getItem failed: \w+ \(HTTP 404\)/)
      .and.include("Ignored, because no tool has it: `toolCallId`.");
  });

  it("keep a key in an argument out of the URL", async () => {
    const { builder } = world.keys;
    const result = await callTool(await agent(builder), "listItems", { q: builder });
    expect(textOf(result)).to.match(/invalid_arguments\ndetail: .*`q`/);
    expect(textOf(result)).not.to.include(builder);
  });

  it("cover arguments that are not an object, but not absent ones", async () => {
    const client = await agent(world.keys.builder);
    const send = (name: unknown, given: unknown) => {
      const request = { method: "tools/call", params: { name, arguments: given } };
      return client.request(request as never, specTypeSchemas.CallToolResult);
    };
    for (const given of [[], "x", 5, true]) {
      const error = await send("getItem", given).catch((one: unknown) => one);
      expect((error as ProtocolError).code).to.equal(ProtocolErrorCode.InvalidParams);
    }
    expect((await send("getUsage", undefined)).isError).to.not.equal(true);
    const error = await send(5, {}).catch((one: unknown) => one);
    expect((error as ProtocolError).code).to.equal(ProtocolErrorCode.InvalidParams);
    const unknown = await client
      .request({ method: "tools/buy" } as never, specTypeSchemas.CallToolResult)
      .catch((one) => one);
    expect((unknown as ProtocolError).code).to.equal(ProtocolErrorCode.MethodNotFound);
  });

  it("use a protocol error for an unknown tool", async () => {
    const client = await agent(world.keys.builder);
    const error = await client.callTool({ name: "buyItem", arguments: {} }).catch((one: unknown) => one);
    expect(error).to.be.instanceOf(ProtocolError);
    expect((error as ProtocolError).code).to.equal(ProtocolErrorCode.InvalidParams);
    expect((error as ProtocolError).message).to.include("unknown tool buyItem");
  });

  it("report an unreachable service as such", async () => {
    const nowhere = await agentOf("http://127.0.0.1:9", world.keys.builder);
    open.push(nowhere);
    const result = await callTool(nowhere, "getStatus");
    expect(textOf(result)).to.match(/^getStatus failed: no_answer_unreachable\ndetail: .*127\.0\.0\.1:9/);
  });
});
