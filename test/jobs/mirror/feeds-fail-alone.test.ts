import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import { hourMs, minuteMs } from "../../../src/values/time/calendar.ts";
import { itLong } from "../../support/size.ts";
import { until } from "../../support/until.ts";
import { answer, type Behaviour, conditional } from "./feed-server.ts";
import { canonicalBody, limits, MirrorWorld, steamBody } from "./mirror-world.ts";
import { steadySource } from "./steady-source.ts";

describe("feeds of a mirror", () => {
  let world: MirrorWorld;
  let price: number;
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
    price = 100;
    world.server.behave = bothFeeds;
    world.restart(
      world.feed(),
      world.feed({
        feed: "hall",
        adapter: "canonical",
        source: { kind: "http", url: world.server.url.replace("feed.json", "hall") },
      }),
    );
  });
  afterEach(() => world.stop());

  const bothFeeds: Behaviour = (socket, head, server) => {
    const body = head.startsWith("get /hall ")
      ? canonicalBody("hall", "hall", { "Item 3": price + 1 })
      : steamBody({ "Item 0": price, "Item 1": 200, "Item 2": 300 });
    answer(200, body)(socket, head, server);
  };
  const asks = () => Object.values(world.published().asks);
  const framesOf = (feed: string) => world.frames().filter((frame) => frame.feed === feed).length;
  const failures = () =>
    world
      .take("feedFailed", "frameDropped", "mirrorFailed")
      .map(({ event, facts }) => [event, facts.feed, facts.reason]);
  const run = (sql: string) => {
    const database = new SqliteDatabase(world.path);
    database.exec(sql);
    database.close();
  };

  itLong("keep a constant stream connected while this thread works for another feed", async () => {
    const stallMs = 1000;
    const body = canonicalBody("hall", "hall", { "Item 3": 101 });
    const inside = body.lastIndexOf("{") + 1;
    const steady = await steadySource(body.slice(0, inside), body.slice(inside));
    const hall = { feed: "hall", adapter: "canonical", limits: { ...limits, stallMs } } as const;
    const mirror = world.restart(world.feed(), world.feed({ ...hall, source: { kind: "http", url: steady.url } }));
    world.onReport = (event) => {
      if (event === "feedVerified") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * stallMs);
    };
    mirror.startPolls();
    await until("the other feed's body is there", () => mirror.feeds[0]!.received !== null);
    await mirror.write();
    steady.sendRest();
    await mirror.turn();
    await steady.stop();
    const told = world.take("feedVerified", "feedFailed").map(({ event, facts }) => [event, facts.feed, facts.reason]);
    expect(told).to.deep.equal([
      ["feedVerified", "steam", undefined],
      ["feedVerified", "hall", undefined],
    ]);
  });

  const outOfOrder = "unexpected: out of order";
  const dropped = (reason: string) => ["frameDropped", "steam", reason];
  const feedFailed = ["feedFailed", "steam", outOfOrder];
  /** The file refuses one write that has to do with steam, at each stage of the work. */
  const stages: [stage: string, trigger: string, asksMeanwhile: number[], told: string[][]][] = [
    ["taken in", "BEFORE INSERT ON providers WHEN NEW.provider = 'steam'", [101], [feedFailed]],
    [
      "published",
      "BEFORE UPDATE ON feeds WHEN NEW.feed = 'steam' AND NEW.ingested_at IS NOT NULL",
      [101],
      [dropped("the feed could not be published"), feedFailed],
    ],
    ["recorded", "BEFORE INSERT ON frames WHEN NEW.feed = 'steam'", [100, 200, 300, 101], [dropped(outOfOrder)]],
  ];
  for (const [stage, trigger, asksMeanwhile, told] of stages) {
    it(`fail alone, without a frame, and recover if one cannot be ${stage}`, async () => {
      run(`CREATE TRIGGER broken ${trigger} BEGIN SELECT raise(ABORT, 'out of order'); END`);
      await world.mirror.turn();
      expect(failures()).to.deep.equal(told);
      expect(asks()).to.deep.equal(asksMeanwhile);
      expect([framesOf("steam"), framesOf("hall")]).to.deep.equal([0, 1]);
      price = 500;
      await world.turnAfter(hourMs);
      expect(failures()).to.deep.equal(told);
      expect(asks(), "the other feed goes on").to.include(501);
      run("DROP TRIGGER broken");
      await world.turnAfter(hourMs);
      expect(failures()).to.deep.equal([]);
      expect(asks()).to.deep.equal([500, 200, 300, 501]);
      expect([framesOf("steam"), framesOf("hall")]).to.deep.equal([1, 3]);
      expect(world.mirror.isBehind).to.equal(false);
    });
  }

  it("lose only their own frames, not publications, by a damaged segment", async () => {
    await world.mirror.turn();
    run("UPDATE frame_segments SET changes = zeroblob(9) WHERE feed = 'steam'");
    world.take();
    price = 500;
    await world.turnAfter(hourMs);
    const failed = failures();
    expect(failed.map(([event, feed]) => [event, feed])).to.deep.equal([["frameDropped", "steam"]]);
    expect(failed[0]![2]).to.match(/the frames of item \d+ on 2026-09-01 \(feed steam\) are damaged/);
    const [feed] = world.mirror.feeds;
    expect(feed!.nextMs - world.elapsedMs, "its source is not asked more often for that").to.equal(hourMs);
    expect(asks()).to.deep.equal([500, 200, 300, 501]);
    expect([framesOf("steam"), framesOf("hall")]).to.deep.equal([1, 2]);
  });

  it("are finalized except for a damaged day, which is reported", async () => {
    await world.mirror.turn();
    run("UPDATE frame_segments SET changes = zeroblob(9) WHERE feed = 'steam'");
    world.take();
    await world.turnAfter(24 * hourMs);
    const reported = world.take("mirrorFailed", "daysFinalized").map(({ facts }) => facts);
    expect(reported[0]!.reason).to.match(/damaged recorded frames: steam on 2026-09-01 at item/);
    expect(reported[0]!.retry_ms, "with the next day").to.equal(12 * hourMs);
    expect(reported.slice(1)).to.deep.equal([{ days: 1, rows: 1, index_levels: 0, corrected_levels: 0 }]);
    expect(world.mirror.isBehind).to.equal(false);
    await world.turnAfter(hourMs);
    expect(world.take("mirrorFailed", "feedFailed")).to.deep.equal([]);
  });

  it("verify nothing by a 304 for dropped content, then request a body", async () => {
    world.server.behave = conditional(steamBody({ "Item 0": 100 }), '"1"');
    world.restart(world.feed({ intervalMs: 15 * minuteMs }));
    await world.mirror.turn();
    const checkedAt = world.checkedAt();
    const received = new Promise<void>((resolve) => {
      const behave = conditional(steamBody({ "Item 0": 100 }), '"1"');
      world.server.behave = (socket, head, server) => {
        world.mirror.feeds[0]!.dropContent();
        behave(socket, head, server);
        resolve();
      };
    });
    world.take();
    world.advance(15 * minuteMs);
    await Promise.all([world.mirror.turn(), received]);
    expect(world.server.heads.at(-1)).to.include("if-none-match");
    expect(world.take()).to.deep.equal([]);
    expect(world.checkedAt()).to.equal(checkedAt);
    world.server.behave = conditional(steamBody({ "Item 0": 100 }), '"1"');
    await world.mirror.turn();
    expect(world.server.heads.at(-1)).not.to.include("if-none-match");
    expect(world.take("feedVerified")).to.have.length(1);
    expect(world.checkedAt()).to.equal(world.at);
  });
});
