import Sqlite from "better-sqlite3";
import { expect } from "chai";
import { TimestampTexts } from "../../src/values/time/timestamp-texts.ts";
import {
  dayRowHeadSql,
  encodeDayMarkers,
  encodeDayQuotes,
  encodeDayRecord,
  encodeDayRow,
  encodeDayTimes,
} from "../../src/wire/sealed-day.ts";

const timestamps = new TimestampTexts();
const at = Date.parse("2026-01-14T23:07:00.001Z");
const prices = { amount: 120, lowAmount: 100, highAmount: 130, observations: 3 };
const head =
  '{"type":"daily","data":{"item_id":7,"side":"bid","provider":"steam","amount":120,"low_amount":100,"high_amount":130,"observations":3,';

describe("lines of a sealed day", () => {
  const client = new Sqlite(":memory:");
  after(() => client.close());
  const one = (expression: string, from = "") => client.prepare(`SELECT ${expression} ${from}`).pluck().get();

  it("contain a row's figures and times, with null for unknown ones", () => {
    const row = { itemId: 7, side: "bid", provider: "steam", ...prices } as const;
    const line = (quantity: number | null, observed: number | null) =>
      encodeDayRow({ ...row, quantity, sourceObservedAt: observed, recordedAt: at }, timestamps);
    expect(line(null, null)).to.equal(
      `${head}"quantity":null,"source_observed_at":null,"recorded_at":"2026-01-14T23:07:00.001Z"}}\n`,
    );
    expect(line(5, at - 1)).to.equal(
      `${head}"quantity":5,"source_observed_at":"2026-01-14T23:07:00.000Z","recorded_at":"2026-01-14T23:07:00.001Z"}}\n`,
    );
  });

  it("equal the daily row written by SQLite, up to its times", () => {
    const columns =
      "7 AS item_id, 'bid' AS side, 'steam' AS provider, 120 AS amount, 100 AS low_amount, 130 AS high_amount";
    for (const quantity of ["NULL", "5"]) {
      const text = one(dayRowHeadSql, `FROM (SELECT ${columns}, 3 AS observations, ${quantity} AS quantity)`);
      const row = {
        itemId: 7,
        side: "bid",
        provider: "steam",
        ...prices,
        sourceObservedAt: null,
        recordedAt: at,
      } as const;
      const whole = encodeDayRow({ ...row, quantity: quantity === "5" ? 5 : null }, timestamps);
      expect(text + encodeDayTimes(null, at, timestamps)).to.equal(whole);
    }
  });

  it("contain hour ranges of quotes and markers, and end each record", () => {
    const quotes = {
      provider: "steam",
      feed: "steam",
      hours: [
        [0, 3],
        [5, 5],
      ] as [number, number][],
      amounts: [100, 110],
    };
    expect(
      encodeDayQuotes(7, "ask", { ...quotes, quantities: [null, 2], sourceObservedAt: [null, at] }, timestamps),
    ).to.equal(
      '{"type":"quotes","data":{"item_id":7,"side":"ask","provider":"steam","feed":"steam","hours":[[0,3],[5,5]],' +
        '"amounts":[100,110],"quantities":[null,2],"source_observed_at":[null,"2026-01-14T23:07:00.001Z"]}}\n',
    );
    const markers = {
      hours: [
        [0, 1],
        [2, 2],
      ] as [number, number][],
      availability: ["no_quote", "item_missing"] as const,
    };
    expect(
      encodeDayMarkers(7, "ask", { ...markers, availability: [...markers.availability], feeds: [null, ["steam"]] }),
    ).to.equal(
      '{"type":"markers","data":{"item_id":7,"side":"ask","hours":[[0,1],[2,2]],"availability":["no_quote","item_missing"],"feeds":[null,["steam"]]}}\n',
    );
    const record = { type: "end" } as unknown as Parameters<typeof encodeDayRecord>[0];
    expect(encodeDayRecord(record).toString()).to.equal('{"type":"end"}\n');
  });
});
