import { expect } from "chai";
import { sparkLines } from "../../src/cli/find/spark-line.ts";
import { main } from "../../src/cli/main.ts";
import { current } from "../client/changes-script.ts";
import { problem, requestId, ScriptedServer, send } from "../client/scripted-server.ts";
import { runHere } from "../support/cli.ts";
import { publishOffers } from "../support/publish.ts";
import { type Account, useWorld, World } from "../support/world.ts";

const doppler = "★ Karambit | Doppler (Factory New)";

describe("items found by name on the command line", () => {
  let world: World;
  let account: Account;
  before(async () => {
    world = await World.start();
    account = world.account("builder");
  });
  after(() => world.stop());

  const run = (...words: string[]) =>
    runHere(words, { env: { ITEMTAPE_API_KEY: account.secret, ITEMTAPE_URL: world.base } });
  const units = () => world.used(account.accountId);

  it("`search` lists items with all words, plain ones first, for one unit", async () => {
    const before = units();
    const { code, lines, notes } = await run("search", "karambit", "doppler", "--json");
    expect([code, notes]).to.deep.equal([0, []]);
    expect(units() - before).to.equal(1);
    const items = lines.map((line) => JSON.parse(line));
    expect(items).not.to.have.length(0);
    for (const { market_hash_name } of items)
      expect(market_hash_name)
        .to.match(/Karambit/)
        .and.to.match(/Doppler/);
    const isPriced = items.map((item) => item.best_ask_cents !== null);
    expect(isPriced.indexOf(false) === -1 || isPriced[0]).to.equal(true);
    expect(items[0].market_hash_name).not.to.include("StatTrak");
    const table = await run("search", "karambit", "doppler");
    expect(table.lines[0]).to.match(/^item_id +market_hash_name +phase +best_ask/);
    expect(table.lines).to.have.length(items.length + 1);
  });

  it("`search` accepts a phase as a word although no name contains it", async () => {
    for (const [words, phase, named = "Karambit"] of [
      [["ruby"], "Ruby", ""],
      [["karambit", "doppler", "ruby", "fn"], "Ruby"],
      [["p4", "karambit", "doppler", "factory"], "Phase 4"],
      [["karambit", "Black", "Pearl"], "Black Pearl"],
    ] as const) {
      const before = units();
      const { lines } = await run("search", ...words, "--json");
      expect(units() - before).to.equal(1);
      const items = lines.map((line) => JSON.parse(line));
      expect(items).not.to.have.length(0);
      for (const item of items)
        expect([item.phase, item.market_hash_name.includes(named)]).to.deep.equal([phase, true]);
    }
  });

  it("`search` reports an empty result, and matches beyond the loaded rows", async () => {
    expect((await run("search", "zzzzzz")).lines).to.deep.equal(["no item name has all of these words"]);
    expect((await run("search", "karambit dopler")).lines[0]).to.equal(
      "(no item name has all of these words; read as `karambit doppler`)",
    );
    const [, hint] = (await run("search", '"doppler karambit" ruby')).lines;
    expect(hint).to.match(/^Without quotes, `doppler karambit ruby` finds \d+ items?, such as ★ Karambit/);
    const { lines } = await run("search", "factory");
    const more = "(the best of the first 100 by id; more follow: name more words)";
    expect(lines.at(-1)).to.equal(more);
    const forPrograms = await run("search", "factory", "--json");
    expect([forPrograms.lines.length, forPrograms.notes]).to.deep.equal([100, [more]]);
  });

  it("`price` lists an item's providers by id or words, lowest ask first", async () => {
    const { json: answer } = await world.client.call("getMarketPrices", {
      key: account.secret,
      path: { item_id: 661 },
    });
    const before = units();
    const { code, lines, notes } = await run("price", "661");
    expect([code, notes, units() - before]).to.deep.equal([0, [], 1]);
    expect(lines[0]).to.equal(`${doppler}, Phase 4 (661)`);
    const [ask] = answer.data.asks;
    expect(lines[1]).to.include(`lowest ask $${(ask.amount / 100).toFixed(2)} (${ask.provider})`);
    const plain = await run("price", "aug", "triqua", "ft");
    expect(plain.lines[0]).to.equal("AUG | Triqua (Field-Tested) (1075)");
    const named = await run("price", "st", "aug", "triqua", "ft");
    expect([named.code, named.notes]).to.deep.equal([0, []]);
    expect(named.lines[0]).to.match(/^StatTrak™ AUG \| Triqua \(Field-Tested\) \(1076\)$/);
    const exact = JSON.parse((await run("price", "AUG | Triqua (Field-Tested)", "--json")).lines[0]!);
    expect(exact.data.item_id).to.equal(1075);
  });

  it("`price` reports known times, as ages for people and instants for programs", async () => {
    const env = { ITEMTAPE_API_KEY: account.secret, ITEMTAPE_URL: world.base };
    const { lines: forPeople } = await runHere(["price", "ak redline ft"], { env, isTerminal: true });
    expect(forPeople[2]).to.match(/^provider +ask +bid +quantity +age$/);
    expect(forPeople.find((line) => line.startsWith("bazaar "))).to.match(/ 19 min$/);
    expect(forPeople.find((line) => line.startsWith("steam "))).to.match(/ -$/);
    expect(forPeople.join("\n")).not.to.match(/\d{4}-\d{2}-\d{2}/);
    expect(forPeople.at(-1)).to.equal("(generation g5, published 10 min ago; times known for 3 of 4 providers)");
    const { lines } = await run("price", "ak redline ft");
    expect(lines[2]).to.match(/ as_of$/);
    expect(lines.find((line) => line.startsWith("bazaar "))).to.match(/ 2026-01-15T[\d:.]+Z$/);
    expect(lines.at(-1)).to.match(
      /^\(generation g5, published 2026-01-15T[\d:.]+Z; times known for 3 of 4 providers\)$/,
    );
  });

  it("`price` shows the frames of an instant with --known-at", async () => {
    const { code, lines } = await run("price", "661", "--known-at", "2026-01-15T11:00:00Z");
    expect([code, lines[0]]).to.deep.equal([0, "item 661, as known at 2026-01-15T11:00:00.000Z"]);
    expect(lines.at(-1)).to.match(/^\(frames: bazaar 2026-01-15T10:10:00\.000Z, .*; freshness [a-z]+\)$/);
    const { data } = JSON.parse((await run("price", "661", "--known-at", "2026-01-15T11:00:00Z", "--json")).lines[0]!);
    const { asks } = data.items[0];
    expect(lines[1]).to.include(`lowest ask $${(asks[0].amount / 100).toFixed(2)} (${asks[0].provider})`);
  });

  it("`price` of several items lists them, except for programs", async () => {
    const several = await run("price", doppler);
    expect([several.code, several.notes]).to.deep.equal([0, []]);
    expect(several.lines[0]).to.match(/^item_id +market_hash_name +phase +best_ask/);
    expect(several.lines.some((line) => /^ *661 .* Phase 4 .*\$\d/.test(line))).to.equal(true);
    expect(several.lines.at(-1)).to.equal("(several items have these words: name one by its id)");
    for (const words of [
      ["price", doppler, "--json"],
      ["history", doppler],
    ]) {
      const { code, notes } = await run(...words);
      expect(code).to.equal(64);
      expect(notes[0]).to.match(/means 7 items; name one by its id, such as \d+ \(.*\): `search` lists them$/);
      expect(notes[0]!.length).to.be.below(250);
    }
  });

  it("refuses an item without a match and a wrong flag", async () => {
    const none = await run("price", "karambit", "zzzzzz");
    expect(none.code).to.equal(66);
    expect(none.notes[0]).to.match(/^itemtape: no item name has all words of `karambit zzzzzz`; `karambit` finds /);
    const unknown = await run("price", "4000000");
    expect(unknown.code).to.equal(66);
    expect(unknown.notes[0]).to.match(/^itemtape: price: HTTP 404 `item_not_found`/);
    for (const [words, message] of [
      [["history", "661", "--days", "0"], /--days: must be a whole number from 1 to 366/],
      [["history", "661", "--side", "buy"], /--side: must be ask or bid/],
      [["price", "661", "--known-at", "2026-01-14"], /--known-at: must be an instant such as 2026-01-14T18:00:00Z/],
      [["history", "661", "--known-at", "yesterday"], /--known-at: must be an instant such as 2026-01-14T18:00:00Z/],
      [["search"], /TEXT\.\.\. is missing/],
    ] as const) {
      const { code, notes } = await run(...words);
      expect(code).to.equal(64);
      expect(notes[0]).to.match(message);
    }
  });

  it("`history` charts each provider's days with low, high, last and count", async () => {
    const { code, lines, notes } = await run("history", "661", "--days", "366", "--json");
    expect([code, notes]).to.deep.equal([0, []]);
    const rows: { provider: string; amount: number }[] = lines.map((line) => JSON.parse(line));
    const providers = [...new Set(rows.map(({ provider }) => provider))];
    expect(providers).to.have.length.greaterThan(2);
    const drawn = (await run("history", "661", "--days", "366")).lines;
    expect(drawn[0]).to.match(/Phase 4 \(661\), daily asks, [0-9-]{10} to 2026-01-14$/);
    expect(drawn).to.have.length(1 + 2 * providers.length);
    const text = (cents: number) => `$${(cents / 100).toFixed(2)}`;
    for (const provider of providers) {
      const amounts = rows.filter((row) => row.provider === provider).map(({ amount }) => amount);
      const known = `low ${text(Math.min(...amounts))}, high ${text(Math.max(...amounts))}, last ${text(amounts.at(-1)!)}`;
      expect(drawn).to.include(`${provider}: ${known}, ${amounts.length} of 366 days`);
    }
    const known = await run("history", "661", "--known-at", "2026-01-14T18:00:00Z");
    expect(known.lines[0]).to.match(/2025-12-15 to 2026-01-13, as known at 2026-01-14T18:00:00\.000Z$/);
    const one = await run("history", "661", "--provider", "bazaar");
    expect(one.lines).to.have.length(3);
    const free = world.account("free");
    const ofFree = await runHere(["history", "661"], {
      env: { ITEMTAPE_API_KEY: free.secret, ITEMTAPE_URL: world.base },
    });
    expect([ofFree.code, ofFree.notes]).to.deep.equal([0, []]);
    const search = ["search", "karambit", "doppler"];
    const hidden = "(no asks: these items have none, or the Free plan of the key hides them)";
    const { lines: freeLines } = await runHere(search, {
      env: { ITEMTAPE_API_KEY: free.secret, ITEMTAPE_URL: world.base },
    });
    expect([freeLines.at(-1), (await run(...search)).lines.includes(hidden)]).to.deep.equal([hidden, false]);
  });

  it("`--csv` prints RFC 4180 lines with the rows of the JSON", async () => {
    const rowsOf = (lines: readonly string[]) => lines.map((line) => line.slice(0, -1));
    for (const words of [
      ["search", "karambit", "doppler"],
      ["history", "661", "--days", "366"],
    ]) {
      const csv = await run(...words, "--csv");
      expect([csv.code, csv.lines.every((line) => line.endsWith("\r"))]).to.deep.equal([0, true]);
      const objects = (await run(...words, "--json")).lines.map((line) => JSON.parse(line));
      const [head, ...rows] = rowsOf(csv.lines);
      const columns = head!.split(",");
      expect(rows).to.deep.equal(objects.map((row) => columns.map((column) => row[column] ?? "").join(",")));
    }
    const price = rowsOf((await run("price", "661", "--csv")).lines);
    expect(price[0]).to.equal("provider,ask_cents,bid_cents,quantity,as_of");
    expect(price[1]).to.match(/^\w+,\d+,\d*,\d*,2026-01-15T/);
    const got = rowsOf((await run("get", "getMarketPrices", "661", "--csv", "--fields", "item_id,asks")).lines);
    const [quotes] = /"(.*)"$/.exec(got[1]!)!.slice(1);
    expect(JSON.parse(quotes!.replaceAll('""', '"'))[0]).to.include({ currency: "USD" });
    const all = await run("get", "listProviders", "limit=2", "--all", "--csv");
    expect([rowsOf(all.lines)[0]!.split(",")[0], all.lines.length, all.notes]).to.deep.equal(["provider", 6, []]);
  });

  it("a sparkline spans lowest to highest, with a space for no price", () => {
    expect(sparkLines([1, null, 8, 4], 4)).to.deep.equal(["▁ █▄"]);
    expect(sparkLines([5, 5, null], 3)).to.deep.equal(["▁▁ "]);
    expect(sparkLines([null, null], 2)).to.deep.equal([]);
  });

  it("a sparkline continues on the next line if the terminal is narrow", () => {
    expect(sparkLines([1, 2, null, 9, 9, null, 1], 3)).to.deep.equal(["▁▂ ", "██ ", "▁"]);
    expect(sparkLines([3, null, 8], Number.POSITIVE_INFINITY)).to.deep.equal(["▁ █"]);
  });
});

