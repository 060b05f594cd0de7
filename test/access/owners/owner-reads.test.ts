import { expect } from "chai";
import { NodesOwners } from "../../../src/access/nodes/owners.ts";
import { OwnerReads } from "../../../src/access/owners/owner-reads.ts";
import { Owners } from "../../../src/access/owners/owners.ts";
import { hashToken, sessionEnd, tokenDigits } from "../../../src/access/owners/sessions.ts";
import { dayMs } from "../../../src/values/time/calendar.ts";
import { onEachStore } from "../stores.ts";
import { failureOf, noon, World } from "../world.ts";

const otherTexts = ["", "0", "0".repeat(43), `${"0".repeat(43)}'`];

describe("owner reads in both stores", () => {
  onEachStore("owner reads", (world) => {
    let accountId: string;
    beforeEach(async () => {
      accountId = await world.account("Ann Ltd");
    });

    const invite = async (login = "ann"): Promise<string> =>
      (
        await world.operate(accountId, (database) =>
          new Owners({ database, clock: world.clock, ids: world.ids }).invite(accountId, login),
        )
      ).token;

    it("returns the newest key by time, then by greater id", async () => {
      const newest = async () => (await world.owners()).newestKey(accountId);
      expect(await newest()).to.equal(null);
      const made = [await world.keys.create(accountId, "first", 30), await world.keys.create(accountId, "second", 30)];
      const last = made.map(({ key }) => key).sort((a, b) => (a.keyId < b.keyId ? 1 : -1))[0]!;
      expect(await newest()).to.deep.equal({ keyId: last.keyId, name: last.name, createdAt: noon });
    });

    it("opens a session by its cookie alone, until its last millisecond", async () => {
      await invite();
      const cookie = world.ids.secret(tokenDigits);
      const signedInAt = noon - 1;
      const expiresAt = sessionEnd({ signedInAt }, noon);
      await world.sql(
        "INSERT INTO owner_sessions (session_hash, account_id, signed_in_at, expires_at) VALUES (?, ?, ?, ?)",
        hashToken(cookie),
        accountId,
        signedInAt,
        expiresAt,
      );
      const opened = async (text = cookie, at = noon) => (await world.owners(at)).openSession(text, at);
      const sessionHash = hashToken(cookie)!.toString("hex");
      const session = { sessionHash, accountId, accountName: "Ann Ltd", login: "ann", signedInAt, expiresAt };
      expect(await opened()).to.deep.equal({ session: { ...session, disabledAt: null, byLink: false }, at: noon });
      expect((await opened(cookie, expiresAt - 1))?.at).to.equal(expiresAt - 1);
      expect(await opened(cookie, expiresAt)).to.equal(null);
      for (const text of otherTexts) expect(await opened(text), text).to.equal(null);
      await world.sql("UPDATE owner_sessions SET ended_at = ?", noon);
      expect(await opened()).to.equal(null);
    });

    it("reports a one-time link as open, expired or used, else unknown", async () => {
      const token = await invite();
      const state = async (text = token, at = noon) => (await world.owners(at)).invite(text, at);
      expect(await state()).to.deep.equal({ login: "ann", accountName: "Ann Ltd", state: "open" });
      expect((await state(token, noon + dayMs - 1))?.state).to.equal("open");
      expect((await state(token, noon + dayMs))?.state).to.equal("expired");
      await world.sql("UPDATE owner_invites SET used_at = ?", noon);
      expect((await state(token, noon + dayMs))?.state).to.equal("used");
      for (const text of otherTexts) expect(await state(text), text).to.equal(null);
    });

    it("returns an account with plan, live keys and usage; throws if missing", async () => {
      const person = await world.person("trader");
      await world.pay(person);
      const overview = await (await world.owners()).overview(person.accountId, noon);
      expect(overview).to.deep.include({ accountId: person.accountId, plan: "trader", keys: 1 });
      expect(overview.usage.monthlyUsed).to.equal(1);
      expect(await failureOf(async () => (await world.owners()).overview("acc_gone", noon))).to.be.instanceOf(Error);
    });

    it("returns a key to its own account only", async () => {
      const person = await world.person();
      const key = async (of: string) => (await world.owners()).key(of, person.keyId);
      expect(await key(person.accountId)).to.deep.include({ keyId: person.keyId, kind: "project", portfolios: [] });
      expect(await key(accountId)).to.equal(null);
      expect(await (await world.owners()).key(person.accountId, "key_none")).to.equal(null);
    });

    it("counts sign-ins of nodes in the owners' store", async () => {
      const reads = await world.owners();
      if (!(reads instanceof NodesOwners)) return;
      expect((await reads.signIns.begin("ann", "192.0.2.1")).waitS).to.equal(null);
      expect(await world.sql("SELECT failures FROM sign_in_counts")).to.deep.equal([{ failures: 1 }, { failures: 1 }]);
    });
  });

  it("values a portfolio for its own account only", () => {
    const world = new World();
    const [{ accountId }, other] = [world.person("builder"), world.person("builder")];
    const portfolioId = `pf_${"A".repeat(24)}`;
    world.database.$client
      .prepare(
        `INSERT INTO portfolios (portfolio_id, account_id, name, display_currency, is_public, price_source, created_at, updated_at)
         VALUES (?, ?, 'mine', 'USD', 1, 'steam', 0, 0)`,
      )
      .run(portfolioId, accountId);
    const reads = new OwnerReads(world.reader);
    const [listed, ...others] = reads.valuedPortfolios(accountId, noon);
    expect(others).to.deep.equal([]);
    expect(listed?.portfolio).to.deep.include({ portfolioId, name: "mine" });
    expect(listed?.holdings).to.deep.include({ provider: "steam", rows: [], lots: 0 });
    expect(reads.valuedPortfolio(accountId, portfolioId, 1, noon)).to.deep.equal(listed);
    expect(reads.valuedPortfolio(other.accountId, portfolioId, 1, noon)).to.equal(null);
    expect(reads.valuedPortfolios(other.accountId, noon)).to.deep.equal([]);
    world.close();
  });
});
