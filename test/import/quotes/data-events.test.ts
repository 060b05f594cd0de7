import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect } from "chai";
import { tableKinds } from "../../../db/schema/kinds.ts";
import { importCatalogInBatches } from "../../../src/import/catalog/catalog-import.ts";
import { importDaily } from "../../../src/import/daily/daily-import.ts";
import { dropFeeds } from "../../../src/import/quotes/drop-feeds.ts";
import { replayFrames } from "../../../src/import/quotes/replay.ts";
import { importRates } from "../../../src/import/rates/rate-import.ts";
import { retractFrame } from "../../../src/jobs/days/retract-frame.ts";
import { checkDatabase } from "../../../src/store/check/check.ts";
import { openWriter } from "../../../src/store/database.ts";
import { runAtOnce } from "../../../src/store/write/batches.ts";
import { setKnownSince } from "../../../src/store/write/known-since.ts";
import { hourMs } from "../../../src/values/time/calendar.ts";
import { steamBody } from "../../support/bodies.ts";
import { bySize, casesBySize } from "../../support/size.ts";
import { canonicalText, DailyWorld, dayOfText } from "../daily/daily-world.ts";
import { variantOf, worldAt } from "./quote-world.ts";

const day = dayOfText("2026-08-30");
const at = (hour: number) => (day * 24 + hour) * hourMs;
const rifle = "AK-47 | Redline (Field-Tested)";
const row = (date: string, amount: number) => ({ item_id: 4, date, side: "ask", amount });
const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
const bits = (...hours: number[]) => hours.reduce((sum, hour) => sum | (1 << hour), 0);

type Event = Record<"kind" | "cause" | "feed" | "guard" | "digest", string | null> & {
  day: number;
  count: number;
  hours: number | null;
};

type Parts = { pause?: () => Promise<void> };
type Command = (world: DailyWorld, parts: Parts) => Promise<unknown>;

const partsOf = (world: DailyWorld, { pause = async () => {} }: Parts) => ({ clock: world.clock, pause });
const replay =
  (...hours: number[]): Command =>
  (world, parts) => {
    const paths = hours.map((hour) => world.body(steamBody({ [rifle]: hour }, at(hour))));
    return replayFrames(world.path, paths, { adapter: "steam" }, partsOf(world, parts));
  };
const dailyOf =
  (amount: number, options: object): Command =>
  (world, parts) => {
    const rows = Array.from({ length: 3 }, (_, index) => row(`2026-08-2${index}`, amount + index));
    const path = world.body(canonicalText(rows), ".ndjson");
    return importDaily(world.path, path, { adapter: "canonical", ...options }, partsOf(world, parts));
  };
const ratesOf =
  (usd: string, options: object): Command =>
  (world, parts) => {
    const path = world.body(["Date,USD,JPY,", `2026-08-28,${usd},200,`, ""].join("\n"), ".csv");
    return importRates(world.path, [path], { adapter: "ecb", ...options }, partsOf(world, parts));
  };
const retractAt =
  (hour: number): Command =>
  (world, parts) =>
    retractFrame(world.path, { feed: "steam", hour: at(hour) / hourMs, reason: "wrong" }, partsOf(world, parts));

/** An interrupted import leaves a number without rows, and its checksum. */
const notCompared = new Set(["daily_imports", "daily_import_rates", "market_checksums"]);

/** The first transactions write the rows and the events, later ones seal days. */
const killsMax = bySize({ short: 4, long: Number.POSITIVE_INFINITY });

/** Commands in several transactions, each with the command before it. */
const commands: readonly [name: string, before: Command, command: Command][] = [
  ["late frames", async () => {}, replay(7, 9)],
  ["imported days", async () => {}, dailyOf(500, {})],
  ["a retracted frame", replay(7, 8), retractAt(8)],
  ["corrected rates", ratesOf("1.25", {}), ratesOf("1.28", { replace: true })],
  [
    "dropped quotes",
    replay(7),
    (world, parts) => dropFeeds(world.path, { feeds: ["steam"] }, { dryRun: false }, partsOf(world, parts)),
  ],
  ["replaced days", dailyOf(500, {}), dailyOf(600, { replace: true })],
];

