import { expect } from "chai";
import { hashToken } from "../../../src/access/owners/sessions.ts";
import { hourMs, minuteMs } from "../../../src/values/time/calendar.ts";
import { OwnerWorld, type Visitor } from "./owner-world.ts";

describe("dashboard session", () => {
  let ann: OwnerWorld;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true });
  });
  after(() => ann.world.stop());

  const isIn = async (visitor: Visitor): Promise<boolean> => (await visitor.get("/dashboard")).status === 200;
  /** The writer runs its work in order, so all earlier writes are done when this resolves. */
  const written = () =>
    ann
      .visitor()
      .signIn("wrong horse battery", "nobody")
      .then(() => ann.world.clock.advance(hourMs));

  it("is an HttpOnly, same-site cookie for the dashboard only", async () => {
    const visitor = ann.visitor();
    const { headers } = await visitor.signIn();
    expect(headers.getSetCookie()).to.deep.equal([
      `itemtape_session=${visitor.session}; Max-Age=43200; Path=/dashboard; HttpOnly; SameSite=Strict`,
    ]);
    expect(visitor.session).to.match(/^[0-9A-Za-z]{43}$/);
  });

  it("is stored as its hash", async () => {
    const visitor = await ann.signedIn();
    const secret = visitor.session ?? "";
    const hashes = ann.world.sql("SELECT hex(session_hash) AS hash FROM owner_sessions").map(({ hash }) => hash);
    expect(hashes).to.include(hashToken(secret)?.toString("hex").toUpperCase());
    expect(JSON.stringify(ann.world.sql("SELECT * FROM owner_sessions"))).to.not.include(secret);
  });

  it("starts fresh at each sign-in and ends the browser's previous one", async () => {
    const visitor = await ann.signedIn();
    const first = visitor.session ?? "";
    await visitor.get("/dashboard");
    visitor.cookies.delete("itemtape_form");
    expect(
      (await visitor.post("/dashboard/sign-in", { login: "ann", password: "correct horse battery" })).status,
    ).to.equal(303);
    expect(visitor.session).to.not.equal(first);
    expect(await isIn(visitor)).to.equal(true);
    visitor.cookies.set("itemtape_session", first);
    expect(await isIn(visitor)).to.equal(false);
  });

  it("ends when the clock is set back behind its last use", async () => {
    const visitor = await ann.signedIn();
    ann.world.clock.advance(-5 * minuteMs);
    expect(await isIn(visitor)).to.equal(true);
    ann.world.clock.advance(-1);
    expect(await isIn(visitor)).to.equal(false);
    ann.world.clock.advance(5 * minuteMs + 1);
  });

  it("cannot be fixed by a planted cookie", async () => {
    const planted = "M".repeat(43);
    const visitor = ann.visitor();
    visitor.cookies.set("itemtape_session", planted);
    expect(await isIn(visitor)).to.equal(false);
    await visitor.signIn();
    expect(visitor.session)
      .to.match(/^[0-9A-Za-z]{43}$/)
      .and.not.equal(planted);
    const attacker = ann.visitor();
    attacker.cookies.set("itemtape_session", planted);
    expect(await isIn(attacker)).to.equal(false);
  });

  it("is found beside invalid cookies of the same name on any path", async () => {
    const visitor = await ann.signedIn();
    const name = "itemtape_session";
    const own = `${name}=${visitor.session}`;
    const planted = ["M", "N", "O"].map((letter) => `${name}=${letter.repeat(43)}`);
    const malformed = Array.from({ length: 9 }, (_, index) => `${name}=${index}`);
    for (const pairs of [
      [planted[0], own],
      [own, planted[0]],
      [own, own],
      [...malformed, ...planted, own],
    ]) {
      expect((await ann.visitor().get("/dashboard", { cookie: pairs.join("; ") })).status).to.equal(200);
    }
    const cookie = [...planted, own].join("; ");
    const page = await visitor.get("/dashboard", { cookie });
    expect(page.text).to.include('name="csrf"');
    expect((await visitor.post("/dashboard/sign-out", {}, { headers: { cookie } })).location).to.include("signed-out");
  });

  it("is ignored if two are valid or more than four are sent", async () => {
    const bob = await (await ann.another("bobby")).signedIn();
    const visitor = await ann.signedIn();
    const own = `itemtape_session=${visitor.session}`;
    const many = ["M", "N", "O", "P"].map((letter) => `itemtape_session=${letter.repeat(43)}`);
    for (const cookie of [`${own}; itemtape_session=${bob.session}`, [...many, own].join("; ")]) {
      expect((await ann.visitor().get("/dashboard", { cookie })).status).to.equal(303);
    }
  });

  it("ends after two hours without use, to the millisecond", async () => {
    const visitor = await ann.signedIn();
    ann.world.clock.advance(2 * hourMs);
    expect(await isIn(visitor)).to.equal(false);
    const other = await ann.signedIn();
    ann.world.clock.advance(2 * hourMs - 1);
    expect(await isIn(other)).to.equal(true);
  });

  it("lasts twelve hours at most while it is used", async () => {
    const visitor = await ann.signedIn();
    for (let hour = 1; hour <= 11; hour += 1) {
      await written();
      expect(await isIn(visitor), `after ${hour} hours`).to.equal(true);
    }
    await written();
    expect(await isIn(visitor), "after 12 hours").to.equal(false);
  });

  it("ends for every copy of its cookie at sign-out", async () => {
    const visitor = await ann.signedIn();
    const secret = visitor.session ?? "";
    await visitor.get("/dashboard");
    const out = await visitor.post("/dashboard/sign-out");
    expect(out.location).to.equal("/dashboard/sign-in?notice=signed-out");
    expect(visitor.session).to.equal(undefined);
    visitor.cookies.set("itemtape_session", secret);
    expect(await isIn(visitor)).to.equal(false);
    expect((await visitor.post("/dashboard/sign-out")).status).to.equal(303);
  });

  it("cannot be ended by another site without its cookie and form", async () => {
    const visitor = await ann.signedIn();
    const secret = visitor.session;
    const headers = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    for (const path of ["/dashboard/sign-out", "/dashboard/sign-out-everywhere"]) {
      const sent = await ann.visitor().post(path, {}, { headers, csrf: null });
      expect({ status: sent.status, cookies: sent.headers.getSetCookie() }).to.deep.equal({ status: 303, cookies: [] });
      const refused = await visitor.post(path, {}, { headers, csrf: null });
      expect(refused.status).to.equal(403);
      expect(refused.headers.getSetCookie()).to.deep.equal([]);
    }
    expect(visitor.session).to.equal(secret);
    expect(await isIn(visitor)).to.equal(true);
  });

  it("loses its cookie at sign-out even while the file is locked", async () => {
    const [phone, desktop] = [await ann.signedIn(), await ann.signedIn()];
    const sessions = () => ann.world.sql("SELECT count(*) AS open FROM owner_sessions WHERE ended_at IS NULL");
    const before = sessions();
    for (const visitor of [phone, desktop]) await visitor.get("/dashboard");
    const unlock = ann.world.lockFile();
    const pages = await Promise.all([
      phone.post("/dashboard/sign-out"),
      desktop.post("/dashboard/sign-out-everywhere"),
    ]).finally(unlock);
    for (const { status, headers, text } of pages) {
      expect(status).to.equal(503);
      expect(headers.getSetCookie()).to.deep.equal([
        "itemtape_session=; Max-Age=0; Path=/dashboard; HttpOnly; SameSite=Strict",
      ]);
      expect(text)
        .to.include("This browser is signed out")
        .and.to.match(/ends by itself after 2 hours/);
      expect(text).to.include("/dashboard/sign-in").and.to.not.include('name="csrf"');
    }
    expect([phone.session, desktop.session]).to.deep.equal([undefined, undefined]);
    expect(sessions()).to.deep.equal(before);
  });

  it("ends with all others of the owner on request", async () => {
    const bob = await ann.another("bob");
    const [desktop, phone, other] = [await ann.signedIn(), await ann.signedIn(), await bob.signedIn()];
    await desktop.get("/dashboard");
    const out = await desktop.post("/dashboard/sign-out-everywhere");
    expect(out.location).to.equal("/dashboard/sign-in?notice=signed-out-everywhere");
    expect([await isIn(desktop), await isIn(phone), await isIn(other)]).to.deep.equal([false, false, true]);
  });

  it("ends when the password is reset", async () => {
    const visitor = await ann.signedIn();
    await ann.setPassword("another good one");
    expect(await isIn(visitor)).to.equal(false);
    await ann.setPassword();
  });

  it("is renewed when the password is repeated, which counts as sign-in", async () => {
    const visitor = await ann.signedIn();
    const first = visitor.session ?? "";
    ann.world.clock.advance(45 * minuteMs);
    const path = "/dashboard/sign-in-again?next=%2Fdashboard%2Fkeys";
    expect((await visitor.get(path)).text)
      .to.include("Password of ann")
      .and.to.include('value="/dashboard/keys"');
    const wrong = await visitor.post("/dashboard/sign-in-again", { password: "wrong horse battery" });
    expect({ status: wrong.status, same: visitor.session === first }).to.deep.equal({ status: 403, same: true });
    const fields = { password: "correct horse battery", next: "/dashboard/keys" };
    expect((await visitor.post("/dashboard/sign-in-again", fields)).location).to.equal("/dashboard/keys");
    expect(visitor.session).to.not.equal(first);
    const [row] = ann.world.sql(
      "SELECT signed_in_at FROM owner_sessions WHERE session_hash = ?",
      hashToken(visitor.session ?? ""),
    );
    expect(row?.signed_in_at).to.equal(ann.world.clock.at);
    visitor.cookies.set("itemtape_session", first);
    expect(await isIn(visitor)).to.equal(false);
  });

  it("does not authorize the API, nor a key the dashboard", async () => {
    const visitor = await ann.signedIn();
    const cookie = `itemtape_session=${visitor.session}`;
    const answer = await ann.world.client.call("listItems", { headers: { cookie } });
    expect(answer.json.code).to.equal("invalid_api_key");
    const authorization = `Bearer ${ann.account.secret}`;
    expect((await ann.visitor().get("/dashboard", { authorization })).status).to.equal(303);
    expect(
      (await ann.visitor().get("/dashboard", { cookie: `itemtape_session=${ann.account.secret}` })).status,
    ).to.equal(303);
  });
});
