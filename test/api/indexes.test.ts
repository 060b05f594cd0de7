import { expect } from "chai";
import { calculateIndexInBatches } from "../../src/jobs/indexes/calculate.ts";
import { defineIndexInBatches } from "../../src/jobs/indexes/define.ts";
import { definitionLookup, readDefinition } from "../../src/jobs/indexes/definition.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { dayOf, dayText } from "../../src/values/time/calendar.ts";
import { putDaily } from "../jobs/indexes/index-world.ts";
import { readPages } from "../support/paging.ts";
import { insertProvider } from "../support/providers.ts";
import { type Account, demoAt, useWorld } from "../support/world.ts";

const today = dayOf(demoAt);
const date = (daysAgo: number) => dayText(today - daysAgo);
const missing = "no-such-index";

describe("indexes over HTTP", () => {
  const world = useWorld();
  let account: Account;
  before(() => {
    account = world.account("trader");
    world.change((database) => {
      const { $client } = database;
      $client.prepare("INSERT INTO feeds(feed, adapter) VALUES ('lab', 'canonical')").run();
      insertProvider(database, { provider: "lab", feed: "lab", name: "Lab" });
      const recordedAt = demoAt;
      for (let daysAgo = 10; daysAgo >= 1; daysAgo -= 1)
        for (const itemId of daysAgo === 4 ? [1, 2] : daysAgo === 7 ? [] : [1, 2, 3, 4])
          putDaily(database, { itemId, date: date(daysAgo), provider: "lab", amount: 100 + 10 - daysAgo, recordedAt });
      const clock = { now: () => demoAt, monotonicMs: () => 0 };
      for (const [index_id, ids, effective_on] of [
        ["lab-equal", [1, 2, 3, 4], undefined],
        ["lab-equal", [1, 2, 3, 5], date(0)],
        ["lab-sum", [1, 2, 3, 4], undefined],
        ["lab-sum", [2, 3, 4], date(2)],
      ] as const) {
        const weighting = index_id === "lab-sum" ? "capitalization" : "equal";
        const members = ids.map((item_id) => ({ item_id }));
        const facts = { index_id, name: "Lab", description: "", provider: "lab", weighting, members, effective_on };
        const body = {
          name: index_id,
          bytes: Buffer.from(JSON.stringify({ ...facts, base_date: date(10), base_value: "100" })),
        };
        runAtOnce(defineIndexInBatches(database, readDefinition(body, definitionLookup(database)), { clock }));
        runAtOnce(
          calculateIndexInBatches(
            database,
            index_id === "lab-sum" && effective_on === undefined ? today - 9 : today,
            { clock },
            { only: [index_id] },
          ),
        );
      }
    });
  });

  const call = (operationId: string, path: object, query: Record<string, string | number> = {}) =>
    world.client.call(operationId, { key: account.secret, path: path as Record<string, string>, query });
  const history = (query = {}, index_id = "lab-equal") => call("getIndexHistory", { index_id }, query);
  const members = (query = {}, index_id = "lab-sum") => call("listIndexMembers", { index_id }, query);

  const costOf = (work: () => ReturnType<typeof call>) => world.costOf(account.accountId, work);
  const walked = async (page: (query: object) => ReturnType<typeof call>, limit: number) =>
    (await readPages(page, { limit })).rows;

  it("are listed by id with their latest level, in consistent pages", async () => {
    const list = (query: object) => call("listIndexes", {}, query as Record<string, string>);
    const { data } = (await list({})).json;
    const ids: string[] = data.map((index: { index_id: string }) => index.index_id);
    expect(ids).to.deep.equal(ids.toSorted()).and.to.include.members(["lab-equal", "lab-sum"]);
    expect(await walked(list, 1)).to.deep.equal(data);
    const one = (await call("getIndex", { index_id: "lab-equal" })).json;
    expect(data).to.deep.include(one.data);
    expect(one.data).to.include({
      value: "109.0000",
      capitalization_cents: "436",
      membership_version: 1,
      weighting: "equal",
    });
    expect(one.meta).to.include({ as_of: null, freshness: "unknown" });
  });

  it("have null for a sparsely priced day and omit unpriced days", async () => {
    const { data, meta } = (await history({ from: date(8), to: date(0) })).json;
    expect(data.map((row: { date: string; value: string }) => [row.date, row.value])).to.deep.equal([
      [date(8), "102.0000"],
      [date(6), "104.0000"],
      [date(5), "105.0000"],
      [date(4), null],
      [date(3), "107.0000"],
      [date(2), "108.0000"],
      [date(1), "109.0000"],
    ]);
    expect(data[3]).to.include({ capitalization_cents: null, coverage_pct: "50.00", priced_constituent_count: 2 });
    expect(meta).to.include({ missing_points: `2 of 9 days absent: ${date(7)}, ${date(0)}`, resolution: "day" });
  });

  it("have history pages that together give the whole window", async () => {
    const whole = await history();
    expect(whole.json.meta).to.include({ from: date(30), to: date(0), next_page: null });
    expect(await walked(history, 3)).to.deep.equal(whole.json.data);
    const { next_page } = (await history({ limit: 3 })).json.meta;
    const second = await history({ limit: 3, after: next_page, from: date(30), to: date(0), methodology_version: "1" });
    expect(second.json.meta).to.include({ from: date(30), to: date(0) });
  });

  it("list each version's members by page, with weights that total 100", async () => {
    const { data } = (await members()).json;
    expect(data.map((row: { item_id: number }) => row.item_id)).to.deep.equal([2, 3, 4]);
    expect(await walked(members, 2)).to.deep.equal(data);
    const first = (await members({ membership_version: 1 })).json.data;
    expect(
      first.map((row: Record<string, unknown>) => [row.item_id, row.weight_pct, row.added_on, row.removed_on]),
    ).to.deep.equal([
      [1, "25.0000", date(10), date(2)],
      ...[2, 3, 4].map((itemId) => [itemId, "25.0000", date(10), null]),
    ]);
    expect((await members({}, "lab-equal")).json.data.map((row: { item_id: number }) => row.item_id)).to.deep.equal([
      1, 2, 3, 4,
    ]);
  });

  it("cost one unit for an unknown index, even with invalid parameters", async () => {
    const index_id = missing;
    for (const work of [
      () => call("getIndex", { index_id }),
      () => history({}, index_id),
      () => history({ methodology_version: "nothing" }, index_id),
      () => members({}, index_id),
      () => members({ membership_version: 7 }, index_id),
    ]) {
      expect(await costOf(work)).to.deep.equal([404, "index_not_found", 1]);
    }
  });

  it("refuse an invalid request before it costs any quota", async () => {
    const historyPage = (await history({ limit: 1 })).json.meta.next_page;
    const memberPage = (await members({ limit: 1 })).json.meta.next_page;
    const rows: [() => ReturnType<typeof call>, string][] = [
      [() => history({ methodology_version: "2" }), "unknown_methodology_version"],
      [() => members({ membership_version: 3 }), "invalid_parameter"],
      [() => history({ from: date(0), to: date(1) }), "invalid_range"],
      [() => history({ to: date(-1) }), "invalid_range"],
      [() => history({ from: date(400), to: date(0) }), "window_too_large"],
      [() => history({ after: memberPage }), "cursor_mismatch"],
      [() => history({ after: historyPage }, "lab-sum"), "cursor_mismatch"],
      [() => history({ after: historyPage, from: date(3) }), "cursor_mismatch"],
      [() => history({ after: historyPage, methodology_version: "2" }), "cursor_mismatch"],
      [() => members({ after: memberPage }, "lab-equal"), "cursor_mismatch"],
      [() => members({ after: memberPage, membership_version: 1 }), "cursor_mismatch"],
      [() => members({ after: `${memberPage}x` }), "invalid_cursor"],
      [() => call("listIndexes", {}, { after: memberPage }), "cursor_mismatch"],
    ];
    for (const [work, code] of rows) expect(await costOf(work)).to.deep.equal([400, code, 0]);
    const { json } = await members({ membership_version: 3 });
    expect(json.detail).to.equal("query parameter `membership_version`: the index has no version 3");
  });

  it("reveal no existing index versions to a Free plan", async () => {
    const free = world.account("free");
    for (const [operationId, query] of [
      ["getIndexHistory", { methodology_version: "1" }],
      ["getIndexHistory", { methodology_version: "2" }],
      ["listIndexMembers", { membership_version: 1 }],
      ["listIndexMembers", { membership_version: 9 }],
    ] as const) {
      const path = { index_id: "lab-equal" };
      const { status, json } = await world.client.call(operationId, { key: free.secret, path, query });
      expect([status, json.code]).to.deep.equal([403, "plan_upgrade_required"]);
    }
    expect(world.used(free.accountId)).to.equal(0);
  });
});
