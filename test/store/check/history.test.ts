import { expect } from "chai";
import { checkHistory } from "../../../src/store/check/history.ts";
import { dailyChecksum } from "../../../src/store/codec/daily-checksum.ts";
import { encodeSegment } from "../../../src/store/codec/frame-segment.ts";
import { contentOf, FrameWorld, type NamedQuote, timesOf } from "../../import/quotes/frame-world.ts";
import { bySize } from "../../support/size.ts";
import { edit } from "../../support/unguarded.ts";

const day = 20_000;
const hour = day * 24;

describe("check of history", () => {
  let world: FrameWorld;

  beforeEach(() => {
    world = new FrameWorld(3);
    world.record(
      contentOf(
        "alpha",
        new Map([
          [1, [ask("a1", 100), ask("a2", 110)]],
          [2, []],
        ]),
        { refused: ["Apple", "Berry"] },
      ),
      timesOf(hour),
    );
    world.record(
      contentOf(
        "alpha",
        new Map([
          [1, [ask("a1", 101)]],
          [3, [ask("a1", 7)]],
        ]),
      ),
      timesOf(hour + 5),
    );
    world.record(contentOf("beta", new Map([[1, [ask("b1", 90)]]])), timesOf(hour + 30));
    addDaily(world, 101);
  });
  afterEach(() => world.remove());

  it("finds no fault in sound history and reports its parts", () => {
    expect(checkHistory(world.reader)).to.deep.equal([
      { isFault: false, description: "3 frames in 4 segments match their stated content" },
      { isFault: false, description: "1 daily rows are unchanged" },
    ]);
  });

  it("reads one day of frames per piece and accepts writes between pieces", () => {
    let chunks = 0;
    let next = hour + 60;
    const findings = checkHistory(world.reader, (read) => {
      chunks += 1;
      const result = read();
      if (chunks <= 3) {
        world.record(
          contentOf("beta", new Map([[1, [ask("b1", 90 + chunks)]]]), { refused: [`Pear ${chunks}`] }),
          timesOf(next),
        );
        next += 24;
        addDaily(world, 200 + chunks, day + chunks);
      }
      return result;
    });
    expect(findings).to.deep.equal([
      { isFault: false, description: "6 frames in 7 segments match their stated content" },
      { isFault: false, description: "4 daily rows are unchanged" },
    ]);
    // The sealed days, and five days of frames with their end. Then the finalized days, and the ends of daily rows in both orders. Then the
    // items with daily rows, and the indexes.
    expect(chunks).to.equal(12);
  });

  it("reports every flipped bit of a segment and every swapped segment", () => {
    const rows = world.reader.$client.prepare("SELECT * FROM frame_segments").all() as Record<string, unknown>[];
    const put = world.writer.$client.prepare(
      "UPDATE frame_segments SET changes = @changes WHERE day = @day AND item_id = @item_id AND feed = @feed",
    );
    let flips = 0;
    for (const row of rows) {
      const sound = row.changes as Buffer;
      for (let bit = 0; bit < sound.length * 8; bit += bySize({ short: 13, long: 3 })) {
        const changes = Buffer.from(sound);
        changes[bit >> 3]! ^= 1 << (bit & 7);
        put.run({ ...row, changes });
        expect(faults(), `bit ${bit}`).to.match(/^1 segments of frames that were changed, such as 2024-/);
        flips += 1;
      }
      put.run(row);
    }
    expect(flips).to.be.greaterThan(bySize({ short: 25, long: 100 }));
    put.run({ ...rows[0], changes: rows[1]!.changes });
    expect(faults()).to.match(/that were changed, such as 2024-10-04 item 1 of alpha/);
  });

  const lies: Record<string, { sql: string; description: RegExp }> = {
    "a missing segment": {
      sql: "DELETE FROM frame_segments WHERE item_id = 2",
      description: /1 frames that differ from their stated content, such as 2024-10-04 hour 0 of alpha/,
    },
    "an extra hour": {
      sql: "UPDATE feed_days SET hours = hours | 2 WHERE feed = 'alpha'",
      description: /1 days of feeds with hours that differ from their frames, such as 2024-10-04 of alpha/,
    },
    "a day without its bits": {
      sql: "DELETE FROM feed_days WHERE feed = 'beta'",
      description: /such as 2024-10-05 of beta/,
    },
    "a provider without its number": {
      sql: "DELETE FROM frame_providers WHERE provider = 'a2'",
      description: /1 segments of frames that quote a provider that is not the feed's/,
    },
    "a frame with a wrong number of refused names": {
      sql: `DROP TRIGGER frames_never_change; UPDATE frames SET refused_names = 1 WHERE hour = ${hour}`,
      description: /1 frames that do not hold the refused names that they count, such as 2024-10-04 hour 0 of alpha/,
    },
    "a frame without its names": {
      sql: "DELETE FROM frame_names",
      description: /3 frames that do not hold the refused names that they count/,
    },
    "a missing name": {
      sql: "DROP TRIGGER refused_names_never_vanish; DELETE FROM refused_names WHERE name = 'Berry'",
      description: /1 days of refused names that the feed does not have, such as 2024-10-04 of alpha/,
    },
    "damaged names of a day": {
      sql: "UPDATE frame_names SET changes = zeroblob(9) WHERE feed = 'alpha'",
      description: /^1 days of refused names that were changed, such as 2024-10-04 of alpha$/,
    },
    "a frame that covers a provider of another feed": {
      sql: `DROP TRIGGER frames_never_change; UPDATE frames SET providers = '["a1","b1"]' WHERE hour = ${hour}`,
      description: /1 frames that cover a provider that is not the feed's, such as 2024-10-04 hour 0 of alpha/,
    },
    "another daily amount": {
      sql: "UPDATE daily_by_item SET amount = 100",
      description: /1 daily rows that were changed, such as 2024-10-04 item 1 at a1/,
    },
    "daily rows of a missing import": {
      sql: "UPDATE daily_by_item SET import_id = 4",
      description: /1 daily rows without an item, provider or import, such as 1 at a1/,
    },
  };
  for (const [what, { sql, description }] of Object.entries(lies)) {
    it(`reports ${what}`, () => {
      edit(world.writer.$client, sql);
      expect(faults()).to.match(description);
    });
  }

  it("reports a valid segment that no frame has written", () => {
    const put = (itemId: number, provider: number) => {
      const quote = { provider, side: "ask" as const, amount: 5, quantity: null, observedAt: null };
      const changes = encodeSegment({ day, itemId, feed: "alpha" }, [{ hour: 5, state: [quote] }]);
      world.writer.$client.prepare("REPLACE INTO frame_segments VALUES (?, ?, 'alpha', ?)").run(day, itemId, changes);
    };
    put(3, 9);
    expect(faults()).to.equal(
      "1 segments of frames that quote a provider that is not the feed's, such as 2024-10-04 item 3 of alpha",
    );
    put(3, 0);
    put(99, 0);
    expect(faults())
      .to.match(/1 segments of frames without an item, such as 2024-10-04 item 99 of alpha/)
      .and.match(/1 frames that differ from their stated content, such as 2024-10-04 hour 5 of alpha/);
  });

  it("reports missing daily rows, index members and past index levels", () => {
    world.writer.$client.exec("UPDATE feed_days SET settled_at = 1");
    expect(faults()).to.match(/^1 days of feeds that are finalized and have no daily row, such as 2024-10-05 of beta$/);
    world.writer.$client.exec(
      `UPDATE feed_days SET settled_at = NULL;
       INSERT INTO indexes VALUES ('i', 'I', '', 'a1', 'equal', '1', 19000, '100', 1, 1, NULL);
       INSERT INTO index_memberships VALUES ('i', 1, 19000, 1)`,
    );
    expect(faults()).to.match(/^1 versions of an index without members, such as i version 1$/);
    world.writer.$client.exec(
      `INSERT INTO index_members VALUES ('i', 1, 1, 1, 19000);
       INSERT INTO index_levels VALUES ('i', '1', 19000, NULL, NULL, NULL, 1, 0, '0.00', 1, NULL, 1, 2, NULL)`,
    );
    expect(faults()).to.equal("1 corrected levels of an index without the level before, such as i on 2022-01-08");
  });

  it("reports remains of an unfinished frame as a fact, not a fault", () => {
    const unfinished = contentOf(
      "alpha",
      new Map([
        [2, [ask("a1", 55)]],
        [3, []],
      ]),
    );
    world.record(unfinished, timesOf(hour + 9), 2);
    const findings = checkHistory(world.reader);
    expect(findings.filter(({ isFault }) => isFault)).to.deep.equal([]);
    expect(findings.map(({ description }) => description).join("\n")).to.match(
      /2 segments have entries of a frame that was not finished, such as 2024-10-04 item 1 of alpha/,
    );
  });

  function faults(): string {
    const found = checkHistory(world.reader).filter(({ isFault }) => isFault);
    return found.map(({ description }) => description).join("\n");
  }
});

function ask(provider: string, amount: number): NamedQuote {
  return { provider, side: "ask", amount, quantity: 3, observedAt: 1_728_000_000_123 };
}

function addDaily({ writer }: FrameWorld, amount: number, onDay = day): void {
  const row = {
    itemId: 1,
    side: "ask" as const,
    day: onDay,
    provider: "a1",
    amount,
    lowAmount: 100,
    highAmount: amount,
    observations: 2,
    quantity: null,
    sourceObservedAt: null,
    recordedAt: 5,
    importId: null,
  };
  writer.$client
    .prepare("INSERT INTO daily_by_item VALUES (1, 'ask', ?, 'a1', ?, 100, ?, 2, NULL, NULL, 5, NULL, ?)")
    .run(onDay, amount, amount, dailyChecksum(row));
}
