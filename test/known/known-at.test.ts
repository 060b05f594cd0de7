import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { dayMs, dayText } from "../../src/values/time/calendar.ts";
import { toTimestamp } from "../../src/values/time/clock.ts";
import { Random } from "../sim/random.ts";
import { bySize } from "../support/size.ts";
import { Asker } from "./ask.ts";
import { hoursOf, type LoggedEvent, lineOf, loggedEvents } from "./events.ts";
import { knownPrices } from "./known-prices.ts";
import { isLost, LiveAnswers, type Pair } from "./pairs.ts";
import { firstDay, Story, type StorySize } from "./story.ts";

const sizes: { short: StorySize; long: StorySize } = {
  short: {
    items: 12,
    days: 10,
    polls: 1,
    runs: 12,
    rates: 6,
    late: 8,
    imports: 8,
    corrections: 4,
    renames: 3,
    retractions: 6,
    ticking: true,
  },
  long: {
    items: 40,
    days: 120,
    polls: 2,
    runs: 120,
    rates: 100,
    late: 500,
    imports: 60,
    corrections: 60,
    renames: 30,
    retractions: 40,
    ticking: true,
  },
};
/** Requests on each side of a change. KNOWN_REQUESTS=30 asks 100,000 pairs in the long run. */
const requests = Number(process.env.KNOWN_REQUESTS ?? bySize({ short: 6, long: 8 }));
const pairsMin = bySize({ short: 1000, long: 3330 * requests });
/** Share of the instants at which prices are compared. */
const share = bySize({ short: 0.3, long: 0.3 });
const pricesMin = bySize({ short: 30, long: 500 });
/** The hour of the first frames, an hour after the market's first day began. */
const firstHourText = `${dayText(firstDay - 1)}T01`;
const seed = Number(process.env.KNOWN_SEED ?? 1);

