import { expect } from "chai";
import { guardDefaults } from "../../../src/import/guards/findings.ts";
import type { FeedConfig } from "../../../src/jobs/mirror/mirror-config.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { lies, itemCount as liesItemCount, oneLiePerGuard, settingOf } from "../../import/quotes/lies.ts";
import { jsonOf, runHere } from "../../support/cli.ts";
import { bySize } from "../../support/size.ts";
import { answer } from "./feed-server.ts";
import { MirrorWorld, steamBody } from "./mirror-world.ts";

const itemCount = 250;
const prices = (factor: number, count = itemCount) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`Item ${index}`, (1000 + index) * factor]));

describe("guards of a mirror", () => {
  let world: MirrorWorld;
  beforeEach(async () => {
    world = new MirrorWorld(itemCount);
    await world.server.start();
  });
  afterEach(() => world.stop());

  async function startsWith(more: Partial<FeedConfig> = {}) {
    world.restart(world.feed(more));
    await polls(1);
    world.take();
  }

  /** The source saves these prices now, and is polled an hour later. Returns the names of the mirror's log events. */
  async function polls(factor: number): Promise<string[]> {
    world.server.behave = answer(200, steamBody(prices(factor), world.at));
    await world.turnAfter(hourMs);
    return world.reported.map(({ event }) => event);
  }

  const accepts = (guard: string) => jsonOf("mirror", "accept", "steam", "--guard", guard, "--db", world.path);

  it("reject a body, name the accepting command, and keep the file", async () => {
    await startsWith();
    const before = world.digest();
    expect(await polls(100)).to.deep.equal(["feedFailed"]);
    expect(world.take()[0]!.facts.reason).to.match(
      /guard price_level \(threshold 3\): its prices are 100 times the published ones \(median of 250\): cents instead of dollars, or cents multiplied by 100, such as Item \d+: \d+ to \d+ cents; .*`npx itemtape mirror accept steam --guard price_level`/,
    );
    expect(world.digest()).to.equal(before);
    await polls(100);
    const logged = "SELECT feed, guard, count FROM data_events WHERE kind = 'body_refused' AND guard = 'price_level'";
    expect(world.file.all(logged)).to.deep.include({ feed: "steam", guard: "price_level", count: 1 });
  });

  it("report each unjudged body with a reason, as an import does", async () => {
    const unjudged = () => world.take("feedVerified").map(({ facts }) => facts.not_judged);
    world.restart(world.feed());
    await polls(1);
    expect(unjudged()).to.deep.equal([
      "joined_share, shrink, lost_quotes, price_level, price_jumps, week_count, week_price not judged: it is the first body of the feed; first_body not judged: no other provider was checked within 30 days",
    ]);
    await polls(2);
    const [{ facts } = { facts: {} }] = world.take("feedVerified");
    expect(facts).to.include({ came: 0, changed: itemCount, went: 0 }).and.not.have.property("not_judged");
    expect(facts.moves).to.match(/^Item 249: 1249 to 2498 cents \(steam, ask\); Item 248: /);
    expect(facts.named).to.match(
      /^guard price_level \(threshold 3\): the asks of steam are 2\.0 times the previous ones;/,
    );
    world.server.behave = answer(200, steamBody(prices(3, 199), world.at));
    await world.turnAfter(hourMs);
    expect(unjudged()).to.deep.equal([
      "joined_share not judged: it names 199 items, 200 are needed; price_level, price_jumps not judged: 199 items in common with the published ones, 200 are needed",
    ]);
    const { lines } = await runHere(["doctor", "--feed-hours", "1000000", "--db", world.path]);
    expect(lines.join("\n")).to.match(/1 feed, .*; guards that compare judge no feed of fewer than 200 items: steam\n/);
  });

  it("compare a body with the last accepted one before its publication", async () => {
    world.publishEveryMs = 24 * hourMs;
    await startsWith();
    for (const factor of [2, 4, 8]) expect(await polls(factor)).to.not.include("generationPublished");
    const figures = world.take().map(({ event, facts }) => facts.reason ?? `${event} ${facts.changed}`);
    expect(figures.slice(0, -1).join()).to.contain(`feedVerified ${itemCount}`);
    expect(figures.at(-1)).to.contain("guard week_price (threshold 3): the asks of steam are 4.0 times the middle");
  });

  it("apply an operator's acceptance to one accepted body, and record it", async () => {
    await startsWith();
    expect(await accepts("price_level,shrink")).to.deep.equal({ feed: "steam", guards: ["price_level", "shrink"] });
    expect(await polls(100)).to.include.members(["feedVerified", "guardAccepted", "generationPublished"]);
    expect(world.take("guardAccepted").map(({ facts }) => facts.guard)).to.deep.equal(["price_level"]);
    const used = world.file.all("SELECT guard, used_at AS usedAt, finding IS NOT NULL AS found FROM guard_acceptances");
    expect(used).to.deep.equal([
      { guard: "price_level", usedAt: world.at, found: 1 },
      { guard: "shrink", usedAt: world.at, found: 0 },
    ]);
    const logged = "SELECT feed, guard, cause FROM data_events WHERE kind = 'exception_accepted'";
    expect(world.file.all(logged)).to.deep.equal([{ feed: "steam", guard: "price_level", cause: "operator" }]);
    expect(await polls(1)).to.deep.equal(["feedFailed"]);
  });

  it("keep an acceptance while bodies are rejected for another reason", async () => {
    await startsWith();
    await accepts("shrink");
    expect(await polls(100)).to.deep.equal(["feedFailed"]);
    expect(world.file.all("SELECT guard FROM guard_acceptances WHERE used_at IS NULL")).to.deep.equal([
      { guard: "shrink" },
    ]);
  });

  it("keep an acceptance until the body of a poll is published", async () => {
    await startsWith();
    await accepts("price_level");
    const once = async (factor: number) => {
      world.server.behave = answer(200, steamBody(prices(factor), world.at));
      await world.restart(world.feed()).once(0);
      return world.take().map(({ event }) => event);
    };
    world.advance(1);
    expect(await once(100))
      .to.include("publicationPostponed")
      .and.not.include("guardAccepted");
    world.advance(hourMs);
    expect(await once(100)).to.include.members(["guardAccepted", "generationPublished"]);
    world.advance(hourMs);
    expect(await once(1)).to.deep.equal(["feedFailed"]);
  });

  it("apply an acceptance to one body while its publication is postponed", async () => {
    world.publishEveryMs = 24 * hourMs;
    await startsWith();
    await accepts("price_level");
    expect(await polls(100)).to.include("publicationPostponed");
    expect(await polls(1)).to.include("feedFailed");
  });

  it("keep an acceptance while the memory for bodies is full", async () => {
    await startsWith();
    await accepts("price_level");
    world.cachedBytesMax = 1;
    world.restart(world.feed());
    expect(await polls(100)).to.deep.equal(["feedFailed"]);
    expect(world.take()[0]!.facts.reason).to.contain("would need more than 1 bytes");
    world.cachedBytesMax = null;
    world.restart(world.feed());
    expect(await polls(100)).to.include.members(["feedVerified", "guardAccepted", "generationPublished"]);
  });

  it("reject the same bodies as an import, with its figure", async () => {
    const says = async (body: string) => {
      world.server.behave = answer(200, body);
      await world.turnAfter(24 * hourMs);
      return world.take("feedFailed").map(({ facts }) => facts.reason);
    };
    const told = bySize({ short: oneLiePerGuard, long: lies });
    let settled = "";
    for (const one of told) {
      const { lie, guard, says: figure, body } = one;
      const { before: first, feed, adapter } = settingOf(one);
      if (first !== settled) {
        await world.stop();
        world = new MirrorWorld(liesItemCount);
        await world.server.start();
        world.restart(world.feed({ feed, adapter }));
        settled = first;
      }
      expect(await says(first), lie).to.deep.equal([]);
      const before = world.digest();
      const [reason] = await says(body());
      expect(reason, lie).to.contain(`guard ${guard} (threshold `).and.contain(figure);
      expect(reason, lie).to.contain(`npx itemtape mirror accept ${feed} --guard ${guard}`);
      expect(world.digest(), lie).to.equal(before);
    }
  });

  it("prefer a threshold of the feed's configuration to the default", async () => {
    await startsWith({ guards: { ...guardDefaults, price_level: 200, price_jumps: 100, week_price: 200 } });
    expect(await polls(100)).to.include("generationPublished");
  });

  it("reject an acceptance for an unknown feed or guard", async () => {
    await startsWith();
    const run = (...words: string[]) => runHere(["mirror", "accept", ...words, "--db", world.path]);
    expect((await run("other", "--guard", "shrink")).notes[0]).to.contain("other: the file has no feed with this name");
    expect(await run("steam", "--guard", "size")).to.include({ code: 64 });
    expect((await run("steam")).notes[0]).to.contain("--guard is missing");
  });

  it("report a save time a day behind once, until it recovers", async () => {
    await world.stop();
    world = new MirrorWorld();
    await world.server.start();
    await startsWith();
    const old = steamBody(prices(1), world.at);
    world.server.behave = answer(200, old);
    const aDayPasses = async () => {
      for (const hours of [22, 1, 1, 1, 1]) await world.turnAfter(hours * hourMs);
    };
    await aDayPasses();
    expect(world.take("feedBehind").map(({ facts }) => facts.behind_ms)).to.deep.equal([24 * hourMs]);
    await polls(2);
    world.take();
    await aDayPasses();
    expect(world.take("feedBehind")).to.have.length(1);
  });
});
