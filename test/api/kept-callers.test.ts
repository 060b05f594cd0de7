import { expect } from "chai";
import { systemIds } from "../../src/values/ids.ts";
import { jsonOf } from "../support/cli.ts";
import type { Call } from "../support/client.ts";
import { TestClock } from "../support/clock.ts";
import { importDemoCatalog } from "../support/demo-catalog.ts";
import { needPostgres, type SharedPostgres, sharedPostgres } from "../support/postgres.ts";
import { PostgresRelay, type RelayLink } from "../support/postgres-relay.ts";
import { itLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { World } from "../support/world.ts";
import { sendRaw } from "./raw.ts";

const keptMs = 5000;

describe("caller cached by a node", function () {
  this.timeout(120_000);
  let server: SharedPostgres;
  let url: string;
  let relay: PostgresRelay;
  let node: World;
  let accountId: string;
  let secret: string;
  let keyId: string;
  /** Names of the statements that the node sends to the database. */
  let asked: string[] = [];
  /** Links with requests that a test holds back, or null if it holds none. */
  let held: RelayLink[] | null = null;

  before(async function () {
    needPostgres(this);
    server = await sharedPostgres();
    url = await server.database();
    relay = await PostgresRelay.open(server.port, {
      requested(link) {
        asked.push(link.held!.name);
        if (held === null) link.forward();
        else held.push(link);
      },
    });
    const clock = new TestClock();
    clock.at = Date.now();
    const privateUrl = url.replace(`:${server.port}/`, `:${relay.port}/`);
    node = new World({ fewItems: true, privateUrl, clock, ids: systemIds() });
    await node.restart();
  });
  after(async () => {
    await node?.stop();
    await relay?.close();
  });

  beforeEach(async () => {
    accountId = (await operator("accounts", "create", "Kept")).account_id;
    await operator("accounts", "plan", accountId, "builder");
    ({ secret, key_id: keyId } = await operator("keys", "create", accountId));
    await list();
    asked = [];
  });

  const operator = (...words: string[]) => jsonOf(...words, "--private-db", url);
  const codeOf = async (operation: string, call: Call = {}) => {
    const { status, json } = await node.client.call(operation, { key: secret, ...call });
    return status === 200 ? 200 : (json.code as string);
  };
  const list = (query: object = { limit: 1 }) => codeOf("listItems", { query } as Call);
  const prices = () => codeOf("getMarketPrices", { path: { item_id: 1 } });
  const looks = () => asked.filter((name) => name === "keys").length;
  /** Makes another key of the account and sends a request, so that its caller is cached. */
  const renew = async () => {
    ({ secret, key_id: keyId } = await operator("keys", "create", accountId));
    expect(await list()).to.equal(200);
    asked = [];
  };
  const used = async () => (await operator("accounts", "show", accountId)).monthly_used;

  it("is charged without a lookup for five seconds, except with a body", async () => {
    for (let turn = 0; turn < 3; turn += 1) expect(await list()).to.equal(200);
    expect([looks(), await used()]).to.deep.equal([0, 4]);
    expect(await codeOf("getUsage")).to.equal(200);
    expect(await codeOf("resolveItemNames", { body: { names: ["AK-47 | Redline (Field-Tested)"] } })).to.equal(200);
    expect(looks()).to.equal(2);
    node.clock.advance(keptMs - 1);
    expect([await list(), looks()]).to.deep.equal([200, 2]);
    node.clock.advance(1);
    expect([await list(), looks()], "the two looks since have not prolonged it").to.deep.equal([200, 3]);
  });

  it("is refused by the key's current state, without charge, for any request", async () => {
    const { generation } = (await node.client.call("getCurrentGeneration", { key: secret })).json.data;
    const waiting = { query: { after: generation, wait_seconds: 30 } };
    const requests: readonly (() => Promise<unknown>)[] = [
      () => list(),
      () => list({ limit: 0 }),
      () => codeOf("getItem", { path: { item_id: 2 } }),
      () => codeOf("streamMarketSnapshot"),
      () => codeOf("getCurrentGeneration", waiting),
    ];
    const before = await used();
    for (const request of requests) {
      await renew();
      await operator("keys", "revoke", keyId);
      expect([await request(), looks()], String(request)).to.deep.equal(["revoked_api_key", 1]);
      await renew();
      await operator("accounts", "disable", accountId);
      expect([await request(), looks()], String(request)).to.deep.equal(["account_disabled", 1]);
      await operator("accounts", "enable", accountId);
    }
    expect(await used(), "each renewal costs a unit").to.equal(before + 2 * requests.length);
  });

  itLong("is refused by its current key before the cached scope or minute", async () => {
    ({ secret, key_id: keyId } = await operator("keys", "create", accountId));
    await server.query(
      url,
      "UPDATE itemtape.api_keys SET kind = 'personal', scopes = 'portfolio:read' WHERE key_id = $1",
      [keyId],
    );
    for (const code of ["insufficient_scope", "insufficient_scope", "revoked_api_key"]) {
      if (code === "revoked_api_key") await operator("keys", "revoke", keyId);
      asked = [];
      expect([await list(), asked]).to.deep.equal([code, ["keys"]]);
    }
    await operator("accounts", "plan", accountId, "free");
    await renew();
    while ((await list()) === 200);
    for (const code of ["rate_limited", "revoked_api_key"]) {
      if (code === "revoked_api_key") await operator("keys", "revoke", keyId);
      asked = [];
      expect([await list(), asked], "no charge was tried").to.deep.equal([code, ["keys"]]);
    }
  });

  it("gets no allowance in a 503 when only the cache admitted it", async () => {
    await operator("keys", "revoke", keyId);
    relay.refuses = true;
    relay.cutAll();
    try {
      const { json, headers } = await node.client.call("listItems", { key: secret, query: { limit: 1 } });
      expect(json.code).to.equal("service_unavailable");
      expect([headers.get("x-ratelimit-limit"), headers.get("x-quota-remaining")]).to.deep.equal([null, null]);
    } finally {
      relay.refuses = false;
    }
    await until("the database is reached again", async () => (await list()) !== "service_unavailable");
    expect([await list(), await used()]).to.deep.equal(["revoked_api_key", 1]);
  });

  it("gets no allowance when its connection sends too many requests at once", async () => {
    // Its minute has room for all 100.
    await operator("accounts", "plan", accountId, "quant");
    await renew();
    await operator("keys", "revoke", keyId);
    const request = `GET /v1/items?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\n\r\n`;
    const links: RelayLink[] = [];
    held = links;
    const sent = sendRaw(node.app.port, request.repeat(100), { answers: 100 });
    await until("36 requests are shed", () => node.events.counters.get("requests_shed") === 36);
    held = null;
    for (const link of links) link.forward();
    const { answers } = await sent;
    expect(new Set(answers.map(({ status }) => status))).to.deep.equal(new Set([401, 503]));
    expect(answers.filter(({ headers }) => headers.has("x-ratelimit-limit"))).to.deep.equal([]);
  });

  it("cannot use a replaced secret, although the key keeps its id", async () => {
    const before = secret;
    const rotated = await operator("keys", "rotate", keyId);
    expect([await list(), await list({ limit: 0 })]).to.deep.equal(["invalid_api_key", "invalid_api_key"]);
    secret = rotated.secret;
    expect([await list(), await used()]).to.deep.equal([200, 2]);
    secret = before;
    expect(await list()).to.equal("invalid_api_key");
  });

  it("has its current plan: a lower one refuses, a higher one admits", async () => {
    expect(await prices()).to.equal(200);
    await operator("accounts", "plan", accountId, "free");
    expect([await prices(), await prices(), await used()]).to.deep.equal([
      "plan_upgrade_required",
      "plan_upgrade_required",
      2,
    ]);
    expect(await list(), "it is known again").to.equal(200);
    await operator("accounts", "plan", accountId, "builder");
    expect([await prices(), await used()]).to.deep.equal([200, 4]);
    await operator("accounts", "plan", accountId, "free");
    const { json } = await node.client.call("listItems", { key: secret, query: { limit: 1 } });
    expect(json.data[0].best_ask_cents, "an operation of all plans shows what the plan of now shows").to.equal(null);
  });

  it("is counted once in the minute, even if a request starts over", async () => {
    const left = async () => {
      const { headers } = await node.client.call("listItems", { key: secret, query: { limit: 1 } });
      return Number(headers.get("x-ratelimit-limit")) - Number(headers.get("x-ratelimit-remaining"));
    };
    expect(await left()).to.equal(2);
    await operator("accounts", "plan", accountId, "trader");
    expect([await left(), looks()]).to.deep.equal([3, 1]);
    const before = secret;
    secret = (await operator("keys", "rotate", keyId)).secret;
    expect(await left()).to.equal(4);
    expect(await codeOf("listItems", { key: before })).to.equal("invalid_api_key");
    expect(await left()).to.equal(5);
  });

  it("is looked up again after a long wait, not after an export", async () => {
    const { generation } = (await node.client.call("getCurrentGeneration", { key: secret })).json.data;
    asked = [];
    expect([await codeOf("streamMarketSnapshot"), looks()]).to.deep.equal([200, 0]);
    const answer = codeOf("getCurrentGeneration", { query: { after: generation, wait_seconds: 30 } });
    await until("it waits", () => node.app.requestsWaiting() === 1);
    expect(looks()).to.equal(0);
    await operator("keys", "revoke", keyId);
    const [row] = node.sql("SELECT max(item_id) AS id FROM best_asks");
    importDemoCatalog(node, [Number(row?.id)]);
    expect([await answer, looks()]).to.deep.equal(["revoked_api_key", 1]);
  });
});
