import { expect } from "chai";
import { createEvents } from "../../../src/log/events.ts";
import { dayMs, secondMs } from "../../../src/values/time/calendar.ts";
import { World } from "../../support/world.ts";
import { goodPassword, OwnerWorld, type Page, type Visitor } from "./owner-world.ts";

const logged: string[] = [];

/** A world that records its log. */
class LoggedWorld extends World {
  override readonly events = createEvents("debug", { write: (line: string) => void logged.push(line) });
}

describe("dashboard sign-in", () => {
  let ann: OwnerWorld;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true }, LoggedWorld);
  });
  after(() => ann.world.stop());
  // A throttled login must not throttle the next test: its counts are forgotten after an hour.
  beforeEach(() => ann.world.clock.advance(dayMs));

  it("accepts login and password in any case of the login", async () => {
    const visitor = ann.visitor();
    const { status, location } = await visitor.signIn(goodPassword, " ANN ");
    expect({ status, location }).to.deep.equal({ status: 303, location: "/dashboard" });
    const page = await visitor.get("/dashboard");
    expect(page.status).to.equal(200);
    expect(page.text).to.include("Ann");
  });

  it("returns a visitor to the requested page afterwards", async () => {
    const visitor = ann.visitor();
    const { status, location } = await visitor.get("/dashboard/activity?before=5");
    expect({ status, location }).to.deep.equal({
      status: 303,
      location: "/dashboard/sign-in?next=%2Fdashboard%2Factivity",
    });
    await visitor.get(location ?? "");
    const entered = await visitor.signIn(goodPassword, "ann", "/dashboard/activity");
    expect(entered.location).to.equal("/dashboard/activity");
    expect((await visitor.get("/dashboard/sign-in")).location).to.equal("/dashboard");
  });

  it("redirects to the dashboard only", async () => {
    const places = [
      "https://evil.example/",
      "//evil.example/dashboard",
      "/dashboard/../v1/status",
      "/dashboard//evil.example",
      "/dashboardevil",
      "/market.evil.example",
      "/market@evil.example?q=x",
      "/items/1/../../v1/status",
      "/items/1?q=\r\nset-cookie: a=b",
      "/dashboard\r\nset-cookie: a=b",
      "javascript:alert(1)",
      // Paths without a page.
      "/dashboard/sign-out",
      "/dashboard/sign-out-everywhere",
    ];
    for (const place of places) {
      const { location } = await ann.visitor().signIn(goodPassword, "ann", place);
      expect(location, place).to.equal("/dashboard");
    }
  });

  it("returns to a page with the page's previous state", async () => {
    const places = [
      "/market?q=karambit+doppler&weapon=AK-47&sort=-ask",
      "/items/661?range=1y&compare=445,5&zoom=1767225600-1767312000",
      "/indexes/knives-equal",
      "/openables/kilowatt-case#mode=steam_gross",
    ];
    for (const place of places)
      expect((await ann.visitor().signIn(goodPassword, "ann", place)).location).to.equal(place);
  });

  it("gives one response for a wrong password and an unknown login", async () => {
    const texts: string[] = [];
    for (const login of ["ann", "nobody"]) {
      const page = await ann.visitor().signIn("wrong horse battery", login);
      expect(page.status).to.equal(403);
      expectNoTrace(page, "wrong horse battery");
      texts.push(page.text.replaceAll(/value="[^"]*"/g, 'value=""').replaceAll(/req_\w+/g, ""));
    }
    expect(texts[0]).to.equal(texts[1]).and.to.include("The login or the password is wrong");
  });

  it("slows down wrong passwords with an explanation, without a lockout", async () => {
    const visitor = ann.visitor();
    for (let time = 0; time < 5; time += 1) expect((await visitor.signIn("wrong horse battery")).status).to.equal(403);
    const refused = await visitor.signIn();
    expect(refused.status).to.equal(429);
    expect(refused.headers.get("retry-after")).to.equal("1");
    expect(refused.text).to.include("Too many wrong passwords. Try again in 1 second.");
    expect(visitor.session).to.equal(undefined);
    ann.world.clock.advance(secondMs);
    expect((await visitor.signIn()).status).to.equal(303);
  });

  it("is slowed by wrong passwords, not by a busy service", async () => {
    const visitor = ann.visitor();
    for (let time = 0; time < 4; time += 1) expect((await visitor.signIn("wrong horse battery")).status).to.equal(403);
    const unlock = ann.world.lockFile();
    const busy = await visitor.signIn();
    unlock();
    expect(busy.status).to.equal(503);
    expect((await visitor.signIn("wrong horse battery")).status).to.equal(403);
    expect((await visitor.signIn()).status).to.equal(429);
  });

  it("informs the owner of a disabled account, also in a session", async () => {
    const visitor = await ann.signedIn();
    ann.world.accounts((accounts) => accounts.disable(ann.account.accountId));
    for (const page of [await ann.visitor().signIn(), await visitor.get("/dashboard")]) {
      expect(page.status).to.equal(403);
      expect(page.text).to.include("This account is disabled.");
    }
    ann.world.accounts((accounts) => accounts.enable(ann.account.accountId));
    expect((await visitor.get("/dashboard")).status).to.equal(200);
  });

  describe("one-time link", () => {
    const set = async (token: string, password: string, again = password): Promise<[Page, Visitor]> => {
      const visitor = ann.visitor();
      await visitor.get(`/dashboard/invite/${token}`);
      return [await visitor.post(`/dashboard/invite/${token}`, { password, again }), visitor];
    };

    it("shows its login, sets a password, and survives being opened", async () => {
      const token = ann.invite();
      for (let time = 0; time < 2; time += 1) {
        const page = await ann.visitor().get(`/dashboard/invite/${token}`);
        expect(page.status).to.equal(200);
        expect(page.text).to.include("<strong>ann</strong>");
      }
      const [done, visitor] = await set(token, "another good one");
      expect(done.location).to.equal("/dashboard");
      expect((await visitor.get("/dashboard")).status).to.equal(200);
      expect((await visitor.signIn("another good one")).status).to.equal(303);
      await ann.setPassword();
    });

    it("distinguishes used, expired and unknown links, before and after input", async () => {
      const used = ann.invite();
      await set(used, goodPassword);
      const late = ann.invite();
      ann.world.clock.advance(dayMs);
      for (const [token, status, description] of [
        [used, 410, "This link has been used."],
        [late, 410, "This link has expired"],
        ["A".repeat(43), 404, "This service does not know the link."],
        ["..%2f..%2fetc", 404, "This service does not know the link."],
      ] as const) {
        const visitor = ann.visitor();
        const page = await visitor.get(`/dashboard/invite/${token}`);
        expect(page.status).to.equal(status);
        expect(page.text).to.include(description);
        await visitor.get("/dashboard/sign-in");
        const sent = await visitor.post(`/dashboard/invite/${token}`, { password: goodPassword, again: goodPassword });
        expect(sent.status).to.equal(status);
        expect(sent.text).to.include(description);
      }
    });

    it("changes the login when used, and reports a taken login", async () => {
      const token = ann.invite("anna");
      expect((await ann.visitor().get(`/dashboard/invite/${token}`)).text).to.include("<strong>anna</strong>");
      const before = await ann.signedIn();
      const taker = await ann.another("anna");
      const [refused] = await set(token, "another good one");
      expect(refused.status).to.equal(409);
      expect(refused.text).to.include("Another account now has the login anna.");
      expectNoTrace(refused, "another good one");
      expect((await before.get("/dashboard")).status).to.equal(200);
      expect((await ann.visitor().signIn()).status).to.equal(303);
      expect((await taker.visitor().signIn()).status).to.equal(303);
      expect((await set(ann.invite("anne"), goodPassword))[0].status).to.equal(303);
      expect((await ann.visitor().signIn(goodPassword, "anne")).status).to.equal(303);
      expect((await ann.visitor().signIn()).status).to.equal(403);
      await ann.setPassword();
    });

    it("remains usable after mismatched or short passwords", async () => {
      const token = ann.invite();
      for (const [password, again, description] of [
        [goodPassword, "correct horse batter", "The two passwords are not the same."],
        ["too short", "too short", "12 to 200 characters"],
      ] as const) {
        const [page] = await set(token, password, again);
        expect(page.status).to.equal(400);
        expect(page.text).to.include(description);
        expectNoTrace(page, password);
      }
      expect((await set(token, goodPassword))[0].status).to.equal(303);
    });
  });

  describe("log after all sign-ins", () => {
    it("contains no password, cookie, link, form token or internal error", async () => {
      const visitor = await ann.signedIn();
      const token = ann.invite();
      await visitor.get(`/dashboard/invite/${token}`);
      await visitor.post(`/dashboard/invite/${token}`, { password: "another good one", again: "another good one" });
      const text = logged.join("");
      expect(text).to.include("request answered");
      const typed = [goodPassword, "another good one", "wrong horse battery", "too short"];
      for (const secret of [...typed, token, visitor.cookies.get("itemtape_form") ?? "?", visitor.csrf ?? "?"]) {
        expect(text).to.not.include(secret);
      }
      expect(ann.world.internalErrors).to.equal(0);
    });
  });
});

/** Checks that the page does not contain the typed password. */
function expectNoTrace(page: Page, password: string): void {
  expect(page.text).to.not.include(password);
}
