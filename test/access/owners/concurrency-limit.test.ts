import { expect } from "chai";
import { OwnerWriter } from "../../../src/access/owners/owner-writer.ts";
import type { Session } from "../../../src/access/owners/sessions.ts";
import { describeLong } from "../../support/size.ts";
import { cheapCost, OwnerWorld } from "../../web/dashboard/owner-world.ts";
import { enter, outcomes } from "./owner-writer-world.ts";

describeLong("concurrent requests of owners", () => {
  let writer: OwnerWriter;
  let ann: OwnerWorld;
  let owners: OwnerWorld[];
  let sessions: Session[];
  before(async () => {
    ann = await OwnerWorld.start({ fewItems: true });
    owners = [ann, await ann.another("bob"), await ann.another("cat")];
    writer = new OwnerWriter({ databasePath: ann.world.path, cost: cheapCost }, ann.world.clock);
    sessions = [];
    for (const { login } of owners) sessions.push(await enter(writer, ann.world, login));
  });
  after(async () => {
    await writer.close();
    await ann.world.stop();
  });

  const times = <T>(count: number, wish: () => Promise<T>) => Array.from({ length: count }, wish);
  const guess = () => writer.signIn("nobody", "wrong horse battery", null);
  const revoke = (index: number) => writer.revokeKey(sessions[index]!, owners[index]!.account.key.keyId);
  const keepAlive = (index: number) => times(4, () => writer.keepAlive(sessions[index]!));
  const counted = (codes: readonly string[], code: string) => codes.filter((one) => one === code).length;

  it("limits one account to four requests, plus two that end something", async () => {
    const own = outcomes(times(40, () => writer.keepAlive(sessions[0]!)));
    const ends = outcomes(times(3, () => revoke(0)));
    const others = outcomes([writer.keepAlive(sessions[1]!), revoke(1), enter(writer, ann.world, "cat")]);
    expect([counted(await own, "done"), counted(await own, "busy")]).to.deep.equal([4, 36]);
    expect(await ends).to.deep.equal(["done", "done", "busy"]);
    expect(await others).to.deep.equal(["done", "done", "done"]);
  });

  it("admits one more request of an account as each of four ends", async () => {
    const [one, two, three, four] = keepAlive(0);
    await Promise.all([one, two, three]);
    expect(await outcomes(keepAlive(0))).to.deep.equal(["done", "done", "done", "busy"]);
    await four;
  });

  it("limits all signed-out callers together to sixteen requests", async () => {
    const guesses = outcomes(times(30, guess));
    const known = outcomes([writer.keepAlive(sessions[0]!)]);
    expect([counted(await guesses, "invalid_credentials"), counted(await guesses, "busy")]).to.deep.equal([16, 14]);
    expect(await known).to.deep.equal(["done"]);
  });

  it("revokes and signs out when all other permits are in use", async () => {
    const taken = outcomes([...times(16, guess), ...[0, 1].flatMap((index) => keepAlive(index))]);
    const refused = outcomes([writer.keepAlive(sessions[2]!), guess()]);
    const ends = outcomes([revoke(2), writer.signOut(sessions[2]!)]);
    expect(counted(await taken, "busy")).to.equal(0);
    expect(await refused).to.deep.equal(["busy", "busy"]);
    expect(await ends).to.deep.equal(["done", "done"]);
    expect(await outcomes(keepAlive(0))).to.deep.equal(Array(4).fill("done"));
  });

  it("hashes the passwords of all running requests, two at once", async () => {
    const slow = new OwnerWriter({ databasePath: ann.world.path, cost: { n: 2 ** 14, r: 8, p: 1 } }, ann.world.clock);
    await slow.keepAlive(sessions[0]!);
    const again = (index: number) => times(4, () => slow.signInAgain(sessions[index]!, "wrong horse battery"));
    const guesses = times(16, () => slow.signIn("nobody", "wrong horse battery", null));
    const told = await outcomes([...guesses, ...[0, 1].flatMap(again)]);
    expect(told).to.deep.equal(Array<string>(24).fill("invalid_credentials"));
    await slow.close();
  });
});
