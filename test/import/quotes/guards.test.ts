import SqliteDatabase from "better-sqlite3";
import { expect } from "chai";
import type { GuardFinding } from "../../../src/import/guards/findings.ts";
import { replayText } from "../../../src/import/quotes/replay-report.ts";
import { reportText } from "../../../src/import/quotes/report.ts";
import { bySize } from "../../support/size.ts";
import { canonical, honest, itemCount, lies, oneLiePerGuard, scaled, settingOf, steam } from "./lies.ts";
import { QuoteWorld, refusalOf, worldAt, worldsAfter } from "./quote-world.ts";

const yearMs = 365 * 86_400_000;
const items = Array.from({ length: itemCount }, () => ({}));

describe("guards against plausible false data", () => {
  let world: QuoteWorld;
  beforeEach(async () => {
    world = new QuoteWorld(items);
  });
  afterEach(() => world.destroy());

  /** Makers of worlds by the body that they have imported. Many false bodies follow the same one. */
  const makers = new Map<string, () => Promise<QuoteWorld>>();
  const worldAfter = (body: string, adapter: "canonical" | "buff") => {
    const maker = makers.get(body) ?? worldsAfter(items, (first) => first.import(first.body(body), { adapter }));
    makers.set(body, maker);
    return maker();
  };

  // The short form includes the false bodies that follow another body than the honest one. They test a guard's bounds.
  const shortLies = lies.filter((lie) => oneLiePerGuard.includes(lie) || lie.before !== undefined);
  for (const told of bySize({ short: shortLies, long: lies })) {
    const { lie, guard, says, body } = told;
    it(`reject by ${guard} unless accepted if ${lie}`, async () => {
      const { before: first, adapter } = settingOf(told);
      world.destroy();
      world = await worldAfter(first, adapter);
      const before = world.logicalDigest();
      const path = world.body(body());
      const said = await refusalOf(world.import(path, { adapter }));
      expect(said).to.contain(`guard ${guard} (threshold `).and.to.contain(says);
      expect(said).to.contain(`npx itemtape import quotes FILE --adapter ${adapter} --accept ${guard}`);
      expect(await refusalOf(world.import(path, { adapter, dryRun: true }))).to.equal(said);
      expect(world.logicalDigest()).to.equal(before);
      const report = await world.import(path, { adapter, accepted: [guard] });
      expect(report.outcome).to.equal("published");
      expect(report.guards.filter(({ verdict }) => verdict === "broken").map((finding) => finding.guard)).to.deep.equal(
        [guard],
      );
    });
  }

  it("reject a future save time; once accepted, it counts as unknown", async () => {
    await world.import(world.body(steam(worldAt - 1000)), { adapter: "steam" });
    const before = world.logicalDigest();
    const path = world.body(steam(worldAt + yearMs));
    expect(await refusalOf(world.import(path, { adapter: "steam" }))).to.match(
      /guard future_time \(threshold 300\): its save time is 2027-09-01T12:00:00\.000Z, 31536000 s in the future/,
    );
    expect(world.logicalDigest()).to.equal(before);
    await world.import(path, { adapter: "steam", accepted: ["future_time"] });
    expect(world.all("SELECT saved_at AS at FROM feeds")).to.deep.equal([{ at: worldAt - 1000 }]);
    world.now += 60_000;
    expect(await world.import(world.body(steam(world.now)), { adapter: "steam" })).to.include({ outcome: "verified" });
  });

  it("ignore a future save time that an earlier version stored", async () => {
    await world.import(world.body(steam(worldAt - 1000)), { adapter: "steam" });
    const database = new SqliteDatabase(world.path);
    database.prepare("UPDATE feeds SET saved_at = ?").run(worldAt + yearMs);
    database.close();
    world.now += 60_000;
    const changed = steam(world.now, {}, itemCount, 2);
    expect(await world.import(world.body(changed), { adapter: "steam" })).to.include({ outcome: "published" });
    expect(world.all("SELECT saved_at AS at FROM feeds")).to.deep.equal([{ at: world.now }]);
  });

  it("allow fewer items in a body with an unfinished sweep", async () => {
    await world.import(world.body(steam(worldAt - 1000)), { adapter: "steam" });
    const part = steam(worldAt, { resume_from: 100 }, 100);
    expect(await world.import(world.body(part), { adapter: "steam" })).to.include({ outcome: "published", items: 100 });
  });

  const unjudged = ({ guards }: { guards: readonly GuardFinding[] }) =>
    Object.fromEntries(
      guards.filter(({ verdict }) => verdict === "not_judged").map(({ guard, figure }) => [guard, figure]),
    );

  it("report no judgement with fewer than 200 common items", async () => {
    const few = (factor: number, of: readonly ("ask" | "bid")[] = ["ask", "bid"]) => {
      const books = scaled(factor, "hall", "booth").hall!;
      const kept = books.slice(0, 199).map((book) => Object.fromEntries(of.map((side) => [side, book[side]])));
      return world.body(canonical({ hall: kept, booth: kept }), ".ndjson");
    };
    const first = await world.import(few(1), { adapter: "canonical" });
    const nothing = "it is the first body of the feed";
    const last = ["joined_share", "shrink", "lost_quotes", "price_level", "price_jumps"];
    const compared = [...last, "week_count", "week_price"];
    expect(unjudged(first)).to.deep.equal({
      ...Object.fromEntries(compared.map((guard) => [guard, nothing])),
      first_body: "no other provider was checked within 30 days",
    });
    expect(reportText(first)).to.contain(`  guard    ${compared.join(", ")} not judged: ${nothing}\n`);
    const report = await world.import(few(1 / 2, ["ask"]), { adapter: "canonical" });
    expect(unjudged(report)).to.deep.equal({
      joined_share: "the share of the previous body is unknown",
      lost_quotes: "199 items before it, 200 are needed",
      price_level: "199 items in common with the published ones, 200 are needed",
      price_jumps: "199 items in common with the published ones, 200 are needed",
    });
  });

  it("report the loss of a provider under 200 items as unjudged", async () => {
    const stall = honest.booth!.slice(0, 150);
    await world.import(world.body(canonical({ ...honest, stall })), { adapter: "canonical" });
    const report = await world.import(world.body(canonical(honest)), { adapter: "canonical" });
    expect(unjudged(report)).to.deep.equal({
      lost_quotes: "stall goes from 300 quotes to 0 and other providers stay: 150 items, 200 are needed",
    });
  });

  it("accept later bodies without a provider after its loss was accepted once", async () => {
    await world.import(world.body(canonical(honest)), { adapter: "canonical" });
    const without = canonical({ ...honest, booth: [] });
    await world.import(world.body(without), { adapter: "canonical", accepted: ["lost_quotes"] });
    world.now += 60_000;
    const report = await world.import(world.body(without), { adapter: "canonical" });
    expect(report).to.deep.include({ outcome: "verified", guards: [] });
  });

  it("judge many small providers that lose all buy orders together", async () => {
    const books = honest.booth!.slice(0, 250);
    const stalls = (without: boolean) =>
      Object.fromEntries(
        [0, 125].map((from, stall) => [
          `stall-${stall}`,
          books.flatMap((book, index) =>
            index < from || index >= from + 125 ? [{}] : [without ? { ask: book.ask! } : book],
          ),
        ]),
      );
    await world.import(world.body(canonical(stalls(false))), { adapter: "canonical" });
    expect(await refusalOf(world.import(world.body(canonical(stalls(true))), { adapter: "canonical" }))).to.contain(
      "it goes from 250 items with bids to 0 and items with asks stay",
    );
  });

  it("report which of them did not judge an old or unfinished body", async () => {
    await world.import(world.body(steam(worldAt - 7_200_000)), { adapter: "steam" });
    await world.import(world.body(steam(worldAt - 1000)), { adapter: "steam" });
    const late = await world.import(world.body(steam(worldAt - 3_600_000)), { adapter: "steam" });
    const known = "only the number of items of the previous body is known";
    expect(unjudged(late)).to.deep.equal({ lost_quotes: known, price_level: known, price_jumps: known });
    const part = await world.import(world.body(steam(worldAt, { resume_from: 100 })), { adapter: "steam" });
    const why = "its sweep is marked as unfinished";
    expect(unjudged(part)).to.deep.equal({ shrink: why, lost_quotes: why });
  });

  it("report several breaches together, and require acceptance of each", async () => {
    await world.import(world.body(canonical(honest), ".ndjson"), { adapter: "canonical" });
    const path = world.body(
      canonical(scaled(100, "hall"), (index) => (index < 60 ? `x${index}` : `Item ${index}`)),
      ".ndjson",
    );
    expect(await refusalOf(world.import(path, { adapter: "canonical" }))).to.contain(
      "--accept joined_share,price_level",
    );
    expect(await refusalOf(world.import(path, { adapter: "canonical", accepted: ["joined_share"] }))).to.contain(
      "--accept price_level",
    );
  });

  it("stop a replay, and compare each body with the previous one", async () => {
    const files = [0, 1, 2].map((hour) =>
      world.body(steam(worldAt - (3 - hour) * 3_600_000, {}, itemCount, hour === 1 ? 0.01 : 1)),
    );
    expect(await refusalOf(world.replay(files))).to.match(
      /guard price_level.*the replay stopped here, after 1 older files/,
    );
    const report = await world.replay(files, { accepted: ["price_level"] });
    expect(report).to.include({ files: 3, recorded: 2, hoursTaken: 1 });
    expect(report.moves).to.include({ came: itemCount, changed: 2 * itemCount, went: 0 });
    expect(replayText(report)).to.contain("\n  moved      300 quotes came, 600 changed, 0 went\n");
    expect(report.notJudged).to.deep.equal({
      shrink: 1,
      lost_quotes: 1,
      price_level: 1,
      price_jumps: 1,
      first_body: 1,
    });
  });
});
