import { expect } from "chai";
import { holdLock } from "../../../src/store/file/lock.ts";
import { hourMs, hourOf, minuteMs, secondMs } from "../../../src/values/time/calendar.ts";
import { toTimestamp } from "../../../src/values/time/clock.ts";
import { worldAt } from "../../import/quotes/quote-world.ts";
import { feedText } from "../../support/bodies.ts";
import { answer, conditional } from "./feed-server.ts";
import { MirrorWorld, steamBody } from "./mirror-world.ts";

const bodyOf = (first: number, savedAt?: number) =>
  steamBody({ "Item 0": first, "Item 1": 200, "Item 2": 300 }, savedAt);

describe("bounds of a mirror", () => {
  let world: MirrorWorld;
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
  });
  afterEach(() => world.stop());

  it("reject a body without all configured providers of its feed", async () => {
    world.server.behave = answer(200, twoProviders(["hall"]));
    world.restart(world.feed({ feed: "halls", adapter: "canonical", providers: ["hall", "arcade"] }));
    await world.mirror.turn();
    const [failed] = world.take("feedFailed");
    expect(failed?.facts.reason).to.include("covers the providers hall but the feed halls is set to hall, arcade");
    expect(world.published().generation).to.equal(null);
    world.server.behave = answer(200, twoProviders(["arcade", "hall"]));
    await world.turnAfter(hourMs);
    expect(world.published().generation).to.equal(1);
  });

  it("reject a body dated more than five minutes ahead", async () => {
    world.server.behave = answer(200, bodyOf(90, worldAt + 5 * minuteMs + 1));
    world.restart(world.feed());
    await world.mirror.turn();
    expect(world.take("feedFailed").map(({ facts }) => facts.reason)[0]).to.include("in the future");
    expect(world.published().generation).to.equal(null);
    world.server.behave = answer(200, bodyOf(100, worldAt + 5 * minuteMs));
    await world.restart(world.feed()).turn();
    expect(Object.values(world.published().asks)).to.deep.equal([100, 200, 300]);
  });

  it("report a source frozen once, after exactly 24 hours without change", async () => {
    world.server.behave = conditional(bodyOf(100), '"1"');
    world.restart(world.feed({ intervalMs: 1 }));
    await world.mirror.turn();
    await world.turnAfter(24 * hourMs - 1);
    expect(world.take("feedFrozen")).to.deep.equal([]);
    await world.turnAfter(1);
    expect(world.take("feedFrozen")).to.have.length(1);
    await world.turnAfter(1);
    expect(world.take("feedFrozen")).to.deep.equal([]);
  });

  it("use the new ETag of the same body in the next poll", async () => {
    world.server.behave = answer(200, bodyOf(100), { ETag: '"1"' });
    world.restart(world.feed());
    await world.mirror.turn();
    world.server.behave = answer(200, bodyOf(100), { ETag: '"2"' });
    await world.turnAfter(hourMs);
    await world.turnAfter(hourMs);
    const asked = world.server.heads.map((head) => /if-none-match: (\S+)/.exec(head)?.[1]);
    expect(asked).to.deep.equal([undefined, '"1"', '"2"']);
  });

  it("keep the latest 24 unrecorded hours and report each dropped one", async () => {
    world.server.behave = conditional(bodyOf(100), '"1"');
    world.restart(world.feed());
    await world.mirror.turn();
    const lock = holdLock(world.path, "import");
    for (let hours = 1; hours <= 26; hours += 1) await world.turnAfter(hourMs);
    expect(world.frames()).to.have.length(1);
    lock.release();
    world.advance(5 * secondMs);
    await world.mirror.write();
    const first = hourOf(worldAt);
    expect(world.take("frameDropped").map(({ facts }) => facts)).to.deep.equal(
      [1, 2].map((hours) => ({
        feed: "steam",
        hour: toTimestamp((first + hours) * hourMs),
        reason: "more than 24 hours wait to be recorded",
      })),
    );
    const hours = world.frames().map(({ hour }) => hour - first);
    expect(hours).to.deep.equal([0, ...Array.from({ length: 24 }, (_, index) => index + 3)]);
  });

  it("report an unrecorded frame that is lost when the mirror ends", async () => {
    world.server.behave = answer(200, bodyOf(100));
    world.restart(world.feed());
    await world.mirror.turn();
    const lock = holdLock(world.path, "import");
    await world.turnAfter(hourMs);
    world.take();
    world.ending.abort();
    await world.mirror.run();
    lock.release();
    const hour = toTimestamp((hourOf(worldAt) + 1) * hourMs);
    expect(world.take()).to.deep.equal([
      { event: "frameDropped", facts: { feed: "steam", hour, reason: "the mirror ends" } },
    ]);
  });
});

/** A body of the canonical shape that covers `providers`, with one ask of each. */
function twoProviders(providers: readonly string[]): string {
  const ask = { market_hash_name: "Item 0", side: "ask", amount: 100 };
  return feedText(
    "halls",
    providers,
    providers.map((provider) => ({ ...ask, provider })),
  );
}
