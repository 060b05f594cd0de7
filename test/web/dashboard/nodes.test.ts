import { expect } from "chai";
import { demoLogin } from "../../../src/demo/demo.ts";
import { hourMs, minuteMs } from "../../../src/values/time/calendar.ts";
import { Nodes } from "../../access/owners/postgres-world.ts";
import { jsonOf } from "../../support/cli.ts";
import { hasPostgres, TestPostgres } from "../../support/postgres.ts";
import { describeLong, itLong } from "../../support/size.ts";
import { skipForWant } from "../../support/skip.ts";
import { until } from "../../support/until.ts";
import type { World } from "../../support/world.ts";
import { goodPassword, OwnerWorld, type Page, Visitor } from "./owner-world.ts";

describeLong("dashboard of nodes on a shared private database", function () {
  this.timeout(180_000);
  let server: TestPostgres;
  let file: OwnerWorld;
  let nodes: Nodes;
  let one: World;
  let other: World;
  let accountId: string;

  before(async function () {
    if (!hasPostgres()) skipForWant(this, "PostgreSQL is not installed");
    server = await TestPostgres.start();
    file = await OwnerWorld.start({ fewItems: true });
    const visitor = new Visitor(file.world, demoLogin);
    const path = `/dashboard/invite/${file.world.keys.ownerInvite}`;
    await visitor.get(path);
    await visitor.post(path, { password: goodPassword, again: goodPassword });
    [accountId] = file.world
      .sql("SELECT account_id FROM owners WHERE login = ?", demoLogin)
      .map((row) => String(row.account_id)) as [string];
    const ended = file.world.keysOf((keys) => keys.create(accountId, "ended", 7));
    file.world.keysOf((keys) => keys.revoke(ended.key.keyId));
    nodes = await Nodes.start(server, file, 2);
    [one, other] = nodes.worlds as [World, World];
  });
  after(async () => {
    await nodes?.stop();
    await file?.world.stop();
    await server?.remove();
  });

  async function signedIn(world: World, login = demoLogin): Promise<Visitor> {
    const visitor = new Visitor(world, login);
    const { status, location } = await visitor.signIn();
    expect([status, location]).to.deep.equal([303, "/dashboard"]);
    return visitor;
  }

  /** The same browser at another node. */
  function at(world: World, visitor: Visitor): Visitor {
    const moved = new Visitor(world, demoLogin);
    for (const [name, value] of visitor.cookies) moved.cookies.set(name, value);
    return moved;
  }

  const newest = async () =>
    (
      await nodes.sql(
        "SELECT * FROM itemtape.api_keys WHERE account_id = $1 ORDER BY created_at DESC, key_id DESC LIMIT 1",
        [accountId],
      )
    )[0];

  itLong("shows each owner's page as a server with a file does", async () => {
    const [there, here] = [await signedIn(file.world), await signedIn(one)];
    const [portfolio] = file.world.sql("SELECT portfolio_id FROM portfolios WHERE account_id = ?", accountId);
    const key = file.world.sql("SELECT key_id FROM api_keys WHERE account_id = ? AND revoked_at IS NULL", accountId)[0]!
      .key_id;
    for (const path of [
      "/dashboard",
      "/dashboard/keys",
      "/dashboard/keys?page=2",
      "/dashboard/keys/new",
      "/dashboard/tokens/new",
      `/dashboard/keys/${key}/rotate`,
      `/dashboard/keys/${key}/revoke`,
      "/dashboard/activity",
      "/dashboard/password",
      "/dashboard/portfolios",
      "/dashboard/portfolios/new",
      `/dashboard/portfolios/${portfolio!.portfolio_id}`,
      `/dashboard/portfolios/${portfolio!.portfolio_id}/rename`,
      "/dashboard/portfolios/pf_0000000000000000none",
      "/dashboard/keys/key_none/revoke",
    ]) {
      const [stored, shared] = [await there.get(path), await here.get(path)];
      expect(shared.status, path).to.equal(stored.status);
      expect(bare(shared), path).to.equal(bare(stored));
    }
  });

  /** The page without its per-response values. */
  function bare({ text }: Page): string {
    return text.replace(/name="csrf" value="[^"]*"/g, "").replace(/req_\w+/g, "");
  }

  it("shares sign-in and sign-out between both nodes", async () => {
    const here = await signedIn(one);
    const there = at(other, here);
    expect((await there.get("/dashboard")).status).to.equal(200);
    const read = await readItem(there);
    expect(read.status, read.text).to.equal(200);
    expect((await there.post("/dashboard/sign-out")).location).to.contain("signed-out");
    expect((await here.get("/dashboard")).location).to.contain("/dashboard/sign-in");
    expect([(await readItem(here)).status, (await readItem(here)).json.code]).to.deep.equal([401, "invalid_api_key"]);
  });

  async function readItem(visitor: Visitor, world = one): Promise<Page> {
    const { json } = await visitor.get("/dashboard/session");
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, "x-itemtape-token": json.token ?? "none" };
    return {
      ...(await world.client.send({ method: "POST", target: "/dashboard/read/v1/items?limit=1", headers })),
      location: null,
    };
  }

  it("shares new and revoked keys and their activity between both nodes", async () => {
    const here = await signedIn(one);
    await nodes.clock.move(1);
    await here.get("/dashboard/keys/new");
    const made = await here.post("/dashboard/keys/new", { name: "shared", days: "30", after: (await newest()).key_id });
    const [secret] = /itemtape_live_[0-9A-Za-z]{36}/.exec(made.text) ?? [];
    for (const node of nodes.worlds)
      expect((await node.client.call("listItems", { key: secret! })).status).to.equal(200);
    const there = at(other, here);
    const path = `/dashboard/keys/${(await newest()).key_id}/revoke`;
    await there.get(path);
    expect((await there.post(path)).status).to.equal(303);
    for (const node of nodes.worlds)
      expect((await node.client.call("listItems", { key: secret! })).json.code).to.equal("revoked_api_key");
    const { text } = await here.get("/dashboard/activity");
    expect(text.indexOf("Key revoked")).to.be.below(text.indexOf("Key created")).and.above(0);
    expect((await here.get("/dashboard/keys")).text).to.contain("shared");
  });

  it("creates a personal token with consent for own portfolios only", async () => {
    const here = await signedIn(other);
    await nodes.clock.move(1);
    const [{ portfolio_id: portfolio }] = await nodes.sql(
      "SELECT portfolio_id FROM itemtape.portfolios WHERE account_id = $1",
      [accountId],
    );
    const fields = {
      name: "mine",
      days: "30",
      portfolio,
      consent: "yes",
      consent_version: "1",
      after: (await newest()).key_id,
    };
    await here.get("/dashboard/tokens/new");
    expect((await here.post("/dashboard/tokens/new", { ...fields, portfolio: "pf_foreign" })).status).to.equal(400);
    const made = await here.post("/dashboard/tokens/new", fields);
    const [token] = /itemtape_pat_[0-9A-Za-z]{36}/.exec(made.text) ?? [];
    const { json } = await one.client.call("listPortfolios", { key: token! });
    expect(json.data.map(({ portfolio_id: id }: { portfolio_id: string }) => id)).to.deep.equal([portfolio]);
  });

  it("charges page reads of both nodes to one month", async () => {
    const here = await signedIn(one);
    const used = async () =>
      Number(
        (await nodes.sql("SELECT sum(used) AS used FROM itemtape.usage_months WHERE account_id = $1", [accountId]))[0]
          .used,
      );
    const before = await used();
    for (const node of nodes.worlds) expect((await readItem(at(node, here), node)).status).to.equal(200);
    expect(await used()).to.equal(before + 2);
    nodes.clock.elapsedMs += minuteMs;
    expect((await here.get("/dashboard")).text).to.match(/pages/);
  });

  it("applies a disabled account or new plan to each node's next request", async () => {
    const here = await signedIn(one);
    await jsonOf("accounts", "disable", accountId, "--private-db", nodes.url);
    for (const node of nodes.worlds) expect((await at(node, here).get("/dashboard")).status).to.equal(403);
    await jsonOf("accounts", "enable", accountId, "--private-db", nodes.url);
    await jsonOf("accounts", "plan", accountId, "trader", "--private-db", nodes.url);
    for (const node of nodes.worlds) expect((await at(node, here).get("/dashboard")).text).to.match(/trader/i);
  });

  it("ends other sessions on all nodes after a password change", async () => {
    const [here, there] = [await signedIn(one), await signedIn(other)];
    await here.get("/dashboard/password");
    const changed = await here.post("/dashboard/password", {
      current: goodPassword,
      password: "another good one",
      again: "another good one",
    });
    expect(changed.status, changed.text).to.equal(303);
    expect((await there.get("/dashboard")).status).to.equal(303);
    expect((await at(other, here).get("/dashboard")).status).to.equal(200);
    const back = at(other, here);
    await back.get("/dashboard/password");
    expect(
      (
        await back.post("/dashboard/password", {
          current: "another good one",
          password: goodPassword,
          again: goodPassword,
        })
      ).status,
    ).to.equal(303);
  });

  it("ends sessions two hours after last use by the database's clock", async () => {
    const here = await signedIn(one);
    // The node's own clock is an hour behind the others.
    nodes.clock.at -= hourMs;
    expect((await here.get("/dashboard")).status).to.equal(200);
    nodes.clock.at += hourMs;
    await nodes.clock.move(2 * hourMs - 1);
    expect((await at(other, here).get("/dashboard")).status).to.equal(200);
    await until(
      "the session lives on",
      async () =>
        (
          await nodes.sql("SELECT FROM itemtape.owner_sessions WHERE expires_at > $1 AND ended_at IS NULL", [
            nodes.clock.at + hourMs,
          ])
        ).length === 1,
    );
    await nodes.clock.move(2 * hourMs);
    expect((await here.get("/dashboard")).status).to.equal(303);
  });

  it("accepts a valid one-time link once, at either node", async () => {
    const { url } = await jsonOf("accounts", "invite", accountId, "--private-db", nodes.url);
    const path = new URL(url).pathname;
    const opened = async () =>
      Promise.all(nodes.worlds.map(async (node) => (await new Visitor(node, demoLogin).get(path)).status));
    expect(await opened()).to.deep.equal([200, 200]);
    const here = new Visitor(one, demoLogin);
    await here.get(path);
    expect((await here.post(path, { password: goodPassword, again: goodPassword })).location).to.equal("/dashboard");
    expect(await opened()).to.deep.equal([410, 410]);
    expect((await here.get(path)).text).to.contain("This link has been used. Sign in with your password");
    expect((await here.get("/dashboard/invite/none")).status).to.equal(404);
  });

  it("returns 503 and keeps sessions while the database is unavailable", async () => {
    const here = await signedIn(one);
    const { json } = await here.get("/dashboard/session");
    await server.stop("SIGKILL");
    for (const path of ["/dashboard", "/dashboard/keys", "/dashboard/sign-in", "/dashboard/session"]) {
      const { status, headers, text } = await here.get(path);
      expect([status, headers.get("retry-after"), headers.getSetCookie()], path).to.deep.equal([503, "1", []]);
      expect(text).to.contain("cannot reach its database");
    }
    expect((await here.post("/dashboard/sign-out-everywhere", {}, { csrf: "any" })).status).to.equal(503);
    expect((await here.get("/dashboard/base.css")).status).to.equal(200);
    const cookie = `itemtape_session=${here.session}`;
    const read = await one.client.send({
      method: "POST",
      target: "/dashboard/read/v1/items?limit=1",
      headers: { cookie, "x-itemtape-token": json.token },
    });
    expect([read.status, read.json.code, read.headers.get("retry-after")]).to.deep.equal([
      503,
      "service_unavailable",
      "1",
    ]);
    await server.run();
    await until("the page is there again", async () => (await here.get("/dashboard")).status === 200);
  });
});
