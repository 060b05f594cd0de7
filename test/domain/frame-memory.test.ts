import { createHash } from "node:crypto";
import { expect } from "chai";
import type { Schema } from "../../src/contract/types.ts";
import { HourlyDayLines } from "../../src/store/read/hourly-day-lines.ts";
import { namedOf, SealedDaysStore } from "../../src/store/read/sealed-days.ts";
import { runAtOnce } from "../../src/store/write/batches.ts";
import { finalizeDaysInBatches } from "../../src/store/write/finalize-days.ts";
import { sealDaysInBatches } from "../../src/store/write/seal-days.ts";
import { dayText, hourMs } from "../../src/values/time/calendar.ts";
import { missingPoints } from "../../src/values/time/gaps.ts";
import { TimestampTexts } from "../../src/values/time/timestamp-texts.ts";
import { Random } from "../sim/random.ts";
import { edit } from "../support/unguarded.ts";
import { hourlyRowsOf } from "./day-fold.ts";
import {
  type Frame,
  frameAt,
  HistoryWorld,
  hourlyRows,
  type Item,
  type Name,
  quote,
  type State,
} from "./history-world.ts";

const at = Date.UTC(2026, 0, 15, 12, 30);
const today = Math.floor(at / 86_400_000);
const hour = (day: number, ofDay: number) => (today + day) * 24 + ofDay;
const firstHour = hour(-2, 0);
const lastHour = hour(0, 12);

/** Items of the world by id. The last three are added late. Two phases share a name, and a late item shares its name with an early one. */
const items: Record<number, Item> = {
  1: { name: "Early", phase: null, firstSeenAt: 1 },
  2: { name: "Finish", phase: "Ruby", firstSeenAt: 1 },
  3: { name: "Late", phase: null, firstSeenAt: (hour(-1, 6) + 0.5) * hourMs },
  4: { name: "Finish", phase: "Emerald", firstSeenAt: (hour(-1, 18) + 0.5) * hourMs },
  5: { name: "Finish", phase: null, firstSeenAt: (hour(0, 3) + 0.5) * hourMs },
};
const idleClock = { now: () => at, monotonicMs: () => 0 };
const names: readonly Name[] = [
  ...Object.values(items).map(({ name, phase }) => ({ name, phase })),
  { name: "Never an item", phase: null },
  { name: "Late", phase: "Ruby" },
];

