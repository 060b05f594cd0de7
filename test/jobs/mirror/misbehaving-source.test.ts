import { expect } from "chai";
import { hourMs, minuteMs } from "../../../src/values/time/calendar.ts";
import { casesBySize } from "../../support/size.ts";
import { answer, type Behaviour, conditional } from "./feed-server.ts";
import { canonicalBody, limits, MirrorWorld, steamBody } from "./mirror-world.ts";
import { goodPrices, misbehaviours, recovery } from "./misbehaviour.ts";

/** For polls that exceed them on purpose. A busy machine would exceed such limits in other polls. */
const tight = { timeoutMs: 1000, stallMs: 400 };
const firstPrices = { "Item 0": 100, "Item 1": 200, "Item 2": 300, "Item 3": 400 };

describe("misbehaving source", () => {
  let world: MirrorWorld;
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
  });
  afterEach(() => world.stop());

  /** Starts a mirror in an hour that has no frame yet and that nothing was published in. `own` may change between two polls. */
  async function starts(first: Behaviour, own = limits) {
    world.server.behave = first;
    world.restart(world.feed({ limits: own }));
    await world.turnAfter(hourMs);
    expect(Object.values(world.published().asks)).to.deep.equal(Object.values(firstPrices));
    world.take();
  }

  /** Publishes a first body, waits an hour, and then runs `behave` as the source. Returns the reports. */
  async function failsOnce(first: Behaviour, behave: () => Behaviour | Promise<Behaviour>, own = {}) {
    const current = { ...limits };
    await starts(first, current);
    const digest = world.digest();
    world.server.behave = await behave();
    Object.assign(current, own);
    await world.turnAfter(hourMs);
    Object.assign(current, limits);
    expect(world.digest(), "the file is as it was").to.equal(digest);
    const reported = world.take();
    expect(reported.map(({ event }) => event)).to.deep.equal(["feedFailed"]);
    return reported[0]!.facts as { feed: string; reason: string; failures: number; retry_ms: number };
  }

  /** The next poll gets a good body: it is published and recorded as if nothing had happened. */
  async function recovers(retryMs: number) {
    const frames = world.frames().length;
    world.server.behave = answer(200, recovery);
    await world.turnAfter(retryMs);
    const reported = world.take().map(({ event }) => event);
    expect(reported.filter((event) => event !== "daysFinalized")).to.deep.equal([
      "feedVerified",
      "generationPublished",
      "frameRecorded",
    ]);
    expect(Object.values(world.published().asks)).to.deep.equal(Object.values(goodPrices));
    expect(world.frames()).to.have.length(frames + 1);
    expect(world.checkedAt()).to.equal(world.at);
  }

  for (const { title, reason, behave } of casesBySize(misbehaviours, 20)) {
    it(`changes nothing and recovers if it ${title}`, async () => {
      const good = answer(200, steamBody(firstPrices));
      const facts = await failsOnce(good, () => behave, /sent nothing|longer/.test(reason.source) ? tight : {});
      expect(facts).to.include({ feed: "steam", failures: 1 });
      expect(facts.reason).to.match(reason);
      await recovers(facts.retry_ms);
    });
  }

  it("changes nothing and recovers if it refuses connections", async () => {
    const facts = await failsOnce(answer(200, steamBody(firstPrices)), async () => {
      await world.server.stop();
      return answer(500);
    });
    expect(facts.reason).to.equal("the connection was refused");
    await world.server.start();
    await recovers(facts.retry_ms);
  });

  for (const status of [429, 503]) {
    it(`is not polled during its requested wait after a ${status}, within bounds`, async () => {
      const good = answer(200, steamBody(firstPrices));
      const soon = await failsOnce(good, () => answer(status, "", { "Retry-After": 600 }));
      expect(soon).to.include({ reason: `HTTP ${status}`, retry_ms: 600_000 });
      const date = new Date(world.at + 20 * minuteMs).toUTCString();
      world.server.behave = answer(status, "", { "Retry-After": date });
      await world.turnAfter(soon.retry_ms - 1);
      expect(world.take(), "not before its time").to.deep.equal([]);
      await world.turnAfter(1);
      expect(world.take()[0]!.facts.retry_ms).to.be.within(10 * minuteMs - 1000, 10 * minuteMs);
      world.server.behave = answer(status, "", { "Retry-After": 999_999_999 });
      await world.turnAfter(10 * minuteMs);
      expect(world.take()[0]!.facts.retry_ms, "not for ever").to.equal(6 * hourMs);
    });
  }

  it("is polled less often at each failure, up to its interval", async () => {
    const first = await failsOnce(answer(200, steamBody(firstPrices)), () => answer(500));
    const delays = [first.retry_ms];
    for (let count = 0; count < 8; count += 1) {
      await world.turnAfter(delays.at(-1)!);
      delays.push(world.take("feedFailed")[0]!.facts.retry_ms);
    }
    // Half of each step: the world's chance is 0.
    expect(delays).to.deep.equal([15, 30, 60, 120, 240, 480, 960, 1800, 1800].map((seconds) => seconds * 1000));
  });

  it("is read by its body if its ETag does not change", async () => {
    await starts(answer(200, steamBody(firstPrices), { ETag: '"same"' }));
    world.server.behave = answer(200, recovery, { ETag: '"same"' });
    await world.turnAfter(hourMs);
    expect(Object.values(world.published().asks)).to.deep.equal(Object.values(goodPrices));
  });

  it("never receives the ETag of a rejected body", async () => {
    await failsOnce(conditional(steamBody(firstPrices), '"good"'), () => answer(200, "{", { ETag: '"bad"' }));
    world.server.behave = conditional(steamBody(firstPrices), '"good"');
    await world.turnAfter(hourMs);
    expect(world.server.heads.at(-1)).to.include('if-none-match: "good"');
    expect(world.take().map(({ event }) => event)).to.deep.equal(["feedUnchanged", "frameRecorded"]);
  });
});

