import { expect } from "chai";
import { OwnerPortfolios } from "../../../src/access/owners/owner-portfolios.ts";
import type { Session } from "../../../src/access/owners/sessions.ts";
import { itLong } from "../../support/size.ts";
import { World } from "../world.ts";
import { outcomes } from "./owner-writer-world.ts";

describe("concurrent portfolio requests of owners", () => {
  let world: World;
  let portfolios: OwnerPortfolios;
  let sessions: Session[];
  before(() => {
    world = new World();
    portfolios = new OwnerPortfolios(world.path, world.clock);
    sessions = Array.from({ length: 5 }, (_, index) => {
      const { accountId, name } = world.accounts.create(`owner ${index}`);
      const times = { signedInAt: 0, expiresAt: 1, disabledAt: null };
      return { sessionHash: "00", accountId, accountName: name, login: `owner${index}`, ...times };
    });
  });
  after(async () => {
    await portfolios.close();
    world.close();
  });

  const lists = (count: number, session: Session) => Array.from({ length: count }, () => portfolios.list(session));
  const [done, busy] = [
    (count: number) => Array<string>(count).fill("done"),
    (count: number) => Array<string>(count).fill("busy"),
  ];

  it("limits one account to three requests, and admits one per finished one", async () => {
    const first = sessions[0]!;
    for (const _ of [1, 2]) expect(await outcomes(lists(5, first))).to.deep.equal([...done(3), ...busy(2)]);
    const [one, two, three] = lists(3, first);
    await Promise.all([one, two]);
    expect(await outcomes(lists(3, first))).to.deep.equal([...done(2), ...busy(1)]);
    await three;
  });

  it("refuses as busy beyond twelve requests of all accounts", async () => {
    for (const _ of [1, 2]) {
      const told = await outcomes(sessions.flatMap((session) => lists(3, session)));
      expect(told).to.deep.equal([...done(12), ...busy(3)]);
    }
    expect(await outcomes(lists(3, sessions[4]!))).to.deep.equal(done(3));
  });

  itLong("finishes running requests on close and refuses later ones as busy", async () => {
    const ended = new OwnerPortfolios(world.path, world.clock);
    const told: string[] = [];
    // A thread that is still starting on a busy machine is cut.
    await ended.list(sessions[0]!);
    const listed = ended.list(sessions[0]!).then(() => told.push("listed"));
    await ended.close();
    told.push("closed");
    await listed;
    expect(told).to.deep.equal(["listed", "closed"]);
    expect(await outcomes([ended.list(sessions[0]!)])).to.deep.equal(busy(1));
  });
});
