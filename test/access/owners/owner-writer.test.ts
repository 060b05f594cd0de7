import { copyFileSync } from "node:fs";
import { expect } from "chai";
import { OwnerWriter } from "../../../src/access/owners/owner-writer.ts";
import type { Session } from "../../../src/access/owners/sessions.ts";
import { hashToken } from "../../../src/access/owners/sessions.ts";
import { minuteMs } from "../../../src/values/time/calendar.ts";
import { jsonOf } from "../../support/cli.ts";
import { demoFile } from "../../support/kept-files.ts";
import { hasPostgres, needPostgres, TestPostgres } from "../../support/postgres.ts";
import { itLong } from "../../support/size.ts";
import { cheapCost, goodPassword, OwnerWorld } from "../../web/dashboard/owner-world.ts";
import { enterStore, type OwnerStore, openSession, ownersInFile, ownersInPostgres } from "./owner-stores.ts";
import { enter, outcomes, refusalOf } from "./owner-writer-world.ts";
import { Nodes } from "./postgres-world.ts";

describe("owner writer", function () {
  this.timeout(120_000);
  let server: TestPostgres | null = null;
  before(async () => {
    if (hasPostgres()) server = await TestPostgres.start();
  });
  after(() => server?.remove());

  const places = ["the file", "PostgreSQL"] as const;

  for (const place of places) {
    describe(`owner writer on ${place}`, function () {
      this.timeout(60_000);
      let ann: OwnerWorld;
      let bob: OwnerWorld;
      let store: OwnerStore;
      let writer: OwnerWriter;
      let session: Session;
      before(async function () {
        const isShared = place === "PostgreSQL";
        if (isShared) needPostgres(this);
        ann = await OwnerWorld.start({ fewItems: true });
        bob = await ann.another("bob");
        store = isShared ? await ownersInPostgres(server!, ann) : ownersInFile(ann);
        writer = store.writer();
      });
      after(async () => {
        await writer?.close();
        await store?.close();
        await ann?.world.stop();
      });
      beforeEach(async () => {
        // The newest key is identified by its creation time.
        await store.advance(1);
        session = await enterStore(store, writer, "ann");
      });

      const status = async (key: string) => (await store.world.client.call("listItems", { key })).status;
      const keys = () => store.sql("SELECT * FROM api_keys ORDER BY key_id");
      const newest = async () => (await store.reads.newestKey(ann.account.accountId))?.keyId ?? "";
      const made = async () => writer.createKey(session, { name: "made", days: 7, after: await newest() });

      it("creates, rotates and revokes a key; the next request sees each change", async () => {
        const { key, secret } = await made();
        expect(key).to.deep.include({
          accountId: ann.account.accountId,
          kind: "project",
          name: "made",
          revokedAt: null,
        });
        expect(await status(secret)).to.equal(200);
        const rotated = await writer.rotateKey(session, key.keyId, key.display);
        expect(rotated.key.expiresAt).to.equal(key.expiresAt);
        expect([await status(secret), await status(rotated.secret)]).to.deep.equal([401, 200]);
        const revoked = await writer.revokeKey(session, key.keyId);
        expect(revoked.revokedAt).to.equal(store.world.clock.at);
        expect(await status(rotated.secret)).to.equal(401);
        const again = await refusalOf(writer.rotateKey(session, key.keyId, key.display));
        expect(again).to.include({ code: "conflict", message: `Key ${key.keyId} is revoked; create a new one.` });
      });

      it("needs a sign-in of the last 30 minutes to create keys", async () => {
        const { key } = await made();
        await store.advance(30 * minuteMs);
        await made();
        await writer.rotateKey(session, key.keyId, key.display);
        await store.advance(1);
        const before = await keys();
        const wish = { name: "late", days: 7, after: await newest(), portfolioIds: ["pf_x"], consent: true };
        for (const late of [
          () => made(),
          () => writer.rotateKey(session, key.keyId, key.display),
          () => writer.createPersonalToken(session, wish),
        ]) {
          expect((await refusalOf(late())).code).to.equal("stale_sign_in");
        }
        expect(await keys()).to.deep.equal(before);
        expect((await writer.revokeKey(session, key.keyId)).revokedAt).to.equal(store.world.clock.at);
      });

      it("counts a repeated password as recent sign-in and ends the old session", async () => {
        await store.advance(31 * minuteMs);
        const { cookie } = await writer.signInAgain(session, goodPassword);
        expect((await refusalOf(made())).code).to.equal("session_ended");
        session = await openSession(store, cookie);
        expect((await made()).key.name).to.equal("made");
      });

      it("refuses another account's key like a missing one", async () => {
        const foreign = bob.account.key.keyId;
        const before = await keys();
        for (const work of [
          () => writer.rotateKey(session, foreign, bob.account.key.display),
          () => writer.rotateKey(session, "key_none", ""),
          () => writer.revokeKey(session, foreign),
          () => writer.revokeKey(session, "key_none"),
        ]) {
          expect(await refusalOf(work())).to.include({
            code: "unknown_key",
            message: "This account does not have the key.",
          });
        }
        expect(await keys()).to.deep.equal(before);
      });

      it("writes nothing when the session ends before the transaction", async () => {
        const before = await keys();
        await writer.signOut(session);
        expect((await refusalOf(made())).code).to.equal("session_ended");
        expect((await refusalOf(writer.revokeKey(session, ann.account.key.keyId))).code).to.equal("session_ended");
        expect(await keys()).to.deep.equal(before);
      });

      it("creates one key for simultaneous requests that name the same newest key", async () => {
        const wish = { name: "at once", days: 7, after: await newest() };
        const wishes = [1, 2, 3].map(() => writer.createKey(session, wish));
        const token = writer.createPersonalToken(session, { ...wish, portfolioIds: ["p"], consent: true });
        expect(await outcomes([...wishes, token])).to.have.members(["done", "conflict", "conflict", "conflict"]);
        expect((await keys()).filter(({ name }) => name === "at once")).to.have.length(1);
      });

      it("replaces a secret once for simultaneous rotations", async () => {
        const { key } = await made();
        const wishes = [1, 2, 3].map(() => writer.rotateKey(session, key.keyId, key.display));
        expect(await outcomes(wishes)).to.have.members(["done", "conflict", "conflict"]);
        const [done] = (await Promise.allSettled(wishes)).flatMap((one) =>
          one.status === "fulfilled" ? [one.value] : [],
        );
        expect(await status(done!.secret)).to.equal(200);
      });
    });
  }

  describe("owner writer of the file", () => {
    let ann: OwnerWorld;
    let writer: OwnerWriter;
    let session: Session;
    before(async () => {
      ann = await OwnerWorld.start({ fewItems: true });
      writer = new OwnerWriter({ databasePath: ann.world.path, cost: cheapCost }, ann.world.clock);
    });
    after(async () => {
      await writer.close();
      await ann.world.stop();
    });
    beforeEach(async () => {
      session = await enter(writer, ann.world, "ann");
    });

    const keys = () => ann.world.sql("SELECT * FROM api_keys");
    const revoke = () => writer.revokeKey(session, ann.account.key.keyId);

    it("serves reads while its write waits for another writer", async () => {
      const unlock = ann.world.lockFile();
      let isDone = false;
      const revoked = revoke().finally(() => {
        isDone = true;
      });
      expect((await ann.world.client.call("getStatus")).status).to.equal(200);
      // A read that waited for the write would be answered after it.
      expect(isDone).to.equal(false);
      unlock();
      expect((await revoked).keyId).to.equal(ann.account.key.keyId);
    });

    itLong("gives up on a long-held lock, without change, with a retry time", async () => {
      const visitor = await ann.signedIn();
      await visitor.get("/dashboard");
      const before = keys();
      const unlock = ann.world.lockFile();
      const refusal = await refusalOf(revoke());
      const page = await visitor.post(`/dashboard/keys/${ann.account.key.keyId}/revoke`);
      unlock();
      expect(refusal).to.include({ code: "busy", retryAfterS: 1 });
      expect(page.status).to.equal(503);
      expect(page.headers.get("retry-after")).to.equal("1");
      expect(page.headers.get("content-type")).to.match(/^text\/html/);
      expect(keys()).to.deep.equal(before);
      expect((await visitor.get("/dashboard")).status).to.equal(200);
    });

    it("starts another thread when one has died", async () => {
      const databasePath = `${ann.world.path}-copy`;
      const other = new OwnerWriter({ databasePath, cost: cheapCost }, ann.world.clock);
      expect((await refusalOf(other.signIn("ann", goodPassword, null))).message).to.include("the file does not exist");
      copyFileSync(demoFile().path, databasePath);
      expect((await refusalOf(other.signIn("ann", goodPassword, null))).code).to.equal("invalid_credentials");
      await other.close();
    });

    it("finishes running requests on close and accepts no more", async () => {
      const other = new OwnerWriter({ databasePath: ann.world.path, cost: cheapCost }, ann.world.clock);
      // A thread that is still starting would be cut.
      await other.signIn("ann", goodPassword, null);
      const told: string[] = [];
      const entering = other.signIn("ann", goodPassword, null).finally(() => told.push("entered"));
      const closed = other.close().then(() => told.push("closed"));
      expect((await entering).cookie).to.match(/^[0-9A-Za-z]{43}$/);
      await closed;
      expect(told).to.deep.equal(["entered", "closed"]);
      expect((await refusalOf(other.signIn("ann", goodPassword, null))).code).to.equal("busy");
      await new OwnerWriter({ databasePath: ann.world.path }, ann.world.clock).close();
    });
  });

  describe("owner writers of two nodes", function () {
    this.timeout(120_000);
    let nodes: Nodes;
    let ann: OwnerWorld;
    let writers: OwnerWriter[];

    before(async function () {
      needPostgres(this);
      ann = await OwnerWorld.start({ fewItems: true });
      nodes = await Nodes.start(server!, ann, 0);
      const setup = { databasePath: ann.world.path, privateUrl: nodes.url, cost: cheapCost };
      writers = [new OwnerWriter(setup, nodes.clock), new OwnerWriter(setup, nodes.clock)];
    });
    after(async () => {
      for (const writer of writers ?? []) await writer.close();
      await nodes?.stop();
      await ann?.world.stop();
    });

    /** A session as a page of any node knows it. */
    async function enter(writer: OwnerWriter) {
      const { cookie, accountId } = await writer.signIn("Ann ", goodPassword, null);
      const sessionHash = hashToken(cookie)!.toString("hex");
      return { ...nowhere, sessionHash, accountId };
    }
    const nowhere = { accountName: "", login: "", signedInAt: 0, expiresAt: 0, disabledAt: null };

    it("accepts one of two links used at once on two nodes", async () => {
      const links: string[] = [];
      for (const name of ["Cleo", "Dora"]) {
        const { account_id: accountId } = await jsonOf("accounts", "create", name, "--private-db", nodes.url);
        const first = await invite(accountId, name.toLowerCase());
        await writers[0]!.setPassword(first, goodPassword);
        links.push(await invite(accountId, "shared"));
      }
      const set = links.map((link, node) => writers[node]!.setPassword(link, goodPassword));
      expect((await outcomes(set)).sort()).to.deep.equal(["conflict", "done"]);
      expect(await nodes.sql("SELECT FROM itemtape.owners WHERE login = 'shared'")).to.have.length(1);
    });

    async function invite(accountId: string, login: string): Promise<string> {
      const made = await jsonOf("accounts", "invite", accountId, "--login", login, "--private-db", nodes.url);
      return made.path.split("/").at(-1);
    }

    it("refuses changes but keeps sessions while the database is unreachable", async () => {
      const session = await enter(writers[0]!);
      await server!.stop("SIGKILL");
      expect(await refusalOf(writers[0]!.signIn("ann", goodPassword, null))).to.include({
        code: "unavailable",
        retryAfterS: 1,
      });
      expect((await refusalOf(writers[1]!.signOutEverywhere(session))).code).to.equal("unavailable");
      await server!.run();
      await writers[1]!.signOutEverywhere(session);
    });
  });
});