describe("market as known at an instant", function () {
  this.timeout(bySize({ short: 60_000, long: 900_000 }));
  const story = new Story(new Random(seed), bySize(sizes));
  let asker: Asker;
  let pairs: readonly Pair[];

  before(async () => {
    await story.begin();
    asker = new Asker(story.market.path, story.market.clock);
    const live = new LiveAnswers({ story, asker, random: new Random(seed + 1000) });
    for (const change of story.changes()) await live.around(change, requests);
    pairs = live.pairs;
  });
  after(() => {
    asker.close();
    story.market.destroy();
  });

  it("has the histories that a live server gave at that instant", () => {
    const faults: string[] = [];
    let lost = 0;
    for (const pair of pairs) {
      const { at, request, answers, change } = pair;
      const known = asker.answer(request, at);
      if (answers.includes(known)) continue;
      if (known.startsWith("invalid_range") && isLost(pair, story)) lost += 1;
      else
        faults.push(`${change} at ${toTimestamp(at)}: ${JSON.stringify(request)}\n${difference(answers[0]!, known)}`);
    }
    expect(faults.slice(0, 3).join("\n\n"), `${faults.length} of ${pairs.length}`).to.equal("");
    expect(pairs.length - lost).to.be.at.least(pairsMin);
  });

  it("has the prices that a second implementation finds in the recorded frames", () => {
    const random = new Random(seed + 2000);
    const { market } = story;
    const edges = pairs.filter(({ isEdge }) => isEdge);
    const instants = [...new Set(edges.map(({ at }) => at))].filter(() => random.chance(share));
    expect(instants.length).to.be.at.least(pricesMin);
    for (const at of instants) {
      const item_ids = Array.from({ length: 5 }, () => random.between(1, market.variants.length + 1));
      const side = random.chance(0.3) && { side: random.pick(["ask", "bid"] as const) };
      const provider = random.chance(0.3) && { provider: random.pick(["steam", "alpha", "b1"]) };
      const body = { item_ids: [...new Set(item_ids)], ...side, ...provider };
      const asked = {
        operation: "getMarketPricesKnownAt",
        params: { body: { ...body, known_at: toTimestamp(at) } },
      } as const;
      const wanted = knownPrices(market, { at, itemIds: body.item_ids, ...side, ...provider });
      if (wanted.frames.some(({ ts }) => Date.parse(ts) < story.prunedUntil * dayMs))
        expect(() => asker.read(asked), toTimestamp(at))
          .to.throw()
          .with.property("code", "invalid_range");
      else expect(asker.read(asked).data, toTimestamp(at)).to.deep.equal(wanted);
    }
  });

  it("exports each superseded day with the digest kept at its sealing", () => {
    // A day that was sealed in the instant of an import may have changed after it.
    const sealed = story.market.all<{ day: number; revision: number; daily: string; hourly: string | null }>(
      `SELECT day, revision, lower(hex(digest)) AS daily, lower(hex(hourly_digest)) AS hourly FROM sealed_days
       WHERE superseded_at IS NOT NULL AND sealed_at NOT IN (SELECT imported_at FROM daily_imports) ORDER BY day, revision`,
    );
    // The list says which revisions are kept with certainty.
    const listed = asker.days().filter(({ kept }) => kept);
    const names = new Set(listed.map(({ date, revision }) => `${date} ${revision}`));
    const kept = sealed.filter(({ day, revision }) => names.has(`${dayText(day)} ${revision}`));
    expect(kept.length).to.be.greaterThan(5);
    for (const { day, revision, daily, hourly } of kept) {
      const name = `${dayText(day)} revision ${revision}`;
      expect(asker.dayEnd(dayText(day), "daily", revision), name).to.include({ type: "end", digest: daily });
      if (day >= firstDay - 1 && day < story.prunedUntil)
        expect(() => asker.dayEnd(dayText(day), "hourly", revision), name)
          .to.throw()
          .with.property("code", "invalid_range");
      else expect(asker.dayEnd(dayText(day), "hourly", revision), name).to.include({ type: "end", digest: hourly });
    }
  });

  describe("in the log of the data", () => {
    let events: readonly LoggedEvent[];
    before(() => {
      events = loggedEvents(asker);
    });
    const linesOf = (...kinds: string[]) =>
      events.filter(({ kind }) => kinds.includes(kind)).map((event) => lineOf(event));

    it("has every injected change once", () => {
      const { injected } = story.market;
      const kinds = new Set(injected.map((line) => line.split(" ")[0]!));
      expect(kinds).to.have.length(9);
      expect(linesOf(...kinds).sort()).to.deep.equal(injected.toSorted());
    });

    it("has every new revision of a sealed day once", () => {
      const revised = story.market.all<{ date: string }>(
        "SELECT date(day * 86400, 'unixepoch') AS date FROM sealed_days WHERE revision > 1",
      );
      expect(revised).to.not.be.empty;
      expect(linesOf("day_revised").sort()).to.deep.equal(revised.map(({ date }) => `day_revised  ${date} 1`).sort());
    });

    it("has every corrected level of an index once", () => {
      const corrected = story.market.all<{ id: string; date: string }>(
        "SELECT index_id AS id, date(day * 86400, 'unixepoch') AS date FROM index_levels_past",
      );
      expect(corrected).to.not.be.empty;
      expect(linesOf("index_revised").sort()).to.deep.equal(
        corrected.map(({ id, date }) => `index_revised ${id} ${date} 1`).sort(),
      );
    });

    it("has every new gap of a sealed day once", () => {
      const gaps = events.filter(({ kind }) => kind === "gap").flatMap((event) => hoursOf(event));
      expect(gaps.sort()).to.deep.equal(sealedGaps(story.market).sort());
    });
  });

  describe("in the list of days", () => {
    const superseded = "FROM sealed_days WHERE superseded_at IS NOT NULL";
    const counts = { kept: 0, refused: 0 };

    /** Asks each listed revision that is superseded for its rows. */
    async function checkList(state: string): Promise<void> {
      // The reads of one turn of the event loop share a transaction.
      await setImmediate();
      for (const { date, revision, kept, superseded_at, digest, hourly_digest, hourly } of asker.days()) {
        if (superseded_at === null) continue;
        counts[kept ? "kept" : "refused"] += 1;
        const name = `${date} revision ${revision} ${state}`;
        const end = (resolution: "daily" | "hourly") => asker.dayEnd(date, resolution, revision);
        if (kept) expect(end("daily"), name).to.include({ type: "end", digest });
        else
          expect(() => end("daily"), name)
            .to.throw()
            .with.property("code", "invalid_range");
        if (kept && hourly === "available")
          expect(end("hourly"), name).to.include({ type: "end", digest: hourly_digest });
      }
    }

    it("has no revision as kept that a change in its millisecond may differ from", async () => {
      const { $client: client } = story.market.writer;
      const before = story.market.all<object>(`SELECT day, revision, sealed_at AS at ${superseded}`);
      client.exec(
        `UPDATE sealed_days SET sealed_at = superseded_at WHERE superseded_at IN (SELECT recorded_at FROM frames
         UNION SELECT imported_at FROM daily_imports UNION SELECT retracted_at FROM frame_retractions
         UNION SELECT replaced_at FROM frame_retractions)`,
      );
      await checkList("sealed in the millisecond of the next");
      const restore = client.prepare(
        "UPDATE sealed_days SET sealed_at = @at WHERE day = @day AND revision = @revision",
      );
      for (const row of before) restore.run(row);
    });

    it("has the revisions as kept that are sent, after prunes of the past", async () => {
      const changes = story.market.all<{ at: number }>(`SELECT DISTINCT superseded_at AS at ${superseded} ORDER BY at`);
      const step = Math.ceil(changes.length / 5);
      for (const { at } of changes.filter((_, index) => index % step === 0)) {
        // Some changes were made before that, and sealed after it.
        story.market.prunePast(at - 1);
        await checkList(`as known since ${toTimestamp(at - 1)}`);
      }
      expect(Math.min(counts.kept, counts.refused)).to.be.greaterThan(20);
    });
  });
});

/** Returns both texts from shortly before their first difference. */
function difference(live: string, known: string): string {
  let from = 0;
  while (from < live.length && live[from] === known[from]) from += 1;
  return [live, known].map((text) => `  …${text.slice(Math.max(0, from - 200), from + 200)}`).join("\n");
}

/** Returns each new missing hour of a revision of a sealed day, as `feed 2026-01-01T05`. */
function sealedGaps(market: Story["market"]): string[] {
  const gaps: string[] = [];
  const before = new Map<string, number>();
  for (const { day, feeds } of market.all<{ day: number; feeds: string }>(
    "SELECT day, feeds FROM sealed_days ORDER BY day, revision",
  ))
    for (const [feed, bits] of JSON.parse(feeds) as [string, number][]) {
      const had = before.get(`${feed} ${day}`) ?? -1;
      before.set(`${feed} ${day}`, bits);
      for (let hour = 0; hour < 24; hour += 1) {
        const text = `${feed} ${dayText(day)}T${String(hour).padStart(2, "0")}`;
        if ((bits >> hour) % 2 === 0 && (had >> hour) % 2 !== 0 && text.slice(-13) >= firstHourText) gaps.push(text);
      }
    }
  return gaps;
}
