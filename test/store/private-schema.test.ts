import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect } from "chai";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { openNodesAccess } from "../../src/access/nodes/access.ts";
import { isUnavailable, migratePrivate, openClient, withClient } from "../../src/store/postgres/connection.ts";
import { whileValuing } from "../../src/store/postgres/valuations.ts";
import { exitCodes } from "../../src/values/failure/operator-error.ts";
import { runHere } from "../support/cli.ts";
import { hasPostgres, type SharedPostgres, sharedPostgres } from "../support/postgres.ts";
import { bySize, casesBySize } from "../support/size.ts";
import { skipForWant } from "../support/skip.ts";
import { until } from "../support/until.ts";

const migrations = readMigrationFiles({
  migrationsFolder: fileURLToPath(new URL("../../db/postgres/migrations", import.meta.url)),
});
/** Changes that an older release ignores. A new column must be nullable or have a default. */
const additive = [
  /^CREATE (?:SCHEMA|TABLE|(?:UNIQUE )?INDEX|SEQUENCE) /,
  /^INSERT INTO /,
  /^SELECT setval\(/,
  /^ALTER TABLE \S+ ADD COLUMN (?!.*NOT NULL(?!.*DEFAULT))/,
];

describe("schema of the private database", function () {
  this.timeout(60_000);
  let server: SharedPostgres;

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    server = await sharedPostgres();
  });

  /** Returns the address of a database with the first `count` migrations, and invented ones after the last. */
  async function databaseAt(count: number): Promise<string> {
    const url = await server.database(false);
    const statements = [
      "CREATE SCHEMA itemtape",
      "CREATE TABLE itemtape.migrations (id serial PRIMARY KEY, hash text, created_at bigint)",
    ];
    for (let index = 0; index < count; index += 1) {
      const invented = [
        `CREATE TABLE itemtape.later${index} (one int)`,
        "ALTER TABLE itemtape.accounts ADD COLUMN IF NOT EXISTS later text",
      ];
      statements.push(...(migrations[index]?.sql ?? invented));
      statements.push("INSERT INTO itemtape.migrations (hash, created_at) VALUES ('x', 1)");
    }
    await server.query(url, statements.join(";\n"));
    return url;
  }

  /** Opens a node's access to the private database. Returns its report of another release, or its refusal. */
  async function startOn(url: string): Promise<string> {
    try {
      const remote = await openNodesAccess(url);
      await remote.ledger.probe();
      await remote.ledger.close();
      await remote.close();
      return remote.otherRelease ?? "as it is";
    } catch (error) {
      return (error as Error).message;
    }
  }

  it("only grows after the first migration, except for new foreign keys", () => {
    for (const { sql } of migrations.slice(1)) {
      const made = sql.join("\n");
      for (const statement of sql) {
        const text = statement.replace(/^\s*(?:--.*\n\s*)*/, "");
        const table = /^ALTER TABLE (\S+) ADD CONSTRAINT/.exec(text)?.[1];
        const isOfNew = table !== undefined && made.includes(`CREATE TABLE ${table} `);
        expect(isOfNew || additive.some((form) => form.test(text)), text).to.equal(true);
      }
    }
  });

  it("serves adjacent versions without missing parts, and rejects others by number", async () => {
    const own = migrations.length;
    const told: Record<string, string> = {};
    const counts = Array.from({ length: own + 3 }, (_, count) => count);
    for (const count of bySize({ short: [0, 1, own - 1, own, own + 1, own + 2], long: counts }))
      told[count - own] = await startOn(await databaseAt(count));
    expect(told[0]).to.equal("as it is");
    expect(told[1]).to.equal(
      `the private database has schema ${own + 1}, this release has ${own}; upgrade this node soon`,
    );
    expect(told[2]).to.contain(`has schema ${own + 2}, this release has ${own}; run a newer release`);
    expect(told[-1]).to.match(
      /run `npx itemtape private migrate` soon$|and it lacks \w+\.\w+; run `npx itemtape private migrate`/,
    );
    for (const count of bySize({ short: [1], long: counts.slice(1, own - 1) }))
      expect(told[count - own]).to.contain(
        `has schema ${count}, this release has ${own}; run \`npx itemtape private migrate\``,
      );
    expect(told[-own]).to.contain("has no private data of Itemtape");
  });

  it("is reported by number in `private migrate` if newer than the release", async () => {
    const own = migrations.length;
    const migrate = async (count: number) => {
      const { code, lines, notes } = await runHere(["private", "migrate", "--private-db", await databaseAt(count)]);
      return `${code} ${[...lines, ...notes].join()}`;
    };
    expect(await migrate(own)).to.match(/^0 .*is up to date$/);
    expect(await migrate(own + 1)).to.match(
      new RegExp(
        `^0 .*nothing to apply: the private database has schema ${own + 1}, this release has ${own}; upgrade this node soon$`,
      ),
    );
    expect(await migrate(own + 2)).to.match(
      new RegExp(`^${exitCodes.unavailable} .*has schema ${own + 2}, this release has ${own}; run a newer release$`),
    );
  });

  it("limits a valuation's statements in time, on server and node", async () => {
    const url = await databaseAt(migrations.length);
    await withClient(url, (client) =>
      whileValuing(client, async () => {
        const { rows } = await client.query("SHOW statement_timeout");
        expect(rows).to.deep.equal([{ statement_timeout: "1min" }]);
      }),
    );
    const asleep = withClient(url, (client) => client.query("SELECT pg_sleep(600)"), { statementMs: 20 });
    expect(await asleep.catch((error: Error) => error.message)).to.match(/timeout/);
  });

  it("breaks connections to a silent server only during a query", async () => {
    const url = await databaseAt(migrations.length);
    const client = await openClient(`${url}?query_timeout=50`);
    await once(client.connection!.stream, "timeout");
    expect((await client.query("SELECT 1 AS one")).rows).to.deep.equal([{ one: 1 }]);
    const failure = await client.query("SELECT pg_sleep(2)").catch((error: Error) => error);
    expect(failure).to.be.an("error").with.property("message", "Connection terminated unexpectedly");
    expect(isUnavailable(failure)).to.equal(true);
  });

  it("is refused by the name of its missing part if older", async () => {
    const url = await databaseAt(migrations.length - 1);
    await server.query(url, "ALTER TABLE itemtape.node_secrets RENAME TO other_secrets");
    expect(await startOn(url)).to.match(/and it lacks \w+\.\w+; run `npx itemtape private migrate`/);
  });

  it("leaves no connection after a start refused a second one", async () => {
    const url = await databaseAt(migrations.length);
    await server.query(url, "CREATE ROLE narrow LOGIN CONNECTION LIMIT 1");
    await server.query(url, "GRANT ALL ON SCHEMA itemtape TO narrow");
    await server.query(url, "GRANT ALL ON ALL TABLES IN SCHEMA itemtape TO narrow");
    expect(await startOn(url.replace("itemtape@", "narrow@"))).to.contain("too many connections for role");
    const open = "SELECT FROM pg_stat_activity WHERE usename = 'narrow'";
    await until("no connection is open", async () => (await server.query(url, open)).rows.length === 0);
  });

  it("is upgraded from each earlier release, once", async () => {
    for (const count of casesBySize([...migrations.keys()], 3)) {
      const url = await databaseAt(count);
      expect(await withClient(url, migratePrivate)).to.equal(migrations.length - count);
      expect(await withClient(url, migratePrivate)).to.equal(0);
      expect(await startOn(url)).to.equal("as it is");
    }
  });
});
