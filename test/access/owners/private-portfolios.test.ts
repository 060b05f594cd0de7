import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import pg, { type Client } from "pg";
import { OwnerPortfolios, type Upload } from "../../../src/access/owners/owner-portfolios.ts";
import { OwnerRefusal } from "../../../src/access/owners/owner-refusal.ts";
import type { Session } from "../../../src/access/owners/sessions.ts";
import { valueFile } from "../../../src/jobs/valuation/value-file.ts";
import { valuePrivate, valueShared } from "../../../src/jobs/valuation/value-shared.ts";
import { closeDatabase, openReader } from "../../../src/store/database.ts";
import { openClient, ReconnectingClient, withClient } from "../../../src/store/postgres/connection.ts";
import { importPrivate } from "../../../src/store/postgres/copy.ts";
import { workOnPortfolios } from "../../../src/store/postgres/portfolio-work.ts";
import { whileValuing } from "../../../src/store/postgres/valuations.ts";
import { dayMs, dayOf, dayText } from "../../../src/values/time/calendar.ts";
import { systemClock } from "../../../src/values/time/clock.ts";
import { PortfolioWorld } from "../../import/portfolios/portfolio-world.ts";
import { instantOf } from "../../jobs/indexes/index-world.ts";
import { runHere } from "../../support/cli.ts";
import { TestClock } from "../../support/clock.ts";
import { temporaryFolder } from "../../support/files.ts";
import { needPostgres, TestPostgres } from "../../support/postgres.ts";
import { describeLong, itLong } from "../../support/size.ts";
import { setStandingClock, standClock } from "../../support/standing-clock.ts";
import { edit } from "../../support/unguarded.ts";
import { until } from "../../support/until.ts";
import { demoAt, World } from "../../support/world.ts";

