import { expect } from "chai";
import { hashPassword } from "../../../src/access/owners/passwords.ts";
import { dayMs } from "../../../src/values/time/calendar.ts";
import { onEachStore } from "../stores.ts";
import { failureOf } from "../world.ts";
import { cheapPasswords, StoredOwners } from "./stored-owners.ts";

const password = "correct horse battery";

onEachStore("the owner of an account", (world) => {
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

  it("an owner sets a password with a link that works once", async () => {
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

  it("an owner's link expires after 24 hours, to the millisecond, and one that never existed is unknown", async () => {
    const token = await invite();
    world.clock.at += dayMs - 1;
    expect((await owners.link(token))?.state).to.equal("open");
    world.clock.at += 1;
    expect((await owners.link(token))?.state).to.equal("expired");
    expect(await codeOf(() => owners.setPassword(token, password))).to.equal("invite_expired");
    expect(await codeOf(() => owners.setPassword("A".repeat(43), password))).to.equal("invite_unknown");
    expect(await codeOf(() => owners.setPassword("' OR 1=1 --", password))).to.equal("invite_unknown");
    // The link is looked at first: nobody learns or costs anything about passwords without one.
    expect(await codeOf(() => owners.setPassword("A".repeat(43), "short"))).to.equal("invite_unknown");
  });

  it("a sign-in link works once, within ten minutes, and only its hash is stored", async () => {
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

  it("a session by a link lasts 30 days without use, and its recent sign-in 30 minutes", async () => {
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

  it("an owner can act in a session until its end, to the millisecond", async () => {
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

  it("a session that has ended keeps its end when it is signed out of again", async () => {
    await owners.setPassword(await invite(), password);
    const { sessionHash } = (await session(await signIn()))!;
    const endedAt = world.clock.at;
    await owners.signOut(sessionHash);
    world.clock.advance(1);
    await owners.signOut(sessionHash);
    await owners.signOut("00".repeat(32));
    expect(await stored("SELECT ended_at FROM owner_sessions")).to.deep.equal([endedAt]);
  });

  it("an owner has one open link at a time: a new one ends the one before", async () => {
    const first = await invite();
    const second = await invite(null);
    expect(await codeOf(() => owners.setPassword(first, password))).to.equal("invite_expired");
    await owners.setPassword(second, password);
  });

  it("an owner is signed out everywhere when the password is reset, and not before the link is used", async () => {
    await owners.setPassword(await invite(), password);
    const cookie = await signIn();
    const token = await invite();
    expect(await session(cookie)).to.not.equal(null);
    await owners.setPassword(token, "another good one");
    expect(await session(cookie)).to.equal(null);
    expect(await codeOf(signIn)).to.equal("invalid_credentials");
  });

  it("a password has 12 to 200 characters after normalization, however they are encoded", async () => {
    const token = await invite();
    for (const bad of ["", "short", "x".repeat(11), "x".repeat(201), "ﬀ".repeat(101)]) {
      expect(await codeOf(() => owners.setPassword(token, bad)), bad).to.equal("bad_input");
    }
    await owners.setPassword(token, "e\u0301cole de nuit!");
    expect((await owners.signIn("ann", "\u00e9cole de nuit!")).cookie).to.match(/^[0-9A-Za-z]{43}$/);
  });

  it("an owner is refused in the same words for a wrong password, an unknown login and one without a password yet", async () => {
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

  it("an owner learns that the account is disabled only with the right password", async () => {
    await owners.setPassword(await invite(), password);
    await world.accounts.disable(accountId);
    expect(await codeOf(signIn)).to.equal("account_disabled");
    expect(await codeOf(() => owners.signIn("ann", "wrong horse battery"))).to.equal("invalid_credentials");
    const link = await invite();
    expect(await codeOf(() => owners.setPassword(link, password))).to.equal("account_disabled");
  });

  it("a password is hashed again when the cost has changed, and only then", async () => {
    await owners.setPassword(await invite(), password);
    const [before] = await stored("SELECT password_hash FROM owners");
    expect(before).to.match(/^scrypt\$1024\$8\$1\$/);
    await signIn();
    expect(await stored("SELECT password_hash FROM owners")).to.deep.equal([before]);
    await owners.passwords(undefined, { n: 2 ** 11, r: 8, p: 1 }).signIn("ann", password);
    expect((await stored("SELECT password_hash FROM owners"))[0]).to.match(/^scrypt\$2048\$8\$1\$/);
    await signIn();
  });

  it("an owner is refused when the password is replaced while it is compared", async () => {
    await owners.setPassword(await invite(), password);
    const token = await invite();
    const replaced = owners.passwords(() => world.sql("UPDATE owners SET password_hash = NULL"));
    expect(await codeOf(() => replaced.signIn("ann", password))).to.equal("invalid_credentials");
    expect(await stored("SELECT session_hash FROM owner_sessions")).to.deep.equal([]);
    await owners.setPassword(token, password);
  });

  it("an owner changes the password in a session, which continues as a fresh one while all others and every link end", async () => {
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

  it("an owner changes no password when the session ends, or the password is replaced, while it is compared", async () => {
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

  it("an owner keeps login, password and sessions until the link that brings a new login is used", async () => {
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

  it("a mistyped login is dropped with its link, at once where no password belongs to it yet", async () => {
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

  it("an owner keeps all it has when a new login was taken before its link was used, and the link waits", async () => {
    await owners.setPassword(await invite(), password);
    const cookie = await signIn();
    const { token } = await owners.invite(accountId, "bob");
    const other = await world.account("Other");
    const theirs = (await owners.invite(other, "bob")).token;
    const refusal = await failureOf(() => owners.setPassword(token, "another good one"));
    expect(refusal.code).to.equal("conflict");
    expect(refusal.message).to.include("The login bob has been taken").and.include("go on working");
    expect((await session(cookie))?.login).to.equal("ann");
    await signIn();
    expect((await owners.setPassword(theirs, password)).login).to.equal("bob");
    await owners.invite(other, "rob");
    expect(await codeOf(() => owners.setPassword(token, "another good one"))).to.equal("conflict");
    await owners.setPassword((await owners.invite(other, "rob")).token, password);
    expect((await owners.setPassword(token, "another good one")).login).to.equal("bob");
  });

  it("a login that is taken while the password is hashed is refused, with nothing changed", async () => {
    await owners.setPassword(await invite(), password);
    const { token } = await owners.invite(accountId, "bob");
    const other = await world.account("Other");
    const setting = owners.passwords(() => owners.invite(other, "bob"));
    expect(await codeOf(() => setting.setPassword(token, "another good one"))).to.equal("conflict");
    await signIn();
    expect((await owners.link(token))?.state).to.equal("open");
  });

  it("a bad login is refused with its fault by name", async () => {
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
    expect((await failureOf(() => owners.invite("acc_none", "carl"))).message).to.include("there is no account");
  });

  it("an owner has links, passwords and sign-outs on record, and no secret with them", async () => {
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

  it("an owner may change the password in a session whose sign-in is not recent", async () => {
    await owners.setPassword(await invite(), password);
    const hash = (await session(await signIn()))?.sessionHash ?? "";
    world.clock.at += 31 * 60_000;
    const { cookie } = await owners.changePassword(hash, password, "another good one");
    expect(await session(cookie)).to.not.equal(null);
  });

  it("an owner's session is kept for thirty days after its end", async () => {
    await owners.setPassword(await invite(), password);
    await owners.signOut((await session(await signIn()))?.sessionHash ?? "");
    world.clock.at += 30 * dayMs;
    await signIn();
    expect(await stored("SELECT ended_at FROM owner_sessions")).to.have.length(2);
  });

  it("an owner leaves no session behind that ended long ago", async () => {
    await owners.setPassword(await invite(), password);
    await signIn();
    world.clock.at += 31 * dayMs;
    await signIn();
    expect(await stored("SELECT ended_at FROM owner_sessions")).to.have.length(1);
  });
});
