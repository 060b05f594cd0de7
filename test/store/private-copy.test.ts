import { expect } from "chai";
import { checkPrivate } from "../../src/store/postgres/check.ts";
import { withClient } from "../../src/store/postgres/connection.ts";
import { exportPrivate, importPrivate, privateTables } from "../../src/store/postgres/copy.ts";
import { type Progress, silent } from "../../src/values/progress.ts";
import { PortfolioWorld } from "../import/portfolios/portfolio-world.ts";
import { PortfolioRows } from "../support/portfolios.ts";
import { hasPostgres, type SharedPostgres, sharedPostgres } from "../support/postgres.ts";
import { itLong } from "../support/size.ts";
import { skipForWant } from "../support/skip.ts";

/** Several times the number of rows in memory at once. */
const charges = 3500;

describe("copy of private data", function () {
  this.timeout(60_000);
  let server: SharedPostgres;
  let world: PortfolioWorld;
  const names = privateTables.map((table) => String(Reflect.get(table, Symbol.for("drizzle:Name"))));

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    server = await sharedPostgres();
    world = filled();
  });
  after(async () => {
    world?.remove();
  });

  function filled(): PortfolioWorld {
    const made = new PortfolioWorld();
    const { accountId } = made;
    const rows = new PortfolioRows(made.file.writer);
    const portfolioId = rows.portfolio("one", accountId);
    rows.holding(portfolioId, "one");
    rows.removedLot(portfolioId, "two");
    made.rows("INSERT INTO usage_months VALUES (?, '2026-03', ?) RETURNING 1", accountId, charges);
    made.rows(
      `INSERT INTO usage_events (request_id, account_id, key_id, operation, month, at)
       SELECT printf('req_%09d', value), ?, 'key', 'getItem', '2026-03', value FROM generate_series(1, ?) RETURNING 1`.replace(
        "generate_series(1, ?)",
        "(WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?) SELECT value FROM n)",
      ),
      accountId,
      charges,
    );
    return made;
  }

  const allRows = (of: PortfolioWorld) => names.map((name) => [name, of.rows(`SELECT * FROM ${name} ORDER BY 1, 2`)]);
  const countOf = async (url: string, name: string) =>
    (await server.query(url, `SELECT count(*)::int AS n FROM itemtape.${name}`)).rows[0].n;
  /** Breaks off after some tables. */
  const breaking: Progress = {
    ...silent,
    advance: (() => {
      let tables = 0;
      return () => {
        tables += 1;
        if (tables === 8) throw new Error("cut off");
      };
    })(),
  };
  const failure = (work: Promise<unknown>) =>
    work.then(
      () => "done",
      (error: Error) => error.message,
    );

  it("is equal in every table after a round trip, without faults", async () => {
    const url = await server.database();
    const copied = await withClient(url, (client) => importPrivate(world.file.writer, client));
    expect(copied.get("usage_events")).to.equal(charges);
    expect((await withClient(url, checkPrivate)).faults).to.deep.equal([]);
    const back = new PortfolioWorld();
    for (const name of ["activity", "accounts"]) back.rows(`DELETE FROM ${name} RETURNING 1`);
    expect([...(await withClient(url, (client) => exportPrivate(client, back.file.writer)))]).to.deep.equal([
      ...copied,
    ]);
    expect(allRows(back)).to.deep.equal(allRows(world));
    back.remove();
  });

  itLong("leaves nothing if interrupted in either direction, and can be repeated", async () => {
    const url = await server.database();
    const cut = await failure(withClient(url, (client) => importPrivate(world.file.writer, client, breaking)));
    expect([cut, await countOf(url, "accounts"), await countOf(url, "usage_events")]).to.deep.equal(["cut off", 0, 0]);
    await withClient(url, (client) => importPrivate(world.file.writer, client));
    const back = new PortfolioWorld();
    for (const name of ["activity", "accounts"]) back.rows(`DELETE FROM ${name} RETURNING 1`);
    const file = back.file.writer;
    const cutBack = { ...breaking, advance: () => expect.fail("cut off") };
    expect(await failure(withClient(url, (client) => exportPrivate(client, file, cutBack)))).to.equal("cut off");
    expect(back.rows("SELECT 1 FROM accounts")).to.deep.equal([]);
    await withClient(url, (client) => exportPrivate(client, file));
    expect(await failure(withClient(url, (client) => exportPrivate(client, file)))).to.match(/has 1 accounts already/);
    back.remove();
  });

  it("is rejected and removed if the database stores other values", async () => {
    const url = await server.database();
    await server.query(
      url,
      `CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.at := NEW.at + 1; RETURN NEW; END $$;
       CREATE TRIGGER other BEFORE INSERT ON itemtape.usage_events FOR EACH ROW WHEN (NEW.at = 7) EXECUTE FUNCTION other()`,
    );
    expect(await failure(withClient(url, (client) => importPrivate(world.file.writer, client)))).to.match(
      /^usage_events: the checksum of the 3500 rows has changed/,
    );
    expect(await countOf(url, "accounts")).to.equal(0);
  });

  it("reports each planted fault", async () => {
    const url = await server.database();
    await withClient(url, (client) => importPrivate(world.file.writer, client));
    const { accountId } = world;
    const [lot] = world.rows<{ holding_id: string; item_id: number }>("SELECT * FROM holdings");
    const faults: [string, RegExp][] = [
      ["UPDATE itemtape.usage_months SET used = used + 1", /^usage: account .* has 3501 units in 2026-03, and 3500/],
      [
        "INSERT INTO itemtape.usage_events VALUES ('req_x', 'acc_x', 'k', 'getItem', '2026-03', 1)",
        /req_x has no account/,
      ],
      ["INSERT INTO itemtape.usage_months VALUES ('acc_x', '2026-04', 0)", /month of account acc_x/],
      ["INSERT INTO itemtape.key_uses VALUES ('key_x', 1)", /key key_x was used but does not exist/],
      [
        `INSERT INTO itemtape.snapshot_leases VALUES ('l1', '${accountId}', 1, 'finished', 1, 2, 2)`,
        /l1 was never charged/,
      ],
      [
        `INSERT INTO itemtape.snapshot_leases VALUES ('l2', '${accountId}', 2, 'finished', 1, 2, NULL)`,
        /end of lease l2/,
      ],
      [
        `INSERT INTO itemtape.api_keys VALUES ('key_p', '${accountId}', 'project', 'n', 'd', 'l', decode(repeat('00', 32), 'hex'), 'market:read', 1, 2);
         INSERT INTO itemtape.key_portfolios SELECT 'key_p', portfolio_id, 1, 'v' FROM itemtape.portfolios`,
        /key key_p has selections/,
      ],
      [
        `INSERT INTO itemtape.portfolios SELECT 'pf_other', account_id, name, display_currency, is_public, price_source, NULL, NULL, NULL, 1, 1, NULL FROM itemtape.portfolios;
         INSERT INTO itemtape.portfolio_transactions (portfolio_id, account_id, occurred_day, transaction_id, holding_id, kind, item_id, quantity, cost_estimated, recorded_at)
           VALUES ('pf_other', '${accountId}', 1, 'tx_x', '${lot!.holding_id}', 'buy', ${lot!.item_id}, 1, false, 1)`,
        /ledger row tx_x names a lot/,
      ],
      [
        "INSERT INTO itemtape.activity SELECT 999999, account_id, NULL, 'k', 1, NULL FROM itemtape.accounts",
        /row 999999/,
      ],
    ];
    for (const [text, told] of faults) {
      await server.query(url, text);
      const found = (await withClient(url, checkPrivate)).faults;
      expect(
        found.some((fault) => told.test(fault)),
        `${told} in ${found.join("; ")}`,
      ).to.equal(true);
    }
  });
});
