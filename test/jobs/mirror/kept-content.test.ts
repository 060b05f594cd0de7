import { expect } from "chai";
import { holdLock } from "../../../src/store/lock.ts";
import { hourMs, minuteMs } from "../../../src/values/calendar.ts";
import { answer } from "./feed-server.ts";
import { canonicalBody, MirrorWorld } from "./mirror-world.ts";

/** Prices of so many items. */
const prices = (count: number, cents: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`Item ${index}`, cents + ((index * 7919) % 5000)]));

describe("the quotes that a mirror keeps of all feeds", () => {
  let world: MirrorWorld;
  let bodies: Record<string, string>;
  beforeEach(async () => {
    world = new MirrorWorld(600);
    bodies = { small: body("small", 20), middle: body("middle", 250), large: body("large", 600) };
    world.server.behave = (socket, head, server) => {
      const [, name = ""] = /^get \/(\w+) /.exec(head) ?? [];
      answer(200, bodies[name]!)(socket, head, server);
    };
    await world.server.start();
  });
  afterEach(() => world.stop());

  const body = (feed: string, count: number, cents = 100) => canonicalBody(feed, feed, prices(count, cents));
  const feedOf = (feed: string) =>
    world.feed({
      feed,
      adapter: "canonical",
      source: { kind: "http", url: world.server.url.replace("feed.json", feed) },
    });
  const kept = () => Object.fromEntries(world.mirror.feeds.map(({ name, keptBytes }) => [name, keptBytes]));
  const failed = () => world.take("feedFailed").map(({ facts }) => [facts.feed, String(facts.reason)]);
  const quoted = (provider: string) =>
    world.file.all(`SELECT 1 FROM generation_quotes WHERE quotes LIKE '%"${provider}"%'`).length;

  it("where they take too much the largest feed gives way, whenever it comes; its published quotes stay", async () => {
    world.publishEveryMs = 0;
    world.restart(...["large", "small", "middle"].map(feedOf));
    await world.turnAfter(0);
    expect(failed()).to.deep.equal([]);
    const all = kept();
    expect(all.large).to.be.greaterThan(all.middle!);
    world.keptBytesMax = all.large! + all.small!;
    world.restart(...["large", "small", "middle"].map(feedOf));
    await world.turnAfter(hourMs);
    const [[feed, reason] = []] = failed();
    expect(feed).to.equal("large");
    expect(reason).to.include(
      `kept of all feeds take more than ${world.keptBytesMax} bytes, those of this one most of all`,
    );
    expect(kept()).to.deep.equal({ large: 0, small: all.small, middle: all.middle });
    expect(quoted("large")).to.equal(600);
    // It asks again, and is refused before anything of the others is given up.
    await world.turnAfter(hourMs);
    expect(failed().map(([name]) => name)).to.deep.equal(["large"]);
    expect(kept()).to.deep.equal({ large: 0, small: all.small, middle: all.middle });
    // Once it is small enough it is taken again.
    bodies.large = body("large", 310, 300);
    await world.turnAfter(hourMs);
    expect(failed()).to.deep.equal([]);
    expect(quoted("large")).to.equal(310);
  });

  for (const [share, frames] of [
    [3, 3],
    [1.5, 2],
  ] as const) {
    it(`a frame of an earlier content that waits for another import counts as well: with room for ${share} contents ${frames} are recorded`, async () => {
      world.restart(feedOf("large"));
      await world.turnAfter(0);
      world.keptBytesMax = kept().large! * share;
      world.restart(feedOf("large"));
      await world.turnAfter(0);
      const lock = holdLock(world.path, "import");
      await world.turnAfter(hourMs);
      bodies.large = body("large", 600, 200);
      await world.turnAfter(hourMs);
      lock.release();
      await world.turnAfter(minuteMs);
      expect(world.frames().length).to.equal(frames);
      expect(failed().length).to.equal(3 - frames);
      expect(quoted("large")).to.equal(600);
    });
  }
});
