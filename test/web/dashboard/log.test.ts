import { expect } from "chai";
import { createEvents } from "../../../src/log/events.ts";
import { dayMs } from "../../../src/values/time/calendar.ts";
import { World } from "../../support/world.ts";
import { goodPassword, OwnerWorld } from "./owner-world.ts";

type Line = { level: number; time: string; msg: string; account_id?: string | null };

const logged: string[] = [];
const wrong = "wrong horse battery";
const newPassword = "another good one";
const [info, warn] = [30, 40];

/** A world that records its log. */
class LoggedWorld extends World {
  override readonly events = createEvents("debug", { write: (line: string) => void logged.push(line) });
}

describe("dashboard log", () => {
  let ann: OwnerWorld;
  let account_id: string;
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true }, LoggedWorld);
    account_id = ann.account.accountId;
  });
  after(() => ann.world.stop());
  beforeEach(() => {
    ann.world.clock.advance(dayMs);
    logged.length = 0;
  });

  /** Log lines about owners without their instants, and each count since then. */
  const lines = () =>
    logged
      .map((line) => JSON.parse(line) as Line)
      .filter(({ msg }) => msg !== "request answered")
      .map(({ time: _, ...line }) => line);
  const count = (name: string) => ann.world.events.counters.get(name) ?? 0;

  it("records a sign-in and a repeated password by account id", async () => {
    const before = count("sign_ins");
    const visitor = await ann.signedIn();
    await visitor.get("/dashboard");
    await visitor.post("/dashboard/sign-in-again", { password: goodPassword });
    const line = { level: info, account_id, msg: "signed in" };
    expect(lines()).to.deep.equal([line, line]);
    expect(count("sign_ins")).to.equal(before + 2);
  });

  it("records a wrong password, with the account id only when signed in", async () => {
    const visitor = await ann.signedIn();
    await visitor.get("/dashboard");
    logged.length = 0;
    for (const login of ["ann", "nobody"]) await ann.visitor().signIn(wrong, login);
    await visitor.post("/dashboard/sign-in-again", { password: wrong });
    await visitor.post("/dashboard/password", { current: wrong, password: newPassword, again: newPassword });
    const line = { level: warn, reason: "invalid_credentials", msg: "sign-in failed" };
    expect(lines()).to.deep.equal([null, null, account_id, account_id].map((id) => ({ ...line, account_id: id })));
    ann.world.accounts((accounts) => accounts.disable(account_id));
    await ann.visitor().signIn();
    ann.world.accounts((accounts) => accounts.enable(account_id));
    expect(lines().at(-1)).to.deep.equal({ ...line, account_id: null, reason: "account_disabled" });
    expect(count("sign_ins_failed")).to.equal(5);
  });

  it("records slowed attempts in one line for many", async () => {
    for (let time = 0; time < 9; time += 1) await ann.visitor().signIn(wrong, "nobody");
    const throttled = lines().filter(({ msg }) => msg !== "sign-in failed");
    expect(throttled).to.deep.equal([{ level: warn, times: 1, msg: "sign-in refused: too many wrong passwords" }]);
    expect(count("sign_ins_throttled")).to.equal(4);
  });

  it("records password changes, links and ended sessions by account id", async () => {
    const before = count("passwords_set");
    await ann.setPassword(newPassword);
    const visitor = ann.visitor();
    await visitor.signIn(newPassword);
    await visitor.get("/dashboard/password");
    await visitor.post("/dashboard/password", { current: newPassword, password: goodPassword, again: goodPassword });
    await visitor.get("/dashboard");
    await visitor.post("/dashboard/sign-out-everywhere");
    const reported = { level: info, account_id };
    expect(lines()).to.deep.equal([
      { ...reported, by: "link", msg: "password set" },
      { ...reported, msg: "signed in" },
      { ...reported, msg: "signed in" },
      { ...reported, by: "password", msg: "password set" },
      { ...reported, msg: "signed out everywhere" },
    ]);
    expect([count("passwords_set") - before, count("sign_outs_everywhere")]).to.deep.equal([2, 1]);
  });

  it("has no line for early refusals or invalid new passwords", async () => {
    const visitor = await ann.signedIn();
    await visitor.get("/dashboard/password");
    logged.length = 0;
    await visitor.post("/dashboard/password", { current: wrong, password: "short", again: "short" });
    await visitor.post("/dashboard/sign-out-everywhere", {}, { csrf: null });
    await ann.visitor().post("/dashboard/sign-in", { login: "ann", password: wrong });
    expect(lines()).to.deep.equal([]);
  });

  it("contains no login, address, password, cookie, link or form token", async () => {
    const ada = await ann.another("ada.lovelace@example.com");
    const token = ada.invite();
    const visitor = await ada.signedIn();
    await visitor.get("/dashboard/password");
    const secrets = [visitor.session ?? "?", visitor.csrf ?? "?", visitor.cookies.get("itemtape_form") ?? "?"];
    await visitor.post("/dashboard/password", { current: goodPassword, password: newPassword, again: newPassword });
    for (let time = 0; time < 7; time += 1) await ada.visitor().signIn(wrong);
    await visitor.get(`/dashboard/invite/${token}`);
    await visitor.post("/dashboard/sign-out-everywhere");
    const text = logged.join("");
    expect(text).to.include("password set").and.include("sign-in failed").and.include("signed out everywhere");
    const typed = [goodPassword, newPassword, wrong, token, "ada.lovelace", "127.0.0.1"];
    for (const secret of [...typed, ...secrets, visitor.session ?? "?"]) expect(text).to.not.include(secret);
    expect(ann.world.internalErrors).to.equal(0);
  });
});
