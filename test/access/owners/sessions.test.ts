import { expect } from "chai";
import { OwnerReads } from "../../../src/access/owners/owner-reads.ts";
import { Owners } from "../../../src/access/owners/owners.ts";
import { hashPassword, type PasswordCost } from "../../../src/access/owners/passwords.ts";
import {
  formToken,
  hashToken,
  isFormToken,
  isOpen,
  isRecentSignIn,
  recentSignInMs,
} from "../../../src/access/owners/sessions.ts";
import { failureOf, noon, World } from "../world.ts";

const cost: PasswordCost = { n: 2 ** 10, r: 8, p: 1 };
const slow: PasswordCost = { n: 2 ** 14, r: 8, p: 1 };
const password = "correct horse battery";

describe("a sign-in", () => {
  it("a sign-in is recent for 30 minutes, and not before it was made: a clock that was set back makes none fresh", () => {
    for (const [afterMs, isRecent] of [
      [-1, false],
      [0, true],
      [recentSignInMs, true],
      [recentSignInMs + 1, false],
      [-recentSignInMs, false],
    ] as const) {
      expect(isRecentSignIn({ signedInAt: noon }, noon + afterMs), String(afterMs)).to.equal(isRecent);
    }
  });

  it("a session is open until its end, and while the clock is at most five minutes behind its last use", () => {
    const [minute, twoHours] = [60_000, 7_200_000];
    const session = { expiresAt: noon };
    for (const at of [noon - 1, noon - twoHours, noon - twoHours - 5 * minute])
      expect(isOpen(session, at), String(at - noon)).to.equal(true);
    for (const at of [noon, noon + 1, noon - twoHours - 5 * minute - 1])
      expect(isOpen(session, at), String(at - noon)).to.equal(false);
  });

  it("the token of a form belongs to one cookie, and a text that has not the form of a secret has no hash", () => {
    const [mine, other] = ["a".repeat(43), "b".repeat(43)];
    expect(isFormToken(formToken(mine), mine)).to.equal(true);
    for (const given of ["", "x", formToken(other), `${formToken(mine)}x`, formToken(mine).slice(1)])
      expect(isFormToken(given, mine), given).to.equal(false);
    expect(hashToken(mine)?.toString("hex")).to.match(/^[0-9a-f]{64}$/);
    for (const text of ["", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}-`])
      expect(hashToken(text), text).to.equal(null);
  });

  describe("in the place of a session", () => {
    let world: World;
    let owners: Owners;
    let sessionHash: string;
    beforeEach(async () => {
      world = new World();
      owners = new Owners({ database: world.database, clock: world.clock, ids: world.ids, cost });
      const { accountId } = world.accounts.create("Example Ltd");
      await owners.setPassword(owners.invite(accountId, "ann").token, password);
      sessionHash = hashOf((await owners.signIn("ann", password)).cookie) ?? "";
      // So slow that what is done meanwhile is done before the password is compared.
      const hash = await hashPassword(password, world.ids, slow);
      world.database.$client.prepare("UPDATE owners SET password_hash = ?").run(hash);
    });
    afterEach(() => world.close());

    const hashOf = (cookie: string) => new OwnerReads(world.reader).session(cookie, world.clock.at)?.sessionHash;
    const open = () =>
      world.database.$client.prepare("SELECT count(*) FROM owner_sessions WHERE ended_at IS NULL").pluck().get();

    it("a sign-in in the place of a session ends it and opens one", async () => {
      const { cookie } = await owners.signInAgain(sessionHash, password);
      expect(hashOf(cookie)).to.be.a("string").and.not.equal(sessionHash);
      expect(open()).to.equal(1);
    });

    it("a sign-in again opens no session when the last one ends while the password is compared", async () => {
      for (const end of [() => owners.signOutEverywhere(sessionHash), () => owners.signOut(sessionHash)]) {
        const entering = owners.signInAgain(sessionHash, password);
        end();
        expect((await failureOf(() => entering)).code).to.equal("session_ended");
        expect(open()).to.equal(0);
        world.database.$client.prepare("UPDATE owner_sessions SET ended_at = NULL").run();
      }
    });
  });
});