describe("source frozen between two mirrors", () => {
  let world: MirrorWorld;
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
  });
  afterEach(() => world.stop());

  const hall = () => world.feed({ feed: "hall", adapter: "canonical" });
  const reported = () => world.take("feedFrozen").map(({ facts }) => facts.unchanged_ms);
  const shapes: [title: string, body: string, next: string, feed: () => ReturnType<MirrorWorld["feed"]>][] = [
    ["reports save times", steamBody(firstPrices), recovery, () => world.feed()],
    ["reports none", canonicalBody("hall", "hall", firstPrices), canonicalBody("hall", "hall", goodPrices), hall],
  ];
  for (const [title, body, next, feed] of shapes) {
    it(`is reported by the next mirror if it ${title}`, async () => {
      world.server.behave = answer(200, body);
      await world.restart(feed()).once(0);
      world.advance(25 * hourMs);
      await world.restart(feed()).once(0);
      expect(reported()).to.deep.equal([25 * hourMs]);
      await world.turnAfter(hourMs);
      expect(reported(), "once").to.deep.equal([]);
      world.server.behave = answer(200, next);
      await world.restart(feed()).once(0);
      world.advance(23 * hourMs);
      await world.restart(feed()).once(0);
      expect(reported(), "it moved within a day").to.deep.equal([]);
    });
  }
});

describe("misbehaving source of the canonical format", () => {
  let world: MirrorWorld;
  beforeEach(async () => {
    world = new MirrorWorld();
    await world.server.start();
  });
  afterEach(() => world.stop());

  const cases: [title: string, body: string, reason: RegExp][] = [
    ["sends another feed", canonicalBody("other", "hall", firstPrices), /it belongs to the feed other, not of hall/],
    [
      "sends another provider",
      canonicalBody("hall", "cellar", firstPrices),
      /covers the providers cellar but .* set to hall/,
    ],
  ];
  for (const [title, body, reason] of cases) {
    it(`changes nothing, even at its first body, if it ${title}`, async () => {
      const empty = world.digest();
      world.restart(world.feed({ feed: "hall", adapter: "canonical", providers: ["hall"] }));
      world.server.behave = answer(200, body);
      await world.mirror.turn();
      expect(world.digest()).to.equal(empty);
      expect(world.take()[0]!.facts.reason).to.match(reason);
      world.server.behave = answer(200, canonicalBody("hall", "hall", firstPrices));
      await world.turnAfter(hourMs);
      expect(Object.values(world.published().asks)).to.deep.equal(Object.values(firstPrices));
      const digest = world.digest();
      world.server.behave = answer(200, body);
      await world.turnAfter(hourMs);
      expect(world.digest()).to.equal(digest);
    });
  }

  it("is rejected for another feed's provider, and the other feed continues", async () => {
    const hall = world.feed({ feed: "hall", adapter: "canonical" });
    world.restart(hall, { ...hall, feed: "thief" });
    world.server.behave = (socket, head, server) => {
      const feed = world.server.heads.length === 1 ? "hall" : "thief";
      answer(200, canonicalBody(feed, "hall", firstPrices))(socket, head, server);
    };
    await world.mirror.turn();
    const failed = world.take("feedFailed");
    expect(failed).to.have.length(1);
    expect(failed[0]!.facts.reason).to.match(/it (covers hall, which is a provider of the feed|is of the feed)/);
    expect(world.published().generation).to.equal(1);
    expect(world.file.all("SELECT provider, feed FROM providers")).to.have.length(1);
  });
});
