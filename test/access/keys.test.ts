import { expect } from "chai";
import { liveKeysMax } from "../../src/access/keys.ts";
import { OwnerReads } from "../../src/access/owners/owner-reads.ts";
import { dayMs } from "../../src/values/calendar.ts";
import { OperatorError } from "../../src/values/operator-error.ts";
import { plantKeys } from "../support/plant-keys.ts";
import { World } from "./world.ts";

describe("the keys of an account", () => {
  let world: World;
  let reads: OwnerReads;
  let accountId: string;
  before(() => {
    world = new World();
    reads = new OwnerReads(world.reader);
  });
  after(() => world.close());
  beforeEach(() => {
    accountId = world.accounts.create("many").accountId;
  });

  const plant = (count: number, name = "planted") => plantKeys(world.database, accountId, count, name, world.clock.at);
  const make = (days = 30) => world.keys.create(accountId, "made", days);
  const refusal = (work: () => unknown) => {
    try {
      work();
    } catch (error) {
      return error as OperatorError;
    }
    throw new Error("it was not refused");
  };

  it("an account has at most a hundred keys in use: another is refused, of either kind, and nothing is recorded", () => {
    plant(liveKeysMax - 1);
    const { key } = make();
    for (const more of [make, () => world.keys.createPersonal(accountId, "more", 7, ["pf_x"], true)]) {
      const error = refusal(more);
      expect(error).to.be.instanceOf(OperatorError);
      expect(error.message).to.equal(
        `account ${accountId} has 100 keys in use, and there can be no more; revoke one first`,
      );
    }
    expect(world.keys.list(accountId)).to.have.length(liveKeysMax);
    expect(world.accounts.activity(accountId, 10).filter(({ kind }) => kind === "key_created")).to.have.length(1);
    expect(world.keys.rotate(key.keyId).key.keyId).to.equal(key.keyId);
    expect(world.person().keyId).to.match(/^key_/);
  });

  it("revoked and expired keys do not count towards the limit of an account", () => {
    plant(liveKeysMax - 2);
    const [gone] = [make(7), make(7)];
    world.keys.revoke(gone!.key.keyId);
    make(90);
    refusal(make);
    world.clock.at += 7 * dayMs;
    make(90);
    refusal(make);
  });

  it("the keys of an account are listed by whether they have ended, newest first and the ended ones page by page", () => {
    plant(3, "live");
    plant(5, "ended");
    world.database.$client.prepare("UPDATE api_keys SET revoked_at = ? WHERE name LIKE 'ended%'").run(world.clock.at);
    const names = (keys: readonly { name: string }[]) => keys.map(({ name }) => name);
    const ended = (limit: number, offset: number, at = world.clock.at) =>
      names(reads.endedKeys(accountId, at, { limit, offset }));
    expect(names(reads.liveKeys(accountId, world.clock.at))).to.deep.equal(["live1", "live2", "live3"]);
    expect([ended(2, 0), ended(2, 2), ended(2, 4), ended(2, 6)]).to.deep.equal([
      ["ended1", "ended2"],
      ["ended3", "ended4"],
      ["ended5"],
      [],
    ]);
    const expiresAt = world.clock.at + 90 * dayMs;
    expect(reads.liveKeys(accountId, expiresAt - 1)).to.have.length(3);
    expect(reads.liveKeys(accountId, expiresAt)).to.have.length(0);
    expect(ended(10, 0, expiresAt)).to.have.length(8);
  });

  it("the newest key of an account is known by its id", () => {
    expect(reads.newestKey(accountId)).to.equal(null);
    expect(world.keys.newestId(accountId)).to.equal("");
    plant(2);
    const { key } = make();
    expect(reads.newestKey(accountId)).to.deep.equal({ keyId: key.keyId, name: "made", createdAt: world.clock.at });
    expect(world.keys.newestId(accountId)).to.equal(key.keyId);
  });

  it("the activity names the key of each entry, and an entry about no key has none", () => {
    make();
    const rows = reads.activity(accountId, { beforeId: null, limit: 10 });
    expect(rows.map(({ kind, keyName }) => [kind, keyName])).to.deep.equal([
      ["key_created", "made"],
      ["account_created", null],
    ]);
  });
});
