import { expect } from "chai";
import { monthUsed, nothingPublished } from "../contract/replay-states.ts";
import { type Account, useWorld, type World } from "../support/world.ts";

const minuteMs = 60_000;
const unknownItem = 2_147_483_647;
const hundredNames = Array.from({ length: 100 }, (_, index) => `Item ${index}`);

describe("quota and limits over HTTP", () => {
  const world = useWorld({ fewItems: true });

  const usage = async ({ secret }: Account) => (await world.client.call("getUsage", { key: secret })).json.data;

  const rows: [string, string, Parameters<World["client"]["call"]>[1], number, { minute: number; month: number }][] = [
    ["a read", "getItem", { path: { item_id: 1 } }, 200, { minute: 1, month: 1 }],
    ["a search without matches", "listItems", { query: { q: "nothing such" } }, 200, { minute: 1, month: 1 }],
    ["an item that does not exist", "getItem", { path: { item_id: unknownItem } }, 404, { minute: 1, month: 1 }],
    ["prices of such an item", "getMarketPrices", { path: { item_id: unknownItem } }, 404, { minute: 1, month: 1 }],
    ["a batch", "getMarketPricesBatch", { body: { item_ids: [1, 2, 3] } }, 200, { minute: 1, month: 1 }],
    ["a hundred names", "resolveItemNames", { body: { names: hundredNames } }, 200, { minute: 1, month: 1 }],
    ["a generation", "getGeneration", { path: { generation: "g5" } }, 200, { minute: 1, month: 1 }],
    ["one newer than the server's", "getGeneration", { path: { generation: "g6" } }, 404, { minute: 1, month: 1 }],
    ["a usage read", "getUsage", {}, 200, { minute: 1, month: 0 }],
    ["a parameter out of bounds", "listItems", { query: { limit: 101 } }, 400, { minute: 0, month: 0 }],
    ["an altered cursor", "listProviders", { query: { after: "e30.x" } }, 400, { minute: 0, month: 0 }],
    ["an unsupported method", "getItem", { path: { item_id: 1 }, method: "DELETE" }, 404, { minute: 0, month: 0 }],
    ["a body too large", "getMarketPricesBatch", { body: " ".repeat(16_385) }, 413, { minute: 0, month: 0 }],
  ];
  for (const [what, operationId, call, status, cost] of rows) {
    it(`${what} costs ${cost.month} of the month and ${cost.minute} of the minute`, async () => {
      const account = world.account("builder");
      const answer = await world.client.call(operationId, { ...call, key: account.secret });
      expect(answer.status).to.equal(status);
      expect(world.used(account.accountId)).to.equal(cost.month);
      if (status !== 404 || cost.minute === 1) {
        expect(answer.headers.get("x-ratelimit-remaining")).to.equal(String(60 - cost.minute));
        expect(answer.headers.get("x-quota-remaining")).to.equal(String(10_000 - cost.month));
      }
      const { headers } = await world.client.call("getUsage", { key: account.secret });
      expect(headers.get("x-ratelimit-remaining")).to.equal(String(59 - cost.minute));
    });
  }

  it("charge a read that fails after its admission", async () => {
    const account = world.account("builder");
    const undo = await nothingPublished(world, account);
    const answer = await world.client.call("getMarketPrices", { key: account.secret, path: { item_id: 1 } });
    await undo();
    expect([answer.status, world.used(account.accountId)]).to.deep.equal([503, 1]);
  });

  it("refuse a request on a failed commit, uncharged, with a retry time", async () => {
    const account = world.account("builder");
    const release = world.lockFile();
    const answer = await world.client.call("getItem", { key: account.secret, path: { item_id: 1 } });
    release();
    expect([answer.status, answer.json.code]).to.deep.equal([503, "service_unavailable"]);
    expect(world.used(account.accountId)).to.equal(0);
    const again = await world.client.call("getItem", { key: account.secret, path: { item_id: 1 } });
    expect([again.status, again.headers.get("x-quota-remaining")]).to.deep.equal([200, "9999"]);
  });

  it("refuse up to a UTC minute's last millisecond, then begin again", async () => {
    const account = world.account("free");
    world.clock.at += minuteMs - 1 - (world.clock.at % minuteMs);
    for (let count = 0; count < 20; count += 1) await world.client.call("getUsage", { key: account.secret });
    const refused = await world.client.call("getItem", { key: account.secret, path: { item_id: 1 } });
    expect([refused.status, refused.json.code]).to.deep.equal([429, "rate_limited"]);
    expect(refused.headers.get("retry-after")).to.equal("1");
    expect(refused.headers.get("x-ratelimit-remaining")).to.equal("0");
    expect(refused.headers.get("x-quota-remaining")).to.equal(null);
    expect(world.used(account.accountId)).to.equal(0);
    world.clock.advance(1);
    const admitted = await world.client.call("getItem", { key: account.secret, path: { item_id: 1 } });
    expect([admitted.status, admitted.headers.get("x-ratelimit-remaining")]).to.deep.equal([200, "19"]);
  });

  it("share one allowance between all keys of an account", async () => {
    const account = world.account("builder");
    const second = world.key(account.accountId, "personal", "market:read portfolio:read");
    await world.client.call("getItem", { key: account.secret, path: { item_id: 1 } });
    const { headers } = await world.client.call("getItem", { key: second, path: { item_id: 1 } });
    expect([headers.get("x-ratelimit-remaining"), headers.get("x-quota-remaining")]).to.deep.equal(["58", "9998"]);
  });

  it("charge requests at the same instant exactly once each", async () => {
    const account = world.account("builder");
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => world.client.call("getItem", { key: account.secret, path: { item_id: 1 } })),
    );
    const left = answers.map(({ headers }) => Number(headers.get("x-quota-remaining"))).toSorted((a, b) => b - a);
    expect(left).to.deep.equal(Array.from({ length: 30 }, (_, index) => 9_999 - index));
    expect(world.used(account.accountId)).to.equal(30);
    const recorded = world.sql("SELECT request_id FROM usage_events WHERE account_id = ?", account.accountId);
    expect(recorded.map((row) => row.request_id)).to.have.members(
      answers.map(({ headers }) => headers.get("x-request-id")),
    );
  });

  it("keep a paid plan until its last millisecond, and the month's usage", async () => {
    const endsAt = world.clock.at + minuteMs;
    const account = world.account("builder", "Ends soon", endsAt);
    const ask = () => world.client.call("getMarketPrices", { key: account.secret, path: { item_id: 1 } });
    world.clock.at = endsAt - 1;
    expect((await ask()).status).to.equal(200);
    world.clock.at = endsAt;
    const refused = await ask();
    expect([refused.status, refused.json.code]).to.deep.equal([403, "plan_upgrade_required"]);
    expect(refused.headers.get("x-quota-remaining")).to.equal("999");
    expect(await usage(account)).to.include({
      plan: "free",
      plan_ends_at: null,
      monthly_used: 1,
      monthly_remaining: 999,
    });
    world.accounts((accounts) => accounts.purchase(account.accountId, "trader"));
    expect((await ask()).headers.get("x-quota-remaining")).to.equal("99998");
  });

  it("end a secret by rotation and a key by revocation at once", async () => {
    const account = world.account("builder");
    const other = world.key(account.accountId, "project", "market:read");
    const ask = async (key: string) =>
      (await world.client.call("getItem", { key, path: { item_id: 1 } })).json.code ?? 200;
    const { secret } = world.keysOf((keys) => keys.rotate(account.key.keyId));
    expect([await ask(account.secret), await ask(secret)]).to.deep.equal(["invalid_api_key", 200]);
    world.keysOf((keys) => keys.revoke(account.key.keyId));
    expect([await ask(secret), await ask(other)]).to.deep.equal(["revoked_api_key", 200]);
    world.accounts((accounts) => accounts.disable(account.accountId));
    expect(await ask(other)).to.equal("account_disabled");
    expect(world.used(account.accountId)).to.equal(2);
  });

  it("lose no charge over a restart", async () => {
    const account = world.account("builder");
    await world.client.call("getItem", { key: account.secret, path: { item_id: 1 } });
    await world.restart();
    expect(await usage(account)).to.include({ monthly_used: 1, monthly_remaining: 9_999 });
    expect(world.internalErrors).to.equal(0);
  });

  // Last, because a ledger does not go back in time.
  it("refuse a used-up month until its last millisecond, for an attempt each", async () => {
    const account = world.account("builder");
    await monthUsed(world, account);
    world.clock.at = Date.UTC(2026, 1, 1) - 1;
    const refused = await world.client.call("getItem", { key: account.secret, path: { item_id: 1 } });
    expect([refused.status, refused.json.code]).to.deep.equal([429, "monthly_quota_exceeded"]);
    expect(refused.headers.get("retry-after")).to.equal("1");
    expect([refused.headers.get("x-ratelimit-remaining"), refused.headers.get("x-quota-remaining")]).to.deep.equal([
      "59",
      "0",
    ]);
    world.clock.advance(1);
    const admitted = await world.client.call("getItem", { key: account.secret, path: { item_id: 1 } });
    expect([admitted.status, admitted.headers.get("x-quota-remaining")]).to.deep.equal([200, "9999"]);
    expect(await usage(account)).to.include({ monthly_used: 1, month_starts_at: "2026-02-01T00:00:00.000Z" });
  });
});