describe("log of the data", () => {
  let world: DailyWorld;
  beforeEach(() => {
    world = new DailyWorld();
  });
  afterEach(() => {
    // Each later revision of a day has one entry.
    const revisions = world.all(
      "SELECT day, revision FROM sealed_days WHERE revision > 1 AND sealed_at >= (SELECT known_since FROM market_state) ORDER BY 1, 2",
    );
    const entries = world.all(
      "SELECT day, json_extract(after, '$[0]') AS revision FROM data_events WHERE kind = 'day_revised' ORDER BY 1, 2",
    );
    expect(entries).to.deep.equal(revisions);
    world.destroy();
  });

  const parts = () => ({ clock: world.clock, pause: async () => {} });
  const events = (kind: string) =>
    world.all<Event & Record<string, unknown>>(
      `SELECT *, lower(hex(body_digest)) AS digest FROM data_events WHERE kind = '${kind}' ORDER BY event_id`,
    );
  const counts = () =>
    Object.fromEntries(
      world
        .all<{ kind: string; found: number }>("SELECT kind, count(*) AS found FROM data_events GROUP BY kind")
        .map(({ kind, found }) => [kind, found]),
    );
  const saved = (hour: number, cents: number) => world.body(steamBody({ [rifle]: cents }, at(hour)));
  const daily = (rows: readonly object[]) => world.body(canonicalText(rows), ".ndjson");
  const rates = (usd: string) => world.body(["Date,USD,JPY,", `2026-08-28,${usd},200,`, ""].join("\n"), ".csv");
  const take = (path: string, more: object = {}) => world.importDaily(path, { adapter: "canonical", ...more });
  const writing = <T>(work: (database: ReturnType<typeof openWriter>) => T): T => {
    const database = openWriter(world.path, 1000);
    try {
      return work(database);
    } finally {
      database.$client.close();
    }
  };

  it("has one event of late frames per replay and day, and one of its gaps", async () => {
    await world.replay([saved(7, 10), saved(8, 20), saved(11, 30)]);
    expect(events("late_frame")).to.have.length(1);
    expect(events("late_frame")[0]).to.include({ feed: "steam", day, count: 3, cause: "saved_body" });
    expect(events("late_frame")[0]!.hours).to.equal(bits(7, 8, 11));
    const gaps = events("gap");
    expect(gaps).to.have.length(2);
    expect(gaps.find((gap) => gap.day === day)).to.include({
      cause: "not_known",
      count: 14,
      hours: 2 ** 24 - 1 - (2 ** 12 - 1) + bits(9, 10),
    });
    await world.replay([saved(7, 10)]);
    expect(counts()).to.deep.equal({ late_frame: 1, gap: 2 });
  });

  it("logs a retraction, its gap and the new revision with both digests", async () => {
    await world.replay([saved(7, 10), saved(8, 1000), saved(9, 30)]);
    world.now += hourMs;
    const wrong = { feed: "steam", hour: at(8) / hourMs, reason: "cents for dollars" };
    await retractFrame(world.path, wrong, parts());
    expect(events("frame_retracted")[0]).to.include({ feed: "steam", day, hours: bits(8), at: world.now });
    expect(events("gap").at(-1)).to.include({ cause: "frame_retracted", hours: bits(8), count: 1 });
    const [revised, ...others] = events("day_revised");
    expect(others).to.deep.equal([]);
    const sealed = world.all<Record<string, unknown>>(
      `SELECT revision, lower(hex(digest)) AS digest, lower(hex(hourly_digest)) AS hourly FROM sealed_days WHERE day = ${day} ORDER BY 1`,
    );
    expect([JSON.parse(`${revised!.before}`), JSON.parse(`${revised!.after}`)]).to.deep.equal(
      sealed.map(({ revision, digest, hourly }) => [revision, digest, hourly]),
    );
    expect(revised).to.include({ cause: "frame_retracted", day });
    world.now += hourMs;
    await world.replay([saved(8, 25)]);
    expect(events("late_frame").at(-1)).to.include({ hours: bits(8), count: 1 });
    expect(events("day_revised").at(-1)).to.include({ cause: "late_frame" });
    expect(checkDatabase(world.path).faults).to.deep.equal([]);
  });

  it("counts refusals of one body, and logs its acceptance once", async () => {
    const names = Array.from({ length: 300 }, (_, index) => `Item ${index}`);
    const variants = names.map((marketHashName, index) => variantOf({ marketHashName }, index));
    writing((database) => runAtOnce(importCatalogInBatches(database, variants, worldAt, parts())));
    const body = (cents: number, minutes: number) =>
      world.body(steamBody(Object.fromEntries(names.map((name) => [name, cents])), worldAt + minutes * 60_000));
    await world.import(body(100, -30), { adapter: "steam" });
    const dear = body(1000, -20);
    for (const _ of [1, 2, 3]) {
      world.now += 1000;
      await world.import(dear, { adapter: "steam" }).catch(() => {});
    }
    await world.import(dear, { adapter: "steam", dryRun: true }).catch(() => {});
    const refused = events("body_refused");
    expect(refused.map(({ guard, count }) => [guard, count])).to.deep.include(["price_level", 3]);
    expect(new Set(refused.map(({ guard }) => guard)).size).to.equal(refused.length);
    for (const event of refused)
      expect(event).to.include({ digest: sha256(dear), feed: "steam", at: worldAt + 1000, last_at: worldAt + 3000 });
    const accepted = refused.map(({ guard }) => guard as "price_level");
    await world.import(dear, { adapter: "steam", accepted });
    await world.import(dear, { adapter: "steam", accepted });
    expect(events("exception_accepted").map(({ guard }) => guard)).to.have.members(accepted);
    expect(events("exception_accepted")[0]).to.include({ digest: sha256(dear), cause: "operator", count: 1 });
  });

  it("has one event per imported and per replaced day", async () => {
    const first = daily([row("2026-08-29", 500), row("2026-08-30", 510)]);
    await take(first);
    await take(first);
    expect(events("days_imported").map((event) => [event.day, event.count])).to.deep.equal([
      [day - 1, 1],
      [day, 1],
    ]);
    world.now += 1000;
    await take(daily([row("2026-08-29", 500), row("2026-08-30", 600)]), { replace: true });
    const [replaced, ...more] = events("days_replaced");
    expect(more).to.deep.equal([]);
    expect(replaced).to.include({ day, feed: "northgate", provider: "northgate", count: 1 });
    expect(JSON.parse(`${replaced!.changes}`)).to.deep.equal([["ask_cents", 4, null, "510", "600"]]);
    expect(events("day_revised").map((event) => [event.day, event.cause])).to.deep.equal([[day, "days_replaced"]]);
  });

  /** The compared rows of the market, without numbers of events and imports. */
  const content = () =>
    tableKinds.market.flatMap((table) =>
      notCompared.has(table)
        ? []
        : world
            .all<Record<string, unknown>>(`SELECT * FROM ${table}`)
            .map(({ event_id: _event, import_id: _import, seal: _seal, ...row }) => `${table} ${JSON.stringify(row)}`)
            .sort(),
    );

  for (const [name, before, command] of casesBySize(commands, 1))
    it(`leaves the same market after ${name}, killed anywhere and repeated`, async () => {
      const start = async () => {
        world.destroy();
        world = new DailyWorld();
        await before(world, {});
        world.now += hourMs;
      };
      await start();
      await command(world, {});
      const whole = content();
      expect(counts()).to.not.deep.equal({});
      for (let left = 0, isKilled = true; isKilled && left < killsMax; left += 1) {
        await start();
        let pauses = 0;
        const pause = async () => {
          if (pauses++ === left) throw new Error("killed");
        };
        isKilled = await command(world, { pause }).then(
          () => false,
          () => true,
        );
        // Dropped quotes cannot be dropped again.
        await command(world, {}).catch((error: Error) => expect(error.message).to.match(/steam: has no quotes/));
        expect(content(), `killed after ${left + 1} transactions`).to.deep.equal(whole);
      }
    });

  const datedByRows = ["corrected rates", "replaced days"];
  for (const [name, earlier, command] of commands.filter(([name]) => datedByRows.includes(name)))
    it(`dates ${name} by the last transaction of the command`, async () => {
      await earlier(world, {});
      const { clock } = world;
      Object.assign(world, { clock: { ...clock, now: () => (world.now += 1) } });
      await command(world, {});
      const [span] = world.all<{ last: number }>("SELECT max(finished_at) AS last FROM change_spans");
      const kinds = "'days_replaced', 'rates_corrected'";
      const dates = world.all(
        `SELECT DISTINCT at AS last FROM data_events WHERE kind IN (${kinds}) AND at > ${worldAt}`,
      );
      expect(dates).to.deep.equal([span]);
    });

  it("logs a dropped feed, corrected rates and a renamed item", async () => {
    await world.import(saved(7, 10), { adapter: "steam" });
    await dropFeeds(world.path, { feeds: ["steam"] }, { dryRun: false }, parts());
    expect(events("feed_dropped")[0]).to.include({ feed: "steam", count: 1, cause: "operator" });
    await importRates(world.path, [rates("1.25")], { adapter: "ecb" }, parts());
    const corrected = rates("1.28");
    for (const _ of [1, 2]) await importRates(world.path, [corrected], { adapter: "ecb", replace: true }, parts());
    expect(events("rates_corrected")).to.have.length(1);
    expect(events("rates_corrected")[0]).to.include({ day: dayOfText("2026-08-28"), count: 2 });
    expect(JSON.parse(`${events("rates_corrected")[0]!.changes}`)[0]).to.deep.equal([
      "rate_per_usd",
      null,
      "EUR",
      "0.8",
      "0.78125",
    ]);
    const renamed = [variantOf({ marketHashName: "AK-47 | Renamed", identityKey: "paint:7:282/ft/plain/" }, 0)];
    for (const _ of [1, 2])
      writing((database) => runAtOnce(importCatalogInBatches(database, renamed, world.now, parts())));
    const [moved, ...others] = events("items_moved");
    expect(others).to.deep.equal([]);
    expect(moved).to.include({ count: 6, item_ids: "[1,2,3,4,5,6]" });
    expect(JSON.parse(`${moved!.changes}`)).to.deep.include(["market_hash_name", 4, null, rifle, "AK-47 | Renamed"]);
    expect(checkDatabase(world.path).faults).to.deep.equal([]);
  });

  it("has no event from before its beginning", async () => {
    writing((database) => setKnownSince(database, worldAt - hourMs));
    world.now = worldAt - 2 * hourMs;
    await world.replay([saved(7, 10), saved(9, 30)]);
    expect(counts()).to.deep.equal({});
    world.now = worldAt;
    await world.replay([saved(8, 20)]);
    expect(counts()).to.deep.equal({ late_frame: 1, day_revised: 1 });
  });
});
