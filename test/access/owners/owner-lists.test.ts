import { expect } from "chai";
import { pagesKeyId } from "../../../src/access/credentials.ts";
import { dayMs, dayOf, hourMs } from "../../../src/values/time/calendar.ts";
import { idOf, PortfolioRows } from "../../support/portfolios.ts";
import { onEachStore } from "../stores.ts";
import { noon, type Person } from "../world.ts";

const today = dayOf(noon);

onEachStore("owner lists", (world) => {
  let ann: Person;
  let bob: Person;
  beforeEach(async () => {
    [ann, bob] = (await world.people(2, "trader")) as [Person, Person];
  });

  it("lists portfolios by name and id, each with its own last value", async () => {
    const names = ["b", "A", "a", "Ä", "B", "a"];
    await world.plant((database) => {
      const rows = new PortfolioRows(database);
      names.forEach((name, index) => {
        const id = rows.portfolio(`n${index}`, ann.accountId, { name });
        for (const day of [today - 1, today + 1]) rows.valuation(id, day);
      });
      rows.remove(rows.portfolio("gone", ann.accountId, { name: "gone" }));
      const moved = rows.portfolio("moved", bob.accountId, { name: "moved" });
      rows.valuation(moved, today);
      rows.transfer(moved, ann.accountId);
    });
    const listed = async (at = noon) => (await world.owners(at)).portfolios(ann.accountId, at);
    expect((await listed()).map(({ name, portfolioId }) => [name, portfolioId.slice(-2)])).to.deep.equal([
      ["A", "n1"],
      ["B", "n4"],
      ["a", "n2"],
      ["a", "n5"],
      ["b", "n0"],
      ["moved", "ed"],
      ["Ä", "n3"],
    ]);
    const days = async (at: number) => (await listed(at)).map(({ latest }) => latest?.day ?? null);
    expect(await days(noon)).to.deep.equal([...Array(5).fill(today - 1), null, today - 1]);
    const tomorrow = (today + 1) * dayMs;
    expect((await days(tomorrow - 1))[0]).to.equal(today - 1);
    expect((await days(tomorrow))[0]).to.equal(today + 1);
  });

  it("lists values of the given days only, and of the owner only", async () => {
    const id = idOf("pf_", "one");
    await world.plant((database) => {
      const rows = new PortfolioRows(database);
      rows.portfolio("one", ann.accountId);
      for (const day of [1, 2, 3, 4]) rows.valuation(id, today - day, { valueCents: day });
    });
    const values = async (of: Person, [fromDay, toDay]: [number, number]) => {
      const shown = await (await world.owners()).valuations(of.accountId, id, { fromDay, toDay, at: noon });
      return shown.map(({ valueCents }) => valueCents);
    };
    expect(await values(ann, [today - 3, today - 2])).to.deep.equal([3, 2]);
    expect(await values(ann, [today - 2, today - 3])).to.deep.equal([]);
    expect(await values(bob, [today - 9, today])).to.deep.equal([]);
  });

  it("lists values at the main platform while the owner is on Free", async () => {
    const id = idOf("pf_", "far");
    await world.plant((database) => {
      const hasMarket = database.$client.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'providers'").get();
      // A private database has no market: its store names the main platform itself.
      if (hasMarket)
        database.$client.exec(`INSERT INTO feeds (feed, adapter) VALUES ('steam', 'steam');
          INSERT INTO providers (provider, name, kind, feed, has_asks, has_bids, active)
          VALUES ('steam', 'Steam', 'main_platform', 'steam', 1, 0, 1)`);
      const rows = new PortfolioRows(database);
      rows.portfolio("far", ann.accountId, { priceSource: "northgate" });
      for (const day of [1, 2, 3]) rows.valuation(id, today - day, { valueCents: day, priceSource: "northgate" });
      rows.valuation(id, today - 2, { valueCents: 20, atMain: true });
    });
    const days = { fromDay: today - 9, toDay: today, at: noon };
    const seen = async () => {
      const owners = await world.owners();
      const [listed] = await owners.portfolios(ann.accountId, noon);
      const values = await owners.valuations(ann.accountId, id, days);
      return [listed!.latest?.valueCents, ...values.map(({ valueCents }) => valueCents)];
    };
    expect(await seen()).to.deep.equal([1, 3, 2, 1]);
    await world.accounts.setPlan(ann.accountId, "free", null);
    expect(await seen()).to.deep.equal([20, 20]);
  });

  it("lists live and ended keys, newest first, then by id", async () => {
    const made: string[] = [];
    for (const name of ["one", "two", "three", "four", "five"])
      made.push((await world.keys.create(ann.accountId, name, 7)).key.keyId);
    world.clock.advance(1);
    const newest = (await world.keys.create(ann.accountId, "newest", 7)).key.keyId;
    await world.keys.revoke(newest);
    const live = async (at: number) => (await world.owners(at)).liveKeys(ann.accountId, at);
    const ended = async (at: number, limit: number, offset: number) =>
      (await (await world.owners(at)).endedKeys(ann.accountId, at, { limit, offset })).map(({ keyId }) => keyId);
    const sorted = [...made, ann.keyId].sort().reverse();
    expect((await live(noon + 1)).map(({ keyId }) => keyId)).to.deep.equal(sorted);
    expect(await ended(noon + 1, 9, 0)).to.deep.equal([newest]);
    const end = noon + 7 * dayMs;
    expect((await live(end)).map(({ keyId }) => keyId)).to.deep.equal([ann.keyId]);
    expect(await ended(end, 3, 0)).to.deep.equal([newest, ...made.toSorted().reverse().slice(0, 2)]);
    expect(await ended(end, 9, 3)).to.deep.equal(made.toSorted().reverse().slice(2));
  });

  it("lists activity newest first, page by page, with key names", async () => {
    const { key } = await world.keys.create(ann.accountId, "a key", 7);
    await world.accounts.rename(ann.accountId, "Ann \u{1F98A} Ltd");
    const page = async (beforeId: number | null) =>
      (await world.owners()).activity(ann.accountId, { beforeId, limit: 1 });
    const [renamed] = await page(null);
    expect(renamed).to.include({ kind: "account_renamed", keyId: null, keyName: null, at: noon });
    expect(renamed?.detail).to.match(/ → Ann \u{1F98A} Ltd$/u);
    const [created] = await page(renamed!.activityId);
    expect(created).to.include({ kind: "key_created", keyId: key.keyId, keyName: "a key" });
    expect(await page(1)).to.deep.equal([]);
  });

  it("counts units by day, operation and key, with pages separate", async () => {
    const pages = { ...ann, keyId: pagesKeyId(ann.accountId) };
    const midnight = (today + 1) * dayMs;
    for (const [operation, at] of [
      ["getb", noon],
      ["getB", noon],
      ["geta", midnight - 1],
      ["geta", midnight],
    ] as const)
      await world.pay(ann, at, { operation });
    await world.pay(bob, noon);
    await world.sql(
      "INSERT INTO usage_events (request_id, account_id, key_id, operation, month, at) VALUES (?, ?, ?, ?, ?, ?)",
      world.ids.requestId(noon),
      ann.accountId,
      pages.keyId,
      "getB",
      "2026-01",
      noon,
    );
    const ask = async (by: "day" | "key", fromAt: number, untilAt: number) =>
      (await world.owners()).ask({ by, accountId: ann.accountId, fromAt, untilAt });
    const [day, next] = ["2026-01-15", "2026-01-16"];
    expect(await ask("day", noon, midnight + 1)).to.deep.equal([
      { day, operation: "getB", units: 2, pages: 1 },
      { day, operation: "geta", units: 1, pages: 0 },
      { day, operation: "getb", units: 1, pages: 0 },
      { day: next, operation: "geta", units: 1, pages: 0 },
    ]);
    expect(await ask("day", noon + 1, midnight)).to.deep.equal([{ day, operation: "geta", units: 1, pages: 0 }]);
    expect(await ask("key", noon - hourMs, midnight)).to.have.deep.members([
      { keyId: ann.keyId, units: 3 },
      { keyId: pages.keyId, units: 1 },
    ]);
  });
});
