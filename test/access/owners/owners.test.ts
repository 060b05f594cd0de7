import { expect } from "chai";
import { hashPassword } from "../../../src/access/owners/passwords.ts";
import { dayMs } from "../../../src/values/time/calendar.ts";
import { onEachStore } from "../stores.ts";
import { failureOf } from "../world.ts";
import { cheapPasswords, StoredOwners } from "./stored-owners.ts";

const password = "correct horse battery";

onEachStore("account owner", (world) => {
  let owners: StoredOwners;
  let accountId: string;

  beforeEach(async () => {
    owners = new StoredOwners(world);
    accountId = await world.account("Example Ltd");
  });

  const invite = async (login: string | null = "ann") => (await owners.invite(accountId, login)).token;
  const signIn = async () => (await owners.signIn("ann", password)).cookie;
  const session = (cookie: string) => owners.session(cookie);
  const codeOf = async (work: () => unknown) => (await failureOf(work)).code;
  /** The values of a statement's one column. */
  const stored = async (text: string) => (await world.sql(text)).flatMap((row) => Object.values(row));

  it("sets a password with a link that works once", async () => {
    const token = await invite();
    expect(await owners.link(token)).to.deep.equal({
      login: "ann",
      accountName: "Example Ltd",
      state: "open",
    });
    expect(await owners.setPassword(token, password)).to.deep.equal({ accountId, login: "ann" });
    expect(await session(await signIn())).to.deep.include({ accountId, login: "ann", accountName: "Example Ltd" });
    expect(await codeOf(() => owners.setPassword(token, "another good one"))).to.equal("invite_used");
    expect((await owners.link(token))?.state).to.equal("used");
    expect(await codeOf(() => owners.signIn("ann", "another good one"))).to.equal("invalid_credentials");
  });

  it("refuses an unknown link, and any after 24 hours to the millisecond", async () => {
    const token = await invite();
    world.clock.at += dayMs - 1;
    expect((await owners.link(token))?.state).to.equal("open");
    world.clock.at += 1;
    expect((await owners.link(token))?.state).to.equal("expired");
    expect(await codeOf(() => owners.setPassword(token, password))).to.equal("invite_expired");
    expect(await codeOf(() => owners.setPassword("A".repeat(43), password))).to.equal("invite_unknown");
    expect(await codeOf(() => owners.setPassword("' OR 1=1 --", password))).to.equal("invite_unknown");
    // The link is checked first: without a valid one the password is neither checked nor hashed.
    expect(await codeOf(() => owners.setPassword("A".repeat(43), "short"))).to.equal("invite_unknown");
  });

  it("accepts a sign-in link once within ten minutes; stores only its hash", async () => {
    const first = await owners.signInLink(accountId);
    const { token, login, expiresAt } = await owners.signInLink(accountId);
    expect([login, expiresAt]).to.deep.equal(["ann", world.clock.at + 600_000]);
    expect(await codeOf(() => owners.useSignInLink(first.token))).to.equal("link_expired");
    expect(await owners.link(token)).to.equal(null);
    expect(await codeOf(() => owners.setPassword(token, password))).to.equal("invite_unknown");
    expect(await codeOf(async () => owners.useSignInLink(await invite()))).to.equal("invite_unknown");
    expect(await codeOf(() => owners.useSignInLink("A".repeat(43)))).to.equal("invite_unknown");
    const { cookie } = await owners.useSignInLink(token);
    expect(await codeOf(() => owners.useSignInLink(token))).to.equal("link_used");
    expect(await session(cookie)).to.deep.include({ accountId, login: "ann", byLink: true });
    const kept = JSON.stringify(await world.sql("SELECT * FROM owner_invites"));
    expect(kept).to.not.contain(token);
    const late = (await owners.signInLink(accountId)).token;
    world.clock.at += 600_000;
    expect(await codeOf(() => owners.useSignInLink(late))).to.equal("link_expired");
    expect((await owners.activity(accountId, 1))[0]?.detail).to.equal("signed in by a link from 127.0.0.1, Firefox");
  });

  it("keeps a session opened by link for 30 idle days", async () => {
    const { cookie } = await owners.useSignInLink((await owners.signInLink(accountId)).token);
    const { sessionHash } = (await session(cookie))!;
    const act = (recent: boolean) =>
      owners.inSession(sessionHash, (on) => on.act(sessionHash, { recent }, ({ accountId: of }) => of));
    expect(await act(true)).to.equal(accountId);
    world.clock.at += 30 * 60_000 + 1;
    expect(await codeOf(() => act(true))).to.equal("stale_sign_in");
    world.clock.at += 29 * dayMs;
    await owners.inSession(sessionHash, (on) => on.keepAlive(sessionHash));
    world.clock.at += 30 * dayMs - 1;
    expect(await act(false)).to.equal(accountId);
    world.clock.at += 1;
    expect(await session(cookie)).to.equal(null);
  });

  it("can act in a session until its last millisecond", async () => {
    await owners.setPassword(await invite(), password);
    const cookie = await signIn();
    const { sessionHash, expiresAt } = (await session(cookie))!;
    const act = () =>
      owners.inSession(sessionHash, (on) => on.act(sessionHash, { recent: false }, ({ accountId: of }) => of));
    world.clock.at = expiresAt - 1;
    expect(await act()).to.equal(accountId);
    world.clock.at = expiresAt;
    expect(await codeOf(act)).to.equal("session_ended");
    expect(await session(cookie)).to.equal(null);
  });

  it("keeps a session's end when it signs out of it again", async () => {
    await owners.setPassword(await invite(), password);
    const { sessionHash } = (await session(await signIn()))!;
    const endedAt = world.clock.at;
    await owners.signOut(sessionHash);
    world.clock.advance(1);
    await owners.signOut(sessionHash);
    await owners.signOut("00".repeat(32));
    expect(await stored("SELECT ended_at FROM owner_sessions")).to.deep.equal([endedAt]);
  });

  it("has one open link at a time: the newest", async () => {
    const first = await invite();
    const second = await invite(null);
    expect(await codeOf(() => owners.setPassword(first, password))).to.equal("invite_expired");
    await owners.setPassword(second, password);
  });

  it("is signed out everywhere once a reset link is used, not before", async () => {
    await owners.setPassword(await invite(), password);
    const cookie = await signIn();
    const token = await invite();
    expect(await session(cookie)).to.not.equal(null);
    await owners.setPassword(token, "another good one");
    expect(await session(cookie)).to.equal(null);
    expect(await codeOf(signIn)).to.equal("invalid_credentials");
  });

  it("accepts a password of 12 to 200 characters after normalization", async () => {
    const token = await invite();
    for (const bad of ["", "short", "x".repeat(11), "x".repeat(201), "ﬀ".repeat(101)]) {
      expect(await codeOf(() => owners.setPassword(token, bad)), bad).to.equal("bad_input");
    }
    await owners.setPassword(token, "e\u0301cole de nuit!");
    expect((await owners.signIn("ann", "\u00e9cole de nuit!")).cookie).to.match(/^[0-9A-Za-z]{43}$/);
  });

  it("gives equal refusals for wrong password, unknown login and missing password", async () => {
    await owners.setPassword(await invite(), password);
    const other = await world.account("Other");
    await owners.invite(other, "bob");
    const output = new Set<string>();
    for (const [login, word] of [
      ["ann", "wrong horse battery"],
      ["nobody", password],
      ["bob", password],
      ["", ""],
      ["ann\0", password],
      ["an\ud800n", password],
      ["ann", "x".repeat(10_000)],
    ] as const) {
      const refusal = await failureOf(() => owners.signIn(login, word));
      expect(refusal.code).to.equal("invalid_credentials");
      output.add(refusal.message);
    }
    expect(output.size).to.equal(1);
  });

  it("reports a disabled account only after the right password", async () => {
    await owners.setPassword(await invite(), password);
    await world.accounts.disable(accountId);
    expect(await codeOf(signIn)).to.equal("account_disabled");
    expect(await codeOf(() => owners.signIn("ann", "wrong horse battery"))).to.equal("invalid_credentials");
    const link = await invite();
    expect(await codeOf(() => owners.setPassword(link, password))).to.equal("account_disabled");
  });

  it("hashes a password again only when the cost has changed", async () => {
    await owners.setPassword(await invite(), password);
    const [before] = await stored("SELECT password_hash FROM owners");
    expect(before).to.match(/^scrypt\$1024\$8\$1\$/);
    await signIn();
    expect(await stored("SELECT password_hash FROM owners")).to.deep.equal([before]);
    await owners.passwords(undefined, { n: 2 ** 11, r: 8, p: 1 }).signIn("ann", password);
    expect((await stored("SELECT password_hash FROM owners"))[0]).to.match(/^scrypt\$2048\$8\$1\$/);
    await signIn();
  });

  it("refuses a sign-in when the password is replaced during the comparison", async () => {
    await owners.setPassword(await invite(), password);
    const token = await invite();
    const replaced = owners.passwords(() => world.sql("UPDATE owners SET password_hash = NULL"));
    expect(await codeOf(() => replaced.signIn("ann", password))).to.equal("invalid_credentials");
    expect(await stored("SELECT session_hash FROM owner_sessions")).to.deep.equal([]);
    await owners.setPassword(token, password);
  });

  it("changes the password in a session; other sessions and links end", async () => {
    await owners.setPassword(await invite(), password);
    const [cookie, other, token] = [await signIn(), await signIn(), await invite()];
    const hash = (await session(cookie))?.sessionHash ?? "";
    for (const [current, next, code] of [
      ["wrong horse battery", "another good one", "invalid_credentials"],
      ["wrong horse battery", "too short", "bad_input"],
    ] as const) {
      expect(await codeOf(() => owners.changePassword(hash, current, next))).to.equal(code);
    }
    const { cookie: fresh } = await owners.changePassword(hash, password, "another good one");
    const open = [await session(cookie), await session(other), await session(fresh)];
    expect(open.map((one) => one !== null)).to.deep.equal([false, false, true]);
    expect((await owners.link(token))?.state).to.equal("expired");
    expect(await codeOf(() => owners.changePassword(hash, "another good one", password))).to.equal("session_ended");
    expect(await codeOf(signIn)).to.equal("invalid_credentials");
    const { kind, detail } = (await owners.activity(accountId, 1))[0] ?? {};
    expect({ kind, detail }).to.deep.equal({ kind: "owner_changed", detail: "password changed" });
  });

  it("changes no password if session or password changes during the comparison", async () => {
    await owners.setPassword(await invite(), password);
    const hashes = () => stored("SELECT password_hash FROM owners");
    const before = await hashes();
    const change = async (meanwhile: (sessionHash: string) => Promise<unknown>) => {
      const hash = (await session(await signIn()))?.sessionHash ?? "";
      const changing = owners.passwords(() => meanwhile(hash));
      return codeOf(() => changing.changePassword(hash, password, "another good one"));
    };
    const set = (hash: unknown) => world.sql("UPDATE owners SET password_hash = ?", hash);
    expect(await change((hash) => owners.signOut(hash))).to.equal("session_ended");
    expect(await hashes()).to.deep.equal(before);
    const other = await hashPassword("yet another one", world.ids, cheapPasswords);
    expect(await change(() => set(other))).to.equal("invalid_credentials");
    expect(await hashes()).to.deep.equal([other]);
    await set(before[0]);
    expect(await change(() => world.accounts.disable(accountId))).to.equal("account_disabled");
    expect(await hashes()).to.deep.equal(before);
  });

  it("keeps login, password and sessions until a new login's link is used", async () => {
    await owners.setPassword(await invite(), password);
    const cookie = await signIn();
    const made = await owners.invite(accountId, "anna");
    expect(made).to.include({ login: "anna", replaces: "ann" });
    expect((await owners.link(made.token))?.login).to.equal("anna");
    expect((await session(cookie))?.login).to.equal("ann");
    await signIn();
    expect(await codeOf(() => owners.signIn("anna", password))).to.equal("invalid_credentials");
    expect(await owners.setPassword(made.token, "another good one")).to.deep.equal({ accountId, login: "anna" });
    expect((await owners.signIn("anna", "another good one")).accountId).to.equal(accountId);
    for (const word of [password, "another good one"]) {
      expect(await codeOf(() => owners.signIn("ann", word))).to.equal("invalid_credentials");
    }
    expect((await owners.activity(accountId, 2)).map(({ detail }) => detail)).to.deep.equal([
      "password set, login anna",
      "invited anna, until then ann",
    ]);
  });

  it("drops a mistyped login with its link", async () => {
    expect(await owners.invite(accountId, "amm")).to.include({ login: "amm", replaces: null });
    expect(await owners.invite(accountId, "ann")).to.include({ login: "ann", replaces: null });
    const other = await world.account("Other");
    await owners.invite(other, "amm");
    await owners.setPassword(await invite(null), password);
    await owners.invite(accountId, "anm");
    expect(await owners.invite(accountId, null)).to.include({ login: "ann", replaces: null });
    await owners.setPassword(await invite(null), password);
    await signIn();
  });

  it("keeps the old login when a new one was taken meanwhile", async () => {
    await owners.setPassword(await invite(), password);
    const cookie = await signIn();
    const { token } = await owners.invite(accountId, "bob");
    const other = await world.account("Other");
    const theirs = (await owners.invite(other, "bob")).token;
    const refusal = await failureOf(() => owners.setPassword(token, "another good one"));
    expect(refusal.code).to.equal("conflict");
    expect(refusal.message).to.include("Another account now has the login bob").and.include("still work");
    expect((await session(cookie))?.login).to.equal("ann");
    await signIn();
    expect((await owners.setPassword(theirs, password)).login).to.equal("bob");
    await owners.invite(other, "rob");
    expect(await codeOf(() => owners.setPassword(token, "another good one"))).to.equal("conflict");
    await owners.setPassword((await owners.invite(other, "rob")).token, password);
    expect((await owners.setPassword(token, "another good one")).login).to.equal("bob");
  });

  it("refuses a login that is taken while the password is hashed", async () => {
    await owners.setPassword(await invite(), password);
    const { token } = await owners.invite(accountId, "bob");
    const other = await world.account("Other");
    const setting = owners.passwords(() => owners.invite(other, "bob"));
    expect(await codeOf(() => setting.setPassword(token, "another good one"))).to.equal("conflict");
    await signIn();
    expect((await owners.link(token))?.state).to.equal("open");
  });

  it("refuses a bad login and names the fault", async () => {
    const other = await world.account("Other");
    await owners.invite(other, "bob");
    for (const [login, description] of [
      [null, "has no owner yet; name one with --login"],
      ["bob", "the login `bob` belongs to another account"],
      ["BOB", "the login `bob` belongs to another account"],
      ["a b", "a login has 3 to 254 characters"],
      ["al", "a login has 3 to 254 characters"],
    ] as const) {
      expect((await failureOf(() => owners.invite(accountId, login))).message).to.include(description);
    }
    expect((await failureOf(() => owners.invite("acc_none", "carl"))).message).to.include("unknown account");
  });

  it("records links, passwords and sign-outs without any secret", async () => {
    const token = await invite();
    await owners.setPassword(token, password);
    const cookie = await signIn();
    const { sessionHash } = (await session(cookie))!;
    await owners.inSession(sessionHash, (on) => on.signOutEverywhere(sessionHash));
    const records = await owners.activity(accountId, 10);
    expect(records.map(({ kind, detail }) => `${kind}: ${detail}`)).to.deep.equal([
      "owner_changed: signed out everywhere",
      "owner_changed: password set",
      "owner_changed: invited ann",
      "account_created: null",
    ]);
    let dump = "";
    for (const table of ["owners", "owner_invites", "owner_sessions", "activity"])
      dump += JSON.stringify(await world.sql(`SELECT * FROM ${table}`));
    for (const secret of [token, cookie, password]) expect(dump).to.not.include(secret);
  });

  it("changes the password in a session without a recent sign-in", async () => {
    await owners.setPassword(await invite(), password);
    const hash = (await session(await signIn()))?.sessionHash ?? "";
    world.clock.at += 31 * 60_000;
    const { cookie } = await owners.changePassword(hash, password, "another good one");
    expect(await session(cookie)).to.not.equal(null);
  });

  it("keeps a session for thirty days after its end", async () => {
    await owners.setPassword(await invite(), password);
    await owners.signOut((await session(await signIn()))?.sessionHash ?? "");
    world.clock.at += 30 * dayMs;
    await signIn();
    expect(await stored("SELECT ended_at FROM owner_sessions")).to.have.length(2);
  });

  it("leaves no session behind that ended long ago", async () => {
    await owners.setPassword(await invite(), password);
    await signIn();
    world.clock.at += 31 * dayMs;
    await signIn();
    expect(await stored("SELECT ended_at FROM owner_sessions")).to.have.length(1);
  });
});
