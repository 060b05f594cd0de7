import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { writeTransaction } from "../../../src/store/database.ts";
import { describeLong } from "../../support/size.ts";
import { needRealData, realDataFolder } from "../../support/skip.ts";
import { type Ask, IndexWorld } from "./index-world.ts";

const framesFolder = join(realDataFolder, "steam/frames");
const from = "2026-02-11";
const to = "2026-03-09";
const copied = "2026-03-10";
const scale = 10n ** 30n;

type Prices = Map<number, number>;
type Level = { value: string | null; exact: string | null; priced: number; coverage: string; version: number };

/** The daily asks of the real frames: the last observation of each name on each day. */
describeLong("indexes over the real frames of the main platform", function () {
  this.timeout(180_000);
  const idOf = new Map<string, number>();
  const days = new Map<string, Prices>();
  let world: IndexWorld;
  let everything: number[];

  before(function () {
    needRealData(this);
    for (const file of readdirSync(framesFolder).sort()) {
      const date = file.replace(/^latest-(\d{4})(\d{2})(\d{2})T.*$/, "$1-$2-$3");
      if (date >= from && date <= to) readFrame(join(framesFolder, file), date);
    }
    days.set(copied, new Map(days.get(to)));
    world = new IndexWorld([]);
    writeTransaction(world.writer, () => {
      for (const [name, itemId] of idOf) world.file.item(itemId, { name });
    });
    world.asks(
      ...Array.from(days, ([date, prices]) =>
        Array.from(prices, ([itemId, amount]): Ask => [date, itemId, amount]),
      ).flat(),
    );
    everything = [...days.get(from)!.keys()];
  });
  after(() => world?.remove());

  function readFrame(path: string, date: string): void {
    const { prices } = JSON.parse(gunzipSync(readFileSync(path)).toString()) as { prices: Record<string, number> };
    const day = days.get(date) ?? new Map<number, number>();
    for (const [name, cents] of Object.entries(prices)) {
      const itemId = idOf.get(name) ?? idOf.size + 1;
      idOf.set(name, itemId);
      if (Number.isInteger(cents) && cents > 0) day.set(itemId, cents);
    }
    days.set(date, day);
  }

  function levelsOf(
    index_id: string,
    weighting: string,
    members: readonly number[],
    {
      next,
      base_date = from,
      effective_on = copied,
    }: { next?: number[]; base_date?: string; effective_on?: string } = {},
  ) {
    const facts = { index_id, weighting, base_date, base_value: "1000" };
    world.define({ ...facts, members: members.map((item_id) => ({ item_id })) });
    if (next) world.define({ ...facts, members: next.map((item_id) => ({ item_id })), effective_on });
    world.calculate("2026-03-11", index_id);
    const rows = world.rows<Level & { date: string }>(
      `SELECT strftime('%Y-%m-%d', day * 86400, 'unixepoch') AS date, value, exact, priced_constituent_count AS priced,
       coverage_pct AS coverage, membership_version AS version FROM index_levels WHERE index_id = ?`,
      index_id,
    );
    return new Map(rows.map(({ date, ...level }) => [date, level]));
  }

  /** The value of `members` on one day divided by another day's, with prices from `take`. 1e30 means equal. */
  function quotient(members: readonly number[], now: string, then: string, take = askOf): bigint {
    const sum = (date: string) => members.reduce((total, itemId) => total + BigInt(take(itemId, date)), 0n);
    return (sum(now) * scale) / sum(then);
  }

  function askOf(itemId: number, date: string): number {
    return days.get(date)?.get(itemId) ?? 0;
  }

  const common = (...dates: string[]) =>
    everything.filter((itemId) => dates.every((date) => days.get(date)!.has(itemId)));

  it("omit a day without a tenth of its names, then link across", () => {
    const levels = levelsOf("whole", "capitalization", everything);
    expect([...levels.keys()]).to.deep.equal([...days.keys()]);
    for (const date of ["2026-02-16", "2026-02-23"]) {
      expect(levels.get(date)).to.include({ value: null, exact: null, priced: common(date).length });
      expect(Number(levels.get(date)!.coverage)).to.be.within(50, 89.99);
    }
    const { value, coverage } = levels.get("2026-03-02")!;
    const expected = 1000n * quotient(common(from, "2026-03-02"), "2026-03-02", from);
    expect(value).to.equal(fourDecimals(expected));
    expect(Number(coverage)).to.be.within(90, 99.99);
  });

  it("count a vanished item neither as zero nor at its last price", () => {
    const date = "2026-03-02";
    const { value } = levelsOf("vanished", "capitalization", everything).get(date)!;
    const vanished = everything.filter((itemId) => !days.get(date)!.has(itemId));
    expect(vanished.length).to.be.greaterThan(50);
    const carried = quotient(everything, date, from, (itemId, day) => askOf(itemId, day) || askOf(itemId, from));
    expect(value).to.not.equal(fourDecimals(1000n * quotient(everything, date, from)));
    expect(value).to.not.equal(fourDecimals(1000n * carried));
    expect(value).to.equal(fourDecimals(1000n * quotient(common(from, date), date, from)));
  });

  for (const weighting of ["equal", "capitalization"]) {
    it(`keep all 18 decimals of a level when only members change (${weighting})`, () => {
      const dear = everything.toSorted((one, other) => askOf(other, from) - askOf(one, from));
      const [old, chosen] = [dear.slice(0, 300), dear.slice(-300)];
      const levels = levelsOf(`moved-${weighting}`, weighting, old, { next: chosen });
      const [before, after] = [levels.get(to)!, levels.get(copied)!];
      expect([before.version, after.version]).to.deep.equal([1, 2]);
      expect(quotient(old, to, from)).to.not.equal(quotient(chosen, to, from));
      expect(after.exact).to.equal(before.exact).and.to.not.equal(null);
    });
  }

  it("link new members by the old members that still have prices", () => {
    const dates = [...days.keys()];
    const base_date = "2026-02-23";
    const [back, after] = dates.slice(dates.indexOf(base_date) + 1) as [string, string];
    const has = (date: string) => (itemId: number) => days.get(date)!.has(itemId);
    const old = [...days.get(base_date)!.keys()];
    const next = common(back, after).filter((itemId) => !has(base_date)(itemId));
    expect(next.length).to.be.greaterThan(200);
    const levels = levelsOf("lost", "capitalization", old, { next, base_date, effective_on: back });
    expect([levels.get(base_date)!.version, levels.get(back)!.version]).to.deep.equal([1, 2]);
    const atBack = quotient(old.filter(has(back)), back, base_date);
    expect(levels.get(back)!.value).to.equal(fourDecimals(1000n * atBack));
    const atAfter = (atBack * quotient(next, after, back)) / scale;
    expect(levels.get(after)!.value).to.equal(fourDecimals(1000n * atAfter));
    expect(levels.get(after)!.value).to.not.equal(levels.get(back)!.value);
  });
});

/** Rounds a number in units of 1e-30 that is far from a half, so that the rounding of halves does not matter. */
function fourDecimals(level: bigint): string {
  const tenThousandths = (level + 5n * 10n ** 25n) / 10n ** 26n;
  return `${tenThousandths / 10_000n}.${String(tenThousandths % 10_000n).padStart(4, "0")}`;
}
