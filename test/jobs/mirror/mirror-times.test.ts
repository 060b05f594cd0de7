import { expect } from "chai";
import { hourMs, minuteMs, secondMs } from "../../../src/values/time/calendar.ts";
import { worldAt } from "../../import/quotes/quote-world.ts";
import { answer, conditional } from "./feed-server.ts";
import { canonicalBody, MirrorWorld, steamBody } from "./mirror-world.ts";

const bodyOf = (first: number, savedAt?: number) =>
  steamBody({ "Item 0": first, "Item 1": 200, "Item 2": 300 }, savedAt);

describe("times of a mirror", () => {
  let world: MirrorWorld;
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
  });
  afterEach(() => world.stop());

  it("date a verification by its poll, not by the body's save time", async () => {
    const savedAt = worldAt - 5 * hourMs;
    const body = steamBody({ "Item 0": 100, "Item 1": 200, "Item 2": 300, Unheard: 5 }, savedAt);
    world.server.behave = conditional(body, '"1"');
    world.restart(world.feed());
    await world.mirror.turn();
    await world.turnAfter(hourMs);
    const frames = world.file.all("SELECT checked_at, verified_by, providers, refused_names FROM frames ORDER BY hour");
    const memory = { providers: '["steam"]', refused_names: 1 };
    expect(frames).to.deep.equal([
      { checked_at: worldAt, verified_by: "body", ...memory },
      { checked_at: worldAt + hourMs, verified_by: "not_modified", ...memory },
    ]);
    expect(world.file.all("SELECT checked_at, saved_at FROM feeds")).to.deep.equal([
      { checked_at: worldAt + hourMs, saved_at: savedAt },
    ]);
  });

  it("reject a body older than the published one, also after a restart", async () => {
    world.server.behave = answer(200, bodyOf(100));
    world.restart(world.feed());
    await world.mirror.turn();
    const digest = world.digest();
    world.server.behave = answer(200, bodyOf(90, worldAt - hourMs - 1));
    world.advance(hourMs);
    await world.restart(world.feed()).once(0);
    expect(world.take("feedFailed")[0]!.facts.reason).to.match(
      /save time is 2026-09-01T10:59:59.999Z, before the 2026-/,
    );
    expect(world.digest()).to.equal(digest);
    world.server.behave = answer(200, bodyOf(111));
    await world.restart(world.feed()).once(0);
    expect(Object.values(world.published().asks)).to.deep.equal([111, 200, 300]);
  });

  it("prefer a newer file published by an import", async () => {
    world.server.behave = conditional(bodyOf(100), '"1"');
    world.restart(world.feed());
    await world.mirror.turn();
    world.file.now = worldAt + minuteMs;
    await world.file.import(world.file.body(bodyOf(999, worldAt)), { adapter: "steam" });
    await world.turnAfter(hourMs);
    await world.turnAfter(hourMs);
    expect(Object.values(world.published().asks)).to.deep.equal([999, 200, 300]);
    expect(world.take("feedFailed")).to.have.length(1);
    world.server.behave = answer(200, bodyOf(111, worldAt));
    await world.turnAfter(hourMs);
    expect(Object.values(world.published().asks)).to.deep.equal([111, 200, 300]);
  });

  it("date a frame by its publication, or by acceptance if postponed", async () => {
    world.onPause = () => {
      world.at += secondMs;
    };
    const ingestedOfLast = () => world.frames().at(-1)!.ingested;
    const publishedAt = () =>
      world.file.all<{ at: number }>("SELECT ingested_at AS at FROM generations WHERE state = 'published'")[0]!.at;
    world.server.behave = answer(200, bodyOf(100));
    world.restart(world.feed({ intervalMs: minuteMs }));
    await world.mirror.turn();
    expect(publishedAt()).to.be.above(worldAt);
    expect(world.frames()[0]).to.include({ checked: worldAt, ingested: publishedAt() });
    const first = publishedAt();
    world.advance(58 * minuteMs);
    world.server.behave = answer(200, bodyOf(111));
    await world.mirror.turn();
    const second = publishedAt();
    expect(second).to.be.above(first);
    world.onPause = () => undefined;
    world.server.behave = answer(200, bodyOf(122));
    await world.turnAfter(2 * minuteMs);
    expect(publishedAt(), "held back").to.equal(second);
    expect(ingestedOfLast()).to.equal(world.at);
    world.server.behave = answer(200, bodyOf(111, worldAt));
    world.restart(world.feed({ intervalMs: minuteMs }));
    world.at = worldAt + 2 * hourMs;
    await world.mirror.turn();
    expect(publishedAt(), "it says what is published").to.equal(second);
    expect(ingestedOfLast()).to.equal(second);
  });

  it("postpone publication one interval after a generation from the future", async () => {
    world.server.behave = answer(200, bodyOf(100));
    world.at += 8760 * hourMs;
    await world.restart(world.feed()).turn();
    world.at -= 8760 * hourMs;
    world.server.behave = answer(200, bodyOf(111));
    world.restart(world.feed());
    await world.mirror.turn();
    expect(world.take("publicationPostponed").map(({ facts }) => facts.wait_ms)).to.deep.equal([5 * minuteMs]);
    world.advance(5 * minuteMs);
    await world.mirror.write();
    expect(Object.values(world.published().asks)).to.deep.equal([111, 200, 300]);
  });

  it("keep a postponed publication's time although others publish meanwhile", async () => {
    world.server.behave = answer(200, bodyOf(100));
    world.restart(world.feed({ intervalMs: minuteMs }));
    await world.mirror.turn();
    world.server.behave = answer(200, bodyOf(111));
    for (let minutes = 1; minutes <= 6; minutes += 1) {
      world.file.now = world.at + 1;
      const body = canonicalBody("hall", "hall", { "Item 3": 400 + minutes });
      await world.file.import(world.file.body(body), { adapter: "canonical" });
      await world.turnAfter(minuteMs);
    }
    expect(Object.values(world.published().asks)).to.deep.equal([111, 200, 300, 406]);
  });

  it("date no publication after its check when the clock is set back", async () => {
    world.server.behave = conditional(bodyOf(100), '"1"');
    world.restart(world.feed());
    await world.mirror.turn();
    world.at -= 5 * hourMs;
    await world.turnAfter(hourMs);
    expect(world.frames()[0]).to.include({ by: "not_modified", checked: world.at, ingested: world.at });
  });

  it("finalize days although the clock was ahead at the start", async () => {
    world.server.behave = conditional(bodyOf(100), '"1"');
    world.at += 8760 * hourMs;
    world.restart(world.feed());
    await world.mirror.turn();
    world.at -= 8760 * hourMs;
    await world.turnAfter(hourMs);
    for (let hours = 0; hours < 24; hours += 1) await world.turnAfter(hourMs);
    expect(world.take("daysFinalized").map(({ facts }) => facts.days)).to.deep.equal([1]);
  });
});
