import { expect } from "chai";
import { OwnerWriter } from "../../../src/access/owners/owner-writer.ts";
import { hashToken } from "../../../src/access/owners/sessions.ts";
import { jsonOf } from "../../support/cli.ts";
import { hasPostgres, TestPostgres } from "../../support/postgres.ts";
import { skipForWant } from "../../support/skip.ts";
import { cheapCost, goodPassword, OwnerWorld } from "../../web/dashboard/owner-world.ts";
import { outcomes, refusalOf } from "./owner-writer-world.ts";
import { Nodes } from "./postgres-world.ts";

describe("what owners change in a private database", function () {
  this.timeout(120_000);
  let server: TestPostgres;
  let nodes: Nodes;
  let ann: OwnerWorld;
  let writers: OwnerWriter[];

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    server = await TestPostgres.start();
    ann = await OwnerWorld.start();
    nodes = await Nodes.start(server, ann, 0);
    const setup = { databasePath: ann.world.path, privateUrl: nodes.url, cost: cheapCost };
    writers = [new OwnerWriter(setup, nodes.clock), new OwnerWriter(setup, nodes.clock)];
  });
  after(async () => {
    for (const writer of writers ?? []) await writer.close();
    await nodes?.stop();
    await ann?.world.stop();
    await server?.remove();
  });

  /** A session as a page of any node knows it. */
  async function enter(writer: OwnerWriter) {
    const { cookie, accountId } = await writer.signIn("Ann ", goodPassword, null);
    const sessionHash = hashToken(cookie)!.toString("hex");
    return { ...nowhere, sessionHash, accountId };
  }
  const nowhere = { accountName: "", login: "", signedInAt: 0, expiresAt: 0, disabledAt: null };
  const newest = async () => (await nodes.sql(newestKey, [ann.account.accountId]))[0]?.key_id ?? "";
  const newestKey =
    "SELECT key_id FROM itemtape.api_keys WHERE account_id = $1 ORDER BY created_at DESC, key_id DESC LIMIT 1";

  it("two nodes that make a key of the same form at once make one", async () => {
    const session = await enter(writers[0]!);
    await nodes.clock.move(1);
    const wish = { name: "at once", days: 7, after: await newest() };
    const wishes = [0, 1, 0, 1].map((node) => writers[node]!.createKey(session, wish));
    expect((await outcomes(wishes)).sort()).to.deep.equal(["conflict", "conflict", "conflict", "done"]);
    expect(await nodes.sql("SELECT FROM itemtape.api_keys WHERE name = 'at once'")).to.have.length(1);
    const told = await nodes.sql(
      "SELECT count(*)::int AS n FROM itemtape.activity WHERE kind = 'key_created' AND at = $1",
      [nodes.clock.at],
    );
    expect(told).to.deep.equal([{ n: 1 }]);
  });

  it("a session that one node ends writes nothing at the other, and its rows of before stay", async () => {
    const session = await enter(writers[0]!);
    await writers[1]!.signOut(session);
    const keys = await nodes.sql("SELECT * FROM itemtape.api_keys ORDER BY key_id");
    const refused = await refusalOf(writers[0]!.createKey(session, { name: "late", days: 7, after: await newest() }));
    expect(refused.code).to.equal("session_ended");
    expect(await nodes.sql("SELECT * FROM itemtape.api_keys ORDER BY key_id")).to.deep.equal(keys);
  });

  it("of two links for one login, used at once on two nodes, one sets it and the other is refused", async () => {
    const links: string[] = [];
    for (const name of ["Cleo", "Dora"]) {
      const { account_id: accountId } = await jsonOf("accounts", "create", name, "--private-db", nodes.url);
      const first = await invite(accountId, name.toLowerCase());
      await writers[0]!.setPassword(first, goodPassword);
      links.push(await invite(accountId, "shared"));
    }
    const set = links.map((link, node) => writers[node]!.setPassword(link, goodPassword));
    expect((await outcomes(set)).sort()).to.deep.equal(["conflict", "done"]);
    expect(await nodes.sql("SELECT FROM itemtape.owners WHERE login = 'shared'")).to.have.length(1);
  });

  async function invite(accountId: string, login: string): Promise<string> {
    const made = await jsonOf("accounts", "invite", accountId, "--login", login, "--private-db", nodes.url);
    return made.path.split("/").at(-1);
  }

  it("a wrong password and an unknown login are refused alike, and a sign-in ends the session it replaces, of whatever account", async () => {
    for (const [login, password] of [
      ["ann", "not the password"],
      ["nobody", goodPassword],
    ] as const)
      expect((await refusalOf(writers[0]!.signIn(login, password, null))).code).to.equal("invalid_credentials");
    const before = await enter(writers[0]!);
    await writers[1]!.signIn("shared", goodPassword, before);
    expect((await refusalOf(writers[0]!.signOutEverywhere(before))).code).to.equal("session_ended");
  });

  it("while the database is away every change is refused with the reason, and nobody is signed out", async () => {
    const session = await enter(writers[0]!);
    await server.stop("SIGKILL");
    expect(await refusalOf(writers[0]!.signIn("ann", goodPassword, null))).to.include({
      code: "unavailable",
      retryAfterS: 1,
    });
    expect((await refusalOf(writers[1]!.signOutEverywhere(session))).code).to.equal("unavailable");
    await server.run();
    await writers[1]!.signOutEverywhere(session);
  });
});
