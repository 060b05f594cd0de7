import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { checkPrivate } from "../../src/store/postgres/check.ts";
import { withClient } from "../../src/store/postgres/connection.ts";
import { systemIds } from "../../src/values/ids.ts";
import { jsonOf, runHere } from "../support/cli.ts";
import type { Call } from "../support/client.ts";
import { TestClock } from "../support/clock.ts";
import { newDatabase, temporaryFolder } from "../support/files.ts";
import { needPostgres, TestPostgres } from "../support/postgres.ts";
import { describeLong } from "../support/size.ts";
import { until } from "../support/until.ts";
import { words } from "../support/words.ts";
import { World } from "../support/world.ts";

const farAt = Date.UTC(2090, 0, 1);

describeLong("two nodes that share PostgreSQL", function () {
  this.timeout(180_000);
  let server: TestPostgres;
  let url: string;
  let file: World;
  let nodes: World[];
  let builder: string;
  let token: string;
  let accountId: string;

  before(async function () {
    needPostgres(this);
    server = await TestPostgres.start();
    url = await server.database(false);
    file = new World({ fewItems: true });
    await file.restart();
    ({ builder, builderToken: token } = file.keys);
    // The database's clock is the machine's. Keys of the demo must not have expired by it.
    file.sql("UPDATE api_keys SET expires_at = ?", farAt);
    file.sql("UPDATE accounts SET plan_ends_at = ? WHERE plan_ends_at IS NOT NULL", farAt);
    const imported = await runHere(["private", "import", "--db", file.path, "--private-db", url]);
    expect(imported.code, imported.notes.join()).to.equal(0);
    nodes = [
      new World({ fewItems: true, privateUrl: url, clock: now(), ids: systemIds(), config: { opsPort: 0 } }),
      new World({ fewItems: true, privateUrl: url, clock: now(), ids: systemIds() }),
    ];
    nodes[1]!.sql("UPDATE node_secrets SET cursor_key = randomblob(32)");
    for (const node of nodes) await node.restart();
    [{ account_id: accountId }] = await jsonOf("accounts", "find", "Demo Builder", "--private-db", url);
  });
  after(async () => {
    for (const node of [file, ...(nodes ?? [])]) await node?.stop();
    await server?.remove();
  });

  function now(): TestClock {
    const clock = new TestClock();
    clock.at = Date.now();
    return clock;
  }

  const get = (node: World, operation: string, key = builder, call: Call = {}) =>
    node.client.call(operation, { key, ...call });
  const oneItem = { query: { limit: 1 } };

  it("serve old keys, portfolios, usage and market of the file on both", async () => {
    const portfolio = (await get(file, "listPortfolios", token)).json.data[0].portfolio_id;
    const path = { portfolio_id: portfolio };
    const asked: [string, string, Call][] = [
      ["listItems", builder, { query: { limit: 2 } }],
      ["listProviders", builder, {}],
      ["listPortfolios", token, {}],
      ["getPortfolio", token, { path }],
      ["listPortfolioHoldings", token, { path, query: { limit: 2 } }],
      ["listPortfolioTransactions", token, { path, query: { limit: 3, from: "2025-10-01", to: "2026-01-14" } }],
      ["getPortfolioHistory", token, { path, query: { limit: 3, from: "2025-12-01", to: "2026-01-14" } }],
    ];
    for (const [operation, key, call] of asked) {
      const stored = await get(file, operation, key, call);
      expect(stored.status, operation).to.equal(200);
      for (const node of nodes) {
        const { json } = await get(node, operation, key, call);
        expect(json.data, operation).to.deep.equal(stored.json.data);
      }
    }
    const foreign = await get(nodes[0]!, "getPortfolio", token, { path: { portfolio_id: "pf_0000000000000000none" } });
    expect([foreign.status, foreign.json.code]).to.deep.equal([404, "portfolio_not_found"]);
    for (const node of nodes) {
      const { status, json } = await get(node, "getUsage");
      expect([status, json.data.plan, json.data.minute_limit]).to.deep.equal([200, "builder", 60]);
    }
  });

  it("list a lot without a name if the node lacks its item", async () => {
    const [{ portfolio_id }] = (await get(nodes[0]!, "listPortfolios", token)).json.data;
    const call: Call = { path: { portfolio_id } };
    const lots = (await get(nodes[0]!, "listPortfolioHoldings", token, call)).json.data;
    const newer = { holding_id: "hl_zzzzzzzzzzzzzzzzzzzzzzzz", item_id: 2_000_000_000 };
    await server.query(
      url,
      `INSERT INTO itemtape.holdings SELECT (json_populate_record(h, $2::json)).* FROM itemtape.holdings h WHERE holding_id = $1`,
      [lots[0].holding_id, JSON.stringify({ ...newer, integration_ref: "newer" })],
    );
    const { status, json } = await get(nodes[0]!, "listPortfolioHoldings", token, call).finally(() =>
      server.query(url, "DELETE FROM itemtape.holdings WHERE holding_id = $1", [newer.holding_id]),
    );
    expect([status, json.data.slice(0, -1)]).to.deep.equal([200, lots]);
    expect(json.data.at(-1)).to.deep.include({ ...newer, market_hash_name: null, phase: null });
  });

  it("continue on one node a list that began on the other", async () => {
    const first = await get(nodes[0]!, "listItems", builder, oneItem);
    const second = await get(nodes[1]!, "listItems", builder, {
      query: { limit: 1, cursor: first.json.meta.next_cursor },
    });
    expect(second.status, second.json.code).to.equal(200);
    expect(second.json.data).to.deep.equal(
      (await get(file, "listItems", builder, { query: { limit: 2 } })).json.data.slice(1),
    );
  });

  it("spend a month's last 10 units exactly over 40 simultaneous requests", async () => {
    await server.query(
      url,
      `WITH left_over AS (SELECT 9990 - used AS n, month FROM itemtape.usage_months WHERE account_id = $1 AND used > 1),
         events AS (INSERT INTO itemtape.usage_events SELECT 'req_filled' || i, $1, 'key_of_before', 'listItems', month, 0
           FROM left_over, generate_series(1, n) i)
       UPDATE itemtape.usage_months m SET used = 9990 FROM left_over l WHERE m.account_id = $1 AND m.month = l.month`,
      [accountId],
    );
    await server.query(url, "DELETE FROM itemtape.minute_uses");
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => get(nodes[index % 2]!, "listItems", builder, oneItem)),
    );
    const codes = answers.map(({ status, json }) => (status === 200 ? "200" : json.code));
    expect(codes.filter((code) => code === "200")).to.have.length(10);
    expect(codes.filter((code) => code === "monthly_quota_exceeded")).to.have.length(30);
    for (const node of nodes) expect((await get(node, "getUsage")).json.data.monthly_used).to.equal(10_000);
    expect((await withClient(url, checkPrivate)).faults).to.deep.equal([]);
  });

  it("share one stream of changes and four waiting requests per account", async () => {
    const made = await jsonOf("accounts", "create", "Copies", "--private-db", url);
    await jsonOf("accounts", "purchase", made.account_id, "trader", "--private-db", url);
    const key = (await jsonOf("keys", "create", made.account_id, "--private-db", url)).secret;
    const current = (await get(nodes[0]!, "getCurrentGeneration", key)).json.data;
    const body = { generation: current.generation, identity_digest: current.identity_digest };
    const changes = async (node: World) => {
      const { status, json } = await get(node, "streamMarketChanges", key, { body });
      return status === 200 ? 200 : json.code;
    };
    for (const node of [...nodes, ...nodes]) expect(await changes(node), "it ends with its stream").to.equal(200);
    const hold = (of: string) =>
      server.query(
        url,
        "INSERT INTO itemtape.request_places SELECT 'held' || n, 'changes', $1 || n, $2, $3 FROM generate_series(1, 8) n",
        [of, Date.now() - 1000, Date.now() + 60_000],
      );
    await server.query(url, "INSERT INTO itemtape.request_places VALUES ('held', 'changes', $1, 0, $2)", [
      made.account_id,
      Date.now() + 60_000,
    ]);
    for (const node of nodes) expect(await changes(node)).to.equal("changes_busy");
    await server.query(url, "DELETE FROM itemtape.request_places");
    await hold("acc_of_nobody");
    for (const node of nodes) expect(await changes(node)).to.equal("changes_capacity");
    await server.query(url, "DELETE FROM itemtape.request_places");
    const ask = (node: World, seconds: number) =>
      get(node, "getCurrentGeneration", key, { query: { after: current.generation, wait_seconds: seconds } });
    const answers = [0, 1, 0, 1].map((index) => ask(nodes[index]!, 2));
    await until("four wait", () => nodes[0]!.app.requestsWaiting() + nodes[1]!.app.requestsWaiting() === 4);
    for (const node of nodes) expect((await ask(node, 2)).json.code).to.equal("waiting_limit");
    for (const { status } of await Promise.all(answers)) expect(status).to.equal(200);
    for (const { status } of await Promise.all([1, 0, 1, 0].map((index) => ask(nodes[index]!, 1))))
      expect(status, "who was answered finds the places free").to.equal(200);
    const { monthly_used } = (await get(nodes[0]!, "getUsage", key)).json.data;
    expect(monthly_used, "a refusal costs nothing").to.equal(1 + 4 + 4 + 4);
  });

  it("accept a command-line key on both until it is revoked", async () => {
    const made = await jsonOf("keys", "create", accountId, "--private-db", url);
    for (const node of nodes) expect((await get(node, "getUsage", made.secret)).status).to.equal(200);
    expect((await runHere(["keys", "revoke", made.key_id, "--private-db", url])).code).to.equal(0);
    for (const node of nodes) {
      const { status, json } = await get(node, "getUsage", made.secret);
      expect([status, json.code]).to.deep.equal([401, "revoked_api_key"]);
    }
    const activity = await jsonOf("keys", "activity", accountId, "--private-db", url);
    expect(activity[0]).to.include({ kind: "key_revoked", key_id: made.key_id });
  });

  it("charge an account from the command line, and refuse a disabled one", async () => {
    const account = await jsonOf("accounts", "create", "Second", "--private-db", url);
    const key = await jsonOf("keys", "create", account.account_id, "--private-db", url);
    for (const node of nodes) expect((await get(node, "listItems", key.secret, oneItem)).status).to.equal(200);
    const shown = await jsonOf("accounts", "show", account.account_id, "--private-db", url);
    expect(shown).to.include({ plan: "free", monthly_used: 2, keys: 1 });
    await jsonOf("accounts", "purchase", account.account_id, "builder", "--private-db", url);
    expect((await get(nodes[1]!, "getUsage", key.secret)).json.data.plan).to.equal("builder");
    await jsonOf("accounts", "disable", account.account_id, "--private-db", url);
    for (const node of nodes) expect((await get(node, "getUsage", key.secret)).json.code).to.equal("account_disabled");
  });

  const ops = (path: string) => fetch(`http://127.0.0.1:${nodes[0]!.app.opsPort}${path}`);
  const figure = async (name: string) =>
    new RegExp(`^${name} (.*)$`, "m").exec(await (await ops("/metrics")).text())?.[1] ?? "none";
  async function ready(): Promise<[number, string]> {
    const answer = await ops("/ready");
    return [answer.status, await answer.text()];
  }

  it("refuse with 503 without cost while the database is unreachable", async () => {
    await server.stop("SIGKILL");
    for (const node of nodes) {
      const { status, json, headers } = await get(node, "listItems", builder, oneItem);
      expect([status, json.code]).to.deep.equal([503, "service_unavailable"]);
      expect(headers.get("retry-after")).to.match(/^\d+$/);
      expect((await node.client.call("getStatus")).status).to.equal(200);
    }
    const [status, reason] = await ready();
    expect([status, reason.startsWith("not ready: private database: PostgreSQL: ")]).to.deep.equal([503, true]);
    expect(await figure("itemtape_private_store_up")).to.equal("0");
    await server.run();
    for (const node of nodes) await until("it answers again", async () => (await get(node, "getUsage")).status === 200);
    await until("it is ready again", async () => (await ready())[0] === 200);
    expect(await figure("itemtape_private_store_up")).to.equal("1");
    expect(await figure("itemtape_private_store_in_doubt")).to.equal("0");
    expect(Number(await figure("itemtape_private_store_connections"))).to.be.at.least(2);
    expect(Number(await figure("itemtape_private_store_batches"))).to.be.at.least(1);
  });

  it("export all account data back into a file with working keys", async () => {
    const path = join(temporaryFolder(), "back.db");
    newDatabase(path);
    const refused = await runHere(["private", "export", "--db", path, "--private-db", url]);
    expect(refused.notes.join()).to.contain("the file lacks the item of a lot");
    const world = new World({ fewItems: true, clock: now() });
    for (const table of tablesOfAccounts) world.sql(`DELETE FROM ${table}`);
    const { code, notes } = await runHere(["private", "export", "--db", world.path, "--private-db", url]);
    expect(code, notes.join()).to.equal(0);
    await world.restart();
    expect((await get(world, "getUsage", token)).json.data.monthly_used).to.equal(10_000);
    const checked = await runHere(["db", "check", "--db", world.path]);
    expect(checked.code, checked.lines.join("\n")).to.equal(0);
    await world.stop();
  });

  it("refuse an import into a filled database, and a password argument", async () => {
    const again = await runHere(["private", "import", "--db", file.path, "--private-db", url]);
    expect([again.code, again.notes.join()]).to.satisfy(
      ([code, text]: [number, string]) => code === 65 && /accounts already/.test(text),
    );
    const shown = await runHere(["private", "check", "--private-db", "postgresql://a:secret@127.0.0.1/b"]);
    expect(shown.code).to.equal(64);
    expect(shown.notes.join()).to.contain("--private-db: must be without password").and.not.contain("secret@");
    const address = join(temporaryFolder(), "address");
    writeFileSync(address, `${url}\n`, { mode: 0o644 });
    expect((await runHere(["private", "check", "--private-db-file", address])).notes.join()).to.contain("chmod 600");
    const away = await runHere(["private", "check", "--private-db", "postgresql://a@127.0.0.1:1/b"]);
    expect([away.code, away.notes.join()]).to.satisfy(
      ([code, text]: [number, string]) => code === 75 && /cannot be reached/.test(text),
    );
  });
});

/** Tables with rows in the demo, each before the tables that it references. */
const tablesOfAccounts = words(`
  key_portfolios main_valuations portfolio_valuations portfolio_transactions holdings portfolios owner_sessions owner_invites
  owners activity api_keys purchases accounts
`);