describe("itemtape watch", () => {
  const world = useWorld({ fewItems: true });
  let account: Account;
  before(() => {
    account = world.account("builder");
  });

  it("prints an item's price and each change, and exits with 0", async () => {
    const watched = (more: readonly string[], onLine: (line: string, count: number) => void) => {
      const lines: string[] = [];
      const line = (text: string) => {
        lines.push(text);
        onLine(text, lines.length);
      };
      const out = { line, note: (text: string) => void lines.push(text), isTerminal: false };
      const env = { ITEMTAPE_API_KEY: account.secret, ITEMTAPE_URL: world.base };
      return { lines, code: main(["watch", "11", ...more], env, out) };
    };
    const cheap = (cents: number) => publishOffers(world, new Map([[11, cents]]));
    const waiting = watched([], (_, count) => {
      if (count === 2) cheap(1234);
      if (count === 3) process.emit("SIGTERM");
    });
    expect(await waiting.code).to.equal(0);
    expect(waiting.lines[0]).to.equal("★ Bayonet | Doppler (Factory New), Phase 4 (11)");
    expect(waiting.lines[1]).to.match(
      /^2026-01-15T12:00:00Z {2}lowest ask \$[\d.]+ \(\w+\), highest bid \$[\d.]+ \(\w+\)$/,
    );
    expect(waiting.lines[2]).to.match(/ {2}lowest ask \$12\.34 -\$[\d.]+ \(test-shop\), highest bid \$/);
    const paused = watched(["--pause", "1", "--json"], (_, count) => {
      if (count === 1) cheap(1200);
      if (count === 2) process.emit("SIGTERM");
    });
    expect(await paused.code).to.equal(0);
    expect(paused.lines.map((text) => JSON.parse(text).lowest_ask.amount)).to.deep.equal([1234, 1200]);
  });

  it("prints an older price only after the service was restored", async () => {
    const server = await ScriptedServer.start();
    const quotes = (generation: string, amount: number) => {
      const ask = { provider: "steam", amount, currency: "USD", minor_units: 2, quantity: 1, url: null, as_of: null };
      const data = { item_id: 661, market_hash_name: "A", phase: null, generation, asks: [ask], bids: [] };
      return send(200, { data, meta: { request_id: requestId, generated_at: "2026-01-15T12:00:00.000Z" } });
    };
    const told = (generation: string) =>
      current({ generation, digest: "0".repeat(64), identity_digest: "0".repeat(64) });
    const behind = problem(503, "service_unavailable");
    server.play(quotes("g6", 6), told("g5"), behind, told("g7"), quotes("g5", 5), behind, quotes("g7", 7));
    server.script.push(told("g5"), problem(404, "generation_not_found"), quotes("g5", 5));
    const lines: string[] = [];
    const line = (text: string) => {
      if (lines.push(text) === 3) process.emit("SIGTERM");
    };
    const notes: string[] = [];
    const env = { ITEMTAPE_API_KEY: account.secret, ITEMTAPE_URL: server.base };
    const out = { line, note: (text: string) => void notes.push(text), isTerminal: false };
    expect(await main(["watch", "661", "--json"], env, out)).to.equal(0);
    server.stop();
    expect(lines.map((text) => JSON.parse(text).generation)).to.deep.equal(["g6", "g7", "g5"]);
    expect(notes).to.deep.equal([
      "itemtape: watch: the service has g5, which is older than g6 of before; waiting for a newer one",
      "itemtape: watch: the service has g5, which is older than g7 of before; trying again in 1 s",
      "itemtape: watch: the service no longer has g7, as after a restore",
    ]);
  });
});
