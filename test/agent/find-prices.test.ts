import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/client";
import { expect } from "chai";
import { realDataFolder } from "../support/skip.ts";
import { type Account, World } from "../support/world.ts";
import { agentOf, callTool, notes, type ToolResult, textOf } from "./agent-world.ts";
import { ownQuestions } from "./own-questions.ts";
import { sharedQuestions } from "./questions.ts";

type Quote = { provider: string; amount: number; as_of: string | null };
type Priced = {
  item_id: number;
  market_hash_name: string;
  phase: string | null;
  asks: Quote[];
  highest_bid: Quote | null;
};

const shared = join(realDataFolder, "agents/questions.tsv");

/**
 * Returns the most calls that the file beside the checkout allows for a question. Null without the file, or for a question of this project.
 */
function callsAtMost(id: string): number | null {
  const rows = existsSync(shared) ? readFileSync(shared, "utf8").split("\n") : [];
  const row = rows.find((line) => line.startsWith(`${id}\t`));
  return row === undefined ? null : Number(row.split("\t")[3]);
}

const doppler = "★ Karambit | Doppler (Factory New)";

describe("agent requests by name", () => {
  let world: World;
  let account: Account;
  let agent: Client;
  before(async () => {
    world = await World.start();
    account = world.account("trader");
    agent = await agentOf(world.base, account.secret);
  });
  after(async () => {
    await agent.close();
    await world.stop();
  });

  const itemsOf = (result: ToolResult) => (result.structuredContent as { data: { items: Priced[] } }).data.items;
  const unitsOf = (result: ToolResult) => Number(/^Cost (\d+) units?; /m.exec(textOf(result))?.[1]);
  /** Calls a tool and compares the units in its result with the charged units. */
  async function ask(name: string, given: object): Promise<ToolResult> {
    const before = world.used(account.accountId);
    const result = await callTool(agent, name, given);
    expect(result.isError, textOf(result)).to.not.equal(true);
    expect(unitsOf(result), textOf(result)).to.equal(world.used(account.accountId) - before);
    return result;
  }
  const pricesOf = async (itemId: number) =>
    (await world.client.call("getMarketPrices", { key: account.secret, path: { item_id: itemId } })).json.data;

  it("return lowest asks, highest bid and ages for an exact name", async () => {
    const result = await ask("findPrices", { name: "AUG | Triqua (Field-Tested)" });
    expect(unitsOf(result)).to.equal(2);
    const [item, ...others] = itemsOf(result);
    expect([item?.item_id, others]).to.deep.equal([1075, []]);
    const { asks, bids } = await pricesOf(1075);
    const lowest = asks.toSorted((a: Quote, b: Quote) => a.amount - b.amount);
    expect(item!.asks.map(({ provider, amount }) => [provider, amount])).to.deep.equal(
      lowest.map(({ provider, amount }: Quote) => [provider, amount]),
    );
    expect(item!.highest_bid?.amount ?? null).to.equal(
      bids.length === 0 ? null : Math.max(...bids.map(({ amount }: Quote) => amount)),
    );
    const line = textOf(result).split("\n").at(-1)!;
    expect(line).to.match(/^1075\tAUG \| Triqua \(Field-Tested\)\t\w+ \d+ x?\d* ?\(\d+ (?:min|h)\)|\(\?\)/);
    expect(textOf(result)).to.include("checked with the source within 15 minutes");
    const mixed = textOf(await ask("findPrices", { name: "AK-47 | Redline (Field-Tested)" }));
    expect(mixed)
      .to.match(/^times known for 3 of 4 providers; /m)
      .and.not.to.include("may have been charged");
    const several = await ask("findPrices", { name: "ak redline" });
    const quotes = itemsOf(several).flatMap(({ asks, highest_bid }) => [
      ...asks,
      ...(highest_bid === null ? [] : [highest_bid]),
    ]);
    expect(quotes.some(({ as_of }) => as_of === null)).to.equal(true);
    expect(textOf(several)).to.match(/^times known for \d+ of \d+ quotes; /m);
  });

  it("offer all phases of a name as candidates; an id selects one", async () => {
    const result = await ask("findPrices", { name: doppler });
    const phases = itemsOf(result).map(({ phase }) => phase);
    expect(phases).to.include.members(["Ruby", "Phase 1", "Phase 4"]);
    expect(new Set(itemsOf(result).map(({ market_hash_name }) => market_hash_name))).to.deep.equal(new Set([doppler]));
    expect(textOf(result)).to.match(/^findPrices: 7 items, best match first; an `item_id` names one item\.$/m);
    const one = await ask("findPrices", { item_id: 661 });
    expect(itemsOf(await ask("findPrices", { name: "661" }))).to.deep.equal(itemsOf(one));
    expect([unitsOf(one), itemsOf(one).map(({ phase }) => phase)]).to.deep.equal([1, ["Phase 4"]]);
    const narrowed = await ask("findPrices", { name: doppler, phase: "Phase 4", stat_counter: "false" });
    expect(itemsOf(narrowed)[0]!.item_id).to.equal(661);
  });

  it("accept a name for one item, and list candidates for several", async () => {
    const byName = await ask("getItem", { name: "AUG | Triqua (Field-Tested)" });
    expect([unitsOf(byName), /^item_id 1075: .*$/m.test(textOf(byName))]).to.deep.equal([2, true]);
    const byId = await ask("getItem", { item_id: 1075 });
    expect(byName.structuredContent?.data).to.deep.equal(byId.structuredContent?.data);
    const refused = textOf(await callTool(agent, "getMarketPrices", { name: doppler }));
    expect(refused).to.match(/invalid_arguments\ndetail: `name` may mean \d+ ★ Karambit .*, Phase 4/);
    expect(refused).to.include("Call again with an `item_id`").and.include("The earlier requests cost 1 unit.");
    const nothing = textOf(await callTool(agent, "getItem", { name: "no such item" }));
    expect(nothing).to.include("`name`: no item has this name");
    expect(textOf(await callTool(agent, "getItem", { name: "a", item_id: 5 }))).to.include("exclude each other");
  });

  for (const { id, about, calls, facts } of [...sharedQuestions, ...ownQuestions]) {
    it(`answer a trader with at most 8 KB (${id}: ${about})`, async () => {
      const texts: string[] = [];
      for (const [name, given] of calls) texts.push(textOf(await callTool(agent, name, given)));
      const text = texts.join("\n");
      expect(text).not.to.match(/ failed: /);
      expect(Buffer.byteLength(text)).to.be.at.most(8192);
      expect(calls.length).to.be.at.most(callsAtMost(id) ?? 2);
      for (const fact of facts) expect(text).to.match(fact);
    });
  }

  it("rank plain items first, or the cheapest on request", async () => {
    const found = await ask("findPrices", { name: "karambit doppler" });
    expect(unitsOf(found)).to.equal(3);
    const byWords = await ask("findPrices", { q: "karambit doppler" });
    expect([unitsOf(byWords), itemsOf(byWords)]).to.deep.equal([2, itemsOf(found)]);
    const editions = itemsOf(found).map(({ market_hash_name }) => market_hash_name.includes("StatTrak"));
    expect(editions).to.deep.equal(editions.toSorted((a, b) => Number(a) - Number(b)));
    const cheapest = await ask("findPrices", { name: "doppler", item_type: "Knife", sort: "cheapest", limit: 50 });
    const lowest = itemsOf(cheapest).map(({ asks }) => asks[0]!.amount);
    expect(lowest).to.deep.equal(lowest.toSorted((a, b) => a - b));
    const asks: number[] = [];
    for (let cursor: number | null = 0; cursor !== null; ) {
      const query: Record<string, string | number> = { q: "doppler", item_type: "Knife", limit: 100, cursor };
      const { data, meta }: { data: { best_ask_cents: number | null }[]; meta: { next_cursor: number | null } } = (
        await world.client.call("listItems", { key: account.secret, query })
      ).json;
      asks.push(...data.flatMap((item) => item.best_ask_cents ?? []));
      cursor = meta.next_cursor;
    }
    expect(lowest).to.deep.equal(asks.toSorted((a, b) => a - b).slice(0, 50));
  });

  it("name the search made for a mistyped one, at no further cost", async () => {
    for (const [name, given, units] of [
      ["findPrices", { name: "karambit dopler" }, 3],
      ["listItems", { q: "karambit dopler" }, 1],
    ] as const) {
      const result = await ask(name, given);
      expect(textOf(result)).to.match(/o item has all words; read as `karambit doppler`/);
      expect(unitsOf(result)).to.equal(units);
    }
    expect(itemsOf(await ask("findPrices", { name: "karambit dopler ruby fn" }))[0]!.phase).to.equal("Ruby");
  });

  it("suggest matches for an empty search, at the cost of its requests", async () => {
    for (const [given, hint] of [
      [{ q: 'karamb"it' }, /^Without quotes, `karamb it` finds /m],
      [{ q: '"doppler karambit" ruby' }, /^Without quotes, `doppler karambit ruby` finds \d+ items?, such as ★/m],
      [{ q: "karambit zzzzzzzz" }, /^`karambit` finds (?:more than )?\d+ items, such as ★ Karambit\.$/m],
      [{ q: "karambit", item_type: "Sticker" }, /^Without item_type it finds .*\d+ items, such as ★ Karambit\.$/m],
      [{ q: "karambit ruby", phase: "Phase 1" }, /^Without phase it finds \d+ items, such as ★ Karambit/m],
    ] as const) {
      const result = await ask("listItems", given);
      expect(textOf(result)).to.match(hint).and.include("no rows");
    }
    const hopeless = await ask("listItems", { q: "zzzzzzzz qqqqqqqq" });
    expect(unitsOf(hopeless)).to.equal(3);
  });

  it("find the cheapest phases and returns in 4 calls and 16 KB", async () => {
    const knives = await ask("findPrices", { name: "doppler", item_type: "Knife", sort: "cheapest", limit: 25 });
    const modes = [];
    for (const valuation_mode of ["steam_gross", "cash_ask"]) {
      modes.push(await ask("getOpenable", { slug: "kilowatt-case", valuation_mode }));
    }
    const past = await ask("getOpenableHistory", { slug: "kilowatt-case" });
    const results = [knives, ...modes, past];
    const bytes = results.map((result) => Buffer.byteLength(textOf(result))).reduce((a, b) => a + b);
    expect(bytes).to.be.at.most(16_000);
    expect(Buffer.byteLength(JSON.stringify(results))).to.be.at.most(40_000);
    expect(textOf(knives)).to.match(/^\d+\t★ .*Doppler .*, Phase \d\t\w+ \d+/m);
    expect(modes.map((result) => /^getOpenable \(valuation_mode (\w+)\): /.exec(textOf(result))?.[1])).to.deep.equal([
      "steam_gross",
      "cash_ask",
    ]);
    for (const result of modes) expect(textOf(result)).to.match(/^current\.return_pct: \d+\.\d\d$/m);
    expect(textOf(past)).to.match(/^getOpenableHistory \(valuation_mode steam_gross\): \d+ rows\.$/m);
  });

  it("select columns by `fields`, and name those omitted by default", async () => {
    const plain = await ask("listItems", { q: "karambit", limit: 3 });
    expect(Object.keys((plain.structuredContent as { data: object[] }).data[0]!)).to.deep.equal([
      "item_id",
      "market_hash_name",
      "type",
      "phase",
      "best_ask_cents",
      "best_ask_provider",
      "price_updated_at",
    ]);
    expect(textOf(plain)).to.match(/^Not shown, see `fields`: slug, rarity, .*name_ru, /m);
    const picked = await ask("listItems", { q: "karambit", limit: 3, fields: ["item_id", "name_ru"] });
    for (const row of (picked.structuredContent as { data: object[] }).data)
      expect(Object.keys(row)).to.have.members(["item_id", "name_ru"]);
    expect(textOf(picked)).to.include("Керамбит").and.not.include("Not shown");
    const inner = await ask("getOpenable", { slug: "kilowatt-case", fields: ["current.return_pct"] });
    expect((inner.structuredContent as { data: object }).data).to.have.all.keys("current");
    expect(textOf(inner))
      .to.match(/^current\.return_pct: /m)
      .and.not.include("cost_cents");
  });

  it("ignore case in kinds, rarities, weapons and providers, and suggest near ones", async () => {
    const raritiesOf = (result: ToolResult) =>
      new Set((result.structuredContent as { data: { rarity: string }[] }).data.map(({ rarity }) => rarity));
    const units = () => world.used(account.accountId);
    const given = { rarity: "covert", weapon: "ak47", item_type: "weapon", provider: "Northgate", fields: ["rarity"] };
    expect(raritiesOf(await ask("listItems", given))).to.deep.equal(new Set(["Covert"]));
    expect(itemsOf(await ask("findPrices", { name: "redline", weapon: "ak47" }))).not.to.have.length(0);
    const before = units();
    expect(textOf(await ask("listItems", { rarity: "Covrt" }))).to.match(
      /no rows.*\n(.*\n)*`Covrt` is probably not a rarity, perhaps `Covert`\.$/m,
    );
    expect(units() - before).to.equal(1);
    expect(textOf(await ask("findPrices", { weapon: "karambitt" }))).to.include("perhaps `Karambit`");
    const unknown = textOf(await callTool(agent, "getMarketPrices", { item_id: 95, provider: "norgate" }));
    expect(unknown).to.match(
      /unknown provider, perhaps `northgate`; the providers are bazaar, northgate, .*\nrequest_id: .*\nCall again with one of these\./s,
    );
    expect(units() - before).to.equal(3);
    const wrong = textOf(await callTool(agent, "getHourlyPriceHistory", { item_id: 1, side: "akk" }));
    expect(wrong).to.include("`side` must be one of ask, bid, perhaps `ask`.");
  });

  it("show quotes without fields omitted by `fields`, never as unknown", async () => {
    const given = { item_ids: [661], fields: ["item_id", "asks.amount", "asks.provider"] };
    const text = textOf(await ask("getMarketPricesBatch", given));
    expect(text).to.match(/^provider\tamount$|^\w+\t\d+$/m);
    expect(text).not.to.match(/undefined|\(\?\)|Quotes: /);
  });

  it("are refused without cost for an id with a filter", async () => {
    const before = world.used(account.accountId);
    const result = await callTool(agent, "findPrices", { name: "661", phase: "Ruby" });
    expect([result.isError, world.used(account.accountId) - before]).to.deep.equal([true, 0]);
    expect(textOf(result)).to.include("`phase` excludes an `item_id`, which names one item");
  });

  it("show the providers' prices in whole lines and count the rest", async () => {
    const manyQuotes = async (input: string | URL | Request, init?: RequestInit) => {
      const answer = await fetch(input, init);
      if (!String(input instanceof Request ? input.url : input).endsWith("/v1/markets/batch")) return answer;
      const { data, meta } = (await answer.json()) as { data: { asks: Quote[] }[]; meta: object };
      for (const item of data) {
        const [ask] = item.asks as [Quote];
        item.asks = Array.from({ length: 40 }, (_, index) => ({ ...ask, provider: `market-place-${index}` }));
      }
      return Response.json({ data, meta }, { headers: answer.headers });
    };
    const client = await agentOf(world.base, account.secret, { fetch: manyQuotes });
    const given = { name: "doppler", item_type: "Knife", sort: "cheapest", limit: 50 };
    const result = await callTool(client, "findPrices", given);
    expect(Buffer.byteLength(textOf(result))).to.be.within(20_000, 24 * 1024);
    const left = Number(
      /\n… (\d+) more lines do not fit here; structuredContent holds them\.$/.exec(textOf(result))?.[1],
    );
    expect(textOf(result).match(/^\d+\t/gm)).to.have.length(50 - left);
    expect(itemsOf(result)).to.have.length(50);
    await client.close();
  });

  it("name each item of a batch of 100 beside its quotes", async () => {
    const ids = Array.from({ length: 100 }, (_, index) => index + 1);
    const result = await ask("getMarketPricesBatch", { item_ids: ids });
    expect((result.structuredContent as { data: object[] }).data).to.have.length(100);
    expect(textOf(result)).to.match(/^1\t.*★ Bayonet\t.*\w+ \d+( x\d+)? \(\d+ min\)/m);
    expect(textOf(result)).not.to.include("do not fit");
  });

  it("report the search's cost when Free is refused prices", async () => {
    const free = world.account("free");
    const client = await agentOf(world.base, free.secret);
    const result = await callTool(client, "findPrices", { name: "karambit doppler" });
    expect(textOf(result)).to.match(/^findPrices failed: plan_upgrade_required \(HTTP 403\)/);
    expect(textOf(result)).to.include("The earlier requests cost 2 units.");
    expect(world.used(free.accountId)).to.equal(2);
    const hidden = "No row has an ask: none is offered, or the Free plan of the key hides them.";
    expect(textOf(await callTool(client, "listItems", { q: "karambit" }))).to.include(hidden);
    expect(textOf(await ask("listItems", { q: "karambit" }))).not.to.include(hidden);
    await client.close();
    expect(notes).to.deep.equal([]);
  });
});
