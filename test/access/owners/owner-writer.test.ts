import { copyFileSync } from "node:fs";
import { expect } from "chai";
import { OwnerWriter } from "../../../src/access/owners/owner-writer.ts";
import type { Session } from "../../../src/access/owners/sessions.ts";
import { minuteMs } from "../../../src/values/calendar.ts";
import { demoFile } from "../../support/kept-files.ts";
import { cheapCost, goodPassword, OwnerWorld } from "../../web/dashboard/owner-world.ts";
import { enter, outcomes, ownerReads, refusalOf, sessionOf } from "./owner-writer-world.ts";

describe("the owner writer", () => {
  let ann: OwnerWorld;
  let bob: OwnerWorld;
  let writer: OwnerWriter;
  let session: Session;
  before(async () => {
    ann = await OwnerWorld.start();
    bob = await ann.another("bob");
    writer = new OwnerWriter({ databasePath: ann.world.path, cost: cheapCost }, ann.world.clock);
  });
  after(async () => {
    await writer.close();
    await ann.world.stop();
  });
  beforeEach(async () => {
    // The newest key is told by its instant.
    ann.world.clock.advance(1);
    session = await enter(writer, ann.world, "ann");
  });

  const status = async (key: string) => (await ann.world.client.call("listItems", { key })).status;
  const keys = () => ann.world.sql("SELECT * FROM api_keys");
  const newest = () => ownerReads(ann.world, (reads) => reads.newestKey(ann.account.accountId)?.keyId ?? "");
  const made = () => writer.createKey(session, { name: "made", days: 7, after: newest() });

  it("the owner writer creates, rotates and revokes a key, and the next request sees each change", async () => {
    const { key, secret } = await made();
    expect(key).to.deep.include({ accountId: ann.account.accountId, kind: "project", name: "made", revokedAt: null });
    expect(await status(secret)).to.equal(200);
    const rotated = await writer.rotateKey(session, key.keyId, key.display);
    expect(rotated.key.expiresAt).to.equal(key.expiresAt);
    expect([await status(secret), await status(rotated.secret)]).to.deep.equal([401, 200]);
    const revoked = await writer.revokeKey(session, key.keyId);
    expect(revoked.revokedAt).to.equal(ann.world.clock.at);
    expect(await status(rotated.secret)).to.equal(401);
    const again = await refusalOf(writer.rotateKey(session, key.keyId, key.display));
    expect(again).to.include({ code: "conflict", message: `Key ${key.keyId} is revoked; create a new one.` });
  });

  it("making and rotating keys needs a sign-in of at most exactly 30 minutes; revoking needs none", async () => {
    const { key } = await made();
    ann.world.clock.advance(30 * minuteMs);
    await made();
    await writer.rotateKey(session, key.keyId, key.display);
    ann.world.clock.advance(1);
    const before = keys();
    const wish = { name: "late", days: 7, after: newest(), portfolioIds: ["pf_x"], consent: true };
    for (const late of [
      made(),
      writer.rotateKey(session, key.keyId, key.display),
      writer.createPersonalToken(session, wish),
    ]) {
      expect((await refusalOf(late)).code).to.equal("stale_sign_in");
    }
    expect(keys()).to.deep.equal(before);
    expect((await writer.revokeKey(session, key.keyId)).revokedAt).to.equal(ann.world.clock.at);
  });

  it("a password given again is a recent sign-in, and the old session ends", async () => {
    ann.world.clock.advance(31 * minuteMs);
    const { cookie } = await writer.signInAgain(session, goodPassword);
    expect((await refusalOf(made())).code).to.equal("session_ended");
    session = sessionOf(ann.world, cookie);
    expect((await made()).key.name).to.equal("made");
  });

  it("a key of another account is refused like one that never existed", async () => {
    const foreign = bob.account.key.keyId;
    const before = keys();
    for (const work of [
      writer.rotateKey(session, foreign, bob.account.key.display),
      writer.rotateKey(session, "key_none", ""),
      writer.revokeKey(session, foreign),
      writer.revokeKey(session, "key_none"),
    ]) {
      expect(await refusalOf(work)).to.include({ code: "unknown_key", message: "This account has no such key." });
    }
    expect(keys()).to.deep.equal(before);
  });

  it("the transaction that writes looks at the session: one that has just ended writes nothing", async () => {
    const before = keys();
    const out = writer.signOut(session);
    expect((await refusalOf(made())).code).to.equal("session_ended");
    await out;
    expect((await refusalOf(writer.revokeKey(session, ann.account.key.keyId))).code).to.equal("session_ended");
    expect(keys()).to.deep.equal(before);
  });

  it("the owner of a disabled account is refused, also to revoke", async () => {
    ann.world.accounts((accounts) => accounts.disable(ann.account.accountId));
    expect((await refusalOf(writer.revokeKey(session, ann.account.key.keyId))).code).to.equal("account_disabled");
    ann.world.accounts((accounts) => accounts.enable(ann.account.accountId));
  });

  it("a refusal of the owner writer explains in a sentence what is wrong with the request", async () => {
    const right = { name: "a", days: 7, after: newest() };
    for (const [work, description] of [
      [writer.createKey(session, { ...right, name: " " }), "The key's name must have 1 to 80 characters"],
      [writer.createKey(session, { ...right, days: 8 }), "A key expires after 7, 30, 90 days, not 8."],
      [writer.createPersonalToken(session, { ...right, portfolioIds: [], consent: true }), "needs a portfolio"],
      [writer.createPersonalToken(session, { ...right, portfolioIds: ["p"], consent: false }), "needs your consent"],
    ] as const) {
      const refusal = await refusalOf(work);
      expect(refusal.code).to.equal("bad_input");
      expect(refusal.message).to.include(description);
    }
  });

  it("the owner writer never blocks the serving thread: reads continue while its write waits for another writer", async () => {
    const unlock = ann.world.lockFile();
    let isDone = false;
    const revoked = made().finally(() => {
      isDone = true;
    });
    let slowestMs = 0;
    for (let read = 0; read < 20; read += 1) {
      const startedMs = performance.now();
      expect((await ann.world.client.call("getStatus")).status).to.equal(200);
      slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    }
    expect(isDone).to.equal(false);
    expect(slowestMs).to.be.below(500);
    unlock();
    expect((await revoked).key.name).to.equal("made");
  });

  it("the owner writer gives up on a lock that is held too long, changes nothing and says when to try again", async () => {
    const visitor = await ann.signedIn();
    await visitor.get("/dashboard");
    const before = keys();
    const unlock = ann.world.lockFile();
    const refusal = await refusalOf(writer.revokeKey(session, ann.account.key.keyId));
    const page = await visitor.post(`/dashboard/keys/${ann.account.key.keyId}/revoke`);
    unlock();
    expect(refusal).to.include({ code: "busy", retryAfterS: 1 });
    expect(page.status).to.equal(503);
    expect(page.headers.get("retry-after")).to.equal("1");
    expect(page.headers.get("content-type")).to.match(/^text\/html/);
    expect(keys()).to.deep.equal(before);
    expect((await visitor.get("/dashboard")).status).to.equal(200);
  });

  it("simultaneous requests that name the same newest key create one key", async () => {
    const wish = { name: "at once", days: 7, after: newest() };
    const wishes = [1, 2, 3].map(() => writer.createKey(session, wish));
    const token = writer.createPersonalToken(session, { ...wish, portfolioIds: ["p"], consent: true });
    expect(await outcomes([...wishes, token])).to.deep.equal(["done", "conflict", "conflict", "conflict"]);
    expect(keys().filter(({ name }) => name === "at once")).to.have.length(1);
  });

  it("simultaneous rotations replace a secret once", async () => {
    const { key } = await made();
    const wishes = [1, 2, 3].map(() => writer.rotateKey(session, key.keyId, key.display));
    expect(await outcomes(wishes)).to.deep.equal(["done", "conflict", "conflict"]);
    expect(await status((await wishes[0]!).secret)).to.equal(200);
  });

  it("the owner writer starts another thread when one has died", async () => {
    const databasePath = `${ann.world.path}-copy`;
    const other = new OwnerWriter({ databasePath, cost: cheapCost }, ann.world.clock);
    expect((await refusalOf(other.signIn("ann", goodPassword, null))).message).to.include("there is no such file");
    copyFileSync(demoFile().path, databasePath);
    expect((await refusalOf(other.signIn("ann", goodPassword, null))).code).to.equal("invalid_credentials");
    await other.close();
  });

  it("the owner writer finishes running requests when it closes, and accepts no more", async () => {
    const other = new OwnerWriter({ databasePath: ann.world.path, cost: cheapCost }, ann.world.clock);
    const entering = other.signIn("ann", goodPassword, null);
    const closed = other.close();
    expect((await entering).cookie).to.match(/^[0-9A-Za-z]{43}$/);
    await closed;
    expect((await refusalOf(other.signIn("ann", goodPassword, null))).code).to.equal("busy");
    await new OwnerWriter({ databasePath: ann.world.path }, ann.world.clock).close();
  });
});
