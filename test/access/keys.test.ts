import { expect } from "chai";
import { liveKeysMax } from "../../src/access/keys.ts";
import { OperatorError } from "../../src/values/failure/operator-error.ts";
import { dayMs } from "../../src/values/time/calendar.ts";
import { plantKeys } from "../support/plant-keys.ts";
import { onEachStore } from "./stores.ts";
import { failureOf } from "./world.ts";

onEachStore("key limit of an account", (world) => {
  let accountId: string;
  beforeEach(async () => {
    accountId = await world.account("many");
  });

  const plant = (count: number, name = "planted") =>
    world.operate(accountId, (database) => plantKeys(database, accountId, count, name, world.clock.at));
  const make = (days = 30) => world.keys.create(accountId, "made", days);

  it("refuses key 101 of either kind without recording anything", async () => {
    await plant(liveKeysMax - 1);
    const { key } = await make();
    for (const more of [make, () => world.keys.createPersonal(accountId, "more", 7, ["pf_x"], true)]) {
      const error = await failureOf(more);
      expect(error).to.be.instanceOf(OperatorError);
      expect(error.message).to.equal(`account ${accountId} has 100 keys in use, the maximum; revoke one first`);
    }
    expect(await world.keys.list(accountId)).to.have.length(liveKeysMax);
    const activity = await world.accounts.activity(accountId, 10);
    expect(activity.filter(({ kind }) => kind === "key_created")).to.have.length(1);
    expect((await world.keys.rotate(key.keyId)).key.keyId).to.equal(key.keyId);
    const other = await world.account("other");
    expect((await world.keys.create(other, "first", 7)).key.keyId).to.match(/^key_/);
  });

  it("excludes revoked and expired keys from the limit", async () => {
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
});
