import { getPriority } from "node:os";
import { expect } from "chai";
import { calculateInThread } from "../../../src/jobs/roi/schedule.ts";
import { holdLock } from "../../../src/store/file/lock.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { insertPool } from "../../support/pools.ts";
import { demoAt, World } from "../../support/world.ts";

describe("ROI model in a server", function () {
  this.timeout(180_000);
  let world: World;
  before(async () => {
    world = new World({ fewItems: true, roiSchedule: true });
    world.change((database) => {
      const quoted = database.$client
        .prepare("SELECT item_id FROM best_asks WHERE ask_cents > 0 LIMIT 3")
        .pluck()
        .all() as [number, number, number];
      const [itemId, ...ids] = quoted;
      const taken = database.$client.prepare("SELECT 1 FROM openables WHERE item_id = ?").get(itemId);
      if (taken !== undefined) return;
      const outcomes = ids.map((id) => ({ itemId: id, tier: "all", numerator: 1 }));
      insertPool(database, { slug: "schedule-case", itemId, outcomes });
    });
    await world.restart();
  });
  after(() => world.stop());

  const runsAt = () =>
    world.sql("SELECT calculated_at FROM roi_runs ORDER BY 1").map(({ calculated_at }) => calculated_at);

  it("runs in a thread on the server's clock, and releases the lock", async () => {
    const priority = getPriority();
    await world.app.roi!.look();
    expect(runsAt().at(-1)).to.equal(demoAt);
    world.clock.advance(6 * hourMs);
    await world.app.roi!.look();
    expect(runsAt().at(-1)).to.equal(demoAt + 6 * hourMs);
    expect(world.events.counters.get("roi_failures") ?? 0).to.equal(0);
    expect(getPriority()).to.equal(priority);
    holdLock(world.path, "roi").release();
    expect(Number(world.sql("SELECT count(*) AS count FROM roi_calculations")[0]?.count)).to.be.greaterThan(0);
  });

  it("ends an unfinished run with the server, and repeats it next time", async () => {
    world.clock.advance(6 * hourMs);
    const looking = world.app.roi!.look();
    await Promise.all([world.restart(), looking]);
    await world.app.roi!.look();
    expect(runsAt().at(-1)).to.equal(demoAt + 12 * hourMs);
  });

  it("rejects an impossible run with the reason", async () => {
    const order = { databasePath: `${world.path}.gone`, at: demoAt };
    const failure = await calculateInThread(order, new AbortController().signal).catch((error: Error) => error);
    expect(failure).to.have.property("message").that.includes("the file does not exist");
    expect(await calculateInThread(order, AbortSignal.abort())).to.equal(null);
  });
});
