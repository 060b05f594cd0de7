import { expect } from "chai";
import { dayMs } from "../../src/values/time/calendar.ts";
import { toTimestamp } from "../../src/values/time/clock.ts";
import { jsonOf, runHere } from "../support/cli.ts";
import { type Account, useWorld } from "../support/world.ts";

describe("account lists on the command line", () => {
  const world = useWorld({ fewItems: true });
  let ann: Account;
  let bob: Account;
  const json = (...words: string[]) => jsonOf(...words, "--db", world.path);
  const here = (...words: string[]) => runHere([...words, "--db", world.path]);
  const ids = (rows: { account_id: string }[]) => rows.map(({ account_id }) => account_id);

  before(async () => {
    ann = world.account("trader", "Ännchen's Scanner");
    bob = world.account("free", 'Bob, "the" Builder');
    await world.client.call("getItem", { path: { item_id: 95 }, key: ann.secret });
    await world.client.call("listItems", { query: { limit: 1 }, key: ann.secret });
    await jsonOf("accounts", "invite", bob.accountId, "--login", "Robert", "--db", world.path);
  });

  it("`accounts list` prints accounts oldest first, with plan, keys, units and login", async () => {
    const rows = await json("accounts", "list");
    expect(rows.map(({ name }: { name: string }) => name)).to.deep.equal([
      "Demo Builder",
      "Demo Free",
      "Ännchen's Scanner",
      'Bob, "the" Builder',
    ]);
    expect(rows[2]).to.include({ account_id: ann.accountId, plan: "trader", login: null, plan_ends_at: null });
    expect(rows[3]).to.include({ account_id: bob.accountId, plan: "free", login: "robert", disabled_at: null });
    const { lines } = await here("accounts", "list");
    expect(lines[0]).to.match(/^ACCOUNT +PLAN +UNTIL +KEYS +MONTH +DISABLED +LOGIN +NAME$/);
    expect(lines.at(-1)).to.match(/^acc_\w+ +free +- +\d+ +0 +- +robert +Bob, "the" Builder$/);
  });

  it("`accounts show` prints plan, usage and number of keys", async () => {
    const { lines } = await here("accounts", "show", ann.accountId);
    const text = lines.join("\n");
    expect(text).to.include("trader");
    expect(text).to.match(/^month {4}\d+ of 100000 requests, until \d{4}-\d\d-01T00:00:00\.000Z$/m);
    expect(text).to.match(/^minute {3}180 requests$/m);
    expect(text).to.match(/^exports {2}0 of 144 starts in 24 hours$/m);
    expect(text).to.match(/^keys {5}1$/m);
    expect(await json("accounts", "show", ann.accountId)).to.include({
      monthly_limit: 100_000,
      minute_limit: 180,
      keys: 1,
    });
  });

  it("`accounts find` accepts part of a name or login, or id prefix", async () => {
    for (const [text, found] of [
      ["ännchen", ann],
      ["A\u0308NNCHEN", ann],
      ["ROB", bob],
      ['the" b', bob],
      [ann.key.keyId, ann],
      [bob.key.keyId.slice(0, -2), bob],
      [ann.accountId, ann],
    ] as const)
      expect(ids(await json("accounts", "find", text)), text).to.include(found.accountId);
    expect(ids(await json("accounts", "find", "scanner"))).to.deep.equal([ann.accountId]);
    const none = await here("accounts", "find", "nobody\u001b[2J");
    expect({ code: none.code, lines: none.lines }).to.deep.equal({ code: 65, lines: [] });
    expect(none.notes.join("\n")).to.include("no account has `nobody?[2J` in its name").and.not.include("\n");
    expect((await here("accounts", "find", " ")).code).to.equal(64);
  });

  it("`accounts rename` changes only the name; the activity keeps both names", async () => {
    const { accountId } = world.account("builder", "Befor");
    const renamed = await json("accounts", "rename", accountId, "  Before ");
    expect(renamed).to.include({ account_id: accountId, name: "Before", plan: "builder" });
    const activity = await json("keys", "activity", accountId);
    expect(activity[0]).to.include({ kind: "account_renamed", key_id: null, detail: "Befor → Before" });
    for (const [words, code] of [
      [[accountId, "Before"], 65],
      [[accountId, "a\nb"], 64],
      [["acc_none", "X"], 65],
    ] as const)
      expect((await here("accounts", "rename", ...words)).code, words.join()).to.equal(code);
    expect(await json("keys", "activity", accountId)).to.deep.equal(activity);
    expect((await here("db", "check")).code).to.equal(0);
  });

  it("`accounts usage` adds up to the charged units in every grouping", async () => {
    const at = world.clock.at;
    const month = toTimestamp(at).slice(0, 7);
    const rows = await json("accounts", "usage", ann.accountId, "--month", month);
    const date = toTimestamp(at).slice(0, 10);
    expect(rows).to.deep.equal([
      { date, operation: "getItem", key_id: ann.key.keyId, units: 1 },
      { date, operation: "listItems", key_id: ann.key.keyId, units: 1 },
    ]);
    const all = await json("accounts", "usage", "--month", month);
    expect(all.find((row: { account_id: string }) => row.account_id === ann.accountId)).to.deep.equal({
      month,
      account_id: ann.accountId,
      name: "Ännchen's Scanner",
      units: 2,
    });
    expect(ids(all)).to.not.include(bob.accountId);
    await world.client.call("getItem", { path: { item_id: 95 }, key: bob.secret });
    const csv = await here("accounts", "usage", "--csv", "--month", month);
    expect(csv.lines[0]).to.equal("month,account_id,name,units");
    expect(csv.lines).to.include(`${month},${bob.accountId},"Bob, ""the"" Builder",1`);
    expect((await here("accounts", "usage", "--month", "2001-01", "--csv")).lines).to.have.length(1);
    for (const [words, code] of [
      [["--month", "2026-13"], 64],
      [["--csv", "--json"], 64],
      [["acc_none"], 65],
    ] as const)
      expect((await here("accounts", "usage", ...words)).code, words.join()).to.equal(code);
  });

  it("a key shows the day of its latest charged request, or none", async () => {
    const { accountId, key, secret } = world.account("free", "Days");
    const shown = async () => (await json("keys", "list", accountId))[0].last_used_on;
    await world.client.call("getUsage", { key: secret });
    await world.client.call("getMarketPrices", { path: { item_id: 95 }, key: secret });
    expect(await shown()).to.equal(null);
    expect((await here("keys", "list", accountId)).lines[1]).to.match(/ market:read +- +(until|expired) /);
    await world.client.call("getItem", { path: { item_id: 95 }, key: secret });
    const day = toTimestamp(world.clock.at).slice(0, 10);
    expect(await shown()).to.equal(day);
    world.clock.advance(dayMs);
    await world.client.call("getItem", { path: { item_id: 95 }, key: "itemtape_live_none" });
    expect(await shown()).to.equal(day);
    await world.client.call("getItem", { path: { item_id: 95 }, key: secret });
    expect(await shown()).to.equal(toTimestamp(world.clock.at).slice(0, 10));
    expect((await here("keys", "list", accountId)).lines.join("\n")).to.include(
      toTimestamp(world.clock.at).slice(0, 10),
    );
    expect(key.lastUsedDay).to.equal(null);
    world.clock.advance(-dayMs);
  });
});
