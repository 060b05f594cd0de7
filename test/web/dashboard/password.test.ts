import { expect } from "chai";
import { hashToken } from "../../../src/access/owners/sessions.ts";
import { dayMs, hourMs, secondMs } from "../../../src/values/time/calendar.ts";
import { goodPassword, OwnerWorld, type Page, type Visitor } from "./owner-world.ts";

const path = "/dashboard/password";
const newPassword = "another good one";

describe("password change in the dashboard", () => {
  let ann: OwnerWorld;
  let visitor: Visitor;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true });
  });
  after(() => ann.world.stop());
  beforeEach(async () => {
    // A throttled login is forgotten after an hour, and each test begins with the good password.
    ann.world.clock.advance(dayMs);
    await ann.setPassword();
    visitor = await ann.signedIn();
    await visitor.get(path);
  });

  const change = (wrong: Record<string, string> = {}, by: Visitor = visitor): Promise<Page> =>
    by.post(path, { current: goodPassword, password: newPassword, again: newPassword, ...wrong });
  const isIn = async (one: Visitor): Promise<boolean> => (await one.get("/dashboard")).status === 200;
  const stored = () =>
    JSON.stringify(["owners", "owner_sessions", "activity"].map((t) => ann.world.sql(`SELECT * FROM ${t}`)));
  const details = () =>
    ann.world
      .sql("SELECT kind, detail FROM activity WHERE account_id = ? ORDER BY activity_id DESC", ann.account.accountId)
      .map(({ kind, detail }) => `${kind}: ${detail}`);

  it("starts from the overview and is confirmed there", async () => {
    expect((await visitor.get("/dashboard")).text).to.include(`<a href="${path}">Change the password</a>`);
    const { status, location } = await change();
    expect({ status, location }).to.deep.equal({ status: 303, location: "/dashboard?notice=password-changed" });
    expect((await visitor.get(location ?? "")).text).to.include("The password is changed.");
    expect((await ann.visitor().signIn()).status).to.equal(403);
    expect((await ann.visitor().signIn(newPassword)).status).to.equal(303);
  });

  it("ends other sessions and links, and renews the current session id", async () => {
    const bob = await ann.another("bob");
    const [phone, other, token] = [await ann.signedIn(), await bob.signedIn(), ann.invite()];
    const before = visitor.session ?? "";
    await change();
    expect(visitor.session)
      .to.match(/^[0-9A-Za-z]{43}$/)
      .and.not.equal(before);
    expect([await isIn(visitor), await isIn(phone), await isIn(other)]).to.deep.equal([true, false, true]);
    const old = ann.visitor();
    old.cookies.set("itemtape_session", before);
    expect(await isIn(old)).to.equal(false);
    expect((await ann.visitor().get(`/dashboard/invite/${token}`)).status).to.equal(410);
    expect((await ann.world.client.call("listItems", { key: ann.account.secret })).status).to.equal(200);
  });

  it("is recorded once, without a secret", async () => {
    const before = details();
    await change();
    expect(details()).to.deep.equal(["owner_changed: password changed", ...before]);
    for (const secret of [goodPassword, newPassword]) expect(stored()).to.not.include(secret);
    expect((await visitor.get("/dashboard/activity")).text).to.include("<strong>Password changed</strong></td>");
  });

  it("needs no recent sign-in, and counts as one", async () => {
    ann.world.clock.advance(hourMs);
    expect((await change()).status).to.equal(303);
    const [row] = ann.world.sql(
      "SELECT signed_in_at FROM owner_sessions WHERE session_hash = ?",
      hashToken(visitor.session ?? ""),
    );
    expect(row?.signed_in_at).to.equal(ann.world.clock.at);
  });

  it("names each wrong field when refused, without repeating any input", async () => {
    const wrongs: [Record<string, string>, string, string][] = [
      [{ current: "" }, "current", "Enter the current password"],
      [{ password: "too short", again: "too short" }, "password", "A password has 12 to 200 characters"],
      [{ password: goodPassword, again: goodPassword }, "password", "Choose another password"],
      [{ again: "another bad one!" }, "again", "Type the new password the same both times"],
      [{ current: "wrong horse battery" }, "current", "This is not the current password"],
    ];
    const before = stored();
    for (const [wrong, field, description] of wrongs) {
      const { status, text } = await change(wrong);
      expect(status).to.equal(wrong.current === "wrong horse battery" ? 403 : 400);
      expect(text)
        .to.match(/<title>Error: /)
        .and.include("The password was not changed");
      expect(text).to.match(new RegExp(`<a href="#${field}">${description}`));
      expect(text).to.match(new RegExp(`<p id="${field}-error" class="error"><strong>Error:</strong> ${description}`));
      expect(text).to.match(
        new RegExp(`<input id="${field}"[^>]* aria-describedby="[^"]*${field}-error" aria-invalid="true"`),
      );
      for (const typed of [goodPassword, newPassword, ...Object.values(wrong)].filter((word) => word !== "")) {
        expect(text).to.not.include(`"${typed}"`);
      }
    }
    expect(stored()).to.equal(before);
    expect(await isIn(visitor)).to.equal(true);
  });

  it("is slowed down with the sign-in after wrong passwords", async () => {
    for (let time = 0; time < 5; time += 1) {
      expect((await change({ current: "wrong horse battery" })).status).to.equal(403);
    }
    const refused = await change();
    expect({ status: refused.status, wait: refused.headers.get("retry-after") }).to.deep.equal({
      status: 429,
      wait: "1",
    });
    expect(refused.text).to.include('<a href="#current">Too many wrong passwords. Try again in 1 second.');
    expect((await ann.visitor().signIn()).status).to.equal(429);
    ann.world.clock.advance(secondMs);
    expect((await change()).status).to.equal(303);
  });

  it("requires a form of an active session", async () => {
    const before = stored();
    for (const csrf of [null, "x"]) {
      expect((await visitor.post(path, { current: goodPassword }, { csrf })).status).to.equal(403);
    }
    const anonymous = ann.visitor();
    await anonymous.get("/dashboard/sign-in");
    expect((await change({}, anonymous)).location).to.equal("/dashboard/sign-in?next=%2Fdashboard%2Fpassword");
    expect(stored()).to.equal(before);
  });
});
