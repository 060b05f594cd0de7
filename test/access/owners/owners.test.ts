import { expect } from "chai";
import { OwnerReads } from "../../../src/access/owners/owner-reads.ts";
import { Owners } from "../../../src/access/owners/owners.ts";
import { hashPassword, type PasswordCost, verifyPassword } from "../../../src/access/owners/passwords.ts";
import { dayMs } from "../../../src/values/calendar.ts";
import { failureOf, World } from "../world.ts";

const cost: PasswordCost = { n: 2 ** 10, r: 8, p: 1 };
const password = "correct horse battery";

describe("the owner of an account", () => {
  let world: World;
  let owners: Owners;
  let reads: OwnerReads;
  let accountId: string;

  beforeEach(() => {
    world = new World();
    owners = ownersAt(cost);
    reads = new OwnerReads(world.reader);
    accountId = world.accounts.create("Example Ltd").accountId;
  });
  afterEach(() => world.close());

  const ownersAt = (at: PasswordCost) =>
    new Owners({ database: world.database, clock: world.clock, ids: world.ids, cost: at });
  const invite = (login: string | null = "ann") => owners.invite(accountId, login).token;
  const signIn = async () => (await owners.signIn("ann", password)).cookie;
  const session = (cookie: string) => reads.session(cookie, world.clock.at);
  const codeOf = async (work: () => unknown) => (await failureOf(work)).code;
  const stored = (text: string) => world.database.$client.prepare(text).pluck().all();

  it("an owner sets a password with a link that works once", async () => {
    const token = invite();
    expect(reads.invite(token, world.clock.at)).to.deep.equal({
      login: "ann",
      accountName: "Example Ltd",
      state: "open",
    });
    expect(await owners.setPassword(token, password)).to.deep.equal({ accountId, login: "ann" });
    expect(session(await signIn())).to.deep.include({ accountId, login: "ann", accountName: "Example Ltd" });
    expect(await codeOf(() => owners.setPassword(token, "another good one"))).to.equal("invite_used");
    expect(reads.invite(token, world.clock.at)?.state).to.equal("used");
    expect(await codeOf(() => owners.signIn("ann", "another good one"))).to.equal("invalid_credentials");
  });

  it("an owner's link expires after 24 hours, to the millisecond, and one that never existed is unknown", async () => {
    const token = invite();
    world.clock.at += dayMs - 1;
    expect(reads.invite(token, world.clock.at)?.state).to.equal("open");
    world.clock.at += 1;
    expect(reads.invite(token, world.clock.at)?.state).to.equal("expired");
    expect(await codeOf(() => owners.setPassword(token, password))).to.equal("invite_expired");
    expect(await codeOf(() => owners.setPassword("A".repeat(43), password))).to.equal("invite_unknown");
    expect(await codeOf(() => owners.setPassword("' OR 1=1 --", password))).to.equal("invite_unknown");
  });

  it("an owner can act in a session until its end, to the millisecond", async () => {
    await owners.setPassword(invite(), password);
    const cookie = await signIn();
    const { sessionHash, expiresAt } = session(cookie)!;
    const act = () => owners.act(sessionHash, { recent: false }, ({ accountId: of }) => of);
    world.clock.at = expiresAt - 1;
    expect(act()).to.equal(accountId);
    world.clock.at = expiresAt;
    expect(await codeOf(act)).to.equal("session_ended");
    expect(session(cookie)).to.equal(null);
  });

  it("a session that has ended keeps its end when it is signed out of again", async () => {
    await owners.setPassword(invite(), password);
    const { sessionHash } = session(await signIn())!;
    const endedAt = world.clock.at;
    owners.signOut(sessionHash);
    world.clock.advance(1);
    owners.signOut(sessionHash);
    owners.signOut("00".repeat(32));
    expect(stored("SELECT ended_at FROM owner_sessions")).to.deep.equal([endedAt]);
  });

  it("an owner has one open link at a time: a new one ends the one before", async () => {
    const [first, second] = [invite(), invite(null)];
    expect(await codeOf(() => owners.setPassword(first, password))).to.equal("invite_expired");
    await owners.setPassword(second, password);
  });

  it("an owner is signed out everywhere when the password is reset, and not before the link is used", async () => {
    await owners.setPassword(invite(), password);
    const cookie = await signIn();
    const token = invite();
    expect(session(cookie)).to.not.equal(null);
    await owners.setPassword(token, "another good one");
    expect(session(cookie)).to.equal(null);
    expect(await codeOf(signIn)).to.equal("invalid_credentials");
  });

  it("a password has 12 to 200 characters after normalization, however they are encoded", async () => {
    const token = invite();
    for (const bad of ["", "short", "x".repeat(11), "x".repeat(201), "ﬀ".repeat(101)]) {
      expect(await codeOf(() => owners.setPassword(token, bad)), bad).to.equal("bad_input");
    }
    await owners.setPassword(token, "e\u0301cole de nuit!");
    expect((await owners.signIn("ann", "\u00e9cole de nuit!")).cookie).to.match(/^[0-9A-Za-z]{43}$/);
  });

  it("an owner is refused in the same words for a wrong password, an unknown login and one without a password yet", async () => {
    await owners.setPassword(invite(), password);
    const other = world.accounts.create("Other").accountId;
    owners.invite(other, "bob");
    const output = new Set<string>();
    for (const [login, word] of [
      ["ann", "wrong horse battery"],
      ["nobody", password],
      ["bob", password],
      ["", ""],
      ["ann", "x".repeat(10_000)],
    ] as const) {
      const refusal = await failureOf(() => owners.signIn(login, word));
      expect(refusal.code).to.equal("invalid_credentials");
      output.add(refusal.message);
    }
    expect(output.size).to.equal(1);
  });

  it("the time of a wrong password does not reveal whether the login exists", async () => {
    const dear: PasswordCost = { n: 2 ** 13, r: 8, p: 1 };
    const hash = await hashPassword(password, world.ids, dear);
    const medianMs = async (stored: string | null) => {
      const took: number[] = [];
      for (let round = 0; round < 7; round += 1) {
        const startedMs = performance.now();
        expect(await verifyPassword("wrong horse battery", stored, dear)).to.equal("wrong");
        took.push(performance.now() - startedMs);
      }
      return took.sort((a, b) => a - b)[3] ?? 0;
    };
    expect((await medianMs(null)) / (await medianMs(hash))).to.be.within(0.4, 2.5);
  });

  it("an owner learns that the account is disabled only with the right password", async () => {
    await owners.setPassword(invite(), password);
    world.accounts.disable(accountId);
    expect(await codeOf(signIn)).to.equal("account_disabled");
    expect(await codeOf(() => owners.signIn("ann", "wrong horse battery"))).to.equal("invalid_credentials");
    expect(await codeOf(() => owners.setPassword(invite(), password))).to.equal("account_disabled");
  });

  it("a password is hashed again when the cost has changed, and only then", async () => {
    await owners.setPassword(invite(), password);
    const [before] = stored("SELECT password_hash FROM owners");
    expect(before).to.match(/^scrypt\$1024\$8\$1\$/);
    await signIn();
    expect(stored("SELECT password_hash FROM owners")).to.deep.equal([before]);
    await ownersAt({ n: 2 ** 11, r: 8, p: 1 }).signIn("ann", password);
    expect(stored("SELECT password_hash FROM owners")[0]).to.match(/^scrypt\$2048\$8\$1\$/);
    await signIn();
  });

  it("an owner is refused when the password is replaced while it is compared", async () => {
    await owners.setPassword(invite(), password);
    const token = invite();
    const slow = await hashPassword(password, world.ids, { n: 2 ** 14, r: 8, p: 1 });
    world.database.$client.prepare("UPDATE owners SET password_hash = ?").run(slow);
    const trying = owners.signIn("ann", password);
    world.database.$client.prepare("UPDATE owners SET password_hash = NULL").run();
    expect(await codeOf(() => trying)).to.equal("invalid_credentials");
    expect(stored("SELECT count(*) FROM owner_sessions")).to.deep.equal([0]);
    await owners.setPassword(token, password);
  });

  it("an owner changes the password in a session, which continues as a fresh one while all others and every link end", async () => {
    await owners.setPassword(invite(), password);
    const [cookie, other, token] = [await signIn(), await signIn(), invite()];
    const hash = session(cookie)?.sessionHash ?? "";
    for (const [current, next, code] of [
      ["wrong horse battery", "another good one", "invalid_credentials"],
      ["wrong horse battery", "too short", "bad_input"],
    ] as const) {
      expect(await codeOf(() => owners.changePassword(hash, current, next))).to.equal(code);
    }
    const { cookie: fresh } = await owners.changePassword(hash, password, "another good one");
    expect([cookie, other, fresh].map((one) => session(one) !== null)).to.deep.equal([false, false, true]);
    expect(reads.invite(token, world.clock.at)?.state).to.equal("expired");
    expect(await codeOf(() => owners.changePassword(hash, "another good one", password))).to.equal("session_ended");
    expect(await codeOf(signIn)).to.equal("invalid_credentials");
    const { kind, detail } = reads.activity(accountId, { beforeId: null, limit: 1 })[0] ?? {};
    expect({ kind, detail }).to.deep.equal({ kind: "owner_changed", detail: "password changed" });
  });

  it("an owner changes no password when the session ends, or the password is replaced, while it is compared", async () => {
    await owners.setPassword(invite(), password);
    const hashes = () => stored("SELECT password_hash FROM owners");
    const slow = await hashPassword(password, world.ids, { n: 2 ** 14, r: 8, p: 1 });
    const set = (hash: string) => void world.database.$client.prepare("UPDATE owners SET password_hash = ?").run(hash);
    const change = async (meanwhile: (sessionHash: string) => void) => {
      set(slow);
      const hash = session(await signIn())?.sessionHash ?? "";
      set(slow);
      const changing = owners.changePassword(hash, password, "another good one");
      meanwhile(hash);
      return codeOf(() => changing);
    };
    expect(await change((hash) => owners.signOut(hash))).to.equal("session_ended");
    expect(hashes()).to.deep.equal([slow]);
    const other = await hashPassword("yet another one", world.ids, cost);
    expect(await change(() => set(other))).to.equal("invalid_credentials");
    expect(await change(() => void world.accounts.disable(accountId))).to.equal("account_disabled");
    expect(hashes()).to.deep.equal([slow]);
  });

  it("an owner keeps login, password and sessions until the link that brings a new login is used", async () => {
    await owners.setPassword(invite(), password);
    const cookie = await signIn();
    const made = owners.invite(accountId, "anna");
    expect(made).to.include({ login: "anna", replaces: "ann" });
    expect(reads.invite(made.token, world.clock.at)?.login).to.equal("anna");
    expect(session(cookie)?.login).to.equal("ann");
    await signIn();
    expect(await codeOf(() => owners.signIn("anna", password))).to.equal("invalid_credentials");
    expect(await owners.setPassword(made.token, "another good one")).to.deep.equal({ accountId, login: "anna" });
    expect((await owners.signIn("anna", "another good one")).accountId).to.equal(accountId);
    for (const word of [password, "another good one"]) {
      expect(await codeOf(() => owners.signIn("ann", word))).to.equal("invalid_credentials");
    }
    expect(reads.activity(accountId, { beforeId: null, limit: 2 }).map(({ detail }) => detail)).to.deep.equal([
      "password set, login anna",
      "invited anna, until then ann",
    ]);
  });

  it("a mistyped login is dropped with its link, at once where no password belongs to it yet", async () => {
    expect(owners.invite(accountId, "amm")).to.include({ login: "amm", replaces: null });
    expect(owners.invite(accountId, "ann")).to.include({ login: "ann", replaces: null });
    const other = world.accounts.create("Other").accountId;
    owners.invite(other, "amm");
    await owners.setPassword(invite(null), password);
    owners.invite(accountId, "anm");
    expect(owners.invite(accountId, null)).to.include({ login: "ann", replaces: null });
    await owners.setPassword(invite(null), password);
    await signIn();
  });

  it("an owner keeps all it has when a new login was taken before its link was used, and the link waits", async () => {
    await owners.setPassword(invite(), password);
    const cookie = await signIn();
    const { token } = owners.invite(accountId, "bob");
    const other = world.accounts.create("Other").accountId;
    const theirs = owners.invite(other, "bob").token;
    const refusal = await failureOf(() => owners.setPassword(token, "another good one"));
    expect(refusal.code).to.equal("conflict");
    expect(refusal.message).to.include("The login bob has been taken").and.include("go on working");
    expect(session(cookie)?.login).to.equal("ann");
    await signIn();
    expect((await owners.setPassword(theirs, password)).login).to.equal("bob");
    owners.invite(other, "rob");
    expect(await codeOf(() => owners.setPassword(token, "another good one"))).to.equal("conflict");
    await owners.setPassword(owners.invite(other, "rob").token, password);
    expect((await owners.setPassword(token, "another good one")).login).to.equal("bob");
  });

  it("a login that is taken while the password is hashed is refused, with nothing changed", async () => {
    await owners.setPassword(invite(), password);
    const { token } = owners.invite(accountId, "bob");
    const other = world.accounts.create("Other").accountId;
    const setting = codeOf(() => owners.setPassword(token, "another good one"));
    owners.invite(other, "bob");
    expect(await setting).to.equal("conflict");
    await signIn();
    expect(reads.invite(token, world.clock.at)?.state).to.equal("open");
  });

  it("a bad login is refused with its fault by name", async () => {
    const other = world.accounts.create("Other").accountId;
    owners.invite(other, "bob");
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
    const token = invite();
    await owners.setPassword(token, password);
    const cookie = await signIn();
    owners.signOutEverywhere(session(cookie)?.sessionHash ?? "");
    const records = reads.activity(accountId, { beforeId: null, limit: 10 });
    expect(records.map(({ kind, detail }) => `${kind}: ${detail}`)).to.deep.equal([
      "owner_changed: signed out everywhere",
      "owner_changed: password set",
      "owner_changed: invited ann",
      "account_created: null",
    ]);
    const dump = JSON.stringify(
      ["owners", "owner_invites", "owner_sessions", "activity"].map((table) =>
        world.database.$client.prepare(`SELECT * FROM ${table}`).all(),
      ),
    );
    for (const secret of [token, cookie, password]) expect(dump).to.not.include(secret);
  });

  it("an owner may change the password in a session whose sign-in is not recent", async () => {
    await owners.setPassword(invite(), password);
    const hash = session(await signIn())?.sessionHash ?? "";
    world.clock.at += 31 * 60_000;
    const { cookie } = await owners.changePassword(hash, password, "another good one");
    expect(session(cookie)).to.not.equal(null);
  });

  it("an owner's session is kept for thirty days after its end", async () => {
    await owners.setPassword(invite(), password);
    owners.signOut(session(await signIn())?.sessionHash ?? "");
    world.clock.at += 30 * dayMs;
    await signIn();
    expect(stored("SELECT count(*) FROM owner_sessions")).to.deep.equal([2]);
  });

  it("an owner leaves no session behind that ended long ago", async () => {
    await owners.setPassword(invite(), password);
    await signIn();
    world.clock.at += 31 * dayMs;
    await signIn();
    expect(stored("SELECT count(*) FROM owner_sessions")).to.deep.equal([1]);
  });
});
