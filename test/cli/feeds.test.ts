import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { dropFeeds } from "../../src/import/quotes/drop-feeds.ts";
import { importQuotes } from "../../src/import/quotes/quote-import.ts";
import { hourMs } from "../../src/values/time/calendar.ts";
import { jsonOf, runHere } from "../support/cli.ts";
import { itLong } from "../support/size.ts";
import { useWorld, World } from "../support/world.ts";

type Quote = { provider: string; amount: number };
type Item = { item_id: number; asks: Quote[]; bids: Quote[] };

describe("itemtape feeds drop", () => {
  let world: World;
  let key: string;
  beforeEach(async () => {
    world = await World.start({ fewItems: true });
    key = world.account("quant").secret;
  });
  afterEach(() => world.stop());

  const feeds = async () => {
    world.clock.advance(1000);
    const { data } = (await world.client.call("getStatus")).json;
    return Object.fromEntries(data.feeds.map(({ feed, state }: { feed: string; state: string }) => [feed, state]));
  };
  const exported = async (): Promise<Map<number, Item>> => {
    const { records } = await world.client.call("streamMarketSnapshot", { key });
    expect(records.at(-1).type).to.equal("end");
    return new Map(records.slice(1, -1).map(({ data }) => [data.item_id, data]));
  };
  const bestAsks = async (): Promise<Map<number, number | null>> => {
    const { data } = (await world.client.call("listItems", { key, query: { limit: 100 } })).json;
    return new Map(
      data.map(({ item_id, best_ask_cents }: { item_id: number; best_ask_cents: number | null }) => [
        item_id,
        best_ask_cents,
      ]),
    );
  };
  const drop = (...words: string[]) => runHere(["feeds", "drop", ...words, "--db", world.path]);
  const generation = () => world.sql("SELECT current_generation_id AS id FROM market_state")[0]?.id;

  it("shows each feed's state and last check in the status", async () => {
    world.clock.advance(30 * hourMs);
    world.sql("UPDATE feeds SET checked_at = ? WHERE feed = 'steam'", world.clock.at);
    world.sql("INSERT INTO feeds(feed, adapter) VALUES ('silent', 'steam')");
    expect(await feeds()).to.deep.equal({ bazaar: "stale", northgate: "stale", silent: "missing", steam: "available" });
    const { data } = (await world.client.call("getStatus")).json;
    expect(data.market_snapshot).to.equal("available");
    expect(data.feeds.at(-1).last_checked_at).to.equal(new Date(world.clock.at - 1000).toISOString());
    expect(data.feeds.find(({ feed }: { feed: string }) => feed === "silent")).to.include({
      last_checked_at: null,
      last_ingested_at: null,
    });
  });

  it("removes a feed from exports and best asks, and records the drop", async () => {
    const before = await exported();
    const quoted = [...before.values()].flatMap(({ asks, bids }) => [...asks, ...bids]);
    const own = world.sql("SELECT provider FROM providers WHERE feed = 'steam'").map(({ provider }) => provider);
    const quotes = quoted.filter(({ provider }) => own.includes(provider)).length;
    const { code, lines } = await drop("steam");
    expect(code).to.equal(0);
    expect(lines[0]).to.match(new RegExp(`^steam: ${quotes} quotes of [0-9]+ items dropped, last verified 20`));
    expect(lines[1]).to.match(/^published g6: /);
    expect(await feeds()).to.deep.equal({ bazaar: "available", northgate: "available", steam: "dropped" });
    const others = (list: readonly Quote[]) => list.filter(({ provider }) => !own.includes(provider));
    const after = await exported();
    for (const [itemId, { asks, bids }] of before) {
      expect(after.get(itemId)?.asks).to.deep.equal(others(asks));
      expect(after.get(itemId)?.bids).to.deep.equal(others(bids));
    }
    for (const [itemId, best] of await bestAsks()) expect(best).to.equal(after.get(itemId)?.asks[0]?.amount ?? null);
    expect(world.sql("SELECT feed, quotes FROM feed_drops")).to.deep.equal([{ feed: "steam", quotes }]);
    expect((await runHere(["db", "check", "--db", world.path])).code).to.equal(0);
  });

  it("drops by age only feeds that were not verified for as long", async () => {
    world.clock.advance(30 * hourMs);
    world.sql("UPDATE feeds SET checked_at = ? WHERE feed <> 'bazaar'", world.clock.at - hourMs);
    const dropped = async (hours: number, dryRun = false) => {
      const report = await dropFeeds(world.path, { uncheckedMs: hours * hourMs }, { dryRun }, { clock: world.clock });
      return [report.dropped.map(({ feed }) => feed), report.generation];
    };
    expect(await dropped(48)).to.deep.equal([[], null]);
    expect(await dropped(24, true)).to.deep.equal([["bazaar"], null]);
    expect(generation()).to.equal(5);
    expect(await dropped(24)).to.deep.equal([["bazaar"], "g6"]);
    expect(await dropped(24)).to.deep.equal([[], null]);
    expect(await feeds()).to.deep.equal({ bazaar: "dropped", northgate: "available", steam: "available" });
  });

  itLong("restores quotes with the next body of a dropped feed", async () => {
    await drop("steam");
    const [item] = [...(await exported()).values()];
    const [row] = world.sql("SELECT market_hash_name AS name FROM items WHERE item_id = ?", item!.item_id);
    const metadata = { updated_at: new Date(Date.now()).toISOString(), currency: "USD", item_count: 1 };
    const body = join(world.folder, "steam.json");
    writeFileSync(body, JSON.stringify({ metadata, prices: { [String(row?.name)]: 777 } }));
    await importQuotes(world.path, body, { adapter: "steam" }, { clock: { now: Date.now, monotonicMs: () => 0 } });
    expect((await feeds()).steam).to.equal("available");
    expect((await exported()).get(item!.item_id)?.asks.map(({ amount }) => amount)).to.include(777);
  });

  it("refuses and names a feed without quotes; --json reports the drop", async () => {
    const report = await jsonOf("feeds", "drop", "northgate", "--db", world.path);
    expect(report.dropped).to.have.length(1);
    expect(report.dropped[0]).to.have.keys("feed", "last_checked_at", "quotes", "items");
    expect(report).to.include({ generation: "g6" });
    const { code, notes } = await drop("northgate");
    expect(code).to.equal(66);
    expect(notes[0]).to.include(
      "northgate: has no quotes in the published generation; feeds with quotes: bazaar, steam",
    );
  });
});

describe("feeds that cannot be dropped", () => {
  const world = useWorld({ fewItems: true });
  const refused: [string, string[], RegExp, number][] = [
    ["an unknown feed", ["nowhere"], /nowhere: the file has no feed with this name; feeds with quotes: bazaar/, 66],
    ["a known feed beside an unknown one", ["steam", "nowhere"], /nowhere: the file has no feed/, 66],
    ["neither names nor an age", [], /name the feeds, or give --unchecked-for HOURS/, 64],
    ["names and an age", ["steam", "--unchecked-for", "24"], /name the feeds, or give --unchecked-for/, 64],
    ["an age not in hours", ["--unchecked-for", "1d"], /must be a whole number of hours .* not `1d`/, 64],
  ];
  for (const [what, words, message, exitCode] of refused) {
    it(`refuses a drop of ${what} in one line without a change`, async () => {
      const { code, notes } = await runHere(["feeds", "drop", ...words, "--db", world.path]);
      expect([code, notes.length]).to.deep.equal([exitCode, 1]);
      expect(notes[0]).to.match(message);
      expect(world.sql("SELECT current_generation_id AS id FROM market_state")).to.deep.equal([{ id: 5 }]);
    });
  }
});
