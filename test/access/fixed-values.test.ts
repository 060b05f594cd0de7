import { expect } from "chai";
import { selectionMax } from "../../src/access/keys.ts";
import { permitMarginMs } from "../../src/access/nodes/decisions.ts";
import { passwordCharactersMax, passwordCharactersMin, passwordCost } from "../../src/access/owners/passwords.ts";
import {
  inviteMs,
  isWorthKeepingAlive,
  recentSignInMs,
  sessionEnd,
  sessionIdleMs,
  sessionMs,
  tokenDigits,
} from "../../src/access/owners/sessions.ts";
import { usageCacheMs } from "../../src/access/owners/usage-cache.ts";
import { planNames, plans } from "../../src/access/plans.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

describe("fixed values of access", () => {
  it("plans have the prices and limits of the specification", () => {
    expect(planNames).to.deep.equal(["free", "builder", "trader", "quant"]);
    expect(plans).to.deep.equal({
      free: { priceCents: 0, requestsPerMonth: 1_000, requestsPerMinute: 20, snapshotStartsPerDay: 0 },
      builder: { priceCents: 2_000, requestsPerMonth: 10_000, requestsPerMinute: 60, snapshotStartsPerDay: 48 },
      trader: { priceCents: 5_000, requestsPerMonth: 100_000, requestsPerMinute: 180, snapshotStartsPerDay: 144 },
      quant: { priceCents: null, requestsPerMonth: 1_000_000, requestsPerMinute: 540, snapshotStartsPerDay: 288 },
    });
  });

  it("selections and stream permits have the bounds in the guides", () => {
    expect([selectionMax, permitMarginMs.changes, permitMarginMs.waiting]).to.deep.equal([200, 1_000, 11_000]);
  });

  it("times and limits for owners match the guides", () => {
    expect([sessionMs, sessionIdleMs, recentSignInMs, inviteMs]).to.deep.equal([12 * hour, 2 * hour, 30 * minute, day]);
    expect([passwordCharactersMin, passwordCharactersMax, tokenDigits]).to.deep.equal([12, 200, 43]);
    expect(passwordCost).to.deep.equal({ n: 32_768, r: 8, p: 3 });
    expect(usageCacheMs).to.equal(30_000);
  });

  it("a session ends after two idle hours or twelve in total", () => {
    const signedInAt = 1_000_000;
    expect(sessionEnd({ signedInAt: signedInAt }, signedInAt + hour)).to.equal(signedInAt + 3 * hour);
    expect(sessionEnd({ signedInAt: signedInAt }, signedInAt + 11 * hour)).to.equal(signedInAt + 12 * hour);
    const session = { signedInAt, expiresAt: signedInAt + 2 * hour };
    expect(isWorthKeepingAlive(session, signedInAt + 5 * minute - 1)).to.equal(false);
    expect(isWorthKeepingAlive(session, signedInAt + 5 * minute)).to.equal(true);
    const last = { signedInAt, expiresAt: signedInAt + 12 * hour - 1 };
    expect(isWorthKeepingAlive(last, signedInAt + 10 * hour)).to.equal(true);
    expect(isWorthKeepingAlive({ ...last, expiresAt: signedInAt + 12 * hour }, signedInAt + 11 * hour)).to.equal(false);
  });
});
