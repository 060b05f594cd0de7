import { expect } from "chai";
import { median } from "../../../scripts/support/numbers.ts";
import { hashPassword, type PasswordCost, verifyPassword } from "../../../src/access/owners/passwords.ts";
import {
  formToken,
  hashToken,
  isFormToken,
  isRecentSignIn,
  recentSignInMs,
} from "../../../src/access/owners/sessions.ts";
import { systemIds } from "../../../src/values/ids.ts";
import { onEachStore } from "../stores.ts";
import { failureOf, noon } from "../world.ts";
import { StoredOwners } from "./stored-owners.ts";

const password = "correct horse battery";

describe("sign-in", () => {
  it("is recent for 30 minutes, and not before it was made", () => {
    for (const afterMs of [0, recentSignInMs])
      expect(isRecentSignIn({ signedInAt: noon }, noon + afterMs), String(afterMs)).to.equal(true);
    for (const afterMs of [-1, recentSignInMs + 1, -recentSignInMs])
      expect(isRecentSignIn({ signedInAt: noon }, noon + afterMs), String(afterMs)).to.equal(false);
  });

  it("binds a form token to one cookie, and hashes no malformed secret", () => {
    const [mine, other] = ["a".repeat(43), "b".repeat(43)];
    expect(isFormToken(formToken(mine), mine)).to.equal(true);
    for (const given of ["", "x", formToken(other), `${formToken(mine)}x`, formToken(mine).slice(1)])
      expect(isFormToken(given, mine), given).to.equal(false);
    expect(hashToken(mine)?.toString("hex")).to.match(/^[0-9a-f]{64}$/);
    for (const text of ["", "a".repeat(42), "a".repeat(44), `${"a".repeat(42)}-`])
      expect(hashToken(text), text).to.equal(null);
  });

  it("does not reveal by its duration whether the login exists", async () => {
    const dear: PasswordCost = { n: 2 ** 13, r: 8, p: 1 };
    const hash = await hashPassword(password, systemIds(), dear);
    // Processor time is the same on a busy machine.
    const took = async (stored: string | null) => {
      const started = process.cpuUsage();
      expect(await verifyPassword("wrong horse battery", stored, dear)).to.equal("wrong");
      return process.cpuUsage(started).user;
    };
    const ratios: number[] = [];
    for (let round = 0; round < 7; round += 1) ratios.push((await took(null)) / (await took(hash)));
    expect(median(ratios)).to.be.within(0.4, 2.5);
  });
  onEachStore("sign-in that replaces a session", (world) => {
    let owners: StoredOwners;
    let sessionHash: string;
    beforeEach(async () => {
      owners = new StoredOwners(world);
      const accountId = await world.account("Example Ltd");
      await owners.setPassword((await owners.invite(accountId, "ann")).token, password);
      sessionHash = (await hashOf((await owners.signIn("ann", password)).cookie)) ?? "";
    });

    const hashOf = async (cookie: string) => (await owners.session(cookie))?.sessionHash;
    const opened = async () => (await world.sql("SELECT 1 FROM owner_sessions WHERE ended_at IS NULL")).length;

    it("opens no session if the old one ends during the password check", async () => {
      const everywhere = () => owners.inSession(sessionHash, (on) => on.signOutEverywhere(sessionHash));
      for (const end of [everywhere, () => owners.signOut(sessionHash)]) {
        const entering = owners.passwords(end).signInAgain(sessionHash, password);
        expect((await failureOf(() => entering)).code).to.equal("session_ended");
        expect(await opened()).to.equal(0);
        await world.sql("UPDATE owner_sessions SET ended_at = NULL");
      }
    });

    it("extends a session in use, at most to twelve hours after sign-in", async () => {
      const minute = 60_000;
      const endAfter = async (ms: number) => {
        world.clock.at += ms;
        await owners.inSession(sessionHash, (on) => on.keepAlive(sessionHash));
        return (await world.sql("SELECT expires_at FROM owner_sessions"))[0]!.expires_at - noon;
      };
      expect(await endAfter(5 * minute - 1)).to.equal(120 * minute);
      expect(await endAfter(1)).to.equal(125 * minute);
      for (let hour = 1; hour <= 9; hour += 1) await endAfter(60 * minute);
      expect(await endAfter(60 * minute)).to.equal(720 * minute);
      expect(await endAfter(114 * minute)).to.equal(720 * minute);
      expect((await failureOf(() => endAfter(minute))).code).to.equal("session_ended");
    });

    it("ends the session after a clock setback of over five minutes", async () => {
      const { cookie } = await owners.signIn("ann", password);
      world.clock.at = noon - 5 * 60_000;
      expect(await hashOf(cookie)).to.be.a("string");
      world.clock.at -= 1;
      expect(await hashOf(cookie)).to.equal(undefined);
    });
  });
});