describeLong("portfolios in PostgreSQL", function () {
  this.timeout(120_000);
  let server: TestPostgres;
  let folder: string;

  before(async function () {
    folder = temporaryFolder();
    needPostgres(this);
    server = await TestPostgres.start();
  });
  after(async () => {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A world with its private rows also in a PostgreSQL database. */
  async function both(fill: (world: PortfolioWorld) => void): Promise<{ world: PortfolioWorld; url: string }> {
    const world = new PortfolioWorld();
    world.at = systemClock.now();
    fill(world);
    const url = await server.database();
    await withClient(url, (client) => importPrivate(world.file.writer, client));
    return { world, url };
  }

  function file(name: string, ...lines: string[]): string {
    const path = join(folder, name);
    writeFileSync(path, lines.join("\n"));
    return path;
  }
  const lot = (ref: string, more: object = {}) =>
    JSON.stringify({ record: "lot", integration_ref: ref, item_id: 1, quantity: 2, ...more });
  const ledgerRow = (ref: string, more: object = {}) =>
    JSON.stringify({
      record: "transaction",
      integration_ref: ref,
      item_id: 1,
      quantity: 2,
      kind: "buy",
      occurred_on: "2026-01-01",
      ...more,
    });

  itLong("give the same output as on the file for every command", async () => {
    let other = "";
    const { world, url } = await both((made) => {
      other = made.account("Other");
      for (const daysAgo of [3, 2, 1]) made.ask(dayText(dayOf(made.at) - daysAgo), 1, 100 * daysAgo);
    });
    const first = file("first.ndjson", lot("L1", { acquired_on: dayText(dayOf(world.at) - 2) }), ledgerRow("T1"));
    const second = file("second.ndjson", lot("L2", { quantity: 1, notes: "ein Wort" }));
    const wrong = file("wrong.ndjson", lot("L3", { item_id: 999 }));
    const script = async (...where: string[]): Promise<string[]> => {
      const told: string[] = [];
      let id = "";
      const run = async (...words: string[]) => {
        const { code, lines, notes } = await runHere([...words, ...where, "--db", world.file.path]);
        id ||= /pf_\w+/.exec(lines.join())?.[0] ?? "";
        const texts = [...lines, ...notes].filter((text) => !/^(?:reading|checking|writing|valuing)/.test(text));
        told.push(...[`exit ${code}`, ...texts].map((text) => text.replaceAll(id || "-", "PF")));
      };
      await run("portfolios", "create", world.accountId, "--name", "Mine", "--currency", "EUR", "--provider", "steam");
      await run("portfolios", "import", id, first, "--dry-run");
      await run("portfolios", "import", id, first);
      await run("portfolios", "import", id, first);
      await run("portfolios", "import", id, wrong);
      await run("portfolios", "value", "--portfolio", id);
      await run("portfolios", "import", id, second, "--replace", "--remove-most");
      await run("portfolios", "value", "--portfolio", id, "--again");
      await run("portfolios", "share", id, "--public");
      await run("portfolios", "list", world.accountId);
      await run("portfolios", "transfer", id, "--to", other);
      await run("portfolios", "list", other);
      await run("portfolios", "delete", id);
      await run("portfolios", "delete", id);
      await run("portfolios", "create", "acc_no", "--name", "X", "--provider", "steam");
      return told;
    };
    const ofFile = await script();
    expect(ofFile.filter((line) => line === "exit 0")).to.have.length(12);
    expect(await script("--private-db", url)).to.deep.equal(ofFile);
    const { rows } = await server.query(
      url,
      `SELECT (SELECT count(*) FROM itemtape.portfolio_transactions)::int AS ledger,
        (SELECT count(*) FROM itemtape.activity WHERE kind = 'owner_changed')::int AS told,
        (SELECT array_agg(notes) FROM itemtape.holdings) AS notes`,
    );
    const ownChanges = world.rows("SELECT 1 FROM activity WHERE kind = 'owner_changed'");
    expect(rows[0]).to.deep.equal({ ledger: 1, told: ownChanges.length, notes: ["ein Wort"] });
    world.remove();
  });

  it("get the same demo values as on the file, day by day", async () => {
    const demo = new World();
    const url = await server.database();
    const tables = ["portfolio_valuations", "main_valuations"];
    for (const table of tables) demo.sql(`DELETE FROM ${table}`);
    const reader = openReader(demo.path);
    await withClient(url, (client) => importPrivate(reader, client));
    closeDatabase(reader);
    await valueFile(demo.path, { clock: demo.clock }, { finalize: false });
    const value = () => withClient(url, (client) => valuePrivate(client, demo.path, { clock: demo.clock }));
    expect((await value()).reduce((sum, { days }) => sum + days, 0)).to.be.greaterThan(30);
    for (const table of tables) {
      const ofFile = demo.sql(`SELECT * FROM ${table} ORDER BY portfolio_id, account_id, day`);
      const text = `SELECT * FROM itemtape.${table} ORDER BY portfolio_id COLLATE "C", account_id COLLATE "C", day`;
      expect(await withClient(url, async (client) => (await client.query(text)).rows)).to.deep.equal(ofFile);
      expect(ofFile[0]!.recorded_at).to.equal(demoAt);
    }
    expect((await value()).reduce((sum, { days }) => sum + days, 0)).to.equal(0);
    await demo.stop();
  });

  it("use another connection when a server does not respond", async () => {
    const kept = new ReconnectingClient(await server.database());
    const pid = () =>
      kept.run(async (client) => (await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]!.pid);
    const before = await pid();
    const unanswered = { text: "SELECT pg_sleep(600)", query_timeout: 1 };
    const error = await kept.run((client) => client.query(unanswered)).catch((one: Error) => one);
    expect((error as Error).message).to.equal("Query read timeout");
    expect(await pid()).to.not.equal(before);
    await kept.close();
  });

  it("import a file that loads longer than a connection's idle limit", async () => {
    const { world, url } = await both(() => {});
    const client = await openClient(url, { idle_in_transaction_session_timeout: 50 });
    const busy = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    const scope = { account: { accountId: world.accountId }, lots: null };
    await workOnPortfolios(client, scope, { marketPath: world.file.path }, busy);
    expect((await client.query("SELECT 1 AS one")).rows).to.deep.equal([{ one: 1 }]);
    await client.end();
    world.remove();
  });

  it("show a day's value from the first instant of that day", async () => {
    const { world, url } = await both((made) => void made.portfolio());
    const day = dayOf(world.at);
    const values = "SELECT portfolio_id, account_id, $1::int, NULL, NULL, 0, 0, NULL, NULL, 1 FROM itemtape.portfolios";
    await server.query(url, `INSERT INTO itemtape.portfolio_valuations ${values}`, [day]);
    await standClock(server, url, day * dayMs);
    const scope = { account: { accountId: world.accountId }, lots: null };
    const read = (client: Client) =>
      workOnPortfolios(client, scope, { marketPath: world.file.path, reads: true }, ({ $client }) =>
        $client.prepare("SELECT day FROM portfolio_valuations").pluck().all(),
      );
    expect(await withClient(url, read)).to.deep.equal([day]);
    await server.query(url, setStandingClock, [day * dayMs - 0.4]);
    expect(await withClient(url, read)).to.deep.equal([]);
    world.remove();
  });

  it("are valued by one node at a time, then by the next", async () => {
    const { world, url } = await both(() => {});
    const dead = new pg.Client(url);
    dead.on("error", () => {});
    await dead.connect();
    const { pid } = (await dead.query<{ pid: number }>("SELECT pg_backend_pid() AS pid")).rows[0]!;
    const value = () => valueShared(url, world.file.path, { monotonicMs: () => 0 });
    await new Promise<void>((hold, fail) => {
      whileValuing(dead, () => new Promise(() => hold())).catch(fail);
    });
    expect(await value()).to.equal(null);
    // Waits for the end of the session, with which the lock ends.
    await server.query(url, "SELECT pg_terminate_backend($1, 10000)", [pid]);
    expect(await value()).to.deep.equal([]);
    await dead.end().catch(() => {});
    world.remove();
  });

  it("keep values of other nodes when a node's market is older", async () => {
    const at = instantOf("2026-03-10") + 3600_000;
    const clock = { now: () => at, monotonicMs: () => 0 };
    const { world, url } = await both((made) => {
      made.at = at;
      const id = made.portfolio();
      made.importLines(id, { record: "lot", integration_ref: "L", item_id: 1, quantity: 1, acquired_on: "2026-03-05" });
      for (const date of ["2026-03-05", "2026-03-06"]) made.ask(date, 1, 100);
    });
    const run = () => withClient(url, (client) => valuePrivate(client, world.file.path, { clock }));
    const days = async () =>
      (
        await server.query(url, "SELECT day, value_cents::int AS value FROM itemtape.portfolio_valuations ORDER BY day")
      ).rows.map(({ day, value }) => [dayText(day), value]);
    world.rows("UPDATE feeds SET checked_at = ? RETURNING 1", instantOf("2026-03-07"));
    const [old] = await run();
    expect(old!.waitsFor).to.equal(dayOf(instantOf("2026-03-07")));
    expect(await days()).to.deep.equal([
      ["2026-03-05", 100],
      ["2026-03-06", 100],
    ]);
    world.rows("UPDATE feeds SET checked_at = ? RETURNING 1", at);
    for (const date of ["2026-03-07", "2026-03-08", "2026-03-09"]) world.ask(date, 1, 300);
    expect((await run())[0]).to.include({ days: 3, waitsFor: null });
    const newest = await days();
    expect(newest).to.have.length(5);
    edit(world.file.writer.$client, "DELETE FROM daily_by_item WHERE day >= ?", dayOf(instantOf("2026-03-08")));
    world.rows("UPDATE feeds SET checked_at = ? RETURNING 1", instantOf("2026-03-08"));
    expect((await run())[0]).to.include({ days: 0 });
    expect(await days()).to.deep.equal(newest);
    world.remove();
  });

  describe("changed by an owner on a page", () => {
    let world: PortfolioWorld;
    let url: string;
    let node: OwnerPortfolios;
    const cookie = "an owner's cookie";
    const hash = createHash("sha256").update(cookie).digest();
    const session = () => ({ accountId: world.accountId, sessionHash: hash.toString("hex") }) as Session;

    before(async () => {
      ({ world, url } = await both((made) => {
        made.ask(dayText(dayOf(made.at) - 1), 1, 250);
        made.rows("UPDATE providers SET kind = 'main_platform' WHERE provider = 'steam' RETURNING 1");
      }));
      const values = [world.accountId, Date.now()];
      await server.query(url, "INSERT INTO itemtape.owners VALUES ($1, 'owner', NULL, NULL, $2)", values);
      await server.query(
        url,
        "INSERT INTO itemtape.owner_sessions VALUES ($1, $2, $3::bigint, $3::bigint + 3600000, NULL)",
        [hash, ...values],
      );
      const clock = new TestClock();
      // A node's own clock decides nothing here.
      clock.at = 0;
      node = new OwnerPortfolios(world.file.path, clock, url);
    });
    after(async () => {
      await node?.close();
      world?.remove();
    });

    const sent = (...lines: string[]): Upload => ({
      files: [{ name: "lots.ndjson", bytes: Buffer.from(lines.join("\n")) }],
      replace: false,
      removeMost: false,
      account: "",
      choices: [],
      state: null,
      write: true,
    });
    const upload = (portfolioId: string, more: Partial<Upload>, ...lines: string[]) =>
      node.upload(session(), portfolioId, { ...sent(...lines), ...more });
    async function refusal(work: Promise<unknown>): Promise<string> {
      return work.then(
        () => "done",
        (error: unknown) => {
          if (error instanceof OwnerRefusal) return `${error.code}: ${error.message}`;
          throw error;
        },
      );
    }

    it("are created, filled, renamed and read without writes to the market's file", async () => {
      const digest = () => createHash("sha256").update(readFileSync(world.file.path)).digest("hex");
      const before = [digest(), world.digest()];
      const id = await node.create(session(), { name: "Mine", displayCurrency: "usd" });
      const shown = await upload(id, { write: false }, lot("L1"), lot("L2", { quantity: 3 }));
      expect([shown.lots, (await node.read(session(), id, 1))!.holdings.lots]).to.deep.equal([2, 0]);
      const done = await upload(id, { state: shown.state }, lot("L1"), lot("L2", { quantity: 3 }));
      expect([done.lots, (await upload(id, {}, lot("L3"))).lots]).to.deep.equal([2, 1]);
      expect(await node.undo(session(), id)).to.include({ added: 1, removed: 0 });
      await node.change(session(), id, { name: "Knives", displayCurrency: "EUR" });
      const [listed] = await node.list(session());
      expect(listed!.portfolio).to.include({ name: "Knives", displayCurrency: "EUR", holdingCount: 2 });
      const { holdings } = (await node.read(session(), id, 1))!;
      expect([holdings.lots, holdings.rows[0]!.quantity]).to.deep.equal([2, 5]);
      expect([digest(), world.digest()]).to.deep.equal(before);
    });

    it("show and replace a lot of an item that this node lacks", async () => {
      const id = await node.create(session(), { name: "Newer", displayCurrency: "USD" });
      await upload(id, {}, lot("L1"), lot("L2"));
      const newer =
        "UPDATE itemtape.holdings SET item_id = 2000000000 WHERE portfolio_id = $1 AND integration_ref = 'L2'";
      await server.query(url, newer, [id]);
      const { holdings } = (await node.read(session(), id, 1))!;
      expect(holdings).to.include({ lots: 2, unpriced: 1, uncostedValue: 500n });
      const unnamed = { itemId: 2_000_000_000, marketHashName: null, phase: null, quantity: 2 };
      expect(holdings.rows[1]).to.include({ ...unnamed, valueCents: null });
      const { gone, removed } = await upload(id, { replace: true }, lot("L1"));
      expect([gone.count, removed]).to.deep.equal([1, 1]);
      expect(gone.first[0]).to.include(unnamed);
      expect((await node.read(session(), id, 1))!.holdings.lots).to.equal(1);
      await server.query(url, "UPDATE itemtape.portfolios SET deleted_at = created_at WHERE portfolio_id = $1", [id]);
    });

    it("keep a removed asset's cost and lot until deletion or transfer", async () => {
      const id = await node.create(session(), { name: "Assets", displayCurrency: "USD" });
      const inventory = (...ids: number[]): Partial<Upload> => {
        const descriptions = [{ classid: "1", market_hash_name: "Item 1" }];
        const assets = ids.map((assetid) => ({ assetid, classid: "1", contextid: "16" }));
        const bytes = Buffer.from(JSON.stringify({ assets, descriptions }));
        return { files: [{ name: "ctx16.json", bytes }], replace: true, account: "Main" };
      };
      await upload(id, inventory(1, 2));
      await upload(id, { replace: true }, lot("steam:1", { quantity: 1, unit_cost_cents: 700 }));
      const stored = async (table: string) =>
        (await server.query(url, `SELECT * FROM itemtape.${table} WHERE portfolio_id = $1 ORDER BY 2, 3`, [id])).rows;
      const held = await stored("holdings");
      expect(held[0]).to.include({ source: "steam:730:16:Main" });
      expect((await upload(id, inventory(2))).removed).to.equal(1);
      expect(await refusal(upload(id, inventory(3)))).to.contain("it would remove 1 of 1 lots of context 16");
      await upload(id, inventory(1, 2));
      const fields = ({ updated_at: _at, ...rest }: Record<string, unknown>) => rest;
      expect((await stored("holdings")).map(fields)).to.deep.equal(held.map(fields));
      expect(await stored("removed_lots")).to.have.length(1);
      await runHere(["portfolios", "delete", id, "--db", world.file.path, "--private-db", url]);
      expect(await stored("removed_lots")).to.deep.equal([]);
    });

    it("refuse a change based on an old version; simultaneous files lose none", async () => {
      const id = await node.create(session(), { name: "Watched", displayCurrency: "USD" });
      const shown = await upload(id, { write: false }, lot("A1"));
      await upload(id, {}, lot("B1"));
      expect(await refusal(upload(id, { state: shown.state }, lot("A1")))).to.match(/^conflict: .*has changed since/);
      const second = new OwnerPortfolios(world.file.path, new TestClock(), url);
      try {
        const told = await Promise.all([
          refusal(upload(id, {}, lot("C1"))),
          refusal(second.upload(session(), id, sent(lot("C2")))),
        ]);
        expect(told).to.deep.equal(["done", "done"]);
      } finally {
        await second.close();
      }
      expect((await node.read(session(), id, 1))!.holdings.lots).to.equal(3);
    });

    it("refuse foreign ids, faulty files and ended sessions without a change", async () => {
      const id = await node.create(session(), { name: "Last", displayCurrency: "USD" });
      expect(
        await refusal(node.change(session(), "pf_000000000000000000000000", { name: "X", displayCurrency: "USD" })),
      ).to.match(/^unknown_portfolio/);
      expect(await refusal(upload(id, {}, lot("L1"), lot("L2", { quantity: -1 })))).to.match(/^conflict: /);
      expect((await node.read(session(), id, 1))!.holdings.lots).to.equal(0);
      const before = (await server.query(url, "SELECT count(*)::int AS n FROM itemtape.activity")).rows[0].n;
      await server.query(url, "UPDATE itemtape.owner_sessions SET ended_at = signed_in_at");
      expect(await refusal(upload(id, {}, lot("L1")))).to.match(/^session_ended/);
      expect(await refusal(node.create(session(), { name: "No", displayCurrency: "USD" }))).to.match(/^session_ended/);
      expect((await server.query(url, "SELECT count(*)::int AS n FROM itemtape.activity")).rows[0].n).to.equal(before);
    });

    it("refuse as busy while the database is unreachable, then recover", async () => {
      await server.stop("SIGKILL");
      expect(await refusal(node.list(session()))).to.match(/^busy/);
      await server.run();
      expect(await node.list(session())).to.have.length(3);
    });

    it("report a change that missed the synchronous standby as in doubt", async () => {
      await server.query(url, "UPDATE itemtape.owner_sessions SET ended_at = NULL");
      await server.stop();
      await server.run({ settings: ["synchronous_standby_names=second"] });
      const waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
      let told = "";
      const asked = refusal(node.create(session(), { name: "Doubtful", displayCurrency: "USD" })).then((one) => {
        told = one;
      });
      await until("the commit ends without its standby", async () => {
        await server.query(url, `SELECT pg_cancel_backend(pid) ${waiting}`);
        return told !== "";
      });
      await asked;
      expect(told).to.match(/^in_doubt/);
    });
  });
});
