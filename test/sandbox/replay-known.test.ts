import { expect } from "chai";
import { Replay } from "../../src/sandbox/replay/replay.ts";
import { copiedWorld } from "../../src/sandbox/world.ts";
import { checkDatabase } from "../../src/store/check/check.ts";
import { closeDatabase, neverFlush, openReader, openWriter } from "../../src/store/database.ts";
import type { ReplayBy } from "../../src/store/read/replay-moments.ts";
import { dayMs, hourMs } from "../../src/values/time/calendar.ts";
import { toTimestamp } from "../../src/values/time/clock.ts";
import { Asker, type Request } from "../known/ask.ts";
import { firstDay, Story } from "../known/story.ts";
import { Random } from "../sim/random.ts";
import { temporaryFolder } from "../support/files.ts";
import { itLong } from "../support/size.ts";
import { marketRequests, recordedMarket, runReplay } from "./replay-world.ts";

const size = { items: 20, days: 24, polls: 2, runs: 24, rates: 20, late: 60, imports: 12, corrections: 8 };
const seed = Number(process.env.KNOWN_SEED ?? 1);

describe("replay compared with its market", function () {
  this.timeout(400_000);
  const folder = temporaryFolder();

  itLong("answers as the market did at each instant of a change", async () => {
    const story = new Story(new Random(seed), { ...size, renames: 4, retractions: 8, ticking: false });
    await story.begin();
    const instants: number[] = [];
    for (const change of story.changes()) {
      story.market.now = change.at;
      await change.run();
      instants.push(story.market.now);
    }
    const from = (firstDay + size.days / 2) * dayMs + 5 * hourMs;
    const { world, replay, end } = await begun(story.market.path, from, "known");
    const replayed = new Asker(world.path, world.clocks.market);
    const recorded = new Asker(story.market.path, story.market.clock);
    const random = new Random(seed + 1);
    let pairs = 0;
    for (const at of instants.filter((instant) => instant > from && instant <= replay.span.until)) {
      await replay.to(at);
      for (const request of requestsOf(random)) {
        const known = recorded.answer(request, at);
        // Hours that were removed since can be asked no more.
        if (known.startsWith("invalid_range")) continue;
        pairs += 1;
        expect(replayed.answer(request), `${toTimestamp(at)} ${JSON.stringify(request)}`).to.equal(known);
      }
    }
    expect(pairs).to.be.at.least(1000);
    expect(checkDatabase(world.path).faults).to.deep.equal([]);
    for (const asker of [replayed, recorded]) asker.close();
    end();
    // Late frames are published in their hour if they count from their check.
    const checked = await begun(story.market.path, from, "checked");
    expect((await checked.replay.to(checked.replay.span.until)).late).to.be.above(5);
    expect(checkDatabase(checked.world.path).faults).to.deep.equal([]);
    checked.end();
    story.market.destroy();
  });

  itLong("gives equal answers, exports and changes twice if driven by publications", async () => {
    const market = recordedMarket(folder);
    const transcript = async () => {
      const replay = await runReplay(market, "2026-01-14T20:00:00Z", "checked");
      const texts: string[] = [];
      let before = { generation: "", identity_digest: "" };
      for (let moves = 0; moves < 20; moves += 1) {
        const { data } = JSON.parse((await replay.read("/v1/markets/generations/current")).slice(4));
        if (moves > 0) texts.push(await replay.read("/v1/markets/changes", before));
        before = { generation: data.generation, identity_digest: data.identity_digest };
        // An export is started once, because a plan limits the starts of a day.
        for (const [target, ...how] of marketRequests)
          if (moves === 0 || !target.endsWith("/snapshot")) texts.push(await replay.read(target, ...how));
        await replay.move({ next: "publication" });
      }
      await replay.close();
      return texts;
    };
    const [one, other] = [await transcript(), await transcript()];
    expect(one).to.have.length(20 * marketRequests.length);
    expect(one).to.deep.equal(other);
  });
});

/** Begins a replay without a server. */
async function begun(path: string, from: number, by: ReplayBy) {
  const { signal } = new AbortController();
  const world = await copiedWorld(path, signal, { from, until: null, by });
  const [source, database] = [openReader(world.replay!.source), openWriter(world.path, 0, { keeps: "market" })];
  neverFlush(database);
  const replay = new Replay({ ...world.replay!, database, source, clocks: world.clocks });
  await replay.begin(signal);
  const end = () => {
    for (const one of [source, database]) closeDatabase(one);
    world.remove();
  };
  return { world, replay, end };
}

function requestsOf(random: Random): Request[] {
  const items = Array.from({ length: 4 }, () => random.between(1, size.items));
  return [
    ...items.flatMap((item_id): Request[] => [
      { operation: "getDailyPriceHistory", params: { item_id, limit: 100 } },
      { operation: "getHourlyPriceHistory", params: { item_id, limit: 100 } },
    ]),
    { operation: "getExchangeRateHistory", params: { currency: "EUR", limit: 100 } },
    { operation: "getOpenableHistory", params: { slug: "box", granularity: random.pick(["day", "hour"]), limit: 100 } },
  ];
}
