import { expect } from "chai";
import { holdLock } from "../../../src/store/file/lock.ts";
import { hourMs, minuteMs } from "../../../src/values/time/calendar.ts";
import { answer } from "./feed-server.ts";
import { canonicalBody, MirrorWorld } from "./mirror-world.ts";

/** Prices of `count` items. */
const prices = (count: number, cents: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`Item ${index}`, cents + ((index * 7919) % 5000)]));

describe("cached quotes of all feeds", () => {
  let world: MirrorWorld;
  let bodies: Record<string, string>;
  beforeEach(async () => {
    world = new MirrorWorld(600);
    bodies = { small: body("small", 100), middle: body("middle", 250), large: body("large", 600) };
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
  const cached = () => Object.fromEntries(world.mirror.feeds.map(({ name, cachedBytes }) => [name, cachedBytes]));
  const keeping = () => world.mirror.feeds.filter(({ cachedBytes }) => cachedBytes > 0).map(({ name }) => name);
  const failed = () => world.take("feedFailed").map(({ facts }) => [facts.feed, String(facts.reason)]);
  const framesOf = (feed: string) => world.frames().filter((frame) => frame.feed === feed).length;
  const quoted = (provider: string) =>
    world.file.all(`SELECT 1 FROM quotes JOIN frame_providers ON number = provider_id WHERE provider = '${provider}'`)
      .length;

  /** Has all three feeds published, and starts a mirror again that has room for these. */
  async function startsWithRoomFor(...names: string[]) {
    world.restart(...["large", "small", "middle"].map(feedOf));
    await world.turnAfter(0);
    expect(failed()).to.deep.equal([]);
    const all = cached();
    expect(all.large).to.be.greaterThan(all.middle!);
    world.cachedBytesMax = names.reduce((sum, name) => sum + all[name]!, 0);
    world.restart(...["large", "small", "middle"].map(feedOf));
  }

  const refused = () => `would need more than ${world.cachedBytesMax} bytes, and no larger feed can be dropped now`;

  it("drop the largest feed after its frame is recorded, if too large", async () => {
    world.publishEveryMs = 0;
    const { middle } = bodies;
    await startsWithRoomFor("large", "small");
    bodies.middle = "";
    await world.turnAfter(hourMs);
    expect(failed().map(([feed]) => feed)).to.deep.equal(["middle"]);
    // The large one is published, but the frame of this hour is due.
    bodies.middle = middle!;
    await world.turnAfter(hourMs);
    const [[feed, reason] = []] = failed();
    expect(feed).to.equal("middle");
    expect(reason).to.include(refused()).and.include("/middle: ");
    expect(keeping()).to.deep.equal(["large", "small"]);
    expect(framesOf("large")).to.equal(3);
    await world.turnAfter(minuteMs);
    expect(failed()).to.deep.equal([
      [
        "large",
        `the kept quotes of all feeds would need more than ${world.cachedBytesMax} bytes: this feed's quotes give way to middle`,
      ],
    ]);
    expect(keeping()).to.deep.equal(["small", "middle"]);
    expect(quoted("large")).to.equal(600);
    // The source is polled again, and refused before cached content of other feeds is dropped.
    await world.turnAfter(minuteMs);
    expect(failed().map(([name]) => name)).to.deep.equal(["large"]);
    expect(keeping()).to.deep.equal(["small", "middle"]);
    // A small enough body is accepted again.
    bodies.large = body("large", 310, 300);
    await world.turnAfter(hourMs);
    expect(failed()).to.deep.equal([]);
    expect(quoted("large")).to.equal(310);
  });

  it("drop the largest of two larger feeds", async () => {
    await startsWithRoomFor("large", "middle");
    bodies.small = "";
    await world.turnAfter(hourMs);
    bodies.small = body("small", 100);
    world.take();
    await world.turnAfter(minuteMs);
    expect(failed().map(([name]) => name)).to.deep.equal(["large"]);
    expect(keeping()).to.deep.equal(["small", "middle"]);
  });

  it("keep a feed with unpublished quotes, and date checks of published ones", async () => {
    await startsWithRoomFor("large", "small");
    const before = world.at;
    bodies.large = body("large", 450, 200);
    // The same turn, and one within the pause.
    for (const afterMs of [minuteMs, minuteMs]) {
      await world.turnAfter(afterMs);
      expect(failed().map(([feed]) => feed)).to.deep.equal(["middle"]);
      expect(keeping()).to.deep.equal(["large", "small"]);
      expect(world.checkedAt("middle")).to.equal(before);
    }
    expect(world.checkedAt("large")).to.equal(before + minuteMs);
    await world.turnAfter(4 * minuteMs);
    expect(quoted("large")).to.equal(450);
    world.take();
    await world.turnAfter(15 * minuteMs);
    expect(failed().map(([feed]) => feed)).to.deep.equal(["large"]);
    expect(keeping()).to.deep.equal(["small", "middle"]);
    expect(world.checkedAt("middle")).to.equal(world.at);
    expect(quoted("large")).to.equal(450);
  });

  for (const [share, frames] of [
    [3, 3],
    [1.5, 2],
  ] as const) {
    it(`include earlier contents during an import: room for ${share} records ${frames}`, async () => {
      world.restart(feedOf("large"));
      await world.turnAfter(0);
      world.cachedBytesMax = cached().large! * share;
      world.restart(feedOf("large"));
      await world.turnAfter(0);
      const lock = holdLock(world.path, "import");
      await world.turnAfter(hourMs);
      bodies.large = body("large", 600, 200);
      await world.turnAfter(hourMs);
      lock.release();
      await world.turnAfter(minuteMs);
      expect(world.frames().length).to.equal(frames);
      expect(world.take("feedFailed", "frameDropped").map(({ event, facts }) => [event, facts.reason])).to.deep.equal(
        Array.from({ length: 3 - frames }, () => ["frameDropped", "no memory for frames of earlier contents"]),
      );
      expect(quoted("large")).to.equal(600);
    });
  }
});
