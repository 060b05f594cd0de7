import { statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { closeDatabase, openReader, openWriter } from "../../src/store/database.ts";
import { ExchangeRateWriter } from "../../src/store/write/exchange-rates.ts";
import { dayMs, dayText, parseDay } from "../../src/values/time/calendar.ts";
import { jsonOf, runHere } from "../support/cli.ts";
import { newDatabase } from "../support/files.ts";
import { useWorld } from "../support/world.ts";

describe("pruning of hourly history on the command line", () => {
  const world = useWorld({ fewItems: true });
  /** The first day of the demo's frames. The hours before `cut` are removed. */
  let first: number;
  /** An item that is quoted on that day. */
  let itemId: number;
  let cut: string;
  let key: string;
  const prune = (...words: string[]) => runHere(["db", "prune", "--hourly-before", cut, ...words, "--db", world.path]);
  const hourly = async (from: string) => {
    const query = { from, to: dayText(first + 1), limit: 500 };
    const { json } = await world.client.call("getHourlyPriceHistory", { key, path: { item_id: itemId }, query });
    return { rows: json.data as { ts: string }[], missing: json.meta.missing_points as string };
  };
  const rowsOf = (...queries: string[]) => queries.map((query) => JSON.stringify(world.sql(query)));
  /** Sums that change with every changed, added or removed row. The checksum of a daily row covers all its columns. */
  const histories = () =>
    rowsOf(
      "SELECT count(*), sum(seal), sum(day * item_id) FROM daily_prices",
      "SELECT count(*), sum(hour * items + quotes), sum(recorded_at) FROM frames",
      `SELECT count(*), sum(day * item_id), sum(length(changes)) FROM frame_segments WHERE day >= ${parseDay(cut)}`,
      "SELECT count(*), sum(item_id * provider_id), sum(ask_cents), sum(bid_cents) FROM quotes",
    );
  const ledger = () => rowsOf("SELECT * FROM usage_events", "SELECT * FROM usage_months", "SELECT * FROM accounts");

  before(() => {
    first = Number(world.sql("SELECT min(day) AS day FROM feed_days")[0]?.day);
    cut = dayText(first + 1);
    itemId = Number(world.sql("SELECT min(item_id) AS id FROM frame_segments WHERE day = ?", first)[0]?.id);
    key = world.account("builder").secret;
  });

  it("lists days with feeds and sizes in a dry run, without writing", async () => {
    const everything = () => [
      ...histories(),
      ...ledger(),
      ...rowsOf("SELECT * FROM feed_days", "SELECT count(*), sum(item_id) FROM frame_segments"),
    ];
    const before = everything();
    const report = await jsonOf("db", "prune", "--hourly-before", cut, "--dry-run", "--db", world.path);
    expect(report).to.deep.include({ dry_run: true, kept: [] });
    expect(report.days.map(({ date }: { date: string }) => date)).to.deep.equal([dayText(first)]);
    const [stored] = world.sql(
      "SELECT count(*) AS segments, sum(length(changes)) AS bytes FROM frame_segments WHERE day = ?",
      first,
    );
    expect(report.days[0]).to.include(stored);
    const { code, lines } = await prune("--dry-run");
    expect([code, lines[0]?.split(/ +/)]).to.deep.equal([0, ["DATE", "HOURS", "SEGMENTS", "BYTES", "FEEDS"]]);
    expect(lines.at(-1)).to.match(/^1 day, \d+ segments?, \d+ bytes of content would be pruned; nothing was written$/);
    expect(everything().map((text, index) => text === before[index])).to.not.include(false);
  });

  it("removes only older hours beside a running server, and reports them", async () => {
    const before = await hourly(dayText(first));
    const onDay = ({ ts }: { ts: string }) => ts.startsWith(dayText(first));
    expect(before.rows.some(onDay)).to.equal(true);
    expect(before.missing).to.not.include("removed");
    const kept = histories();
    const charged = ledger();
    const { code, lines } = await prune();
    expect([code, lines.at(-1)]).to.match(/^0,\d+ bytes of the file are free; .*`npx itemtape db compact`/);
    expect(histories().map((text, index) => text === kept[index])).to.not.include(false);
    expect(ledger()).to.deep.equal(charged);
    const after = await hourly(dayText(first));
    expect(after.rows).to.deep.equal(before.rows.filter((row) => !onDay(row)));
    const points = 48;
    const present = new Set(after.rows.map(({ ts }) => ts)).size;
    expect(after.missing).to.match(new RegExp(`^${points - present} of ${points} hours absent: `));
    expect(after.missing.endsWith(`; recorded and since removed: ${dayText(first)}`), after.missing).to.equal(true);
    expect((await hourly(cut)).missing).to.not.include("removed");
    expect((await prune()).lines).to.deep.equal(["nothing to prune"]);
  });

  it("removes replaced rows before a day, and states the first instant that can be read back", async () => {
    const words = ["db", "prune", "--past-before", cut, "--db", world.path];
    const counted = () => Number(world.sql("SELECT count(*) AS n FROM exchange_rates_past")[0]?.n);
    world.sql("UPDATE market_state SET known_since = 0");
    world.change((database) => {
      const rates = new ExchangeRateWriter(database, { source: "test", methodologyVersion: "1" });
      const rate = { currency: "EUR", minorUnits: 2, day: 1 };
      for (const at of [1, 2, first * dayMs, (first + 2) * dayMs]) rates.write({ ...rate, ratePerUsd: `1.${at}` }, at);
    });
    const known_since = `${cut}T00:00:00.000Z`;
    const report = await jsonOf(...words, "--dry-run");
    expect(report).to.deep.include({ dry_run: true, known_since });
    expect(report.rows).to.include({ exchange_rates: 2 });
    expect(counted()).to.equal(3);
    expect((await runHere(words)).lines.at(-2)).to.equal(`the state can be read back from ${known_since} on`);
    expect(counted()).to.equal(1);
    expect((await jsonOf(...words)).rows).to.include({ exchange_rates: 0 });
  });

  it("keeps and names a day without stored daily rows", async () => {
    const open = Number(world.sql("SELECT max(day) AS day FROM feed_days WHERE settled_at IS NULL")[0]?.day);
    const segments = () => world.sql("SELECT count(*) AS n FROM frame_segments WHERE day = ?", open)[0]?.n;
    const before = segments();
    const words = ["db", "prune", "--hourly-before", dayText(open + 1), "--db", world.path];
    const { code, lines } = await runHere(words);
    expect([code, lines[0]]).to.deep.equal([
      0,
      `${dayText(open)} of bazaar is kept, because its daily rows are not stored yet; \`npx itemtape portfolios value\` stores them`,
    ]);
    expect(segments()).to.equal(before);
  });

  it("refuses invalid and future dates, and compaction of a used file", async () => {
    for (const [words, code, description] of [
      [["prune"], 64, "either --hourly-before or --past-before is missing"],
      [["prune", "--hourly-before", "2026-02-30"], 64, "must be a day such as 2026-08-01, not `2026-02-30`"],
      [["prune", "--hourly-before", "2999-01-01"], 64, "2999-01-01 is in the future"],
      [["compact"], 75, "a server is running on it"],
    ] as const) {
      const ran = await runHere(["db", ...words, "--db", world.path]);
      expect({ code: ran.code, lines: ran.lines }).to.deep.equal({ code, lines: [] });
      expect(ran.notes.join("\n")).to.include(description).and.not.include("\n");
    }
  });

  it("makes the compacted file smaller with the same content", async () => {
    const path = join(world.folder, "compacted.db");
    newDatabase(path);
    const other = openWriter(path, 0);
    const { $client: client } = other;
    client.exec(`INSERT INTO guard_acceptances (feed, guard, accepted_at, finding)
      SELECT 'a', 'b', value, hex(randomblob(2000)) FROM json_each('[${Array.from({ length: 1000 }, () => 0).join()}]')`);
    client.exec("DELETE FROM guard_acceptances WHERE acceptance_id > 3");
    client.pragma("wal_checkpoint(TRUNCATE)");
    const rows = () => JSON.stringify(client.prepare("SELECT * FROM guard_acceptances").all());
    const held = rows();
    const before = statSync(path).size;
    const refused = await runHere(["db", "compact", "--db", path]);
    expect([refused.code, refused.notes.join()]).to.match(/^75,.*another program has it open, such as Litestream/);
    closeDatabase(other);
    const { code, lines } = await runHere(["db", "compact", "--db", path]);
    expect([code, lines.length]).to.deep.equal([0, 1]);
    expect(lines[0]).to.include(`rewritten: ${statSync(path).size} bytes, ${before} before`);
    expect(statSync(path).size).to.be.below(before / 2);
    expect((await runHere(["db", "check", "--db", path])).code).to.equal(0);
    const again = openReader(path);
    expect(JSON.stringify(again.$client.prepare("SELECT * FROM guard_acceptances").all())).to.equal(held);
    closeDatabase(again);
  });
});