describe("hourly history from the frames' memory", () => {
  const world = new HistoryWorld();
  const random = new Random(11);
  after(() => world.file.remove());
  before(() => {
    world.feeds();
    for (const [itemId, facts] of Object.entries(items)) world.file.item(Number(itemId), facts);
    const hours = Array.from({ length: 64 }, (_, index) => firstHour + index).sort(() => random.next() - 0.5);
    for (const one of hours) {
      for (const feed of ["steam", "alpha", "beta"]) if (random.chance(0.75)) world.record(randomFrame(feed, one));
    }
  });

  const selections = ([null, "steam", "a1", "z9", "b1"] as const).flatMap((provider) =>
    Object.keys(items).map((itemId) => ({ provider, itemId: Number(itemId) })),
  );
  const selected = Object.keys(items).flatMap((itemId) =>
    ["ask", "bid"].map((side): [string, string] => [itemId, side]),
  );
  for (const { provider, itemId } of selections) {
    it(`equals the covering frames for item ${itemId} at ${provider ?? "all providers"}`, () => {
      const params = { item_id: itemId, from: dayText(today - 2), ...(provider !== null && { provider }) };
      const wanted = { itemId, side: "ask" as const, provider, fromHour: firstHour, toHour: lastHour };
      const expected = hourlyRows(world.frames, { ...wanted, item: items[itemId]! });
      const whole = read({ ...params, limit: 1000 });
      expect(whole.data).to.deep.equal(expected);
      expect(whole.meta.missing_points).to.equal(missingOf(expected));
      for (const limit of [1, 7]) expect(walk({ ...params, limit }), `limit ${limit}`).to.deep.equal(expected);
    });
  }

  it("equals the lines of a sealed day, even after a rename", () => {
    const { writer } = world.file;
    runAtOnce(finalizeDaysInBatches(writer, today, idleClock));
    expect(runAtOnce(sealDaysInBatches(writer, today, idleClock))).to.deep.equal({ sealed: 2, left: 0 });
    const sealed = new SealedDaysStore(writer);
    const expected = [-2, -1].map(
      (ago) => new Map(selected.map((key) => [key.join(" "), rowsOfDay(today + ago, ...key)])),
    );
    edit(writer.$client, "UPDATE items SET market_hash_name = 'Never an item' WHERE item_id = 1");
    for (const [index, day] of [today - 2, today - 1].entries()) {
      const row = sealed.current(day)!;
      const lines = new HourlyDayLines(writer, day, namedOf(row), new TimestampTexts()).page(0, row.itemIdMax).lines;
      expect(createHash("sha256").update(lines).digest()).to.deep.equal(row.hourlyDigest);
      const folded = hourlyRowsOf(dayText(day), framesOfDay(day), lines.trimEnd().split("\n"));
      for (const [key, rows] of expected[index]!)
        expect(folded.get(key) ?? [], `day ${index}, ${key}`).to.deep.equal(rows);
    }
    edit(writer.$client, "UPDATE items SET market_hash_name = 'Early' WHERE item_id = 1");
  });

  it("covers every kind of row and of gap", () => {
    const seen = new Set<string>();
    for (const frame of world.frames) {
      const kind = frame.providers === null ? "earlier version" : frame.refusedNames === null ? "no names" : "memory";
      for (const [itemId, { firstSeenAt, name, phase }] of Object.entries(items)) {
        const state = frame.states.get(Number(itemId)) ?? null;
        const refused = (frame.refusedNames ?? []).some((one) => one.name === name && one.phase === phase);
        const age = firstSeenAt > frame.recordedAt ? "later" : "known";
        seen.add(`${kind}, ${age}, ${state === null ? (refused ? "refused" : "absent") : "present"}`);
      }
    }
    for (const kind of ["earlier version", "no names", "memory"]) {
      for (const rest of ["later, absent", "known, absent", "known, present"])
        expect(seen).to.include(`${kind}, ${rest}`);
    }
    expect(seen).to.include("memory, later, refused");
  });

  /** Some frames are of an earlier version, some have too many names, some cover a part of their feed's providers. */
  function randomFrame(feed: string, one: number): Frame {
    const frame = frameAt(feed, one, {}, random.between(0, hourMs - 1));
    const all = frame.providers!;
    const kind = random.next();
    const covered = all.filter(() => random.chance(0.7));
    const providers = covered.length === 0 ? all : covered;
    // Some are recorded much later than they were checked, as saved files are.
    const recordedAt = frame.checkedAt + (random.chance(0.3) ? random.between(0, 30) * hourMs : 7);
    const states = new Map<number, State>();
    for (const [itemId, { firstSeenAt }] of Object.entries(items)) {
      if (firstSeenAt <= recordedAt) states.set(Number(itemId), randomState(kind < 0.3 ? all : providers));
    }
    const isUnknown = ({ name, phase }: Name) =>
      Array.from(states).every(
        ([id, state]) => state === null || items[id]!.name !== name || items[id]!.phase !== phase,
      );
    const refusedNames = names.filter((name) => random.chance(0.4) && isUnknown(name));
    const memory = kind < 0.3 ? { providers: null, refusedNames: null } : { providers, refusedNames };
    return { ...frame, recordedAt, states, ...memory, ...(kind > 0.85 ? { refusedNames: null } : {}) };
  }

  function randomState(providers: readonly string[]): State {
    if (random.chance(0.4)) return null;
    return providers.filter(() => random.chance(0.5)).map((provider) => quote(provider, random.between(1, 3)));
  }

  function rowsOfDay(day: number, itemId: string, side: string): Schema<"HourlyPrice">[] {
    const date = dayText(day);
    return read({ item_id: Number(itemId), side: side as "ask", from: date, to: date, limit: 1000 }).data;
  }

  function framesOfDay(day: number) {
    return ["alpha", "beta", "steam"].map((feed) => {
      const ofDay = world.frames.filter((frame) => frame.feed === feed && Math.floor(frame.hour / 24) === day);
      return {
        feed,
        hours: ofDay.map((frame) => frame.hour % 24),
        ingested_at: ofDay.map(({ ingestedAt }) => new Date(ingestedAt).toISOString()),
        checked_at: ofDay.map(({ checkedAt }) => new Date(checkedAt).toISOString()),
        recorded_at: ofDay.map(({ recordedAt }) => new Date(recordedAt).toISOString()),
      };
    });
  }

  type Page = { data: Schema<"HourlyPrice">[]; meta: ReturnType<HistoryWorld["hourly"]["read"]>["meta"] };

  function read(params: Parameters<HistoryWorld["hourly"]["prepare"]>[0]): Page {
    const { data, meta } = world.hourlyPage(params, at);
    return { data: JSON.parse(data.json), meta };
  }

  function walk(params: Parameters<HistoryWorld["hourly"]["prepare"]>[0]): Schema<"HourlyPrice">[] {
    const rows: Schema<"HourlyPrice">[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { data, meta } = read({ ...params, ...(after === undefined ? {} : { after }) });
      rows.push(...data);
      after = meta.next_page;
    }
    return rows;
  }
});

function missingOf(rows: readonly Schema<"HourlyPrice">[]): string {
  const present = new Set(rows.map(({ ts }) => Date.parse(ts) / hourMs));
  const all = Array.from({ length: lastHour - firstHour + 1 }, (_, index) => firstHour + index);
  return missingPoints(
    "hour",
    all.length,
    all.filter((one) => !present.has(one)),
  );
}
