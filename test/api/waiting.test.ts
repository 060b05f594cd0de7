import { request as httpRequest } from "node:http";
import { expect } from "chai";
import { importDemoCatalog } from "../support/demo-catalog.ts";
import { until } from "../support/until.ts";
import { type Account, World } from "../support/world.ts";

const operation = "getCurrentGeneration";

describe("waiting for the next generation", () => {
  let world: World;
  let account: Account;
  before(async () => {
    world = await World.start({ fewItems: true });
  });
  after(() => world.stop());
  beforeEach(() => {
    account = world.account("trader");
  });

  const ask = (query: Record<string, string | number>, key = account.secret) =>
    world.client.call(operation, { key, query });
  const current = () => `g${world.sql("SELECT current_generation_id AS id FROM market_state")[0]?.id}`;
  const areWaiting = (count: number) => until(`${count} wait`, () => world.app.requestsWaiting() === count);
  /** Sends a request with the longest wait. Returns the pending response once the request waits. */
  const waiting = async (key = account.secret) => {
    const before = world.app.requestsWaiting();
    const answer = ask({ after: current(), wait_seconds: 30 }, key);
    await areWaiting(before + 1);
    return { answer };
  };
  let isOut = false;
  /** Publishes another generation from another process: a quoted item leaves the catalog or returns. */
  const publish = () => {
    const [row] = world.sql(
      "SELECT item_id AS id FROM items JOIN best_asks USING (item_id) WHERE identity_key NOT LIKE '%/-'",
    );
    quoted ??= Number(row?.id);
    importDemoCatalog(world, isOut ? [] : [quoted]);
    isOut = !isOut;
  };
  let quoted: number | undefined;

  it("returns at once without `after`, with an old generation, or without waiting", async () => {
    for (const query of [{}, { wait_seconds: 30 }, { after: "g4", wait_seconds: 30 }, { after: "g5" }]) {
      const { status, json } = await ask(query as Record<string, string>);
      expect([status, json.data.generation]).to.deep.equal([200, "g5"]);
    }
    expect(world.used(account.accountId)).to.equal(4);
  });

  it("returns the current generation when the wait is over", async () => {
    const { status, json } = await ask({ after: current(), wait_seconds: 1 });
    expect([status, json.data.generation]).to.deep.equal([200, current()]);
  });

  it("waits for a generation newer than the server's, then returns its own", async () => {
    const beganMs = performance.now();
    const { status, json } = await ask({ after: "g999", wait_seconds: 1 });
    expect([status, json.data.generation]).to.deep.equal([200, current()]);
    expect(performance.now() - beganMs).to.be.at.least(990);
  });

  it("answers all waiting requests at a publication, for one unit each", async () => {
    const other = world.account("quant");
    const before = current();
    const answers = [await waiting(), await waiting(), await waiting(other.secret)];
    publish();
    for (const { answer } of answers) {
      const { status, json } = await answer;
      expect([status, json.data.generation]).to.deep.equal([200, current()]);
      expect(json.data.generation).to.not.equal(before);
      expect(json.data.identity_digest).to.match(/^[0-9a-f]{64}$/);
    }
    expect([world.used(account.accountId), world.used(other.accountId)]).to.deep.equal([2, 1]);
  });

  it("refuses a fifth waiting request without cost; a disconnect frees a permit", async () => {
    const requests = [];
    for (let count = 1; count <= 4; count += 1) {
      const target = `${world.base}/v1/markets/generations/current?after=${current()}&wait_seconds=30`;
      const outgoing = httpRequest(target, { agent: false, headers: { authorization: `Bearer ${account.secret}` } });
      outgoing.on("error", () => {}).end();
      requests.push(outgoing);
      await areWaiting(count);
    }
    const fifth = await ask({ after: current(), wait_seconds: 30 });
    expect([fifth.status, fifth.json.code]).to.deep.equal([429, "waiting_limit"]);
    expect(Number(fifth.headers.get("retry-after"))).to.be.within(1, 30);
    for (const query of [{ after: current() }, { after: "g1", wait_seconds: 30 }]) {
      const { status, json } = await ask(query);
      expect([status, json.data?.generation], JSON.stringify(query)).to.deep.equal([200, current()]);
    }
    expect(world.used(account.accountId)).to.equal(6);
    requests[0]?.destroy();
    await until("a place is free", async () => (await ask({ after: current(), wait_seconds: 1 })).status === 200);
    for (const outgoing of requests) outgoing.destroy();
    await areWaiting(0);
  });

  it("refuses a waiting request if its key or plan ended meanwhile", async () => {
    const ended = world.account("builder");
    const answers = [await waiting(), await waiting(ended.secret)];
    world.keysOf((keys) => keys.revoke(account.key.keyId));
    world.sql("UPDATE accounts SET plan_ends_at = ? WHERE account_id = ?", world.clock.at, ended.accountId);
    publish();
    const got = await Promise.all(answers.map(({ answer }) => answer));
    expect(got.map(({ status, json }) => [status, json.code])).to.deep.equal([
      [401, "revoked_api_key"],
      [403, "plan_upgrade_required"],
    ]);
  });

  it("answers all waiting requests at once when the server stops", async () => {
    const { answer } = await waiting();
    const generation = current();
    await world.restart();
    const { status, json } = await answer;
    expect([status, json.data.generation]).to.deep.equal([200, generation]);
  });
});
