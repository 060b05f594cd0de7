import { expect } from "chai";
import { liveKeysMax } from "../../src/access/keys.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { plantKeys } from "../support/plant-keys.ts";
import { type AccessStore, engines, useStores } from "./stores.ts";
import { failureOf } from "./world.ts";

describe("the keys of an account on each store", () => {
  const open = useStores();

  for (const engine of engines) {
    describe(`the keys of an account on ${engine}`, () => {
      let world: AccessStore;
      let accountId: string;
      beforeEach(async function () {
        world = await open(this, engine);
        accountId = await world.account("many");
      });
      afterEach(() => world?.close());

      const plant = (count: number, name = "planted") =>
        world.operate(accountId, (database) => plantKeys(database, accountId, count, name, world.clock.at));
      const make = (days = 30) => world.keys.create(accountId, "made", days);

      it("an account has at most a hundred keys in use: another is refused, of either kind, and nothing is recorded", async () => {
        await plant(liveKeysMax - 1);
        const { key } = await make();
        for (const more of [make, () => world.keys.createPersonal(accountId, "more", 7, ["pf_x"], true)]) {
          const error = await failureOf(more);
          expect(error).to.be.instanceOf(OperatorError);
          expect(error.message).to.equal(
            `account ${accountId} has 100 keys in use, and there can be no more; revoke one first`,
          );
        }
        expect(await world.keys.list(accountId)).to.have.length(liveKeysMax);
        const activity = await world.accounts.activity(accountId, 10);
        expect(activity.filter(({ kind }) => kind === "key_created")).to.have.length(1);
        expect((await world.keys.rotate(key.keyId)).key.keyId).to.equal(key.keyId);
        const other = await world.account("other");
        expect((await world.keys.create(other, "first", 7)).key.keyId).to.match(/^key_/);
      });

      it("revoked and expired keys do not count towards the limit of an account", async () => {
        await plant(liveKeysMax - 2);
        const gone = await make(7);
        await make(7);
        await world.keys.revoke(gone.key.keyId);
        await make(90);
        await failureOf(make);
        world.clock.at += 7 * dayMs;
        await make(90);
        await failureOf(make);
      });

      it("the keys of an account are listed by whether they have ended, newest first and the ended ones page by page", async () => {
        await plant(3, "live");
        await plant(5, "ended");
        await world.sql("UPDATE api_keys SET revoked_at = ? WHERE name LIKE 'ended%'", world.clock.at);
        const names = (keys: readonly { name: string }[]) => keys.map(({ name }) => name);
        const live = async (at = world.clock.at) => names(await (await world.owners(at)).liveKeys(accountId, at));
        const ended = async (limit: number, offset: number, at = world.clock.at) =>
          names(await (await world.owners(at)).endedKeys(accountId, at, { limit, offset }));
        expect(await live()).to.deep.equal(["live1", "live2", "live3"]);
        expect(await ended(2, 0)).to.deep.equal(["ended1", "ended2"]);
        expect(await ended(2, 2)).to.deep.equal(["ended3", "ended4"]);
        expect(await ended(2, 4)).to.deep.equal(["ended5"]);
        expect(await ended(2, 6)).to.deep.equal([]);
        const expiresAt = world.clock.at + 90 * dayMs;
        expect(await live(expiresAt - 1)).to.have.length(3);
        expect(await live(expiresAt)).to.have.length(0);
        expect(await ended(10, 0, expiresAt)).to.have.length(8);
      });

      it("the newest key of an account is known by its id", async () => {
        expect(await (await world.owners()).newestKey(accountId)).to.equal(null);
        expect(await world.keys.newestId(accountId)).to.equal("");
        await plant(2);
        const { keyId } = (await make()).key;
        const newest = { keyId, name: "made", createdAt: world.clock.at };
        expect(await (await world.owners()).newestKey(accountId)).to.include(newest);
        expect(await world.keys.newestId(accountId)).to.equal(keyId);
      });

      it("the activity names the key of each entry, and an entry about no key has none", async () => {
        await make();
        const rows = await (await world.owners()).activity(accountId, { beforeId: null, limit: 10 });
        expect(rows.map(({ kind, keyName }) => [kind, keyName])).to.deep.equal([
          ["key_created", "made"],
          ["account_created", null],
        ]);
        const older = await (await world.owners()).activity(accountId, { beforeId: rows[0]!.activityId, limit: 10 });
        expect(older).to.deep.equal(rows.slice(1));
      });
    });
  }
});
